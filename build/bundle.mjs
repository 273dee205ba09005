// Bundles the program (CommonJS, in chunks that load when they are needed) and the library (one ES module).
// CommonJS, because Node loads it in half the time that ES modules take.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { evaluate, evaluatedModules } from './evaluate.mjs';
import { LIBRARY } from './library.mjs';

const { version, bugs, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/**
 * Chunks that hold their roots with all that these import, the first chunk first: one file loads faster than many.
 * Every other module that loads on demand (`import()`) becomes a chunk of its own.
 */
const CHUNKS = [
  { name: 'cli', roots: ['cli/main', 'cli/cli', 'cli/options/command'] },
  {
    name: 'rewrite',
    roots: [
      ...['cli/commands/rewrite/index', 'cli/commands/rewrite/run'],
      'formats/openai/openai-chat', // it always comes into question
      ...readdirSync('src/formats/shared').map((file) => `formats/shared/${file.replace(/\.ts$/, '')}`),
    ],
  },
  {
    name: 'measure',
    roots: ['cli/commands/stats/run', 'cli/commands/diff/run', 'cli/context/context', 'cli/outputs/observe'],
  },
  { name: 'check', roots: ['cli/commands/check/run'] },
];

const groups = CHUNKS.map(({ name, roots }, index) => {
  const modules = new Set(roots.map((root) => resolve('src', `${root}.ts`)));
  for (const module of modules) if (!existsSync(module)) throw new Error(`chunk ${name}: there is no ${module}`);
  return { name, test: (id) => modules.has(id), priority: CHUNKS.length - index };
});

/** Commander can start programs, which we never do: loading what that needs would take a tenth of the start-up time. */
const noChildProcess = {
  name: 'no-child-process',
  resolveId: (id, importer) =>
    /^(node:)?child_process$/.test(id) && importer?.includes(`${sep}commander${sep}`)
      ? resolve('build/no-child-process.mjs')
      : undefined,
};

const common = {
  platform: 'node',
  external: Object.keys(peerDependencies).map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [evaluate, noChildProcess],
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
  transform: {
    target: 'node20',
    define: {
      __VERSION__: JSON.stringify(version),
      __BUILD__: JSON.stringify(`${version}-${sourceHash()}`),
      __BUGS__: JSON.stringify(bugs.url),
      __TABLES__: JSON.stringify('./tables'),
    },
  },
};

const FORMATS = resolve('src/formats/index.ts');

/**
 * Makes a chunk of each format, which `require` loads at once when the format comes into question. Most runs need two
 * of them, and compiling all of them would take a tenth of the start-up time. Lines stay where they are.
 */
const formatsOnDemand = {
  name: 'formats-on-demand',
  transform(code, id) {
    if (id !== FORMATS) return undefined;
    const paths = new Map([...code.matchAll(DEFAULT_IMPORT)].map(([, name, path]) => [name, path]));
    const load = (same, name) => (paths.has(name) ? `load: () => import(${paths.get(name)}).default` : same);
    return { code: code.replace(DEFAULT_IMPORT, '').replace(/load: \(\) => (\w+)/g, load), map: null };
  },
  renderChunk(code) {
    const now = code.replace(LOADED_LATER, 'require($1)$3.default').replace(IN_THE_CHUNK, '$1.default');
    const [later] = /load: \(\) => Promise.*/.exec(now) ?? [];
    if (later !== undefined) throw new Error(`a format is not loaded at once: ${later}`);
    return now === code ? null : { code: now, map: null };
  },
};
/** All but the one that always comes into question. */
const DEFAULT_IMPORT = /^import (?!openaiChat\b)(\w+) from ('\.\/[^']+');$/gm;
/** What becomes of `import(…).default`: the chunk is the module, or holds it among others. */
const LOADED_LATER =
  /Promise\.resolve\(\)\.then\(\(\) => require\(("[^"]+")\)\)(?:\.then\(\((\w+)\) => \2(\.\w+)\))?\.default/g;
const IN_THE_CHUNK = /Promise\.resolve\(\)\.then\(\(\) => (\w+)\)\.default/g;

/** Another one for every change of the sources: what is cached of files holds only for the program that read them. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(ts|json)$/.test(name)) hash.update(name).update(readFileSync(join('src', name)));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the paths of the modules that the bundle is made of, as bundleLibrary does. */
export async function bundleProgram(dir) {
  return bundle(
    { ...common, plugins: [...common.plugins, formatsOnDemand], input: { cli: 'src/cli/main.ts' } },
    {
      dir,
      format: 'cjs',
      minify: true,
      sourcemap: true,
      entryFileNames: '[name].cjs',
      chunkFileNames: ({ name, facadeModuleId }) => `${chunkName(name, facadeModuleId)}.cjs`,
      codeSplitting: { groups },
    },
  );
}

/** The chunks stand beside index.js: the tables are found from there. */
export async function bundleLibrary(dir) {
  return bundle(
    { ...common, input: LIBRARY },
    { dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'library-[name].js' },
  );
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

/** A chunk is named by its module: src/cli/commands/check/run.ts is `commands-check-run`; a library by its package. */
function chunkName(name, module) {
  if (module === null || module === undefined || name === 'cli') return name;
  const [, library] = /node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(module.replaceAll(sep, '/')) ?? [];
  if (library !== undefined) return `vendor/${library}`;
  const path = module.slice(resolve('src').length + 1).replaceAll(sep, '/');
  return (
    path
      .replace(/^cli\//, '')
      .replace(/\.ts$/, '')
      .replaceAll('/', '-') || basename(module)
  );
}
