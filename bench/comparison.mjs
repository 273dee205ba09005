/**
 * What other libraries' ways of shortening cost on the sessions of `npm run policies`: `node bench/comparison.mjs
 * [folder]` calls the real code for each recorded request, replays what it left under the prompt caches, and writes
 * bench/COMPARISON.md. @mastra/core is taken from the folder, or installed into a temporary one; it wants Node 22.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { pruneMessages } from 'ai';
import { ClearToolUsesEdit } from 'langchain';
import { sessionsIn } from './recorded-sessions.mjs';
import { sources } from './sources.mjs';

const folder = '../shared/transcripts';
if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`);
/** What LangChain does takes the square of the messages for each request. */
const MOST_CALLS = 150;
const CACHES = [
  { id: 'anthropic', title: 'Anthropic, 5 min', model: 'claude-sonnet-4-5' },
  { id: 'openai', title: 'OpenAI', model: 'gpt-5' },
  { id: 'gemini', title: 'Gemini', model: 'gemini-2.5-pro' },
];

const { createCounting, createCounter, openText, loadPrices, prepareReplay, stepsOf, serverSide, pair, textOf } =
  await sources({
    counting: 'src/measure/stats/counting.ts',
    counter: 'src/tokens/bpe/counter.ts',
    opened: 'test/shared/opened.ts',
    prices: 'src/measure/pricing/cost.ts',
    simulate: 'src/measure/simulation/simulate.ts',
    server: 'src/measure/simulation/server-side.ts',
    run: 'src/engine/steps.ts',
    pairs: 'src/transcript/pairs.ts',
    text: 'src/transcript/text.ts',
  });
const { count, countBytes } = createCounter(readFileSync('dist/tables/o200k_base.bin'));
const o200k = Object.assign((text) => count(text), { bytes: countBytes });
const prices = await loadPrices();

// --- other libraries: each gets the history of a request and gives back what it would send

const textIn = (content) => content.map((piece) => (piece.type === 'text' ? textOf(piece.text) : '')).join('\n');
/** Ids of calls are used twice in some logs: each call gets its own. */
function idsIn(messages) {
  const ids = new Map();
  pair(messages).calls.forEach(({ part, results }, index) => {
    ids.set(part, `call_${index}`);
    for (const { part: result } of results) ids.set(result, `call_${index}`);
  });
  return ids;
}
const argumentsOf = (part) => {
  try {
    return JSON.parse(textOf(part.input));
  } catch {
    return { input: textOf(part.input) };
  }
};

