// What programs import: the library, and an adapter for each framework.
import { readdirSync } from 'node:fs';

/** By its name in dist/lib/, each source. */
export const LIBRARY = Object.fromEntries(
  ['index', 'plugin', ...readdirSync('src/adapters').map((file) => `adapters/${file.replace(/\.ts$/, '')}`)].map(
    (name) => [name, `src/${name}.ts`],
  ),
);
