/**
 * What policies cost under prompt caches: `npm run policies [folder]` (by default ../shared/transcripts) replays
 * recorded sessions with each policy and each cache, and writes bench/POLICIES.md and docs/policies.svg.
 *
 * A session is a transcript with 20 answered calls and 50,000 input tokens at least; of a file, the three longest.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barChart } from './bar-chart.mjs';
import { sources } from './sources.mjs';

const [folder = '../shared/transcripts'] = process.argv.slice(2);
if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
const SKIPPED = /^perf|\.md$|\.eval$|MANIFEST/;
const LEAST_CALLS = 20;
const LEAST_TOKENS = 50_000;
const MOST_OF_A_FILE = 3;

/** Each cache with the model whose prices are used. */
const CACHES = [
  { id: 'anthropic', title: "Anthropic's cache", model: 'claude-sonnet-4-5' },
  { id: 'openai', title: "OpenAI's cache", model: 'gpt-5' },
  { id: 'gemini', title: "Gemini's cache", model: 'gemini-2.5-pro' },
  { id: 'deepseek', title: "DeepSeek's cache", model: 'deepseek-chat' },
  { id: 'off', title: 'no cache', model: 'claude-sonnet-4-5' },
];

/** Policies that move with each call, in the order of the table. `{n}` is the size of a group. */
const POLICIES = [
  ['filter 10', 'filter:max-tool-calls=10,every={n}'],
  ['filter 3', 'filter:max-tool-calls=3,every={n}'],
  ['mask 10', 'clear:trigger=0,keep=10,every={n}'],
  ['clear 40,000', 'clear:trigger=40000,keep=10,every={n}'],
  ['dedupe', 'dedupe:every={n}'],
  ['stale', 'stale:every={n}'],
  ['retries', 'retries:every={n}'],
  ['stale + filter 10', 'stale:every={n} filter:max-tool-calls=10,every={n}'],
  ['stale + retries + dedupe', 'stale:every={n} retries:every={n} dedupe:every={n}'],
];
const GROUPS = [1, 5, 10, 20];
/** Policies that do not move with calls. */
const OTHERS = [
  ['truncate 2,000', 'truncate:max-length=2000'],
  ['fit 30,000', 'fit:max-tokens=30000,unit=round'],
  ['fit 30,000, low water 0.7', 'fit:max-tokens=30000,unit=round,low-water=0.7'],
];
const ALL = [
  ...POLICIES.flatMap(([name, steps]) =>
    GROUPS.map((every) => ({ name, every, steps: steps.replaceAll('{n}', String(every)) })),
  ),
  ...OTHERS.map(([name, steps]) => ({ name, every: undefined, steps })),
];

const { createCounting, createCounter, openText, loadPrices, prepareReplay, stepsOf, contextsOf, pair, textOf } =
  await sources({
    counting: 'src/measure/stats/counting.ts',
    counter: 'src/tokens/bpe/counter.ts',
    opened: 'test/shared/opened.ts',
    prices: 'src/measure/pricing/cost.ts',
    simulate: 'src/measure/simulation/simulate.ts',
    policy: 'src/measure/simulation/policy.ts',
    run: 'src/engine/rewrite/run.ts',
    pairs: 'src/transcript/pairs.ts',
    text: 'src/transcript/text.ts',
  });
const { count, countBytes } = createCounter(readFileSync('dist/tables/o200k_base.bin'));
const o200k = Object.assign((text) => count(text), { bytes: countBytes });
const countingFor = (model) => createCounting(model, () => o200k);
const prices = await loadPrices();

function filesIn(path = '') {
  return readdirSync(join(folder, path))
    .filter((name) => !SKIPPED.test(name))
    .sort()
    .flatMap((name) => {
      const file = join(path, name);
      return statSync(join(folder, file)).isDirectory() ? filesIn(file) : [file];
    });
}

function sessionsIn(file) {
  let transcripts = [];
  try {
    ({ transcripts } = openText(readFileSync(join(folder, file))));
  } catch {
    return []; // no transcript
  }
  const answered = ({ messages }) => pair(messages).calls.filter(({ results }) => results.length > 0).length;
  return transcripts
    .filter((transcript) => answered(transcript) >= LEAST_CALLS)
    .map((transcript) => ({ file, transcript, calls: answered(transcript) }))
    .filter(({ transcript }) => played(transcript, CACHES[4]).play(NONE).totals.without.usage.input >= LEAST_TOKENS)
    .sort((a, b) => b.calls - a.calls)
    .slice(0, MOST_OF_A_FILE);
}

