// Builds dist/: the command line as one CommonJS file that starts fast, the libraries it seldom needs as files of their own
// that load on first use, and the library face as an ES module.

import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, posix, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Libraries that most runs never touch: each becomes dist/vendor/<name>.cjs. */
const SELDOM = [
  '@pydantic/genai-prices',
  'chalk',
  'diff',
  'fflate',
  're2js',
  'string-width',
  'tinyglobby',
  'yaml',
  'zod',
];
/** What most runs do not need, each file of src/commands a bundle. */
const LATE_FILES = {
  baseline: 'check/baseline',
  'config-schema': 'shared/config-schema',
  'findings-for': 'shared/findings-for',
  'found-config': 'shared/found-config',
  'found-files': 'shared/found-files',
  'into-file': 'shared/into-file',
  late: 'late',
  lint: 'lint',
  'messages-file': 'shared/messages-file',
  policies: 'policies',
  'policy-file': 'shared/policy-file',
  relations: 'shared/relations',
  simulate: 'simulate/index',
  'stats-merge': 'stats/merge',
};
const LATE = Object.keys(LATE_FILES);
const lateFile = (name) => `src/commands/${LATE_FILES[name] ?? name}.ts`;
/** Built aside and moved in one go: whoever runs the old build meanwhile keeps a whole one. */
const OUT = `dist.${process.pid}.tmp`;

/** What we call of those that only some texts, or only some runs of a command, need: each loads its library when it is called. */
const ON_CALL = {
  diff: ['diffArrays', 'diffLines', 'diffWordsWithSpace'],
  re2js: ['RE2JS'],
  'string-width': ['default'],
};

const fileOf = (name) => name.replace(/^@/, '').replace('/', '-');

/** What a `require` of the file gives: the default export where a library has nothing else, as an import of it expects. */
function vendorEntry(name) {
  return name === 'string-width'
    ? `module.exports = require('${name}').default;`
    : `module.exports = require('${name}');`;
}

