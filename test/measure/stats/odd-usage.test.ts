/** Usage as servers and programs state it in ways of their own: what of it is paid. */
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/measure/stats/ledger.js';
import { priced } from '../../../src/measure/stats/request.js';
import { recordedRequests } from '../../../src/measure/stats/requests.js';
import { openText } from '../../shared/opened.js';

const PRICING = { prices: undefined, at: undefined };

/** What the lines of a recording add up to. */
function paidIn(...lines: readonly object[]) {
  const { transcripts } = openText(lines.map((line) => JSON.stringify(line)).join('\n'));
  const ledger = createLedger<undefined>({ price: (record) => priced(record, PRICING) });
  for (const transcript of transcripts) ledger.add(undefined, recordedRequests(transcript, PRICING));
  const { requests, usage } = ledger.close().paid;
  return { requests, ...usage };
}

const MODEL = 'claude-sonnet-4-5-20250929';

function claudeCodeLine(usage: object, id = 'msg_1', uuid = 'u2') {
  const message = { id, type: 'message', role: 'assistant', model: MODEL, content: [{ type: 'text', text: 'x' }] };
  const line = { type: 'assistant', uuid, parentUuid: null, sessionId: 's1', timestamp: '2026-10-01T10:00:05Z' };
  return { ...line, message: { ...message, usage } };
}

/**
 * Claude Code begins with a split of zeros and takes another only from a server that sends one, as many gateways do
 * not. https://github.com/Wei-Shaw/claude-relay-service/pull/1081
 */
describe('cache writes of Claude Code', () => {
  it.each([
    ['without a split', undefined, 20_000, 0],
    ['with a split of zeros', [0, 0], 20_000, 0],
    ['with a split of some', [0, 5_000], 15_000, 5_000],
    ['with a whole split', [5_000, 15_000], 5_000, 15_000],
  ])('%s are all paid', (_, split, cacheWrite5m, cacheWrite1h) => {
    const lifetimes = split && { ephemeral_5m_input_tokens: split[0], ephemeral_1h_input_tokens: split[1] };
    const usage = { input_tokens: 4, output_tokens: 10, cache_creation_input_tokens: 20_000 };
    expect(paidIn(claudeCodeLine({ ...usage, ...(lifetimes && { cache_creation: lifetimes }) }))).toMatchObject({
      ...{ input: 4, output: 10, cacheWrite5m, cacheWrite1h },
    });
  });
});

/** `modelUsage` of a `result` names no lifetimes; the messages before it do. */
describe('a total of the Agent SDK', () => {
  const HAIKU = 'claude-haiku-4-5-20251001';
  const split = (fiveMinutes: number, hour: number) => ({
    ...{ input_tokens: 4, output_tokens: 10, cache_creation_input_tokens: fiveMinutes + hour },
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: hour },
  });
  const of = (cacheCreationInputTokens: number, inputTokens = 4, outputTokens = 10) => ({
    ...{ inputTokens, outputTokens, cacheReadInputTokens: 0, cacheCreationInputTokens },
  });
  const said = (id: string, usage: object) => ({
    ...{ type: 'assistant', session_id: 's1', parent_tool_use_id: null, uuid: id },
    message: { id, type: 'message', role: 'assistant', model: MODEL, content: [{ type: 'text', text: 'x' }], usage },
  });
  const result = (num_turns: number, modelUsage: object) => ({
    ...{ type: 'result', subtype: 'success', duration_ms: 10, num_turns, result: 'x', session_id: 's1' },
    ...{ usage: split(0, 20_000), modelUsage },
  });

  it.each([
    [0, 20_000],
    [5_000, 15_000],
    [20_000, 0],
  ])('adds nothing to its messages, which wrote %i for five minutes and %i for an hour', (cacheWrite5m, cacheWrite1h) =>
    expect(paidIn(said('m1', split(cacheWrite5m, cacheWrite1h)), result(1, { [MODEL]: of(20_000) }))).toMatchObject({
      ...{ requests: 1, input: 4, output: 10, cacheWrite5m, cacheWrite1h },
    }),
  );

  it('adds what they do not hold, by model', () => {
    const models = { [HAIKU]: of(0, 500, 20), [MODEL]: of(23_000) };
    expect(paidIn(said('m1', split(0, 20_000)), result(1, models))).toMatchObject({
      ...{ input: 504, output: 30, cacheWrite5m: 3_000, cacheWrite1h: 20_000 },
    });
  });

  it('goes on from the total before it', () => {
    const lines = [said('m1', split(0, 20_000)), result(1, { [MODEL]: of(20_000) })];
    const more = [said('m2', split(1_000, 5_000)), result(2, { [MODEL]: of(26_000, 8, 20) })];
    expect(paidIn(...lines, ...more)).toMatchObject({
      ...{ requests: 2, input: 8, output: 20, cacheWrite5m: 1_000, cacheWrite1h: 25_000 },
    });
  });
});

