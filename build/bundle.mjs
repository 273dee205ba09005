// Bundles the program (CommonJS, in chunks that load when they are needed) and the library (ES modules).
// CommonJS, because Node loads it in half the time that ES modules take.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { chunkName, groups, libraryGroups } from './chunk-groups.mjs';
import { evaluate, evaluatedModules } from './evaluate.mjs';
import { lazyChunks } from './lazy-chunks.mjs';
import { LIBRARY } from './library.mjs';
import { listsOnOneLine } from './lists.mjs';
import { ON_DEMAND, onDemand } from './on-demand.mjs';
import { platformOfConsumer, pricesOfProgram, zodOfConsumer } from './shared-files.mjs';

const { version, bugs, dependencies = {}, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Commander can start programs, which we never do: loading what that needs would take a tenth of the start-up time. */
const noChildProcess = {
  name: 'no-child-process',
  resolveId: (id, importer) =>
    CHILD_PROCESS.includes(id) && importer?.includes(`${sep}commander${sep}`)
      ? resolve('build/no-child-process.mjs')
      : undefined,
};
const CHILD_PROCESS = ['node:child_process', 'child_process'];

const common = {
  platform: 'node',
  plugins: [evaluate, noChildProcess],
  treeshake: { moduleSideEffects: (id) => !id.includes('hyparquet-compressors') }, // it does not say so
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
  transform: {
    target: 'node20',
    define: {
      __VERSION__: JSON.stringify(version),
      __BUILD__: JSON.stringify(`${version}-${sourceHash()}`),
      __BUGS__: JSON.stringify(bugs.url),
      __TABLES__: JSON.stringify('../tables'),
    },
  },
};

/** Another one for every change of the sources: what is cached of files holds only for the program that read them. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort())
    if (name.endsWith('.ts') || name.endsWith('.json')) hash.update(name).update(readFileSync(join('src', name)));
  return hash.digest('hex').slice(0, 16);
}

/** Chunks that every run loads, but for help. */
const ALWAYS = ['code-cache.cjs', 'cli.cjs', 'core.cjs', 'rolldown-runtime.cjs'];

/** Returns the paths of the modules that the bundle is made of, as bundleLibrary does. */
export async function bundleProgram(dir) {
  return bundle(
    {
      ...common,
      external: isPackageIn(peerDependencies),
      plugins: [...common.plugins, listsOnOneLine, onDemand, lazyChunks(ALWAYS)],
      input: { 'code-cache': 'src/cli/code-cache.ts', cli: 'src/cli/main.ts', ...ON_DEMAND },
      experimental: { nativeMagicString: true },
      preserveEntrySignatures: 'allow-extension', // a format that others extend stays in its file
    },
    {
      dir,
      format: 'cjs',
      exports: 'named',
      charset: 'ascii', // V8 reads such a file in half the time
      minify: true,
      comments: { annotation: false }, // for bundlers
      sourcemap: true,
      entryFileNames: '[name].cjs',
      chunkFileNames: (chunk) => `${chunkName(chunk)}.cjs`,
      codeSplitting: { groups },
    },
  );
}

const isBeside = isPackageIn({ ...dependencies, ...peerDependencies });

/** The chunks stand beside index.js: tables and prices are found from there. */
export async function bundleLibrary(dir) {
  return bundle(
    {
      ...common,
      platform: 'browser', // which needs no runtime of Node
      external: (id) => isBuiltin(id) || isBeside(id),
      plugins: [...common.plugins, pricesOfProgram, platformOfConsumer, zodOfConsumer],
      input: { ...LIBRARY, node: 'src/node/tokenizer.ts', web: 'src/node/web.ts' },
    },
    {
      dir,
      format: 'esm',
      // The names of functions stay, for those who debug.
      minify: { compress: true, mangle: { toplevel: true }, codegen: true },
      entryFileNames: '[name].js',
      chunkFileNames: 'shared-[name].js',
      codeSplitting: { groups: libraryGroups },
    },
  );
}

/** Whether a module is of one of these packages, which are installed beside ours. */
function isPackageIn(packages) {
  return (id) => Object.keys(packages).some((name) => id === name || id.startsWith(`${name}/`));
}

async function bundle(input, output) {
  const bundled = await rolldown(input);
  try {
    const { output: chunks } = await bundled.write(output);
    return [...chunks.flatMap(({ moduleIds = [] }) => moduleIds), ...evaluatedModules];
  } finally {
    await bundled.close();
  }
}
