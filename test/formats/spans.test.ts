/** Conversations in spans of OpenInference and OTLP, beyond the laws. */
import { describe, expect, it } from 'vitest';
import { listedAttributes } from '../../src/formats/otel/otlp-attributes.js';
import { parse } from '../../src/json/node.js';
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
      requestId: '0000000000000063',
      time: Date.parse('2026-03-01T08:00:01Z'),
      usage: { ...none, input: 90, cacheRead: 0, output: 40 },
    },
    {
      model: 'gpt-4o-2024-08-06',
      requestId: '0000000000000066',
      time: Date.parse('2026-03-01T08:00:04Z'),
      usage: { ...none, input: 116, cacheRead: 64, output: 30 },
    },
    {
      model: 'gpt-4o-2024-08-06',
      requestId: '0000000000000068',
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

it('refuses values of OTLP that are nested too deeply', () => {
  const read = (depth: number) => {
    const value = '{"arrayValue":{"values":['.repeat(depth) + ']}}'.repeat(depth);
    return listedAttributes(parse(`[{"key":"x","value":${value}}]`)).get('x');
  };
  expect(read(400)!.isArray).toBe(true);
  expect(() => read(600)).toThrow('a value that is nested less than 500 times');
});

describe('requests in spans', () => {
  type Value = string | number;
  const attributes = (values: Readonly<Record<string, Value>>) =>
    Object.entries(values).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    }));
  const span = (spanId: string, parentSpanId: string, values: Readonly<Record<string, Value>>, rest: object = {}) => ({
    traceId: 't',
    spanId,
    parentSpanId,
    name: spanId,
    startTimeUnixNano: '1772355601000000000',
    attributes: attributes(values),
    ...rest,
  });
  const requestsIn = (...spans: object[]) => {
    const { transcripts } = openText(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    return transcripts.flatMap(({ messages, recorded, others }) => [
      ...messages.flatMap((message) => recorded?.(message) ?? []),
      ...(others ?? []),
    ]);
  };
  const chat = (reply: string, input: number) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.model': 'gpt-5-mini',
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': 1,
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"a"}]}]',
    'gen_ai.output.messages': `[{"role":"assistant","parts":[{"type":"text","content":"${reply}"}]}]`,
  });
  const inputs = (spans: object[]) => requestsIn(...spans).map(({ usage }) => usage?.input);

  it('are not those around requests, which state their sum', () => {
    const outer = { 'operation.name': 'ai.generateText', 'ai.usage.promptTokens': 30, 'ai.model.id': 'gpt-5-mini' };
    expect(inputs([span('o', '', outer), span('i', 'o', chat('b', 10)), span('j', 'o', chat('c', 20))])).toEqual([
      10, 20,
    ]);
  });

  it('are those of an agent that a tool runs, too', () => {
    const tool = span('t', 'o', { 'gen_ai.operation.name': 'execute_tool' });
    expect(inputs([span('o', '', chat('b', 10)), tool, span('i', 't', chat('c', 20))])).toEqual([10, 20]);
  });

  it('may have no messages', () => {
    const silent = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 20, 'gen_ai.request.model': 'x' };
    const found = requestsIn(span('o', '', chat('b', 10)), span('p', '', silent));
    expect(found.map(({ model, requestId }) => [model, requestId])).toEqual([
      ['gpt-5-mini', 'o'],
      ['x', 'p'],
    ]);
  });

  it('may have their messages in an event', () => {
    const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output, ...usage } = chat('b', 10);
    const event = { attributes: attributes({ 'gen_ai.input.messages': input, 'gen_ai.output.messages': output }) };
    expect(requestsIn(span('o', '', usage, { events: [event] }))).toMatchObject([
      { model: 'gpt-5-mini', usage: { input: 10 } },
    ]);
  });

  it('state that they failed, and their tier', () => {
    const flex = { ...chat('b', 10), 'gen_ai.openai.response.service_tier': 'flex' };
    expect(requestsIn(span('o', '', flex, { status: { code: 2 } }))).toMatchObject([
      { failed: true, billing: { tier: 'flex' } },
    ]);
  });
});

it('leaves instructions that do not change as they are, with the space around them', () => {
  const result = { type: 'tool_call_response', id: 'c', response: 'marigold '.repeat(50) };
  const attribute = (key: string, text: string) => ({ key, value: { stringValue: text } });
  const instructions = attribute('gen_ai.system_instructions', '[{"type": "text", "content": "Be brief."}]\n');
  const input = attribute('gen_ai.input.messages', JSON.stringify([{ role: 'user', parts: [result] }]));
  const span = { traceId: 't', spanId: 's', attributes: [instructions, input] };
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const after = rewriteText(text, 'truncate', { maxLength: 80, noMinimum: true });
  expect(after.length).toBeLessThan(text.length);
  expect(after).toContain(JSON.stringify(instructions));
});

it('cuts messages in an attribute whose dotted name is a member', () => {
  const output = [{ role: 'user', parts: [{ type: 'tool_call_response', id: 'c', response: 'marigold '.repeat(50) }] }];
  const attributes = { 'openinference.span.kind': 'LLM', 'gen_ai.input.messages': JSON.stringify(output) };
  const text = JSON.stringify({ name: 'x', context: { trace_id: 't', span_id: 's' }, attributes });
  const after = JSON.parse(rewriteText(text, 'truncate', { maxLength: 80, noMinimum: true }));
  expect(Object.keys(after.attributes)).toEqual(Object.keys(attributes));
  expect(after.attributes['gen_ai.input.messages']).toMatch(/^\[\{"role":"user".{0,300}truncated/);
});

it('writes spans that a response of the API lists', () => {
  const lines = fixture('openinference/hand-nested.jsonl').toString().trim().split('\n');
  const listed = `{"data":[${['{"id":"no span"}', ...lines].join(',')}],"next_cursor":null}`;
  const options = { maxLength: 40, noMinimum: true };
  const [first, ...spans] = JSON.parse(rewriteText(listed, 'truncate', options)).data;
  const apart = rewriteText(`${lines.join('\n')}\n`, 'truncate', options)
    .trim()
    .split('\n');
  expect([first, spans]).toEqual([{ id: 'no span' }, apart.map((line) => JSON.parse(line))]);
  expect(apart).not.toEqual(lines);
});