/** A transcript without some parts, and with others replaced. */
function changed(messages, change) {
  return messages.flatMap((message) => {
    const parts = message.parts.map(change).filter((part) => part !== undefined);
    if (parts.length === message.parts.length && parts.every((part, at) => part === message.parts[at]))
      return [message];
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
}

const langchain = (options) => async (messages) => {
  const ids = idsIn(messages);
  const byId = new Map();
  const list = messages.flatMap(({ role, parts }) => {
    const text = textIn(parts);
    if (role === 'system') return [new SystemMessage(text)];
    if (role === 'user') return [new HumanMessage(text)];
    const calls = parts.filter(({ type }) => type === 'call');
    const said = role === 'assistant' ? [aiMessage(text, calls, ids)] : [];
    const results = parts.filter((part) => part.type === 'result' && ids.has(part));
    return said.concat(
      results.map((part) => {
        byId.set(ids.get(part), part);
        return new ToolMessage({ content: textIn(part.content), tool_call_id: ids.get(part) });
      }),
    );
  });
  const length = ({ content, tool_calls: calls = [] }) => content.length + JSON.stringify(calls).length;
  await new ClearToolUsesEdit(options).apply({
    messages: list,
    countTokens: (all) => Math.ceil(all.reduce((sum, one) => sum + length(one), 0) / 4),
  });
  const cleared = new Map(
    list.flatMap((one) => {
      const part = byId.get(one.tool_call_id);
      return part === undefined || one.content === textIn(part.content) ? [] : [[part, one.content]];
    }),
  );
  return changed(messages, (part) =>
    cleared.has(part) ? { ...part, content: [{ type: 'text', text: cleared.get(part) }] } : part,
  );
};
const aiMessage = (text, calls, ids) =>
  new AIMessage({
    content: text,
    tool_calls: calls.map((part) => ({ id: ids.get(part), name: part.tool, args: argumentsOf(part) })),
  });

/** `shorten`: from messages of the AI SDK to those that it would send. */
const asModelMessages = (shorten) => async (messages) => {
  const ids = idsIn(messages);
  const origin = new Map();
  const list = messages.flatMap(({ role, parts }) => {
    if (role === 'meta') return [];
    if (role === 'system') return [{ role, content: textIn(parts) }];
    const content = parts.flatMap((part) => {
      const made = modelPart(part, ids);
      if (made !== undefined) origin.set(made, part);
      return made === undefined ? [] : [made];
    });
    return [{ role, content }];
  });
  const before = new Set(origin.values());
  const left = new Set(
    (await shorten(list)).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((part) => origin.get(part)),
    ),
  );
  return changed(messages, (part) => (before.has(part) && !left.has(part) ? undefined : part));
};
function modelPart(part, ids) {
  if (part.type === 'text') return { type: 'text', text: textOf(part.text) };
  if (part.type === 'call')
    return { type: 'tool-call', toolCallId: ids.get(part), toolName: part.tool, input: argumentsOf(part) };
  if (part.type !== 'result' || !ids.has(part)) return undefined;
  const output = { type: 'text', value: textIn(part.content) };
  return { type: 'tool-result', toolCallId: ids.get(part), toolName: part.tool ?? 'tool', output };
}

const aiSdk = (options) => asModelMessages((messages) => pruneMessages({ messages, ...options }));

const given = process.argv[2];
const mastraHome = given ?? realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-mastra-')));
if (given === undefined) {
  process.on('exit', () => rmSync(mastraHome, { recursive: true, force: true }));
  writeFileSync(join(mastraHome, 'package.json'), '{ "type": "module" }');
  const install = ['install', '--no-audit', '--no-fund', '@mastra/core', 'zod'];
  const { status, stderr } = spawnSync('npm', install, { cwd: mastraHome, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
const inMastra = createRequire(join(mastraHome, 'package.json'));
const { TokenLimiter } = await import(pathToFileURL(inMastra.resolve('@mastra/core/processors')).href);
/** Requests that the limiter does not let go out: not even the last message is within the limit. */
let stopped = 0;
const mastra = (options) =>
  asModelMessages(async (messages) => {
    try {
      return (await new TokenLimiter(options).processLLMRequest({ prompt: messages }))?.prompt ?? messages;
    } catch {
      stopped++;
      return messages;
    }
  });

const require = createRequire(import.meta.url);
const versionOf = (name, from = require) => {
  const path = from.resolve(name);
  const home = path.slice(0, path.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}/`.length);
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version;
};
const LIBRARIES = [
  ['LangChain `ClearToolUsesEdit`, as it comes: above 100,000 tokens, keep 3', langchain({})],
  [
    'LangChain `ClearToolUsesEdit`: above 30,000 tokens, keep 10',
    langchain({ trigger: { tokens: 30_000 }, keep: { messages: 10 } }),
  ],
  ['AI SDK `pruneMessages`: tool calls before the last message', aiSdk({ toolCalls: 'before-last-message' })],
  ['AI SDK `pruneMessages`: tool calls before the last 20 messages', aiSdk({ toolCalls: 'before-last-20-messages' })],
  ['Mastra `TokenLimiter`: 30,000 tokens', mastra({ limit: 30_000 })],
  ['Mastra `TokenLimiter`: 30,000 tokens, contiguous', mastra({ limit: 30_000, trimMode: 'contiguous' })],
];
const versions = [
  `langchain ${versionOf('langchain')}`,
  `ai ${versionOf('ai')}`,
  `@mastra/core ${versionOf('@mastra/core', inMastra)}`,
];
const OWN = [
  ["Anthropic's `clear_tool_uses_20250919`, as it comes: above 100,000 tokens, keep 3", 'clear_tool_uses_20250919'],
  [
    "Anthropic's `clear_tool_uses_20250919`: above 30,000 tokens, keep 10",
    'clear_tool_uses_20250919:trigger=30000,keep=10',
  ],
  [
    'each result cut and cleaned as it arrives, as compressing proxies (headroom) do',
    'strip-noise truncate:max-length=2000,keep=both',
  ],
  ['`clear`, keep 10, when it pays', 'clear:trigger=0,keep=10,every=auto'],
  ['`filter`, keep 10, when it pays', 'filter:max-tool-calls=10,every=auto'],
  ['`stale`, then `filter`, keep 10, when it pays', 'stale:every=auto filter:max-tool-calls=10,every=auto'],
];

/** A step that gives what was worked out before: libraries are asynchronous, a replay is not. */
function stepOf(shorten) {
  const asked = new Map();
  const transform = {
    id: 'other',
    summary: '',
    description: '',
    options: {},
    apply(transcript) {
      const last = transcript.messages.at(-1);
      const known = asked.get(last);
      if (known === undefined) asked.set(last, transcript.messages);
      return known === undefined ? transcript : { ...transcript, messages: known };
    },
  };
  const workOut = async () => {
    for (const [last, messages] of asked) asked.set(last, await shorten([...messages]));
  };
  return { step: { transform, values: {} }, workOut };
}

// --- sessions

const sessions = sessionsIn(folder, { openText, pair }, MOST_CALLS);
const rows = [...LIBRARIES, ...OWN].map(([name, how]) => ({ name, how, cost: {}, sums: {}, sent: [], kept: [] }));
const before = {};
for (const { file, transcript } of sessions) {
  process.stderr.write(`${file}\n`);
  const others = new Map(rows.flatMap(({ how }) => (typeof how === 'string' ? [] : [[how, stepOf(how)]])));
  for (const { id, model } of CACHES) {
    const options = { cache: id, idle: undefined, prices, at: undefined, model: undefined, asModel: model };
    const replay = prepareReplay(
      transcript,
      createCounting(model, () => o200k),
      options,
    );
    const whole = Number(replay.play({ steps: [], scope: 'all', carries: false }).totals.without.cost);
    before[id] = (before[id] ?? 0) + whole;
    for (const row of rows) {
      const other = others.get(row.how);
      const steps = other === undefined ? stepsOf(row.how.split(' '), {}, serverSide) : [other.step];
      const play = () => replay.play({ steps, scope: 'all', carries: false });
      if (other !== undefined && id === CACHES[0].id) {
        play();
        await other.workOut();
      }
      const { totals } = play();
      const cost = Number(totals.with.cost);
      row.cost[id] = [...(row.cost[id] ?? []), cost / whole - 1];
      row.sums[id] = (row.sums[id] ?? 0) + cost;
      if (id !== 'anthropic') continue;
      const tokens = ({ usage }) => usage.input + usage.cacheRead + usage.cacheWrite5m;
      row.sent.push(tokens(totals.with) / tokens(totals.without) - 1);
      row.kept.push(totals.resultsBefore === 0 ? 1 : totals.resultsKept / totals.resultsBefore);
    }
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const signed = (share) => `${share < -0.005 ? '−' : share > 0.005 ? '+' : ''}${(Math.abs(share) * 100).toFixed(0)}`;
const figures = ({ cost, sums }, id) =>
  `${signed(median(cost[id]))} / ${signed(sums[id] / before[id] - 1)} / ${cost[id].filter((one) => one > 0.01).length}`;
const lines = [
  '# What other ways of shortening cost',
  '',
  `Written by \`node bench/comparison.mjs\` with ${versions.join(', ')}.`,
  'The real code of each library got the history of each recorded request, and what it left was replayed as in',
  `[POLICIES.md](POLICIES.md), over its ${sessions.length} sessions of at most ${MOST_CALLS} calls: ` +
    'changes of the bill against no policy in',
  'percent, the median session / all sessions together / how many get dearer by more than 1 %. What servers and ' +
    'proxies',
  'do is imitated by steps of `simulate`. LangChain counts tokens as characters / 4, its default, Mastra by its own',
  `estimate. Where not even the newest call is within its limit, Mastra stops the run (${stopped} requests), ` +
    'and all is sent',
  'here. None of this says what it does to the task.',
  '',
  `| policy | prompt tokens | ${CACHES.map(({ title }) => title).join(' | ')} | results kept |`,
  `| --- | --: | ${CACHES.map(() => '--:').join(' | ')} | --: |`,
  ...rows.map(
    (row) =>
      `| ${row.name} | ${signed(median(row.sent))} | ${CACHES.map(({ id }) => figures(row, id)).join(' | ')} | ` +
      `${(median(row.kept) * 100).toFixed(0)} % |`,
  ),
  '',
];
writeFileSync('bench/COMPARISON.md', lines.join('\n'));
process.stdout.write(lines.join('\n'));
