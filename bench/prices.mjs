// `npm run prices [-- FOLDER]` holds our prices against those of LiteLLM and of models.dev, as the newest npm packages
// with them have them, and writes bench/PRICES.md: the models of the shared recordings, and what differs in the makers'
// lists. FOLDER: where these packages are installed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REASONS } from './price-reasons.mjs';

/** LiteLLM's list of 2026-08-23, and models.dev's of 2026-11-10. */
const LITELLM = 'codeburn@0.9.15';
const MODELS_DEV = '@earendil-works/pi-ai@1.5.2';
/** The lists that makers have of their own models. */
const MAKERS = [
  'anthropic',
  'openai',
  'google',
  'xai',
  'deepseek',
  'mistral',
  'moonshotai',
  'minimax',
  'zai',
  'meta',
  'xiaomi',
];
const ROOTS = ['../shared/transcripts', 'fixtures/formats'];
const DAY = '2026-11-26';

const [given] = process.argv.slice(2);
const work = given ?? mkdtempSync(join(tmpdir(), 'ctx-trim-prices-'));
try {
  const packages = ['install', '--prefix', work, '--no-audit', '--no-fund', '--ignore-scripts', LITELLM, MODELS_DEV];
  if (given === undefined) execFileSync('npm', packages, { stdio: 'ignore' });
  writeFileSync(
    'bench/PRICES.md',
    page(liteLlmIn(join(work, 'node_modules')), modelsDevIn(join(work, 'node_modules'))),
  );
} finally {
  if (given === undefined) rmSync(work, { recursive: true, force: true });
}

/** In US dollars per million tokens: input, output, cache read, cache write. */
function liteLlmIn(packages) {
  const text = readFileSync(join(packages, 'codeburn/dist/main.js'), 'utf8');
  const start = text.indexOf('{', text.indexOf('litellm_snapshot_default = {'));
  const list = Function(`return ${text.slice(start, text.indexOf('};', start) + 1)}`)();
  const million = (usd) => (usd === null ? undefined : Number((usd * 1e6).toPrecision(10)));
  return new Map(
    Object.entries(list).map(([name, [input, output, write, read]]) => [
      name.toLowerCase(),
      [input, output, read, write || null].map(million),
    ]),
  );
}

function modelsDevIn(packages) {
  const folder = join(packages, '@earendil-works/pi-ai/dist/providers/data');
  const models = MAKERS.flatMap((maker) =>
    Object.values(JSON.parse(readFileSync(join(folder, `${maker}.json`), 'utf8'))).flatMap((api) => Object.values(api)),
  );
  const chats = models.filter(({ cost, type }) => cost !== undefined && (type === undefined || type === 'chat'));
  return new Map(
    chats.map(({ id, cost }) => [
      id.toLowerCase(),
      // it writes 0 where a price is not known
      [cost.input, cost.output, cost.cacheRead || undefined, cost.cacheWrite || undefined],
    ]),
  );
}

function page(liteLlm, modelsDev) {
  const recorded = recordedNames();
  const rows = ours([...new Set([...recorded, ...modelsDev.keys()])]).map(({ model, prices, note }) => {
    const others = [liteLlm, modelsDev].map((list) => theirs(list, model));
    const reasons = others.map((other, at) => reasonOf(model, prices, other, ['LiteLLM', 'models.dev'][at]));
    return { model, prices, note, others, reasons: [...new Set(reasons.flat())] };
  });
  const isKnown = ({ prices, others }) => [prices, ...others].some((one) => one !== undefined);
  const own = rows.filter((row) => recorded.includes(row.model) && isKnown(row));
  const rest = rows.filter((row) => !recorded.includes(row.model));
  const differing = rest.filter(({ reasons }) => reasons.length > 0);
  const unexplained = rows.flatMap(({ model, reasons }) =>
    reasons.filter((one) => one.startsWith('?')).map(() => model),
  );
  if (unexplained.length > 0) console.error(`without a reason: ${unexplained.join(', ')}`);
  return `# Prices, ours and those of others

Written by \`npm run prices\`: US dollars per million tokens of input / output / cache read / cache write, on ${DAY}.
LiteLLM's list is that of \`${LITELLM}\` (2026-08-23), models.dev's that of \`${MODELS_DEV}\`
(2026-11-10), there only the makers' own models. A list says nothing where the column is empty or “–”.

## The ${own.length} models of the shared recordings

${table(own)}

## The makers' own models

${rest.length} more names; ${rest.length - differing.length} have the same prices everywhere. These do not:

${table(differing)}
`;
}

function recordedNames() {
  const files = ROOTS.filter((root) => existsSync(root)).flatMap((root) =>
    readdirSync(root, { recursive: true }).map((name) => join(root, name)),
  );
  const names = files
    .filter((name) => /\.jsonl?$/.test(name))
    .flatMap((name) => [...readFileSync(name, 'utf8').matchAll(/"model(?:_?(?:name|id))?" ?: ?"([^"\\]{2,80})"/gi)])
    .map(([, name]) => name);
  return [...new Set(names)].sort();
}

/** Undefined where no price is known. */
function ours(names) {
  const words = ['bin/ctx-trim.js', 'prices', '--date', DAY, '--format', 'json', ...names];
  const { stdout } = tried(words);
  const known = new Map(JSON.parse(stdout).models.map((one) => [one.model, one]));
  return names.map((model) => {
    const one = known.get(model);
    if (one?.prices == null) return { model, prices: undefined, note: undefined };
    const { input, output, cache_read: read, cache_write_5m: write } = one.prices;
    const prices = [input, output, read, write].map((price) => price ?? undefined);
    return {
      model,
      prices: prices,
      note: one.notes[0],
    };
  });
}

function tried(words) {
  try {
    return { stdout: execFileSync('node', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) };
  } catch (error) {
    return error; // a price is missing
  }
}

function theirs(list, model) {
  const name = model.toLowerCase();
  return list.get(name) ?? list.get(name.slice(name.lastIndexOf('/') + 1));
}

function reasonOf(model, own, other, list) {
  if (other === undefined) return [];
  const kinds = ['input', 'output', 'cache read', 'cache write'];
  const differing = kinds.filter((_, at) => other[at] !== undefined && own?.[at] !== other[at]);
  if (differing.length === 0) return [];
  const known = REASONS.find(({ names, of = list }) => names.test(model) && of === list);
  return [`${known === undefined ? '? ' : ''}${list}: ${known?.why ?? differing.join(', ')}`];
}

function table(rows) {
  const cell = (prices) => prices?.map((price) => price ?? '–').join(' / ') ?? '';
  const lines = rows.map(({ model, prices, note, others, reasons }) => {
    const why = [...reasons, note].filter((one) => one !== undefined).join('; ');
    return `| ${[model, ...[prices, ...others].map(cell), why].join(' | ')} |`;
  });
  return ['| model | ours | LiteLLM | models.dev | differs |', '| --- | --- | --- | --- | --- |', ...lines].join('\n');
}