const NONE = { steps: [], scope: 'all', carries: false };

function played(transcript, { id, model }) {
  const options = { cache: id, idle: undefined, prices, at: undefined, model: undefined, asModel: model };
  return prepareReplay(transcript, countingFor(model), options);
}

/**
 * Results that a later message of the model uses: it repeats a line of 30 characters or more, or names a path that the
 * call of the result had. Each with the index of the message.
 */
function usesIn({ messages }) {
  const said = messages.map(({ role, parts }) =>
    role !== 'assistant'
      ? undefined
      : parts
          .map((part) => textOf(part.type === 'call' ? part.input : part.type === 'text' ? part.text : ''))
          .join('\n'),
  );
  const words = said.map((text) =>
    text === undefined ? undefined : new Set([...linesIn(text.replaceAll('\\n', '\n')), ...pathsIn(text)]),
  );
  return pair(messages).calls.flatMap(({ part, results }) =>
    results.flatMap(({ part: result, message }) => {
      const body = result.content.map((inner) => (inner.type === 'text' ? textOf(inner.text) : '')).join('\n');
      const own = [...linesIn(body), ...pathsIn(textOf(part.input))];
      return words.flatMap((later, at) =>
        at > message + 1 && later !== undefined && own.some((word) => later.has(word)) ? [{ result, at }] : [],
      );
    }),
  );
}

const linesIn = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 30);
const pathsIn = (text) => (text.match(/[\w.-]*\/[\w./-]+/g) ?? []).filter((path) => path.length > 5);

/** The share of these uses in which the result was still in the context, unchanged. */
function usesKept(transcript, steps, uses, requests) {
  if (uses.length === 0) return undefined;
  const byMessage = new Map();
  for (const use of uses) byMessage.set(use.at, [...(byMessage.get(use.at) ?? []), use]);
  let kept = 0;
  let known = 0;
  let context = [];
  let index = 0;
  for (const { same, added } of contextsOf(transcript, requests, { ...NONE, steps }, countingFor('gpt-5'))) {
    context = [...context.slice(0, same), ...added];
    const wanted = byMessage.get(requests[index++].message);
    if (wanted === undefined) continue;
    const present = new Set(context.flatMap(({ parts }) => parts));
    known += wanted.length;
    kept += wanted.filter(({ result }) => present.has(result)).length;
  }
  return known === 0 ? undefined : kept / known;
}