const seldom = {
  name: 'seldom',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => {
      const file = relative('.', resolve(resolveDir, path)).replaceAll(sep, '/').replace(/js$/, 'ts');
      if (resolveDir === resolve('.')) return undefined; // the entry of the engine itself
      const name = ['engine', ...LATE].find((candidate) => lateFile(candidate) === file);
      return name === undefined ? undefined : { path: `./${name}.cjs`, external: true };
    });
    onResolve({ filter: new RegExp(`^(${Object.keys(ON_CALL).join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'on-call' ? undefined : { path, namespace: 'on-call', sideEffects: false },
    );
    onLoad({ filter: /.*/, namespace: 'on-call' }, ({ path }) => {
      const library = `require('./vendor/${fileOf(path)}.cjs')`;
      const exported = (name) => {
        if (name === 'default') return `export default function (...args) { return ${library}(...args); }`;
        if (/^[A-Z]/.test(name))
          return `export const ${name} = new Proxy({}, { get: (_, key) => ${library}.${name}[key] });`; // a class, for its static members
        return `export function ${name} (...args) { return ${library}.${name}(...args); }`;
      };
      return {
        contents: ON_CALL[path].map(exported).join('\n'),
        loader: 'js',
      };
    });
    onResolve({ filter: /^\.\/archive\.js$/ }, () => ({ path: './archive.cjs', external: true }));
    onResolve({ filter: /^\.\/import-module\.js$/ }, () => ({ path: './vendor/import-module.cjs', external: true }));
    onResolve({ filter: /^\.\/vendor\// }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind !== 'entry-point' && SELDOM.includes(path)
        ? { path: `./vendor/${fileOf(path)}.cjs`, external: true }
        : undefined,
    );
  },
};

/** commander can start programs; we never do, and loading what that needs takes a tenth of the start-up time. */
const lazyChildProcess = {
  name: 'lazy-child-process',
  setup({ onLoad }) {
    onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const eager = /const childProcess = require\('(?:node:)?child_process'\);/;
      const source = readFileSync(path, 'utf8');
      if (!eager.test(source)) throw new Error('commander no longer loads child_process as it did: mend this plugin');
      return {
        contents: source.replace(
          eager,
          "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };",
        ),
        loader: 'js',
      };
    });
  },
};

/** Of each bundle of commands, what help lists of them: the rest is loaded when one is named. */
const lazyCommands = {
  name: 'lazy-commands',
  setup({ onLoad }) {
    onLoad({ filter: /src[\\/]commands[\\/]index\.ts$/ }, async ({ path }) => {
      const files = [
        ...readFileSync(path, 'utf8').matchAll(/^import { commands as \w+ } from '\.\/(\w+)(?:\/index)?\.js';$/gm),
      ].map(([, file]) => file);
      await build({
        ...common,
        entryPoints: [path],
        outfile: `${OUT}/commands.cjs`,
        format: 'cjs',
        packages: 'external',
      });
      const { bundles } = createRequire(import.meta.url)(resolve(OUT, 'commands.cjs'));
      rmSync(`${OUT}/commands.cjs`);
      if (files.length !== bundles.length)
        throw new Error('the list of commands is not of the shape that the build knows: mend one of them');
      const entries = bundles.map(
        ({ names }, index) =>
          `{ names: ${JSON.stringify(names.map(({ id, summary, words }) => ({ id, summary, words })))}, load: () => require('./${files[index]}.cjs').commands }`,
      );
      return { contents: `export const bundles = [${entries.join(', ')}];`, loader: 'js' };
    });
  },
};

/** How a value is written down in a program: from its first member to the bracket with which it is whole. */
function literalOf(value, source) {
  const start = source.indexOf(`[{id:"${value[0].id}"`);
  for (let end = source.indexOf(value.at(-1).models.at(-1).id, start); end > 0; end = source.indexOf(']', end)) {
    try {
      const literal = source.slice(start, ++end);
      if (JSON.stringify(Function(`return ${literal}`)()) === JSON.stringify(value)) return literal;
    } catch {
      // a bracket further inside
    }
  }
  throw new Error('the price package is not of the shape that the build knows: mend this plugin');
}

/** The price list of the package as JSON, which is read in a fraction of the time that a program takes, and without what is not asked of it. */
const pricesAsJson = {
  name: 'prices-as-json',
  setup({ onLoad }) {
    onLoad({ filter: /genai-prices[\\/]dist[\\/]index\.cjs$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const providers = await createRequire(import.meta.url)(path).waitForUpdate();
      const literal = literalOf(providers, source);
      const asked = providers.map(({ extractors: _, description: _d, price_comments: _p, models, ...provider }) => ({
        ...provider,
        models: models.map(({ description: _e, price_comments: _c, ...model }) => model),
      }));
      return {
        contents: source.replace(literal, () => `JSON.parse(${JSON.stringify(JSON.stringify(asked))})`),
        loader: 'js',
      };
    });
  },
};

const common = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
};

const bundle = {
  ...common,
  format: 'cjs',
  define: { __VERSION__: JSON.stringify(version) },
  supported: { 'dynamic-import': false },
  external: Object.keys(optionalDependencies),
  plugins: [seldom, lazyChildProcess],
};

/** The counter's tables come from tiktoken's vocabulary files. */
async function buildTables() {
  await build({
    ...common,
    entryPoints: ['src/tokens/bpe/generate.ts'],
    outfile: `${OUT}/generate.cjs`,
    format: 'cjs',
  });
  execFileSync(process.execPath, [`${OUT}/generate.cjs`, `${OUT}/tables`], { stdio: 'inherit' });
  rmSync(`${OUT}/generate.cjs`);
}

/** What the tables of tokens are made of: OpenAI's, under the licence of its repository (https://github.com/openai/tiktoken/issues/92). */
const VOCABULARIES = `tiktoken's vocabularies (dist/tables: o200k_base, cl100k_base), MIT
https://github.com/openai/tiktoken

${readFileSync('src/tokens/bpe/LICENSE', 'utf8').trim()}
`;

/** The licences of everything that is bundled, or that files of the package are made of, as they ask. */
function collectLicences(results) {
  const paths = results.flatMap((result) => Object.keys(result?.metafile?.inputs ?? {}));
  const packages = new Set(paths.flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
  const texts = [...packages].sort().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return `${name} ${version}, ${license}\n\n${file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
  });
  writeFileSync(`${OUT}/LICENSES.txt`, [...texts, VOCABULARIES].join(`\n${'-'.repeat(80)}\n\n`));
}

/** What runs when the code of a bundle is kept: of what is called then, V8 keeps more than the outline. */
const WARM = [
  ['cli.cjs engine.cjs', ['--help']],
  ...['filter --max-tool-calls 1', 'patch', 'truncate'].map((words) => [
    'cli.cjs engine.cjs',
    [...words.split(' '), 'fixtures/formats/openai-chat/tau-bench-retail.json'],
  ]),
  ['late.cjs', ['stats', '--model', 'gpt-4o', 'fixtures/formats/openai-chat/tau-bench-retail.json']],
];

/** Keeps the code that this V8 makes of the bundles: src/start.ts loads them with it. */
function keepCode() {
  for (const [files, words] of WARM)
    execFileSync(process.execPath, ['dist/start.cjs', ...words], {
      env: { ...process.env, CTX_TRIM_KEEP_CODE: files },
      stdio: 'ignore',
    });
}

/** The bundles are read as Latin-1. In tagged templates and patterns esbuild leaves what is not ASCII as it is: here it becomes escapes. */
function keepAscii() {
  for (const file of readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(formats[\\/])?[^\\/]+\.cjs$/.test(name),
  )) {
    const code = readFileSync(`${OUT}/${file}`, 'utf8');
    if (/[\u{10000}-\u{10ffff}]/u.test(code))
      throw new Error(`${file} holds a character that has no escape of four digits`);
    const ascii = code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (ascii !== code) writeFileSync(`${OUT}/${file}`, ascii);
  }
}

// --- what loads on first use

const FORMATS = 'src/formats';
/** What many runs need stays in the engine: a file of its own costs more than a few kilobytes there. All other formats are loaded one by one. */
const EAGER = [
  'openai-chat',
  'anthropic-messages',
  'derived-ids',
  'map-values',
  'links',
  'adjacent-record',
  'apply-cuts',
  '../transcript/pairs',
];

const formatPaths = readdirSync(FORMATS, { recursive: true, encoding: 'utf8' }).map((path) =>
  path.replaceAll(sep, '/'),
);
const formatFile = (id) => posix.join(FORMATS, formatPaths.find((path) => path.endsWith(`/${id}.ts`)) ?? `${id}.ts`);

const lazyIds = [...readFileSync(`${FORMATS}/index.ts`, 'utf8').matchAll(/^ {4}id: '([^']+)'/gm)]
  .map(([, id]) => id)
  .filter((id) => !EAGER.includes(id));

/** The list of formats without the formats: each is required when it is loaded. */
const lazyFormats = {
  name: 'lazy-formats',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/formats\/.*\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /src[\\/]formats[\\/]index\.ts$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const id of lazyIds) {
        const [line, name] = new RegExp(`^import (\\w+) from '\\./[a-z0-9-]+/${id}\\.js';$`, 'm').exec(contents) ?? [];
        const load = `load: () => ${name},`;
        if (!contents.includes(load))
          throw new Error(`the entry of ${id} is not of the shape that the build knows: mend one of them`);
        contents = contents.replace(line, '').replace(load, `load: () => require('./formats/${id}.cjs').default,`);
      }
      return { contents, loader: 'ts' };
    });
  },
};

