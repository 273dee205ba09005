import { expect, it } from 'vitest';
import { joinTexts } from '../../src/transcript/text.js';
import type { ResultPart } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const recording = (name: string) => fixture(`bedrock-converse/${name}`);

it('reads model, tools and usage of a request with its response, with cache writes by lifetime', () => {
  const [first] = openText(recording('hand-pairs.jsonl')).transcripts;
  expect(first).toMatchObject({ model: 'amazon.nova-pro-v1:0', traits: { endsOnReply: true } });
  expect(first!.tools!.text).toContain('toolSpec');
  expect(first!.reply).toEqual({
    requestId: 'req-1',
    model: 'amazon.nova-pro-v1:0',
    time: undefined,
    usage: { input: 200, cacheRead: 1000, cacheWrite5m: 100, cacheWrite1h: 200, output: 20, reasoning: 0 },
  });
});

it('reads invocation logs: Converse calls, the request of a stream, and the counts of an entry without bodies', () => {
  const { transcripts } = openText(recording('hand-log.jsonl'));
  expect(transcripts.map(({ id, messages }) => [id, messages.map(({ role }) => role)])).toEqual([
    ['log-1', ['system', 'user', 'assistant', 'tool', 'assistant']],
    ['log-2', ['user']],
    ['log-3', ['user']],
    ['log-4', []],
  ]);
  expect(transcripts[0]).toMatchObject({
    model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    reply: { requestId: 'log-1', time: 1767607201000, usage: { input: 90, cacheRead: 1000, output: 11 } },
  });
  expect(transcripts[1]!.reply!.usage).toMatchObject({ input: 4, output: 2 });
  expect(transcripts[3]!.reply!.usage).toMatchObject({ input: 7, output: 3 });
});

it.each([
  ['filter', { maxToolCalls: 0 }],
  ['filter', { maxToolCalls: 2 }],
  ['strip', { keepText: true }],
  ['patch', {}],
])('%s %j leaves no content empty, and no cache point alone', (id, options) => {
  const { messages } = JSON.parse(rewriteText(recording('hand-request.json'), id, options)) as {
    messages: { content: Record<string, unknown>[] }[];
  };
  expect(messages.filter(({ content }) => content.every((block) => 'cachePoint' in block))).toEqual([]);
});

it('writes an error without text as an empty object: Bedrock rejects blank texts and empty errors', () => {
  const { messages } = JSON.parse(rewriteText(recording('hand-request.json'), 'patch', { generator: () => '' })) as {
    messages: { content: unknown[] }[];
  };
  expect(messages[4]!.content[0]).toEqual({
    toolResult: { toolUseId: 'tooluse_4', content: [{ json: {} }], status: 'error' },
  });
});

/** A call, and its result of these blocks, in source text. */
const withResult = (blocks: string) =>
  '{"messages": [{"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "ls", "input": {}}}]}, ' +
  `{"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [${blocks}]}}]}]}`;

it.each([
  ['{}', ''],
  ['[]', '[]'],
  ['[1, 2]', '[1, 2]'],
  ['0', '0'],
  ['{"a": 1}', '{"a": 1}'],
])('reads the JSON %s of a result as its source text, but an empty object as none', (value, text) => {
  const [, answer] = openText(withResult(`{"json": ${value}}`)).transcripts[0]!.messages;
  expect(joinTexts((answer!.parts[0] as ResultPart).content).toString()).toBe(text);
});

it('leaves an empty object as it is spelled beside a text that is cut', () => {
  const cut = rewriteText(withResult(`{"json":{ }}, {"text": "${'long '.repeat(90)}"}`), 'truncate', {
    maxLength: 100,
    noMinimum: true,
  });
  expect(cut).toContain('truncated');
  expect(cut).toContain('[{"json":{ }}, {"text": ');
});

it('leaves a bare response unchanged, also in a second run', () => {
  const response = recording('hand-response.json');
  expect(rewriteText(response, 'patch', {})).toBe(response);
  const stripped = rewriteText(response, 'strip', {});
  expect(JSON.parse(stripped)).toMatchObject({ output: { message: null }, usage: { inputTokens: 30 } });
  expect(rewriteText(stripped, 'strip', {})).toBe(stripped);
});

it('keeps a system tool in the message of the model, which says both call and result', () => {
  const text = recording('hand-system-tool.json');
  const [transcript] = openText(text).transcripts;
  expect(transcript!.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type).join(' ')])).toEqual([
    ['system', 'text'],
    ['user', 'text'],
    ['assistant', 'text opaque opaque text'],
    ['user', 'text'],
    ['assistant', 'call'],
    ['tool', 'result'],
    ['assistant', 'text'],
  ]);
  type Body = { messages: object[] };
  const [{ messages }, added] = [text, rewriteText(text, 'inject', { user: 'Go on.' })].map((body) =>
    JSON.parse(body),
  ) as [Body, Body];
  expect(added.messages).toEqual([...messages, { role: 'user', content: [{ text: 'Go on.' }] }]);
});

it('adds messages to a Strands session with the fields of the adjacent file', () => {
  const stripped = rewriteText(recording('hand-strands.jsonl'), 'strip', { keepToolNames: true }).split('\n');
  expect(JSON.parse(stripped[1]!)).toMatchObject({
    message: { role: 'assistant', content: [{ text: 'Tools used: ls' }] },
    message_id: expect.any(Number),
    created_at: expect.any(String),
  });
});
