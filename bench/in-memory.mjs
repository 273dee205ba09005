// `npm run in-memory`: lists of messages that a program holds, through a policy, against JSON.stringify of the same
// list in the same process. Written into bench/IN-MEMORY.md. CPU time of the process, its helpers' threads included;
// each figure is the lower quartile of its runs, which other work on the machine disturbs least.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { trim as aiSdk } from '../dist/lib/adapters/ai-sdk.js';
import { trim as anthropic } from '../dist/lib/adapters/anthropic.js';
import { trim as langchain } from '../dist/lib/adapters/langchain.js';
import { trim as openai } from '../dist/lib/adapters/openai.js';
import { run } from '../dist/lib/index.js';

const MESSAGES = 1000;
const SIZES = [300, 1000];
const STEPS = ['patch', 'filter:max-tool-calls=10,every=20'];
const AUTO = ['patch', 'filter:max-tool-calls=10,every=auto'];
const RUNS = 60;
/** Requests of a conversation, each with one message more. */
const REQUESTS = 5;
/** Runs of what takes less than it takes to ask for the time. */
const BATCH = 20;

const user = (content) => ({ role: 'user', content });
/** How each framework writes a question, a call and its result, and what it hands to its adapter. */
const SHAPES = {
  OpenAI: {
    send: (policy) => (messages) => policy.request({ messages }),
    trim: openai,
    user,
    call: (id, query) => ({ role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: query }] }),
    result: (id, content) => ({ role: 'tool', tool_call_id: id, content }),
  },
  Responses: {
    send: (policy) => (input) => policy.request({ input }),
    trim: openai,
    user,
    call: (id, query) => ({ type: 'function_call', call_id: id, ...query }),
    result: (id, output) => ({ type: 'function_call_output', call_id: id, output }),
  },
  Anthropic: {
    send: (policy) => (messages) => policy.request({ messages }),
    trim: anthropic,
    user,
    call: (id, { name, arguments: text }) => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name, input: JSON.parse(text) }],
    }),
    result: (id, content) => user([{ type: 'tool_result', tool_use_id: id, content }]),
  },
  'AI SDK': {
    send: (policy) => (messages) => policy.prepareStep({ messages }),
    trim: aiSdk,
    user,
    call: (toolCallId, { name, arguments: text }) => ({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName: name, input: JSON.parse(text) }],
    }),
    result: (toolCallId, value) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'search', output: { type: 'text', value } }],
    }),
  },
  LangChain: {
    send: (policy) => (messages) => policy.wrapModelCall({ messages }, (request) => request),
    trim: langchain,
    user: (content) => new HumanMessage(content),
    call: (id, { name, arguments: text }) =>
      new AIMessage({ content: '', tool_calls: [{ id, name, args: JSON.parse(text), type: 'tool_call' }] }),
    result: (id, content) => new ToolMessage({ tool_call_id: id, name: 'search', content }),
  },
};

const [word, name, size] = process.argv.slice(2);
if (word === 'once') process.stdout.write(JSON.stringify(await firstCall(SHAPES[name], Number(size))));
else await measure();

async function measure() {
  const rows = [];
  for (const [name, shape] of Object.entries(SHAPES))
    for (const size of SIZES) {
      const once = Array.from({ length: 3 }, () => JSON.parse(runOnce(name, size)));
      const { json, unseen, added, auto, short } = await warm(shape, size);
      const ratio = (times) => (low(times) / low(json)).toFixed(1);
      rows.push(
        `| ${name} | ${size} | ${low(json).toFixed(2)} ms | ${ratio(unseen)} | ${low(added).toFixed(2)} ms | ` +
          `${low(auto).toFixed(2)} ms | ${low(once.map((one) => one.first / one.json)).toFixed(1)} | ` +
          `${low(short).toFixed(3)} ms |`,
      );
      console.log(rows.at(-1));
    }
  writeFileSync(new URL('IN-MEMORY.md', import.meta.url), document(rows));
}

function runOnce(name, size) {
  const file = fileURLToPath(import.meta.url);
  return execFileSync(process.execPath, [file, 'once', name, String(size)], { encoding: 'utf8' });
}

/** The first call in a process, when nothing is compiled. */
async function firstCall(shape, size) {
  const list = history(shape, size);
  const json = await timed(() => JSON.stringify(list));
  const send = shape.send(shape.trim(STEPS));
  const first = await timed(() => send(list));
  return { json, first };
}

async function warm(shape, size) {
  const found = { json: [], unseen: [], added: [], auto: [], short: [] };
  const [paced, whenItPays] = [STEPS, AUTO].map((steps) => shape.send(shape.trim(steps)));
  for (let turn = 0; turn < 2 * RUNS; turn++) {
    let list = history(shape, size);
    found.json.push(await timed(() => JSON.stringify(list)));
    found.unseen.push(await timed(() => paced(list)));
    for (let request = 0; request < REQUESTS; request++) {
      list = [...list, shape.user('And now?')];
      found.added.push(await timed(() => paced(list)));
      found.auto.push(await timed(() => whenItPays(list)));
    }
    const few = list.slice(0, 3);
    found.short.push((await timed(() => repeat(BATCH, () => run([...few], STEPS)))) / BATCH);
  }
  return Object.fromEntries(Object.entries(found).map(([key, times]) => [key, times.slice(-(times.length >> 1))]));
}

function repeat(times, work) {
  for (let time = 0; time < times; time++) work();
}

/** Milliseconds of CPU. To ask for it takes some hundredths. */
async function timed(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Rounds of a call and its result, with a question now and then. */
function history({ user: ask, call, result }, size) {
  const messages = [];
  for (let round = 0; messages.length < MESSAGES; round++) {
    if (round % 10 === 0) messages.push(ask(`Question ${round}?`));
    messages.push(
      call(`c${round}`, { name: 'search', arguments: JSON.stringify({ query: `weather in city ${round}` }) }),
    );
    messages.push(result(`c${round}`, `${'x'.repeat(size)}${round}`));
  }
  return messages;
}

function low(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 2];
}

function document(rows) {
  const machine = `${cpus().length} × ${cpus()[0].model}, Node ${process.version}`;
  return `# Messages in memory

Written by \`npm run in-memory\` on ${new Date().toISOString().slice(0, 10)}: ${machine}. CPU time, lower quartiles.
${MESSAGES} messages through \`trim(${JSON.stringify(STEPS)})\` of an adapter, against
JSON.stringify of the same list in the same process.

| messages of | characters of a result | JSON.stringify | all new, times that | one added | with \`every=auto\` | first call, times that | \`run()\` of 3 |
| --- | --: | --: | --: | --: | --: | --: | --: |
${rows.join('\n')}

All new: messages that were never seen before; to reach: at most 2 times JSON.stringify. One added: to a
conversation that goes on, ${REQUESTS} messages one after the other, in several conversations; to reach: at most 0.5 ms.
The first call of a process runs code that V8 has not compiled yet; JSON.stringify is compiled always.

## Where it goes

Profiles of 2026-11-27, all new, OpenAI and AI SDK: collecting garbage 37 and 45 %; reading the messages into nodes and
parts 32 and 33 %; the filter 19 and 12 % (in OpenAI, whether a result is an error: 8 %); pairing calls and results 8 %
each; writing 2 %. There is no hot spot left: what is read of a message is some 2 to 4 KB, kept for the next request,
and JSON.stringify makes one text. To go below this, messages would have to be kept without nodes.
Tried: to compare values with \`for … in\`, without a list of their keys: 12 % for one added in the AI SDK, 0 to 4 % in
others; it asks objects for names that they inherit, so it went again.
`;
}
