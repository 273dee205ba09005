// Evaluates modules named `*.static.ts` when the program is built: what they export is written down as JSON.
// From source, in the tests, such a module runs as it is.
import { readFileSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The paths of the modules whose results are in the bundle. */
export const evaluatedModules = new Set();

export const evaluate = {
  name: 'evaluate',
  load: {
    filter: { id: /\.static\.ts$/ },
    handler: async (path) => ({ code: written(await exportsOf(path)), moduleType: 'js' }),
  },
};

async function exportsOf(path) {
  const dir = resolve(`${basename(path)}.${process.pid}.tmp`);
  const bundled = await rolldown({ input: path, platform: 'node', external: Object.keys(peerDependencies) });
  try {
    const { output } = await bundled.write({ dir, format: 'esm', entryFileNames: 'entry.mjs' });
    for (const { moduleIds = [] } of output) for (const module of moduleIds) evaluatedModules.add(module);
    return await import(pathToFileURL(`${dir}/entry.mjs`).href);
  } finally {
    await bundled.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Large values are exported as JSON: a string is read faster than a literal. */
function written(exports) {
  return Object.entries(exports)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
