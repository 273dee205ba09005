/**
 * What policies cost under prompt caches: `npm run policies [folder]` (by default ../shared/transcripts) replays
 * recorded sessions with each policy and each cache, and writes bench/POLICIES.md and docs/policies.svg.
 *
 * A session is a transcript with 30 answered calls at least; of a file, the three longest.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CHART, policiesChart } from './policies-chart.mjs';
import { LEAST_CALLS, sessionsIn } from './recorded-sessions.mjs';
import { sources } from './sources.mjs';

const [folder = '../shared/transcripts'] = process.argv.slice(2);
if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);

/** Each cache with the model whose prices are used. */
const CACHES = [
  { id: 'anthropic', title: 'Anthropic, 5 min', model: 'claude-sonnet-4-5' },
  { id: 'anthropic-1h', title: 'Anthropic, 1 h', model: 'claude-sonnet-4-5' },
  { id: 'openai', title: 'OpenAI', model: 'gpt-5' },
  { id: 'gemini', title: 'Gemini', model: 'gemini-2.5-pro' },
  { id: 'deepseek', title: 'DeepSeek', model: 'deepseek-chat' },
  { id: 'off', title: 'no cache', model: 'claude-sonnet-4-5' },
];

/** Policies that move with each call, in the order of the table. `{n}`: when what can go goes. */
const POLICIES = [
  ['filter 10', 'filter:max-tool-calls=10,every={n}'],
  ['filter 3', 'filter:max-tool-calls=3,every={n}'],
  ['mask 10', 'clear:trigger=0,keep=10,min-size=0,every={n}'],
  ['mask 10 from 1,000 characters', 'clear:trigger=0,keep=10,min-size=1000,every={n}'],
  ['dedupe', 'dedupe:every={n}'],
  ['stale', 'stale:every={n}'],
  ['retries', 'retries:every={n}'],
  ['stale + filter 10', 'stale:every={n} filter:max-tool-calls=10,every={n}'],
];
/** `best`: the best timing, which knows the whole session. */
const GROUPS = ['1', '20', 'auto', 'best'];
/** Policies that do not move with calls. */
const OTHERS = [
  ['truncate 2,000', 'truncate:max-length=2000'],
  ['fit 30,000', 'fit:max-tokens=30000,unit=round'],
  ['fit 30,000, low water 0.7', 'fit:max-tokens=30000,unit=round,low-water=0.7'],
];
const ALL = [
  ...POLICIES.flatMap(([name, steps]) =>
    GROUPS.map((every) => ({ name, every, steps: steps.replaceAll('{n}', every === 'best' ? '1' : every) })),
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
    run: 'src/engine/steps.ts',
    pairs: 'src/transcript/pairs.ts',
    text: 'src/transcript/text.ts',
  });
const { count, countBytes } = createCounter(readFileSync('dist/tables/o200k_base.bin'));
const o200k = Object.assign((text) => count(text), { bytes: countBytes });
const countingFor = (model) => createCounting(model, () => o200k);
const prices = await loadPrices();

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

