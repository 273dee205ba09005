/** Conversations in spans of OpenInference and OTLP, beyond the laws. */
import { expect, it } from 'vitest';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

it('reads what the span of each reply records, with uncached input', () => {
  const of = (path: string) => {
    const [transcript] = openText(fixture(path)).transcripts;
    return transcript!.messages.flatMap((message) => transcript!.recorded?.(message) ?? []);
  };
  const none = { cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 };
  expect(of('openinference/hand-flat.json')).toEqual([
    {
      model: 'gpt-4o-2024-08-06',
      time: Date.parse('2026-03-01T08:00:01Z'),
      usage: { ...none, input: 90, cacheRead: 0, output: 40 },
    },
    {
      model: 'gpt-4o-2024-08-06',
      time: Date.parse('2026-03-01T08:00:04Z'),
      usage: { ...none, input: 116, cacheRead: 64, output: 30 },
    },
    {
      model: 'gpt-4o-2024-08-06',
      time: Date.parse('2026-03-01T08:00:06Z'),
      usage: { ...none, input: 112, cacheRead: 128, output: 8, reasoning: 2 },
    },
  ]);
  expect(of('otlp/hand-genai.jsonl')).toEqual([
    {
      responseId: 'chatcmpl-1',
      sessionId: 'conv_1',
      model: 'gpt-4o-2024-08-06',
      time: 1772355601000,
      usage: { ...none, input: 90, cacheRead: 0, output: 40 },
    },
    {
      responseId: 'chatcmpl-2',
      sessionId: 'conv_1',
      model: 'gpt-4o-2024-08-06',
      time: 1772355604000,
      usage: { ...none, input: 116, cacheRead: 64, output: 30 },
    },
  ]);
});

it('makes a transcript of each request that no other one repeats', () => {
  const roles = (path: string) =>
    openText(fixture(path)).transcripts.map(({ messages }) => messages.map(({ role }) => role[0]).join(''));
  expect(roles('openinference/hand-flat.json')).toEqual(['suattata']);
  expect(roles('openinference/hand-nested.jsonl')).toEqual(['suattata', 'uatua']);
  expect(roles('otlp/hand-genai.jsonl')).toEqual(['suata', 'uaua']);
  expect(roles('otlp/hand-numbered.jsonl')).toEqual(['suattata', 'uatua']);
  expect(openText(fixture('openinference/hand-flat.json')).transcripts[0]).toMatchObject({
    id: '0123456789abcdef0123456789abcdef',
    model: 'gpt-4o-2024-08-06',
    tools: { text: expect.stringContaining('companions') },
  });
});

it.each([
  'openinference/hand-flat.json',
  'openinference/hand-nested.jsonl',
  'otlp/hand-genai.jsonl',
  'otlp/hand-numbered.jsonl',
])('%s: lets nothing survive in any span', (path) => {
  const text = fixture(path);
  expect(text).toContain('marigold');
  expect(rewriteText(text, 'filter', { maxToolCalls: 0 })).not.toMatch(/marigold|late frost/);
  expect(rewriteText(text, 'truncate', { maxLength: 10, noMinimum: true })).not.toMatch(/marigold|late frost/);
});

it('renumbers keys without gaps', () => {
  const spans = JSON.parse(rewriteText(fixture('openinference/hand-flat.json'), 'filter', { maxToolCalls: 1 })) as {
    attributes: Record<string, string>;
  }[];
  const { attributes } = spans[5]!;
  const numbers = Object.keys(attributes).flatMap(
    (key) => /^llm\.input_messages\.(\d+)\.message\.role$/.exec(key)?.[1] ?? [],
  );
  expect(numbers.sort()).toEqual(['0', '1', '2', '3']);
  expect(attributes['llm.input_messages.2.message.tool_calls.0.tool_call.id']).toBe('call_3');
  expect(attributes['llm.input_messages.2.message.content']).toBe('Basil. Plant it after the frost.');
  expect(attributes).not.toHaveProperty(['llm.input_messages.2.message.tool_calls.1.tool_call.id']);
  expect(attributes['llm.input_messages.3.message.tool_call_id']).toBe('call_3');
});

it('adds a result in the convention of its span', () => {
  expect(rewriteText(fixture('openinference/hand-nested.jsonl'), 'patch', {})).toContain(
    '{"message": {"role": "tool", "name": "lookup", "tool_call_id": "x1", "content": ',
  );
  expect(rewriteText(fixture('otlp/hand-numbered.jsonl'), 'patch', {})).toContain(
    '{"key": "llm.input_messages.3.message.tool_call_id", "value": {"stringValue": "call_1"}}',
  );
  const event = JSON.parse(rewriteText(fixture('otlp/hand-genai.jsonl'), 'patch', {}).split('\n')[2]!) as Record<
    string,
    never
  >;
  expect(JSON.stringify(event)).toContain(
    '{"key":"type","value":{"stringValue":"tool_call_response"}},{"key":"id","value":{"stringValue":"w1"}}',
  );
});

it('explains in one sentence why spans have no messages', () => {
  const missing =
    /^this is otlp \(OTLP traces as JSON\) without messages: no span has an attribute `llm\.input_messages/;
  expect(() =>
    openText(
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","attributes":[{"key":"http.method",' +
        '"value":{"stringValue":"GET"}}]}]}]}]}\n',
    ),
  ).toThrow(missing);
  expect(() => openText('{"context":{"trace_id":"1"},"attributes":{"openinference.span.kind":"CHAIN"}}')).toThrow(
    /^this is openinference /,
  );
});