const engine = { ...bundle, plugins: [lazyFormats, ...bundle.plugins] };
const idOf = (path) => basename(path, '.ts');
const isOurs = (path) => path.startsWith('src/');
/** By module, those that import it. */
const importers = new Map();
/** What of ours a bundle of this entry really holds: what it does not use is left out. */
const inputsOf = async (options, entry) => {
  const { inputs, outputs } = (await build({ ...options, entryPoints: [entry], outfile: 'bundle.cjs', write: false }))
    .metafile;
  const [{ inputs: held }] = Object.values(outputs);
  for (const [importer, { imports }] of Object.entries(inputs))
    for (const { path } of imports) importers.set(path, new Set([...(importers.get(path) ?? []), importer]));
  return Object.keys(held).filter((path) => isOurs(path) && held[path].bytesInOutput > 0);
};

const inEngine = [...new Set([...(await inputsOf(engine, 'src/commands/engine.ts')), ...EAGER.map(formatFile)])];
const [inLate, inFormats] = await Promise.all(
  [LATE.map(lateFile), lazyIds.map(formatFile)].map((entries) =>
    Promise.all(entries.map((entry) => inputsOf(engine, entry))),
  ),
);

/** What others take from the engine, and what is a file of its own: formats, and what several modules of them need. No module is in two bundles: its classes, symbols and caches would be there twice. */
const shared = inEngine.filter(
  (path) => path !== 'src/commands/engine.ts' && [...inLate, ...inFormats].some((paths) => paths.includes(path)),
);
const chunks = [...new Set(inFormats.flat())].filter(
  (path) =>
    !inEngine.includes(path) &&
    (lazyIds.includes(idOf(path)) ||
      (importers.get(path).size > 1 && [...inLate, ...inFormats].filter((paths) => paths.includes(path)).length > 1)),
);
if (new Set(chunks.map(idOf)).size < chunks.length) throw new Error(`two chunks of one name: ${chunks.join(' ')}`);

