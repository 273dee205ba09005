/** What is recorded beside messages, by format: values as each program's own documents have them. */
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { parse } from '../../src/json/node.js';
import { openText } from '../shared/opened.js';

const json = (value: unknown) => JSON.stringify(value);
const recorded = (format: string, message: object, record?: object) =>
  formatNamed(format).recorded!(parse(json(message)), record && parse(json(record)));
const NOTHING = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html (2026-11) */
describe('logs of Bedrock', () => {
  const USAGE = { inputTokens: 10, outputTokens: 4, cacheReadInputTokens: 3, cacheWriteInputTokens: 2 };
  const said = [{ role: 'user', content: [{ text: 'Hi' }] }];
  const answer = { message: { role: 'assistant', content: [{ text: 'Yes' }] } };
  const logged = (more: { input?: object; output?: object }, own: object = {}) => ({
    ...{ schemaType: 'ModelInvocationLog', operation: 'Converse', requestId: 'r1', timestamp: '2026-01-02T03:04:05Z' },
    modelId: 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0',
    input: { inputBodyJson: { messages: said }, ...more.input },
    output: { outputBodyJson: { output: answer, stopReason: 'end_turn' }, ...more.output },
    ...own,
  });
  const replyOf = (record: object) => openText(json(record)).transcripts[0]!.reply;

  it('count tokens beside the bodies, where these do not', () => {
    const counts = { input: { inputTokenCount: 7, cacheReadInputTokenCount: 1 }, output: { outputTokenCount: 5 } };
    expect(replyOf(logged(counts))).toMatchObject({
      ...{ requestId: 'r1', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0', time: Date.UTC(2026, 0, 2, 3, 4, 5) },
      usage: { ...NOTHING, input: 7, cacheRead: 1, output: 5 },
    });
    const body = { ...counts, output: { outputBodyJson: { output: answer, usage: USAGE }, outputTokenCount: 5 } };
    expect(replyOf(logged(body))!.usage).toEqual({ ...NOTHING, input: 10, cacheRead: 3, cacheWrite5m: 2, output: 4 });
    expect(replyOf(logged({ input: { inputTokenCount: 7 } }))!.usage).toEqual({ ...NOTHING, input: 7 });
    expect(replyOf(logged({ output: { outputTokenCount: 5 } }))!.usage).toEqual({ ...NOTHING, output: 5 });
  });

  it('may hold a stream of Gemini: its last piece has the whole usage', () => {
    const pieces = [1, 3].map((candidatesTokenCount) => ({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount },
    }));
    const input = { inputBodyJson: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] } };
    const log = logged({ input, output: { outputBodyJson: pieces } });
    expect(replyOf(log)!.usage).toEqual({ ...NOTHING, input: 7, output: 3 });
  });

  it('tell writes of an hour from those of five minutes', () => {
    const details = (inputTokens: number) => ({
      ...USAGE,
      cacheDetails: [
        { ttl: '5m', inputTokens: 1 },
        { ttl: '1h', inputTokens },
      ],
    });
    const usage = (inputTokens: number) =>
      replyOf(logged({ output: { outputBodyJson: { output: answer, usage: details(inputTokens) } } }))!.usage;
    expect(usage(1)).toMatchObject({ cacheWrite5m: 1, cacheWrite1h: 1 });
    expect(usage(9)).toMatchObject({ cacheWrite5m: 0, cacheWrite1h: 2 });
  });

  it('name the model of the record before that of its request', () => {
    const request = { modelId: 'of-request', messages: said };
    const modelOf = (record: object) => openText(json(record)).transcripts[0]!.model;
    expect(modelOf({ modelId: 'of-record', request, response: { output: answer } })).toBe('of-record');
    expect(modelOf({ request, response: { output: answer } })).toBe('of-request');
    expect(modelOf({ modelId: 'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.x', request })).toBe('eu.x');
  });
});

/** Events of Copilot CLI 1.0 (2026-11) */
describe('Copilot CLI', () => {
  const event = (type: string, data: object) => ({ type, id: 'e1', timestamp: '2026-01-02T03:04:05Z', data });
  const time = Date.UTC(2026, 0, 2, 3, 4, 5);

  it('counts a request in an event of its own, with the caches in its prompt', () => {
    const counts = { inputTokens: 100, outputTokens: 9, cacheReadTokens: 60, cacheWriteTokens: 30, reasoningTokens: 4 };
    const usage = { input: 10, cacheRead: 60, cacheWrite5m: 30, cacheWrite1h: 0, output: 9, reasoning: 4 };
    const ids = { apiCallId: 'a', providerCallId: 'p' };
    expect(recorded('copilot-cli', event('assistant.usage', { ...counts, ...ids, model: 'm' }))).toEqual({
      ...{ responseId: 'a', requestId: 'p', model: 'm', time, usage },
    });
    expect(recorded('copilot-cli', event('assistant.usage', counts))).toEqual({ requestId: 'e1', time, usage });
  });

  it('names the request of a message, and the branch of a session', () => {
    const message = { requestId: 'r', model: 'm', content: 'x' };
    expect(recorded('copilot-cli', event('assistant.message', message))).toEqual({ requestId: 'r', model: 'm', time });
    for (const type of ['session.start', 'session.resume'])
      expect(recorded('copilot-cli', event(type, { context: { branch: 'main' } }))).toEqual({ branch: 'main' });
    expect(recorded('copilot-cli', event('user.message', { content: 'x' }))).toBeUndefined();
  });

  it('gives messages without a model the one selected last, and others none', () => {
    const lines = [
      event('session.start', { sessionId: 's', selectedModel: 'm1' }),
      event('user.message', { content: 'a' }),
      event('assistant.message', { content: 'b' }),
      event('session.model_change', { newModel: 'm2' }),
      event('assistant.message', { content: 'c' }),
      event('assistant.message', { content: 'd', model: 'm3' }),
    ];
    const { transcripts } = openText(lines.map(json).join('\n'));
    const told = transcripts[0]!.messages.filter(({ role }) => role !== 'meta').map(({ role, model }) => [role, model]);
    expect(told).toEqual([
      ...[
        ['user', undefined],
        ['assistant', 'm1'],
        ['assistant', 'm2'],
      ],
      ['assistant', 'm3'],
    ]);
  });
});

