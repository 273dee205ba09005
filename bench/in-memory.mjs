// `npm run in-memory`: lists of messages that a program holds, through a policy, against JSON.stringify of the same
// list in the same process. Written into bench/IN-MEMORY.md. Each figure is the median of its runs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { trim } from '../dist/lib/adapters/openai.js';

const MESSAGES = 1001;
const SIZES = [300, 1000, 2500];
const STEPS = ['patch', 'filter:max-tool-calls=10,every=20'];
const RUNS = 60;

const policy = trim(STEPS);
if (process.argv[2] === 'once') {
  process.stdout.write(JSON.stringify(await firstCall(Number(process.argv[3]))));
} else await measure();

async function measure() {
  const rows = [];
  for (const size of SIZES) {
    const once = Array.from({ length: 7 }, () => JSON.parse(runOnce(size)));
    const { json, unseen, added } = await warm(size);
    rows.push(
      `| ${size} | ${median(json).toFixed(2)} ms | ${ratio(unseen, json)} | ${median(added).toFixed(2)} ms | ` +
        `${median(once.map((one) => one.first / one.json)).toFixed(1)} |`,
    );
  }
  writeFileSync(new URL('IN-MEMORY.md', import.meta.url), document(rows));
  console.log(rows.join('\n'));
}

function runOnce(size) {
  return execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'once', String(size)], { encoding: 'utf8' });
}

/** The first call in a process, when nothing is compiled. */
async function firstCall(size) {
  const list = history(MESSAGES, size);
  const json = await timed(() => JSON.stringify(list));
  const first = await timed(() => policy.request({ messages: list }));
  return { json, first };
}

async function warm(size) {
  const found = { json: [], unseen: [], added: [] };
  for (let run = 0; run < 3 * RUNS; run++) {
    const list = history(MESSAGES, size);
    found.json.push(await timed(() => JSON.stringify(list)));
    found.unseen.push(await timed(() => policy.request({ messages: list })));
  }
  let list = history(MESSAGES, size);
  await policy.request({ messages: list });
  for (let run = 0; run < 3 * RUNS; run++) {
    const added = [...list, { role: 'user', content: 'And now?' }];
    found.added.push(await timed(() => policy.request({ messages: added })));
    list = run % 20 === 0 ? history(MESSAGES, size) : added; // a conversation that goes on, and then another
    if (run % 20 === 0) await policy.request({ messages: list });
  }
  return Object.fromEntries(Object.entries(found).map(([name, times]) => [name, times.slice(-RUNS)]));
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Rounds of a call and its result, with a question now and then. */
function history(length, size) {
  const messages = [{ role: 'system', content: 'You are a helpful assistant.' }];
  for (let round = 0; messages.length < length; round++) {
    if (round % 10 === 0) messages.push({ role: 'user', content: `Question ${round}?` });
    const call = { name: 'search', arguments: JSON.stringify({ query: `weather in city ${round}` }) };
    messages.push({
      role: 'assistant',
      content: '',
      tool_calls: [{ id: `c${round}`, type: 'function', function: call }],
    });
    messages.push({ role: 'tool', tool_call_id: `c${round}`, content: `${'x'.repeat(size)}${round}` });
  }
  return messages.slice(0, length);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function ratio(ours, theirs) {
  return (median(ours) / median(theirs)).toFixed(2);
}

function document(rows) {
  const machine = `${cpus().length} × ${cpus()[0].model}, Node ${process.version}`;
  return `# Messages in memory

Written by \`npm run in-memory\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.
${MESSAGES} chat messages through \`trim(${JSON.stringify(STEPS)})\` of \`ctx-trim/openai\`, against
JSON.stringify of the same list in the same process.

| characters of a result | JSON.stringify | all new, times that | one added | first call, times that |
| --: | --: | --: | --: | --: |
${rows.join('\n')}

All new: messages that were never seen before; to reach: at most 2 times JSON.stringify. One added: to a
conversation that goes on, twenty messages one after the other, in several conversations; to reach: at most 1 ms. The
first call of a process runs code that V8 has not compiled yet; JSON.stringify is compiled always.
`;
}