/** What each of those modules exports. */
const { metafile: faces } = await build({
  entryPoints: [...shared, ...chunks],
  format: 'esm',
  outbase: '.',
  outdir: '.',
  write: false,
  metafile: true,
});
const exportsOf = (path) => faces.outputs[path.replace(/ts$/, 'js')].exports;

/** Objects with the exports of shared modules are made when they are asked for: making all of them takes time. */
const engineEntry = [
  "export * from './src/commands/engine.js';",
  ...shared.map(
    (path, index) => `import { ${exportsOf(path).map((name) => `${name} as m${index}_${name}`)} } from './${path}';`,
  ),
  `export const shared = [${shared.map((path, index) => `() => ({ ${exportsOf(path).map((name) => `${name}: m${index}_${name}`)} })`)}];`,
].join('\n');

/** A module that takes the exports of another from where they are. */
function taken(from, names) {
  const parts = names.map((name) => `${name}: x_${name}`);
  return `const { ${parts.join(', ')} } = ${from};\nexport { ${names.map((name) => `x_${name} as ${name}`).join(', ')} };`;
}

/** Takes the modules of the engine from there, and chunks from the files beside. */
const fromElsewhere = (engineFile, folder) => ({
  name: 'from-elsewhere',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => {
      const module = relative('.', resolve(resolveDir, path)).replaceAll(sep, '/').replace(/js$/, 'ts');
      return shared.includes(module) || chunks.includes(module) ? { path: module, namespace: 'elsewhere' } : undefined;
    });
    onResolve({ filter: /^engine$/, namespace: 'elsewhere' }, () => ({ path: engineFile, namespace: 'elsewhere' }));
    onResolve({ filter: /\.cjs$/, namespace: 'elsewhere' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'elsewhere' }, ({ path }) => {
      if (path === engineFile) return { contents: `export const { shared } = require('${engineFile}');`, loader: 'js' };
      if (!shared.includes(path))
        return { contents: taken(`require('${folder}/${idOf(path)}.cjs')`, exportsOf(path)), loader: 'js' };
      return {
        contents: `import { shared } from 'engine';\n${taken(`shared[${shared.indexOf(path)}]()`, exportsOf(path))}`,
        loader: 'js',
      };
    });
  },
});

rmSync(OUT, { recursive: true, force: true });
const results = await Promise.all([
  buildTables(),
  build({ ...common, entryPoints: ['src/start.ts'], outfile: `${OUT}/start.cjs`, format: 'cjs' }),
  build({
    ...bundle,
    entryPoints: ['src/main.ts'],
    outfile: `${OUT}/cli.cjs`,
    plugins: [lazyCommands, ...bundle.plugins],
    external: [...bundle.external, ...['engine', ...LATE].map((name) => `./${name}.cjs`)],
  }),
  build({
    ...bundle,
    stdin: { contents: engineEntry, resolveDir: '.', loader: 'ts' },
    outfile: `${OUT}/engine.cjs`,
    plugins: engine.plugins,
  }),
  ...LATE.map((name) =>
    build({
      ...bundle,
      entryPoints: [lateFile(name)],
      outfile: `${OUT}/${name}.cjs`,
      plugins: [fromElsewhere('./engine.cjs', './formats'), ...engine.plugins],
    }),
  ),
  build({
    ...bundle,
    entryPoints: chunks.map((path) => ({ in: path, out: idOf(path) })),
    outdir: `${OUT}/formats`,
    outExtension: { '.js': '.cjs' },
    plugins: [fromElsewhere('../engine.cjs', '.'), ...bundle.plugins],
  }),
  build({ ...bundle, entryPoints: ['src/io/archive.ts'], outfile: `${OUT}/archive.cjs` }),
  build({
    ...common,
    entryPoints: ['src/commands/shared/import-module.ts'],
    outfile: `${OUT}/vendor/import-module.cjs`,
    format: 'cjs',
  }),
  build({ ...common, minify: false, entryPoints: ['src/index.ts'], outfile: `${OUT}/index.js`, format: 'esm' }),
  ...SELDOM.map((name) =>
    build({
      ...common,
      plugins: [pricesAsJson],
      stdin: { contents: vendorEntry(name), resolveDir: '.' },
      outfile: `${OUT}/vendor/${fileOf(name)}.cjs`,
      format: 'cjs',
    }),
  ),
]);
collectLicences(results);
cpSync('src/schema', `${OUT}/schema`, { recursive: true });
keepAscii();
rmSync('dist', { recursive: true, force: true });
renameSync(OUT, 'dist');
keepCode();