it("the settings of Factory's Droid count all requests, with thinking in the output", () => {
  const lines = [
    { type: 'session_start', id: 's', cwd: '/p' },
    { type: 'message', id: 'm', message: { role: 'user', content: [{ type: 'text', text: 'Hi' }] } },
  ];
  const usage = { inputTokens: 100, outputTokens: 9, cacheCreationTokens: 5, cacheReadTokens: 7, thinkingTokens: 4 };
  const settings = { model: 'claude-opus-4-5', tokenUsage: usage };
  const [one] = openText([...lines, settings].map(json).join('\n')).transcripts;
  const counted = [...one!.messages.map((message) => one!.recorded?.(message)), one!.reply, ...(one!.others ?? [])];
  expect(counted.filter((fact) => fact !== undefined && 'running' in fact)).toEqual([
    expect.objectContaining({
      model: 'claude-opus-4-5',
      running: { input: 100, cacheRead: 7, cacheWrite5m: 5, cacheWrite1h: 0, output: 9, reasoning: 4 },
    }),
  ]);
});

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent (2026-11) */
it('a streamed response of Gemini counts once, in its last piece', () => {
  const piece = (text: string, more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] } }],
    ...{ responseId: 'r', modelVersion: 'gemini-2.5-pro', ...more },
  });
  const usage = (out: number) => ({
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: out, totalTokenCount: 5 + out },
  });
  const record = { method: 'generateContentStream', response: [piece('a', usage(1)), piece('b', usage(3))] };
  const [one] = openText(json(record)).transcripts;
  const facts = one!.messages.map((message) => one!.recorded!(message));
  expect(facts.flatMap((fact) => fact?.usage ?? [])).toEqual([{ ...NOTHING, input: 5, output: 3 }]);
});

/** https://docs.all-hands.dev/usage/key-features, events of OpenHands 0.30 (2025-11) */
it('events of OpenHands count the requests that made them: calls, and what the agent says', () => {
  const response = { id: 'c1', model: 'gpt-4o', usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } };
  const meta = { tool_call_metadata: { function_name: 'execute_bash', tool_call_id: 't1', model_response: response } };
  const at = { timestamp: '2026-01-02T03:04:05.678' };
  const usageOf = (event: object) => recorded('openhands', event)?.usage;
  const call = { ...at, id: 1, source: 'agent', action: 'run', args: { command: 'ls', thought: '' }, ...meta };
  expect(recorded('openhands', call)).toMatchObject({
    ...{ responseId: 'c1', model: 'gpt-4o', time: Date.UTC(2026, 0, 2, 3, 4, 5, 678) },
    usage: { ...NOTHING, input: 5, output: 2 },
  });
  const words = { ...at, id: 2, action: 'message', args: { content: 'x' }, llm_metrics: {}, ...meta };
  expect(usageOf({ ...words, source: 'agent' })).toEqual({ ...NOTHING, input: 5, output: 2 });
  expect(usageOf({ ...words, source: 'user' })).toBeUndefined();
  expect(usageOf({ ...at, id: 3, source: 'agent', observation: 'run', content: 'x', ...meta })).toBeUndefined();
  for (const zone of ['Z', '+00:00', '+0000'])
    expect(recorded('openhands', { ...call, timestamp: `${at.timestamp}${zone}` })?.time).toBe(
      Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    );
});

/** https://github.com/All-Hands-AI/OpenHands, `openhands/llm/metrics.py`: the sum so far, beside each event. */
it('OpenHands states the sum so far beside events of any kind', () => {
  const accumulated_token_usage = { prompt_tokens: 10, completion_tokens: 4, cache_read_tokens: 3 };
  const event = { id: 1, source: 'agent', llm_metrics: { accumulated_token_usage } };
  const running = { ...NOTHING, input: 7, cacheRead: 3, output: 4 };
  expect(recorded('openhands', { ...event, observation: 'run', content: '' })).toMatchObject({ running });
  expect(recorded('openhands', { ...event, action: 'message' })).toMatchObject({ running });
});

/** https://github.com/NVIDIA-NeMo/Gym: the items of all responses of a rollout in one list, and the sum of their usage. */
it('a rollout of NeMo Gym has as many requests as runs of items of the model', () => {
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' });
  const result = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'ok' });
  const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] };
  const thought = { type: 'reasoning', summary: [] };
  const output = [thought, said, call('a'), call('b'), result('a'), result('b'), call('c'), result('c'), thought, said];
  const record = {
    responses_create_params: { input: [{ role: 'user', content: 'x' }] },
    response: { id: 'r', object: 'response', model: 'm', output, usage: { input_tokens: 9, output_tokens: 5 } },
  };
  const { reply } = openText(json(record)).transcripts[0]!;
  expect(reply).toMatchObject({ runningRequests: 3, running: { input: 9, output: 5 } });
});
