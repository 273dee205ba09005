// Evaluates modules named `*.static.ts` when the program is built: what they export is written down as JSON.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** An esbuild plugin. From source (in the tests) such a module runs as it is. */
export const evaluate = {
  name: 'evaluate',
  setup({ onLoad }) {
    onLoad({ filter: /\.static\.ts$/ }, async ({ path }) => ({ contents: written(await exportsOf(path)), loader: 'js' }));
  },
};

/** JSON in a string is read faster than a literal. */
function written(exports) {
  return Object.entries(exports)
    .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`)
    .join('\n');
}

async function exportsOf(path) {
  const file = resolve(`evaluated.${process.pid}.${evaluated++}.tmp.mjs`);
  try {
    await build({ entryPoints: [path], outfile: file, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
    return { ...(await import(pathToFileURL(file).href)) };
  } finally {
    rmSync(file, { force: true });
  }
}

let evaluated = 0;
