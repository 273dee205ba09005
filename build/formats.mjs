// Makes a chunk of each format, which `require` loads at once when the format comes into question. Most runs need two
// of them, and compiling all of them would take a tenth of the start-up time.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const REGISTRY = resolve('src/formats/index.ts');
/** They come into question always, or others are made of them: all stand in the chunk of rewriting. */
const ALWAYS = [
  'anthropicMessages',
  'geminiContents',
  'langchain',
  'openaiChat',
  'openaiResponses',
  'otelGenai',
  'vercelModel',
];

/** The formats that the registry imports: `import name from './path.js'`. */
const formats = parseAst(readFileSync(REGISTRY, 'utf8'), { lang: 'ts' })
  .body.filter(({ type, specifiers }) => type === 'ImportDeclaration' && isDefault(specifiers[0]))
  .map(({ source, specifiers }) => ({ specifier: source.value, name: specifiers[0].local.name }))
  .filter(({ name }) => !ALWAYS.includes(name));

function isDefault(specifier) {
  return specifier?.type === 'ImportDefaultSpecifier';
}

/** By the name of its chunk, the source of each format. */
export const FORMATS = Object.fromEntries(formats.map((format) => [chunkOf(format), sourceOf(format)]));

function chunkOf({ specifier }) {
  return `formats-${specifier.slice('./'.length, -'.js'.length).replaceAll('/', '-')}`;
}

function sourceOf({ specifier }) {
  return resolve(dirname(REGISTRY), `${specifier.slice(0, -'.js'.length)}.ts`);
}

/** A module with a getter for each format; each import of the registry is one of these. */
const GETTERS = '\0formats';
const ONE = '\0format:';

export const formatsOnDemand = {
  name: 'formats-on-demand',
  resolveId(id, importer) {
    if (id === GETTERS) return id;
    if (importer === GETTERS) return { id, external: true };
    const format = importer === REGISTRY && formats.find(({ specifier }) => specifier === id);
    return format ? ONE + format.name : undefined;
  },
  load(id) {
    if (id.startsWith(ONE)) return `export { ${id.slice(ONE.length)} as default } from ${JSON.stringify(GETTERS)};`;
    return id === GETTERS ? `module.exports = { ${formats.map(getter).join('\n')} };` : undefined;
  },
};

function getter(format) {
  return `get ${format.name}() { return require('./${chunkOf(format)}.cjs').default; },`;
}
