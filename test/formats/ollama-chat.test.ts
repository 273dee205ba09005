/** Ollama's own chat API: what differs from the API of OpenAI, which it copied. */
import { expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { check } from '../../src/engine/check/findings.js';
import { formatNamed } from '../../src/formats/index.js';
import { pair } from '../../src/transcript/pairs.js';
import { conversionText } from '../shared/conversion-text.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';
import { refused } from '../shared/schemas.js';

const read = (name: string) => fixture(`ollama-chat/${name}`);
const text = (value: unknown) => JSON.stringify(value);
const call = { function: { name: 'ls', arguments: { path: '/' } } };
const asked = { role: 'assistant', content: '', tool_calls: [call] };
const converted = (value: unknown, to: string) => {
  const { transcripts, detection, pieces } = openText(text(value));
  return JSON.parse(
    conversionText(convert(transcripts[0]!, detection.format, targetNamed(to), pieces[0]!.record), true),
  ) as { messages: Record<string, unknown>[] };
};

it('pairs results without ids by their order, and says what they cost', () => {
  const [request] = openText(read('hand-request.json')).transcripts;
  const { calls, results } = pair(request!.messages);
  expect(results.map(({ standing, call: answered }) => [standing, answered])).toEqual(
    calls.map((one) => ['in place', one]),
  );
  expect(openText(read('hand-log.jsonl')).transcripts.map(({ reply }) => reply?.usage)).toMatchObject([
    { input: 169, output: 15 },
    { input: 92, output: 11 },
  ]);
});

it('is no request to OpenAI', () => {
  expect(check(read('hand-request.json'), { asRequest: true })).toEqual([]);
  const formatOf = (body: object) => openText(text(body)).detection.format.id;
  const messages = [{ role: 'user', content: 'x' }, asked];
  expect(formatOf({ messages })).toBe('ollama-chat');
  expect(formatOf({ messages: messages.slice(0, 1), keep_alive: 0 })).toBe('ollama-chat');
  expect(formatOf({ messages: messages.slice(0, 1) })).toBe('openai-chat');
  const typed = { ...asked, tool_calls: [{ ...call, id: 'a', type: 'function' }] };
  expect(formatOf({ messages: [messages[0], typed] })).toBe('openai-chat');
});

it('keeps the counts of a response whose message changes', () => {
  const [first] = linesOf(rewriteText(read('hand-responses.jsonl'), 'strip', { keepText: true, keepToolNames: true }));
  expect(first).toMatchObject({
    model: 'llama3.2',
    message: { role: 'assistant', content: 'Tools used: get_weather' },
    prompt_eval_count: 169,
  });
  expect(first!['message']).not.toHaveProperty('tool_calls');
});

it('has the context window that the request sets: what is longer, Ollama cuts without a word', () => {
  const messages = [{ role: 'user', content: 'word '.repeat(400) }];
  const told = (options: object, model = 'qwen3') =>
    check(text({ model, messages, options }), { asRequest: true }).map(({ message }) => message);
  for (const model of ['qwen3', 'my-own-model'])
    expect(told({ num_ctx: 256 }, model)).toEqual([expect.stringMatching(/the model takes 256$/)]);
  expect(told({ num_ctx: 8192 })).toEqual([]);
  expect(told({})).toEqual([]);
});

it('refuses the pieces of a stream', () => {
  const piece = (content: string, done: boolean) => ({ model: 'm', message: { role: 'assistant', content }, done });
  const lines = [piece('a', false), piece('b', false), piece('', true)].map(text).join('\n');
  expect(() => openText(lines)).toThrow('this looks like a streamed response of Ollama');
});

it('takes over a request of another API', () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'look' } }] },
    { role: 'user', content: 'Well?' },
  ].map((message) =>
    message.role === 'assistant' ? { ...message, ...calls('{"n": 12345678901234567890}') } : message,
  );
  const request = { model: 'gpt-4o', messages, temperature: 0.5, max_tokens: 9 };
  const after = converted(request, 'ollama');
  expect(after).toMatchObject({
    options: { temperature: 0.5, num_predict: 9 },
    messages: [
      { role: 'user', content: 'What is it?', images: ['iVBORw0KGgo='] },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'look' } }] },
      { role: 'tool', tool_name: 'look', tool_call_id: 'a' },
      { role: 'user', content: 'Well?' },
    ],
  });
  expect(refused('ollama-chat', after.messages)).toEqual([]);
  expect(check(text(after), { provider: 'ollama', asRequest: true })).toEqual([]);
});

it('gives ids to calls where the other API needs them', () => {
  const { messages } = converted(
    { model: 'm', messages: [{ role: 'user', content: 'x' }, asked, result('a')] },
    'openai',
  );
  const [{ id }] = messages[1]!['tool_calls'] as [{ id: string }];
  expect(messages[2]).toEqual({ role: 'tool', tool_call_id: id, content: 'a' });
  expect(refused('openai-chat', messages)).toEqual([]);
});

it('writes an added call and result as its own', () => {
  const { write } = formatNamed('ollama-chat');
  const input = '{"n": 1}';
  expect(text(write({ role: 'assistant', parts: [{ type: 'call', callId: undefined, tool: 'f', input }] }))).toBe(
    '{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"n":1}}}]}',
  );
});

function calls(input: string) {
  return { tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: input } }] };
}

function result(content: string) {
  return { role: 'tool', tool_name: 'ls', content };
}