const sessions = sessionsIn(folder, { openText, pair });
const rows = ALL.map((row) => ({
  ...row,
  cost: Object.fromEntries(CACHES.map(({ id }) => [id, []])),
  sums: Object.fromEntries(CACHES.map(({ id }) => [id, 0])),
  sent: [],
  kept: [],
  used: [],
}));
const before = Object.fromEntries(CACHES.map(({ id }) => [id, 0]));
for (const { file, transcript, calls } of sessions) {
  process.stderr.write(`${file} ${calls}\n`);
  const uses = usesIn(transcript);
  for (const cache of CACHES) {
    const replay = played(transcript, cache);
    const none = replay.play(NONE);
    const whole = Number(none.totals.without.cost);
    before[cache.id] += whole;
    for (const row of rows) {
      const policy = { ...NONE, steps: stepsOf(row.steps.split(' ')) };
      const { totals } = row.every === 'best' ? replay.playBest(policy) : replay.play(policy);
      const cost = Number(totals.with.cost);
      row.cost[cache.id].push(cost / whole - 1);
      row.sums[cache.id] += cost;
      if (cache.id !== 'anthropic') continue;
      const tokens = ({ usage }) => usage.input + usage.cacheRead + usage.cacheWrite5m;
      row.sent.push(tokens(totals.with) / tokens(totals.without) - 1);
      row.kept.push(totals.resultsBefore === 0 ? 1 : totals.resultsKept / totals.resultsBefore);
      if (row.every === 'best') continue;
      const sites = none.requests.map((request) => ({ ...request, start: 0, thread: 0 }));
      const steps = stepsOf(row.steps.replaceAll('every=auto', 'every=auto,prompt-cache=anthropic').split(' '));
      const used = usesKept(transcript, steps, uses, sites);
      if (used !== undefined) row.used.push(used);
    }
  }
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const signed = (share) => `${share < -0.005 ? '−' : share > 0.005 ? '+' : ''}${(Math.abs(share) * 100).toFixed(0)}`;
const percent = (values) => (values.length === 0 ? '' : `${(median(values) * 100).toFixed(0)} %`);
const dearer = (values) => values.filter((change) => change > 0.01).length;
const figures = ({ cost, sums }, { id }) =>
  `${signed(median(cost[id]))} / ${signed(sums[id] / before[id] - 1)} / ${dearer(cost[id])}`;

const byEvery = (name, every) => rows.find((row) => row.name === name && row.every === every);

/** By session: the share of the best savings that `auto` takes; all of nothing is all. */
function taken(name, id) {
  const [auto, best] = ['auto', 'best'].map((every) => byEvery(name, every).cost[id]);
  const shares = auto.map((change, index) => ({ change, most: Math.min(best[index], change, 0) }));
  const saving = shares.filter(({ most }) => most < -0.01).map(({ change, most }) => change / most);
  const all = shares.map(({ change, most }) => (most > -0.001 ? Number(change < 0.001) : change / most));
  return `${percent(saving)} of ${saving.length}, ${percent(all)} of all`;
}

const table = [
  `| policy | every | prompt tokens | ${CACHES.map(({ title }) => title).join(' | ')} | results kept | uses kept |`,
  `| --- | --: | --: | ${CACHES.map(() => '--:').join(' | ')} | --: | --: |`,
  ...rows.map((row) =>
    [
      '',
      row.name,
      row.every ?? '',
      signed(median(row.sent)),
      ...CACHES.map((cache) => figures(row, cache)),
      percent(row.kept),
      percent(row.used),
      '',
    ]
      .join(' | ')
      .trim(),
  ),
];
const TAKEN = CACHES.filter(({ id }) => id !== 'off');
const takenTable = [
  `| policy | ${TAKEN.map(({ title }) => title).join(' | ')} |`,
  `| --- | ${TAKEN.map(() => '--:').join(' | ')} |`,
  ...POLICIES.map(([name]) => `| ${name} | ${TAKEN.map(({ id }) => taken(name, id)).join(' | ')} |`),
];
const sessionTable = [
  `| session | format | calls | ${GROUPS.join(' | ')} |`,
  '| --- | --- | --: | --: | --: | --: | --: |',
  ...sessions.map(({ file, transcript, calls }, index) => {
    const changes = GROUPS.map((every) => signed(byEvery('filter 10', every).cost.anthropic[index]));
    return `| ${file} | ${transcript.format} | ${calls} | ${changes.join(' | ')} |`;
  }),
];

const formats = new Set(sessions.map(({ transcript }) => transcript.format));
const models = [...new Set(CACHES.map(({ model }) => model))].join(', ');
const paragraphs = [
  `Written by \`npm run policies\`.
${sessions.length} recorded sessions of ${formats.size} formats with ${LEAST_CALLS}
answered calls at least, replayed request by request over the whole context (\`--scope all\`), from a cold cache, at the
prices of ${models}.
Figures are changes of the bill against no policy in percent: the median session / all sessions together / how many
sessions get dearer by more than 1 %. \`mask\` is \`clear\` without a trigger.`,
  `\`every\`: 1 moves with each call, 20 goes in groups of 20 calls, \`auto\` when it pays, \`best\` at the best times,
found by dynamic programming with the whole session known; its costs are replayed like all others, so that a rule can be
better.`,
  `**What it does to the task cannot be measured without a model.** Two proxies stand for it, under Anthropic's five
minutes: the share of results that are in the prompts unchanged, and, of the times that a later message quotes a line of
a result or names its file, the share in which the result was still there. The thresholds of \`auto\` were chosen on
these sessions: they are no clean test of it.`,
];
const document = `# What policies cost under prompt caches

${paragraphs.join('\n\n')}

${table.join('\n')}

## What \`auto\` takes of the best

The median share of what the best timing saves: over the sessions in which it saves more than 1 %, and over all
sessions, where nothing of nothing is all.

${takenTable.join('\n')}

## Filter 10 under Anthropic's five minutes, by session

${sessionTable.join('\n')}
`;
writeFileSync('bench/POLICIES.md', document);
writeFileSync(CHART, policiesChart(document));