/** Qwen Code converts figures of OpenAI, whose output includes the thoughts; Gemini's excludes them. */
describe('thoughts are paid once', () => {
  const qwen = (usageMetadata: object) => ({
    ...{ uuid: 'a2', parentUuid: null, sessionId: 's9', timestamp: '2026-11-20T10:00:04.000Z', type: 'assistant' },
    ...{ cwd: '/app', version: '0.5.0', model: 'qwen3-max', usageMetadata },
    message: { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'Because.' }] },
  });
  it.each([
    [6_000, 1_000],
    [6_900, 1_900],
    [undefined, 1_900],
  ])('by Qwen Code where the total is %i', (totalTokenCount, output) => {
    const usage = { promptTokenCount: 5_000, candidatesTokenCount: 1_000, thoughtsTokenCount: 900, totalTokenCount };
    expect(paidIn(qwen(usage))).toMatchObject({ input: 5_000, output, reasoning: 900 });
  });

  it('where nothing else is stated', () => {
    expect(paidIn(qwen({ thoughtsTokenCount: 900 }))).toMatchObject({ input: 0, output: 900 });
  });

  it.each([
    [6_007, 1_000],
    [6_907, 1_900],
  ])('by early Qwen Code and Gemini CLI, where the total is %i', (total, output) => {
    const tokens = { input: 5_000, output: 1_000, cached: 2_000, thoughts: 900, tool: 7, total };
    const session = { sessionId: 's', projectHash: 'p', startTime: '2026-11-20T10:00:00Z' };
    const reply = { id: 'm', timestamp: '2026-11-20T10:00:04Z', type: 'gemini', content: 'x', model: 'q', tokens };
    const record = { ...session, lastUpdated: '2026-11-20T10:00:04Z', messages: [reply] };
    expect(paidIn(record)).toMatchObject({ input: 3_007, cacheRead: 2_000, output, reasoning: 900 });
  });
});

/** As relays and gateways write it. */
describe('an empty id', () => {
  const ask = (uuid: string) => ({
    ...{ type: 'user', uuid, parentUuid: null, sessionId: 's1', timestamp: '2026-10-01T10:00:00Z' },
    message: { role: 'user', content: 'q' },
  });
  const reply = (uuid: string, input_tokens: number, output_tokens = 100, id = '') =>
    claudeCodeLine({ input_tokens, output_tokens }, id, uuid);

  it('joins no requests of Claude Code, and no messages', () => {
    const lines = [ask('u1'), reply('a1', 1_000), ask('u2'), reply('a2', 2_000), ask('u3'), reply('a3', 3_000)];
    expect(paidIn(...lines)).toMatchObject({ requests: 3, input: 6_000, output: 300 });
    const { messages } = openText(lines.map((line) => JSON.stringify(line)).join('\n')).transcripts[0]!;
    expect(messages.map(({ group }) => group)).toEqual(messages.map(() => undefined));
  });

  it('leaves the lines of one reply one request, with its fullest usage', () => {
    const lines = [ask('u1'), reply('a1', 1_000, 3), reply('a2', 1_000, 90), reply('a3', 1_000, 90), ask('u2')];
    expect(paidIn(...lines, reply('a4', 1_000, 5))).toMatchObject({ requests: 2, input: 2_000, output: 95 });
  });

  it('joins no responses of one second in a log', () => {
    const call = (content: string, prompt_tokens: number) => ({
      request: { model: 'gemini-2.5-flash', messages: [{ role: 'user', content }] },
      response: {
        ...{ id: '', object: 'chat.completion', created: 1_760_000_000, model: 'gemini-2.5-flash' },
        choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
        usage: { prompt_tokens, completion_tokens: 10 },
      },
    });
    expect(paidIn(call('hi', 100), call('ho', 200))).toMatchObject({ requests: 2, input: 300, output: 20 });
  });
});

/** https://ai-sdk.dev/v5/providers/ai-sdk-providers/anthropic#cache-control */
describe('the AI SDK states cache writes of Anthropic beside the usage', () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: {} }] },
  ];
  const response = { id: 'r', modelId: MODEL, timestamp: '2026-10-01T00:00:00Z' };
  const result = (own: object) => paidIn({ messages, finishReason: 'stop', response, ...own });
  const request = (inputTokens: number, cacheCreationInputTokens: number, cachedInputTokens: number) => ({
    usage: { inputTokens, outputTokens: 20, totalTokens: inputTokens + 20, cachedInputTokens },
    providerMetadata: {
      anthropic: {
        cacheCreationInputTokens,
        usage: {
          ...{ input_tokens: inputTokens, output_tokens: 20, cache_read_input_tokens: cachedInputTokens },
          cache_creation_input_tokens: cacheCreationInputTokens,
        },
      },
    },
  });

  it('in version 5, with an input that excludes all caches', () => {
    expect(result(request(10, 40_000, 0))).toMatchObject({ input: 10, cacheRead: 0, cacheWrite5m: 40_000, output: 20 });
    expect(result(request(900, 0, 500))).toMatchObject({ input: 900, cacheRead: 500, cacheWrite5m: 0, output: 20 });
  });

  it('in version 5, by step', () => {
    const steps = [request(10, 40_000, 0), request(30, 200, 40_000)];
    const totalUsage = { inputTokens: 40, outputTokens: 40, totalTokens: 80, cachedInputTokens: 40_000 };
    expect(result({ ...steps[1], totalUsage, steps })).toMatchObject({
      ...{ requests: 2, input: 40, cacheRead: 40_000, cacheWrite5m: 40_200, output: 40 },
    });
    expect(result({ totalUsage, steps: steps.map(({ usage }) => ({ usage })) })).toMatchObject({ cacheWrite5m: 0 });
  });

  it('in version 4, without those of reads', () => {
    const anthropic = { cacheCreationInputTokens: 300, cacheReadInputTokens: 2_000 };
    const usage = { promptTokens: 10, completionTokens: 20, totalTokens: 30 };
    expect(result({ usage, providerMetadata: { anthropic } })).toMatchObject({
      ...{ input: 10, cacheRead: 2_000, cacheWrite5m: 300, output: 20 },
    });
  });

  it('but not in version 6, whose usage has them', () => {
    const inputTokenDetails = { noCacheTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 300 };
    const usage = { inputTokens: 310, inputTokenDetails, outputTokens: 20 };
    const { providerMetadata } = request(10, 300, 0);
    expect(result({ usage, providerMetadata })).toMatchObject({ input: 10, cacheWrite5m: 300, output: 20 });
  });
});
