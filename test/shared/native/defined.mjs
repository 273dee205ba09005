/** What the build puts in the place of these names. */
import { readFileSync } from 'node:fs';

Object.assign(globalThis, JSON.parse(readFileSync(new URL('defined.json', import.meta.url), 'utf8')));
