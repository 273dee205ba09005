/** Traces of observability platforms: what a trace holds, what is recorded of its requests, and edits of all copies. */
import { describe, expect, it, vi } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { textOf } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const recording = (name: string) => fixture(`trace-log/${name}`);
const rolesIn = ({ messages }: Transcript) => messages.map(({ role }) => role);
const requestsOf = (text: string) =>
  openText(text).transcripts.map(({ messages, recorded }) => messages.flatMap((message) => recorded!(message) ?? []));
const replace = (from: string, to: string) => (transcript: Transcript) => ({
  ...transcript,
  messages: transcript.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'text' && textOf(part.text) === from ? { ...part, text: to } : part,
    ),
  })),
});

const WHOLE = ['system', 'user', 'assistant', 'tool', 'assistant'];
const ANSWER = 'Yes: light rain begins at eight in Porto, so take an umbrella.';

it.each([
  ['hand-weave.jsonl', [WHOLE, ['system', 'user', 'assistant']]],
  ['hand-braintrust.json', [WHOLE, ['user', 'assistant']]],
  ['hand-braintrust-rows.jsonl', [['system', 'user', 'assistant']]],
  ['hand-mlflow.json', [WHOLE]],
  ['hand-mlflow2.jsonl', [['user', 'assistant']]],
  ['hand-helicone.json', [WHOLE, ['system', 'user', 'assistant']]],
])('%s: a conversation a trace, with its replies, and nothing unread', (name, roles) => {
  const { detection, transcripts } = openText(recording(name));
  expect(detection.format.id).toBe('trace-log');
  expect(detection.confidence).toBeCloseTo(0.9);
  expect(transcripts.map(rolesIn)).toEqual(roles);
});

const FIRST = { usage: { input: 70, output: 16 } };
const SECOND = { usage: { input: 39, cacheRead: 64, output: 18 } };
const CLAUDE = { model: 'claude-haiku-4-5-20251001', usage: { input: 20, output: 8 } };

it.each([
  ['hand-weave.jsonl', [[{ responseId: 'chatcmpl-W1', ...FIRST }, SECOND], [CLAUDE]]],
  ['hand-braintrust.json', [[FIRST, { model: 'gpt-4o-mini', cost: '2.14e-05', ...SECOND }], []]],
  ['hand-braintrust-rows.jsonl', [[{ model: 'gpt-4o-mini', time: 1772359300100, usage: { input: 38, output: 8 } }]]],
  ['hand-mlflow.json', [[{ responseId: 'chatcmpl-M1', ...FIRST }, SECOND]]],
  ['hand-mlflow2.jsonl', [[{ model: 'gpt-4o', time: 1731388531754, usage: { input: 12, output: 9 } }]]],
  ['hand-helicone.json', [[{ ...SECOND, cost: '2.14e-05' }], [CLAUDE]]],
])('%s: usage, model and cost of each request, once', (name, requests) => {
  expect(requestsOf(recording(name))).toMatchObject(requests);
});

it('knows the tools of a trace, in strings too', () => {
  for (const name of ['hand-weave.jsonl', 'hand-braintrust.json', 'hand-mlflow.json', 'hand-helicone.json'])
    expect(openText(recording(name)).transcripts[0]!.tools?.text).toContain('get_weather');
});

describe('an edit', () => {
  it.each(['hand-weave.jsonl', 'hand-braintrust.json', 'hand-mlflow.json', 'hand-helicone.json'])(
    '%s: reaches every copy of an answer, and changes nothing else',
    (name) => {
      const text = recording(name);
      expect(text).toContain(ANSWER);
      expect(mapText(Buffer.from(text), replace(ANSWER, 'Trimmed.'))).toBe(text.replaceAll(ANSWER, 'Trimmed.'));
    },
  );
});

it('takes a text for the reply where the messages went in, but no reference to a value stored elsewhere', () => {
  const [row] = linesOf(recording('hand-weave.jsonl').split('\n')[4]!);
  const withOutput = (output: unknown) =>
    openText(JSON.stringify({ ...row, output }), { from: 'trace-log' }).transcripts;
  expect(rolesIn(withOutput('The common nightingale.')[0]!)).toEqual(['system', 'user', 'assistant']);
  expect(rolesIn(withOutput('weave:///acme/weather/object/Message:1')[0]!)).toEqual(['system', 'user']);
});

it('says what it is where no span holds messages', () => {
  const [row] = linesOf(recording('hand-weave.jsonl'));
  expect(() => openText(JSON.stringify(row))).toThrow('no input or output of a Weave span holds messages');
});

it('reads each message of a trace a few times, however many requests share no history', () => {
  const call = (id: number) => {
    const inputs = { messages: [{ role: 'user', content: `Question ${id}` }] };
    const output = { choices: [{ message: { role: 'assistant', content: `Answer ${id}` } }], usage: {} };
    return JSON.stringify({ id, op_name: 'x', trace_id: 't', started_at: '2026-01-01T00:00:00Z', inputs, output });
  };
  const read = vi.spyOn(formatNamed('openai-chat'), 'read');
  const readsOf = (size: number) => {
    read.mockClear();
    expect(openText(Array.from({ length: size }, (_, id) => call(id)).join('\n')).transcripts).toHaveLength(size);
    return read.mock.calls.length;
  };
  const few = readsOf(20);
  expect(few).toBeGreaterThan(20);
  expect(readsOf(80)).toBeLessThan(few * 5);
  read.mockRestore();
});
