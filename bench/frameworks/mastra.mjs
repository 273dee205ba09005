// Random histories through Mastra's real Agent: node mastra.mjs <number>. Needs Node 22.18, which runs TypeScript.
// It runs in the folder where Mastra is installed. Prints what was sent and refused as JSON.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const here = process.cwd();
const load = (name) => import(pathToFileURL(createRequire(join(here, 'package.json')).resolve(name)).href);
const [{ Agent }, { MockMemory }, fc] = await Promise.all([
  load('@mastra/core/agent'),
  load('@mastra/core/memory'),
  import('fast-check'),
]);
const { check } = await import('../../dist/lib/index.js');
const { trim } = await import('../../dist/lib/adapters/mastra.js');
const { histories, policies } = await import('../../test/adapters/shared/histories.ts');

let prompts = [];
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const model = {
  specificationVersion: 'v2',
  provider: 'fake',
  modelId: 'fake',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    prompts.push(prompt);
    return { content: [{ type: 'text', text: 'Well.' }], finishReason: 'stop', usage, warnings: [] };
  },
};

const count = Number(process.argv[2]);
const found = { histories: 0, trimmed: 0, refused: 0, 'lost in the memory': 0, 'calls without a result': 0 };
const sample = fc.default.sample(fc.default.tuple(histories, policies), { numRuns: count, seed: 20261123 });
for (const [turns, steps] of sample) {
  const [plain, trimmed] = [await ask(turns, []), await ask(turns, [trim(steps)])];
  found.histories++;
  if (withoutOptions(plain.prompt) !== withoutOptions(trimmed.prompt)) found.trimmed++;
  found['lost in the memory'] += lost(turns, trimmed.stored);
  const errors = check(trimmed.prompt, { from: 'vercel-model', asRequest: true }).filter(
    ({ severity }) => severity === 'error',
  );
  found.refused += errors.length;
  if (errors.length > 0 && found.refused === errors.length) console.error(errors, JSON.stringify(trimmed.prompt));
  const parts = trimmed.prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const results = new Set(parts.filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId));
  const open = parts.filter(({ type, toolCallId }) => type === 'tool-call' && !results.has(toolCallId));
  found['calls without a result'] += open.length;
}
console.log(JSON.stringify(found));

/** What the model is sent last, and what the memory has then. */
async function ask(turns, inputProcessors) {
  prompts = [];
  const memory = new MockMemory();
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'Help.', model, memory, inputProcessors });
  const place = { thread: 't', resource: 'r' };
  await agent.generate(turns.slice(0, -1).flatMap(messagesOf), { memory: place });
  await agent.generate('And now?', { memory: place });
  const { messages } = await memory.recall({ threadId: 't', resourceId: 'r', perPage: false });
  return { prompt: prompts.at(-1), stored: messages.flatMap(({ content }) => content.parts) };
}

function withoutOptions(prompt) {
  return JSON.stringify(prompt, (key, value) => (key === 'providerOptions' ? undefined : value));
}

/** How many texts, calls and results of the history are not among the stored parts. */
function lost(turns, parts) {
  const texts = new Set(parts.map(({ text }) => text));
  const calls = new Map(parts.flatMap(({ toolInvocation: call }) => (call ? [[call.toolCallId, call]] : [])));
  const isKept = ({ id, args, result }) =>
    JSON.stringify(calls.get(id)?.args) === JSON.stringify(args) && calls.get(id).result === result;
  return turns.flatMap(({ text, calls: made = [] }) => [
    ...(text === '' || texts.has(text) ? [] : [text]),
    ...made.filter((call) => !isKept(call)),
  ]).length;
}

function messagesOf(turn) {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const results = turn.calls.filter(({ result }) => result !== undefined);
  const calls = turn.calls.map(({ id, tool, args }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: tool,
    input: args,
  }));
  return [
    { role: 'assistant', content: [...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]), ...calls] },
    ...results.map(({ id, tool, result }) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: tool, output: { type: 'text', value: result } }],
    })),
  ];
}
