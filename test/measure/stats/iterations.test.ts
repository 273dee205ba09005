/**
 * Responses that ran several models. The costs are those of Anthropic's price list by hand: an advisor at its own
 * model (the figures of ccusage#1115), a compaction beside the answer, a model that declined before another answered.
 */
import { describe, expect, it } from 'vitest';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { createLedger } from '../../../src/measure/stats/ledger.js';
import { priced } from '../../../src/measure/stats/request.js';
import { recordedRequests } from '../../../src/measure/stats/requests.js';
import { openText } from '../../shared/opened.js';

const PRICING = { prices: await loadPrices(), at: undefined };

interface Counts {
  readonly type?: string;
  readonly model?: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

interface Case {
  readonly model: string;
  readonly usage: Counts & { readonly iterations: readonly Counts[] };
  /** Dollars by model. */
  readonly costs: Readonly<Record<string, number>>;
}

const SONNET = 'claude-sonnet-4-6';
const OPUS = 'claude-opus-4-6';
const runOf = (type: string, input: number, output: number, model?: string): Counts => ({
  type,
  ...(model === undefined ? {} : { model }),
  input_tokens: input,
  output_tokens: output,
});

const CASES: Readonly<Record<string, Case>> = {
  'an advisor': {
    model: SONNET,
    usage: {
      ...{ input_tokens: 2, output_tokens: 491 },
      ...{ cache_read_input_tokens: 226_584, cache_creation_input_tokens: 7_853 },
      iterations: [
        { ...runOf('message', 1, 45), cache_read_input_tokens: 109_696, cache_creation_input_tokens: 7_192 },
        runOf('advisor_message', 159_419, 7_805, 'claude-opus-4-7'),
        { ...runOf('message', 1, 446), cache_read_input_tokens: 116_888, cache_creation_input_tokens: 661 },
      ],
    },
    costs: { [SONNET]: 0.104795, 'claude-opus-4-7': 0.99222 },
  },
  'a compaction': {
    model: OPUS,
    usage: {
      ...runOf('', 23_000, 1_000),
      iterations: [runOf('compaction', 180_000, 3_500), runOf('message', 23_000, 1_000)],
    },
    costs: { [OPUS]: 1.1275 },
  },
  'a model that declined, in the sum': {
    model: OPUS,
    usage: {
      ...runOf('', 3_000, 300),
      iterations: [runOf('message', 1_000, 100, SONNET), runOf('fallback_message', 2_000, 200, OPUS)],
    },
    costs: { [SONNET]: 0.0045, [OPUS]: 0.015 },
  },
  'a model that declined, beside the sum': {
    model: OPUS,
    usage: {
      ...runOf('', 2_000, 200),
      iterations: [runOf('message', 1_000, 100, SONNET), runOf('fallback_message', 2_000, 200, OPUS)],
    },
    costs: { [SONNET]: 0.0045, [OPUS]: 0.015 },
  },
  'runs that the sum has already': {
    model: SONNET,
    usage: { ...runOf('', 3_000, 300), iterations: [runOf('iteration', 1_000, 100), runOf('message', 2_000, 200)] },
    costs: { [SONNET]: 0.0135 },
  },
  'one run under another name of the model': {
    model: SONNET,
    usage: { ...runOf('', 3_000, 300), iterations: [runOf('message', 3_000, 300, `${SONNET}-20260217`)] },
    costs: { [SONNET]: 0.0135 },
  },
};

/** A reply as logs have it. Claude Code logs it once for each block of its content. */
const LOGS: Readonly<Record<string, (reply: object) => string>> = {
  'claude-code': (message) => {
    const line = { ...OF_ALL, type: 'assistant', requestId: 'req_1', message };
    return [
      { ...OF_ALL, parentUuid: null, type: 'user', uuid: 'u0', message: { role: 'user', content: 'Hi' } },
      { ...line, parentUuid: 'u0', uuid: 'u1' },
      { ...line, parentUuid: 'u1', uuid: 'u2' },
    ]
      .map((record) => JSON.stringify(record))
      .join('\n');
  },
  'anthropic-messages': (reply) =>
    JSON.stringify({ request: { model: SONNET, messages: [{ role: 'user', content: 'Hi' }] }, response: reply }),
  'claude-agent-sdk': (message) =>
    [
      { type: 'system', subtype: 'init', session_id: 's1', model: SONNET, tools: [], uuid: 'u0' },
      { type: 'assistant', message, parent_tool_use_id: null, session_id: 's1', uuid: 'u1' },
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
};
const OF_ALL = { isSidechain: false, userType: 'external', cwd: '/p', sessionId: 's1', version: '2.0.1' };

function paidIn(text: string) {
  const costs: Record<string, number> = {};
  let requests = 0;
  const ledger = createLedger<undefined>({
    price: (record) => priced(record, PRICING),
    settled: (_, paid) => {
      for (const { model = '', cost = 0n, requests: count } of paid) {
        costs[model] = (costs[model] ?? 0) + Number(cost) / 1e12;
        requests += count;
      }
    },
  });
  const { transcripts } = openText(Buffer.from(text));
  for (const transcript of transcripts) ledger.add(undefined, recordedRequests(transcript, PRICING));
  ledger.close();
  return { format: transcripts[0]?.format, requests, costs };
}

describe.each(Object.entries(LOGS))('in %s', (format, logOf) => {
  it.each(Object.entries(CASES))('%s is paid', (_, { model, usage, costs }) => {
    const content = [{ type: 'text', text: 'Hello' }];
    const reply = { id: 'msg_1', type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn', usage };
    const dollars = Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, expect.closeTo(cost, 5)]));
    expect(paidIn(logOf(reply))).toEqual({ format, requests: 1, costs: dollars });
  });
});
