// What the library does not hold itself, but finds beside it in the package.
import { resolve } from 'node:path';
import { chunkName } from './chunk-groups.mjs';

/** The package has one price list, in the program's folder: the library loads it from there. */
export const pricesOfProgram = {
  name: 'prices-of-program',
  resolveId: (id) =>
    id.endsWith(PRICES) ? { id: `../cli/${chunkName({ facadeModuleId: PRICE_LIST })}.cjs`, external: true } : undefined,
};
const PRICES = '/price-package.static.js';
const PRICE_LIST = resolve('src/measure/pricing/price-package.static.ts');

/** What reads files is another module where there is no Node: `imports` of package.json says which. */
const PLATFORM = '#tokenizer';
export const platformOfConsumer = {
  name: 'platform-of-consumer',
  resolveId: (id, importer) =>
    importer !== undefined && id.endsWith('/node/tokenizer.js') ? { id: PLATFORM, external: true } : undefined,
};

/** The library has zod as a dependency: all of it is there. */
export const zodOfConsumer = {
  name: 'zod-of-consumer',
  resolveId: (id) => (id.endsWith('/text/zod.js') ? { id: 'zod', external: true } : undefined),
};