const sessions = filesIn().flatMap(sessionsIn);
const rows = ALL.map(({ name, every, steps }) => ({
  name,
  every,
  steps,
  cost: Object.fromEntries(CACHES.map(({ id }) => [id, []])),
  sent: [],
  kept: [],
  used: [],
}));
const absolute = [];
for (const { file, transcript, calls } of sessions) {
  process.stderr.write(`${file} ${calls}\n`);
  const uses = usesIn(transcript);
  for (const cache of CACHES) {
    const replay = played(transcript, cache);
    const none = replay.play(NONE);
    const before = Number(none.totals.without.cost);
    if (cache.id === 'anthropic')
      absolute.push({ file, format: transcript.format, calls, requests: none.totals.requests, changes: {} });
    for (const row of rows) {
      const { totals } = replay.play({ ...NONE, steps: stepsOf(row.steps.split(' ')) });
      const change = Number(totals.with.cost) / before - 1;
      row.cost[cache.id].push(change);
      if (cache.id === 'anthropic') absolute.at(-1).changes[`${row.name}/${row.every}`] = change;
      if (cache.id !== 'off') continue;
      row.sent.push(totals.with.usage.input / totals.without.usage.input - 1);
      row.kept.push(totals.resultsBefore === 0 ? 1 : totals.resultsKept / totals.resultsBefore);
      const sites = none.requests.map((request) => ({ ...request, start: 0, thread: 0 }));
      const used = usesKept(transcript, stepsOf(row.steps.split(' ')), uses, sites);
      if (used !== undefined) row.used.push(used);
    }
  }
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const signed = (share) => `${share < -0.0005 ? '−' : share > 0.0005 ? '+' : ''}${(Math.abs(share) * 100).toFixed(0)}`;
const range = (values) => {
  const list = sorted(values);
  return `${signed(median(values))} (${signed(list[0])} to ${signed(list.at(-1))})`;
};
const percent = (values) => (values.length === 0 ? '' : `${(median(values) * 100).toFixed(0)} %`);

const byEvery = (name, every) => rows.find((row) => row.name === name && row.every === every);
// a group of 20 beyond the last 10 is full before a later request
const movable = absolute.filter(({ calls }) => calls > 30);
const cheaper = movable.filter(({ changes }) => changes['filter 10/20'] < 0).length;
const better = movable.filter(({ changes }) => changes['filter 10/20'] < changes['filter 10/1']).length;
const masked = ['claude-code', 'pi-session']
  .map((format) => {
    const own = absolute
      .map((session, index) => ({ ...session, index }))
      .filter((session) => session.format === format);
    const longest = own.reduce((most, session) => (session.calls > most.calls ? session : most));
    return `${signed(byEvery('mask 10', 1).cost.off[longest.index])} %`;
  })
  .join(' and ');
const formats = new Set(absolute.map(({ format }) => format));

const table = [
  `| policy | every | input tokens | ${CACHES.map(({ title }) => title).join(' | ')} | results kept | uses kept |`,
  `| --- | --: | --: | ${CACHES.map(() => '--:').join(' | ')} | --: | --: |`,
  ...rows.map(({ name, every, cost, sent, kept, used }) =>
    ['', name, every ?? '', range(sent), ...CACHES.map(({ id }) => range(cost[id])), percent(kept), percent(used), '']
      .join(' | ')
      .trim(),
  ),
];
const sessionTable = [
  '| session | format | requests | calls | filter 10 | every 5 | every 10 | every 20 |',
  '| --- | --- | --: | --: | --: | --: | --: | --: |',
  ...absolute.map(({ file, format, requests, calls, changes }) => {
    const figures = GROUPS.map((every) => signed(changes[`filter 10/${every}`]));
    return `| ${file} | ${format} | ${requests} | ${calls} | ${figures.join(' | ')} |`;
  }),
];

const models = [...new Set(CACHES.map(({ model }) => model))].join(', ');
const paragraphs = [
  `Written by \`npm run policies\`. ${sessions.length} recorded sessions of ${formats.size} formats with ${LEAST_CALLS}
answered calls and ${LEAST_TOKENS.toLocaleString('en')} input tokens at least, replayed request by request over the
whole context (\`--scope all\`), from a cold cache, at the prices of ${models}.
Figures are changes against no policy in percent: the median, and from the least to the greatest. \`mask\` is \`clear\`
without a trigger (observation masking), \`every\` the size of the groups in which history goes.`,
  `**What it does to the task cannot be measured without a model.** Two proxies stand for it: the share of results that
are in the prompts unchanged, and, of the times that a later message quotes a line of a result or names its file, the
share in which the result was still there.`,
  `With groups of 20 calls, \`filter 10\` costs less than no policy under Anthropic's cache in ${cheaper} of the
${movable.length} sessions with more than 30 calls, and less than without groups in ${better} of ${movable.length}.
Shorter sessions fill no group of 20, so that nothing changes; a group that goes near the end of a session is not paid
back.`,
  `Without a cache, masking all but the last 10 results costs ${masked} in the longest Claude Code and pi
sessions; the literature has −52 to −45 % (arXiv 2508.21433, 2510.00615).`,
];
writeFileSync(
  'bench/POLICIES.md',
  `# What policies cost under prompt caches

${paragraphs.join('\n\n')}

${table.join('\n')}

## Filter 10 under Anthropic's cache, by session

${sessionTable.join('\n')}
`,
);
const bars = POLICIES.map(([name]) => ({
  label: name,
  values: [1, 20].map((every) =>
    median(byEvery(name, every).cost.anthropic.filter((_, index) => absolute[index].calls > 30)),
  ),
}));
writeFileSync(
  'docs/policies.svg',
  barChart({
    title: "Change of cost against no policy under Anthropic's prompt cache",
    subtitle: `median of ${movable.length} recorded sessions with more than 30 tool calls`,
    series: ['at each call', 'in groups of 20 calls'],
    bars,
  }),
);
