// Makes chunks of formats and of rules, which `require` loads at once when the registry asks for one of them. Most runs
// need two formats, and the rules of one provider; compiling all of them would take a third of the start-up time.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

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

/** Chunks that hold several formats: short ones that few recordings have, and those that share most of their code. */
const FORMATS = chunkByName({
  'formats-rare': [
    ...['bedrock/bedrock-converse', 'call-log/call-log', 'copilot/copilot-timeline', 'cursor/cursor-agent'],
    ...['mastra/mastra', 'promptfoo/promptfoo', 'sharegpt/llama-factory', 'sharegpt/sharegpt', 'swe-agent/swe-agent'],
    ...['prompt-answers/prompt-answers', 'pydantic-ai/pydantic-ai', 'trace-log/trace-log'],
  ],
  'formats-agents': [
    ...['amp/amp-thread', 'antigravity/antigravity', 'droid/droid-session', 'happy/happy', 'qwen/qwen-session'],
    ...['continue/continue-session', 'goose/goose-session', 'roo-code/roo-code'],
  ],
  'formats-chat': ['cohere/cohere-chat', 'gemini/gemini-interactions', 'ollama/ollama-chat'],
  'formats-exports': ['chatgpt/chatgpt-export', 'claude/claude-ai-export', 'open-webui/open-webui'],
  'formats-openhands': ['openhands/openhands', 'openhands/openhands-sdk'],
  'formats-gemini-cli': ['gemini/gemini-cli-session', 'gemini/gemini-cli-stream'],
  'formats-spans': ['otel/openinference', 'otel/otlp', 'usage-log/usage-log'],
});

/** Chunks of rules, by folder. The rules of other folders stand in the chunk of checking. */
const RULES = chunkByName({
  'rules-anthropic': ['anthropic', 'vertex-claude'],
  'rules-bedrock': ['bedrock'],
  'rules-gemini': ['gemini'],
  'rules-responses': ['responses'],
  'rules-vendors': [
    'cohere',
    'dashscope',
    'deepseek',
    'groq',
    'minimax',
    'mistral',
    'moonshot',
    'ollama',
    'xai',
    'zhipu',
  ],
});

function chunkByName(chunks) {
  return Object.fromEntries(Object.entries(chunks).flatMap(([chunk, names]) => names.map((name) => [name, chunk])));
}

/** What the registries import, each with the chunk that gets it. */
const imports = [
  ...importsOf('src/formats/index.ts', (name, path) =>
    ALWAYS.includes(name) ? undefined : (FORMATS[path] ?? `formats-${path.replaceAll('/', '-')}`),
  ),
  ...importsOf('src/rules/index.ts', (_, path) => RULES[dirname(path)]),
];

/** From `import name from './folder/file.js'`. */
function importsOf(registry, chunkOf) {
  return parseAst(readFileSync(registry, 'utf8'), { lang: 'ts' })
    .body.filter(({ type, specifiers }) => type === 'ImportDeclaration' && isDefault(specifiers[0]))
    .map(({ source: { value: specifier }, specifiers }) => {
      const [name, path] = [specifiers[0].local.name, specifier.slice('./'.length, -'.js'.length)];
      const file = resolve(dirname(registry), `${path}.ts`);
      return { importer: resolve(registry), specifier, name, file, chunk: chunkOf(name, path) };
    })
    .filter(({ chunk }) => chunk !== undefined);
}

function isDefault(specifier) {
  return specifier?.type === 'ImportDefaultSpecifier';
}

const partsOf = (chunk) => imports.filter((one) => one.chunk === chunk);

/** Modules of ours: one a registry with a getter for each import, which becomes one of these; one for each chunk. */
const GETTERS = '\0getters:';
const ONE = '\0one:';
const CHUNK = '\0chunk:';

/** By the name of its chunk, each source: the one module that it holds, which others may extend, or all of them. */
export const ON_DEMAND = Object.fromEntries(
  imports.map(({ chunk, file }) => [chunk, partsOf(chunk).length === 1 ? file : CHUNK + chunk]),
);

export const onDemand = {
  name: 'on-demand',
  resolveId(id, importer) {
    if (id.startsWith(GETTERS) || id.startsWith(CHUNK)) return id;
    if (importer?.startsWith(GETTERS)) return { id, external: true };
    const found = imports.find((one) => one.importer === importer && one.specifier === id);
    return found && ONE + found.name;
  },
  load(id) {
    if (id.startsWith(GETTERS)) return gettersOf(id.slice(GETTERS.length));
    if (id.startsWith(CHUNK)) return partsOf(id.slice(CHUNK.length)).map(exported).join('\n');
    if (!id.startsWith(ONE)) return undefined;
    const { name, importer } = imports.find((one) => ONE + one.name === id);
    return `export { ${name} as default } from ${JSON.stringify(GETTERS + importer)};`;
  },
};

function exported({ name, file }) {
  return `export { default as ${name} } from ${JSON.stringify(file)};`;
}

function gettersOf(importer) {
  const chunks = new Set(imports.filter((one) => one.importer === importer).map(({ chunk }) => chunk));
  return `
    const add = (load, names) => names.forEach((name) =>
      Object.defineProperty(exports, name, { get: () => load()[names[1] ? name : 'default'] }));
    ${[...chunks].map(addition).join('\n')}`;
}

function addition(chunk) {
  return `add(() => require('./${chunk}.cjs'), ${JSON.stringify(partsOf(chunk).map(({ name }) => name))});`;
}
