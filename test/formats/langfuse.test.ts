/** Langfuse traces beyond the laws. */
import { describe, expect, it } from 'vitest';
import { langfuseUsage } from '../../src/formats/langfuse/langfuse-usage.js';
import { parse } from '../../src/json/node.js';
import { pair } from '../../src/transcript/pairs.js';
import type { Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const recording = (name: string) => fixture(`langfuse/${name}`);
const shapes = recording('hand-shapes.jsonl').trimEnd().split('\n');
const [chat, anthropic, , , graph] = shapes as [string, string, string, string, string];

it('reads time, usage and cost of each reply from its generation', () => {
  const [transcript] = openText(recording('langgraph-python.trace.json')).transcripts;
  const recorded = transcript!.messages.map((message) => transcript!.recorded?.(message));
  expect(transcript).toMatchObject({
    id: 'e1fde3efec57ce8a69bafd3fb928a7eb',
    model: 'gpt-4o-2024-08-06',
    traits: { endsOnReply: true },
  });
  expect(recorded[2]).toMatchObject({ usage: { input: 60, cacheRead: 0, output: 15 }, model: 'gpt-4o-2024-08-06' });
  expect(recorded[5]).toEqual({
    responseId: '5ba09605e0929d78',
    model: 'gpt-4o-2024-08-06',
    time: Date.parse('2025-08-22T09:38:57.089Z'),
    usage: { input: 108, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 51, reasoning: 0 },
    cost: '0.000159',
  });
  expect(recorded.filter((found) => found !== undefined)).toHaveLength(2);
});

it('counts cached tokens once, whether or not the input includes them', () => {
  const usage = (details: object) => langfuseUsage(parse(JSON.stringify(details)));
  expect(
    usage({ input: 100, input_cached_tokens: 28, output: 20, output_reasoning_tokens: 8, total: 156 }),
  ).toMatchObject({ input: 100, cacheRead: 28, output: 28, reasoning: 8 });
  expect(usage({ input: 128, input_cache_read: 28, output: 28, output_reasoning: 8, total: 156 })).toMatchObject({
    input: 100,
    cacheRead: 28,
    output: 28,
    reasoning: 8,
  });
  expect(usage({ input: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 30, output: 7 })).toMatchObject({
    input: 10,
    cacheRead: 90,
    cacheWrite5m: 30,
    output: 7,
  });
  const writes = (cache_creation: number, hour: number) =>
    usage({
      ...{ input: 10, output: 20, total: 30 + cache_creation + hour, input_cache_read: 0 },
      ...{ input_cache_creation: cache_creation, input_ephemeral_5m_input_tokens: 0 },
      input_ephemeral_1h_input_tokens: hour,
    });
  expect(writes(0, 50_000)).toMatchObject({ input: 10, cacheWrite5m: 0, cacheWrite1h: 50_000, output: 20 });
  expect(writes(50_000, 0)).toMatchObject({ input: 10, cacheWrite5m: 50_000, cacheWrite1h: 0 });
  expect(writes(50_000, 30_000)).toMatchObject({ input: 10, cacheWrite5m: 20_000, cacheWrite1h: 30_000 });
  expect(usage({})).toBeUndefined();
});

it('prefers an agent to generations that hold only the new messages', () => {
  const [transcript] = openText(recording('microsoft-agent.trace.json')).transcripts;
  expect(transcript!.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
});

it('leaves no copy of what was cut or dropped', () => {
  const secrets = (text: string) =>
    ['north', 'all day long', 'Permission denied', 'anna', 'always will'].filter((secret) => text.includes(secret));
  const text = [chat, anthropic, graph].join('\n');
  expect(secrets(text)).toHaveLength(5);
  expect(secrets(rewriteText(text, 'filter', { maxToolCalls: 0, everything: true }))).toEqual([]);
  expect(secrets(rewriteText(text, 'truncate', { maxLength: 10, noMinimum: true }))).toEqual([]);
  const real = recording('microsoft-agent.trace.json');
  expect(real).toContain('stormy with a high');
  expect(rewriteText(real, 'truncate', { maxLength: 20, noMinimum: true })).not.toContain('stormy with a high');
  const adk = rewriteText(recording('google-adk.trace.json'), 'filter', { maxToolCalls: 0 });
  expect(adk).not.toContain('function_response');
});

it('does not change names, even if a dropped result equals one', () => {
  const id = 'session-0123456789-0123456789';
  const trace = JSON.stringify({
    trace: { id: 't', sessionId: id, note: id },
    observations: [
      {
        id: 'g',
        type: 'GENERATION',
        input: [
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'session', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: id },
          { role: 'user', content: 'Thanks.' },
        ],
        output: 'Any time.',
      },
    ],
  });
  expect(JSON.parse(rewriteText(trace, 'filter', { maxToolCalls: 0 }))).toMatchObject({
    trace: { id: 't', sessionId: id, note: '' },
    observations: [{ input: [{ content: 'Thanks.' }], output: 'Any time.' }],
  });
});

it('joins the rows of a trace in a table of observations', () => {
  const { transcripts } = openText(recording('hand-observations.json'));
  expect(transcripts.map(({ id, messages }) => [id, messages.length])).toEqual([
    ['trace-chat', 8],
    ['trace-anthropic', 7],
  ]);
  expect(rewriteText(recording('hand-observations.json'), 'filter', { maxToolCalls: 0, everything: true })).not.toMatch(
    /north|Permission denied/,
  );
});

it('keeps the style of JSON in strings: pretty-printed, or encoded twice', () => {
  const cut = JSON.parse(rewriteText(anthropic, 'truncate', { maxLength: 10, noMinimum: true })) as {
    observations: { input: string }[];
  };
  expect(cut.observations[0]!.input).toContain('\n  "messages": [\n    {\n      "role": "user"');
  const traced = JSON.parse(
    rewriteText(
      chat.replaceAll('Sunny, two degrees.', 'Oslo: heavy snow, minus four degrees, wind from the north.'),
      'truncate',
      { maxLength: 10, noMinimum: true },
    ),
  ) as { trace: { output: string } };
  expect(JSON.parse(JSON.parse(traced.trace.output) as string)).toMatchObject({ role: 'assistant' });
});

it('adds in the shape of the list', () => {
  const [first, second] = rewriteText([chat, anthropic].join('\n'), 'patch', {})
    .split('\n')
    .map((line) => JSON.parse(line) as { observations: { type: string; input: unknown }[] });
  const asked = first!.observations[4]!.input as { messages: Record<string, unknown>[] };
  expect(asked.messages[4]).toMatchObject({
    role: 'tool',
    tool_call_id: 'call_r',
    content: expect.stringContaining('cancelled'),
  });
  const { messages } = JSON.parse(second!.observations[0]!.input as string) as { messages: { content: object[] }[] };
  expect(messages[4]!.content.map((block) => (block as { type: string }).type)).toEqual([
    'tool_result',
    'tool_result',
    'text',
  ]);
});

it('explains why a trace has no messages', () => {
  const empty = '{"trace":{"id":"t"},"observations":[{"id":"s","type":"SPAN","input":{"query":"x"},"output":[1,2]}]}';
  expect(() => openText(empty)).toThrow(
    'this is langfuse (Langfuse traces) without messages: no observation has an input or output with messages',
  );
});

it('reads calls and results in other spellings', () => {
  const [told, byRole, inner] = openText(recording('hand-told.jsonl')).transcripts;
  const said = (transcript: Transcript) =>
    transcript.messages.map(({ role, parts }) => `${role}: ${parts.map((part) => part.type).join(' ')}`);
  expect(said(told!)).toEqual([
    'system: text',
    'user: text',
    'assistant: call',
    'tool: result',
    'assistant: call',
    'tool: result',
    'assistant: text',
  ]);
  expect(said(byRole!)).toEqual(['user: text', 'assistant: text call', 'tool: result', 'assistant: text']);
  expect(said(inner!)).toEqual(['user: text', 'assistant: call']);
  expect(
    [told!, byRole!].flatMap(({ messages }) =>
      pair(messages).results.map(({ standing, call }) => [standing, call!.part.tool]),
    ),
  ).toEqual([
    ['in place', 'hello'],
    ['in place', 'bye'],
    ['in place', 'get_weather'],
  ]);
});

it('leaves no copy of a dropped call in texts or in generations around it', () => {
  const text = recording('hand-told.jsonl');
  expect(rewriteText(text, 'patch', {})).toBe(text);
  const gone = rewriteText(text, 'strip', {});
  for (const secret of ['call_hello', 'call_bye', 'call_w', 'call_b', 'good morning', 'until tomorrow', 'Heavy snow'])
    expect(gone).not.toContain(secret);
  const [kept] = rewriteText(text, 'filter', { maxToolCalls: 1 }).split('\n');
  expect(kept).not.toContain('call_hello');
  expect(kept).toContain('call_bye');
});

describe('an agent that a tool started', () => {
  const trace = recording('hand-agents.json');
  const { observations } = JSON.parse(trace) as { observations: object[] };
  const rows = observations.map((row) => `${JSON.stringify(row)}\n`).join('');

  it.each([trace, rows])('is a transcript of its own', (text) => {
    const { transcripts } = openText(text);
    expect(transcripts.map(({ id, messages }) => [id, messages.map(({ role }) => role).join()])).toEqual([
      ['trace-7', 'system,user,assistant,tool,assistant'],
      ['trace-7/o4', 'system,user,assistant,tool,assistant'],
    ]);
    const used = transcripts.map(({ messages, recorded }) =>
      messages.flatMap((message) => recorded?.(message)?.usage?.input ?? []),
    );
    expect(used).toEqual([
      [40, 70],
      [30, 60],
    ]);
  });

  it.each([trace, rows])('loses its calls independently of the main transcript', (text) => {
    const has = (written: string) => ['call_1', 'call_9'].map((id) => written.includes(`"${id}"`));
    for (const [tool, left] of [
      ['ls', [true, false]],
      ['research', [false, true]],
      ['*', [false, false]],
    ] as const) {
      const options = { maxToolCalls: 0, tool: [tool] };
      const written = rewriteText(text, 'filter', options);
      expect(has(written)).toEqual(left);
      expect(rewriteText(written, 'filter', options)).toBe(written);
      expect(written.includes('"src holds main.c and util.c."')).toBe(true); // what the agent answered is its own
    }
    expect(rewriteText(text, 'patch', {})).toBe(text);
  });

  it('is not a transcript if the main one holds its messages', () => {
    const whole = JSON.parse(trace) as { observations: { id: string; parentObservationId: string | null }[] };
    for (const row of whole.observations) if (row.parentObservationId === 'o4') row.parentObservationId = 'o1';
    whole.observations = whole.observations.filter(({ id }) => id !== 'o4');
    expect(openText(JSON.stringify(whole)).transcripts).toHaveLength(1);
  });
});

describe('requests of a trace', () => {
  const generation = (id: string, parentObservationId: string | null, text: string, rest: object = {}) => ({
    id,
    type: 'GENERATION',
    parentObservationId,
    model: 'claude-sonnet-4-5',
    startTime: '2025-12-22T10:00:00Z',
    usageDetails: { input: 5, output: 10, total: 15 },
    totalCost: 0.000165,
    input: text === '' ? null : [{ role: 'user', content: 'a' }],
    output: text === '' ? null : { role: 'assistant', content: text },
    ...rest,
  });
  const requestsIn = (trace: object, ...observations: object[]) => {
    const [transcript, ...agents] = openText(
      JSON.stringify({ trace: { id: 't', ...trace }, observations }),
    ).transcripts;
    expect(agents).toEqual([]);
    return [
      ...transcript!.messages.flatMap((message) => transcript!.recorded?.(message) ?? []),
      ...(transcript!.others ?? []),
    ];
  };

  it('are all generations, each once, wherever they are nested and whether or not they have messages', () => {
    const found = requestsIn(
      {},
      { id: 's', type: 'SPAN', parentObservationId: null, input: null, output: null, totalCost: 0 },
      generation('one', 's', 'b'),
      generation('two', 'one', 'c'),
      generation('three', 'two', ''),
    );
    expect(found.map(({ responseId }) => responseId).sort()).toEqual(['one', 'three', 'two']);
    expect(found.every(({ cost, model }) => cost === '0.000165' && model === 'claude-sonnet-4-5')).toBe(true);
  });

  it('are not observations of other types, or generations without usage', () => {
    const nothing = { usageDetails: {}, totalCost: 0 };
    const agent = { ...generation('agent', null, ''), type: 'AGENT' };
    const found = requestsIn({}, agent, generation('one', 'agent', 'b'), generation('none', 'agent', '', nothing));
    expect(found.map(({ responseId }) => responseId)).toEqual(['one']);
  });

  it('are followed by the total that a trace states', () => {
    expect(requestsIn({ totalCost: 0.5 }, generation('one', null, 'b')).at(-1)).toEqual({ runningCost: '0.5' });
  });

  it('failed where the level is an error', () => {
    const found = requestsIn({}, generation('one', null, 'b', { level: 'ERROR', usageDetails: {}, totalCost: 0 }));
    expect(found).toMatchObject([{ failed: true }]);
    expect(found[0]).not.toHaveProperty('cost');
  });
});

it('reads usage of a LangGraph trace in tryParse form from the messages of its state', () => {
  const ok = (data: unknown) => ({ success: true, data });
  const question = { role: 'user', content: 'Sunny?' };
  const call = { id: 'c1', type: 'function', name: 'weather', arguments: '{}' };
  const usage = { input_tokens: 142, output_tokens: 24, total_tokens: 166, input_token_details: { cache_read: 100 } };
  const message = {
    id: 'chatcmpl-1',
    content: '',
    tool_calls: [{ name: 'weather', args: {}, id: 'c1' }],
    response_metadata: { model_name: 'gpt-5-mini' },
    usage_metadata: usage,
  };
  const state = { json: { output: [{ lc: 1, type: 'constructor', id: ['AIMessage'], kwargs: message }] } };
  const asked = { role: 'assistant', content: '', tool_calls: [call] };
  const trace = {
    o1: {
      input: ok([question, asked, { role: 'weather', content: 'Yes.' }]),
      output: ok([{ role: 'assistant', content: 'It is.' }]),
    },
    o2: { input: ok([question]), output: ok([asked]) },
    o3: { input: { success: false, error: {} }, output: ok([state]) },
  };
  const [transcript] = openText(JSON.stringify(trace)).transcripts;
  const recorded = transcript!.messages.flatMap((each) => transcript!.recorded?.(each) ?? []);
  expect([...recorded, ...(transcript!.others ?? [])]).toMatchObject([
    { responseId: 'chatcmpl-1', model: 'gpt-5-mini', usage: { input: 42, cacheRead: 100, output: 24 } },
  ]);
});
