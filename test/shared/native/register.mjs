/**
 * Lets Node load src/ by itself. Vitest's own module loader wraps each import in an object, and every use of an
 * imported name then calls a getter: code that works through large recordings takes a third longer.
 */
import { readFileSync } from 'node:fs';
import { register } from 'node:module';

// what the build puts in the place of these names
Object.assign(globalThis, JSON.parse(readFileSync(new URL('defined.json', import.meta.url), 'utf8')));
register('./hooks.mjs', import.meta.url);
