/** Records of one request each, by hand: where each shape keeps its bodies, and what it states beside them. */
import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';

const json = (value: unknown) => JSON.stringify(value);
const TIME = '2026-01-02T03:04:05Z';
const time = Date.UTC(2026, 0, 2, 3, 4, 5);
const NOTHING = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
/** An object out of values by paths. */
function record(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    let at = whole;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return whole;
}
const opened = (values: Readonly<Record<string, unknown>>) => openText(`${json(record(values))}\n`).transcripts[0]!;

const messages = [{ role: 'user', content: 'Hi' }];
/** Bodies that name neither their model nor their time. */
const CHAT = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};
const MESSAGE = {
  ...{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Yes' }] },
  usage: { input_tokens: 5, output_tokens: 2 },
};
const CANDIDATES = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Yes' }] } }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
};
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
const usage = { ...NOTHING, input: 5, output: 2 };
const batch = { billing: { tier: 'batch' } } as const;

/** Of each shape: a record, its id, and all that it states of the reply. */
const RECORDS: readonly (readonly [string, Readonly<Record<string, unknown>>, string | undefined, Recorded])[] = [
  [
    'OpenAI batch output',
    { custom_id: 'r1', 'response.status_code': 200, 'response.body': CHAT, error: null },
    ...(['r1', { usage, ...batch }] as const),
  ],
  ['OpenAI batch output alone', { custom_id: 'r1', 'response.body': CHAT }, ...(['r1', { usage, ...batch }] as const)],
  [
    'Anthropic batch result',
    { custom_id: 'r1', 'result.type': 'succeeded', 'result.message': MESSAGE },
    ...(['r1', { usage, ...batch }] as const),
  ],
  ['Gemini batch output', { key: 'r1', response: CANDIDATES }, 'r1', { usage, ...batch }],
  [
    'Vertex AI batch output',
    { status: '', processed_time: TIME, request: CONTENTS, response: CANDIDATES },
    ...([undefined, { usage, time, ...batch }] as const),
  ],
  [
    'Bedrock batch output',
    { recordId: 'r1', 'modelInput.messages': messages, 'modelInput.max_tokens': 5, modelOutput: MESSAGE },
    ...(['r1', { usage, ...batch }] as const),
  ],
  [
    'LiteLLM call log',
    {
      ...{ id: 'r1', trace_id: 's1', call_type: 'completion', model: 'm1', startTime: TIME, response_cost: 0.5 },
      ...{ status: 'success', messages, response: CHAT },
    },
    ...(['r1', { usage, model: 'm1', time, sessionId: 's1', cost: '0.5' }] as const),
  ],
  [
    'LiteLLM spend log',
    {
      ...{ request_id: 'r1', session_id: 's1', call_type: 'completion', model: 'm1', startTime: TIME, spend: 0.5 },
      ...{ status: 'success', messages, response: CHAT },
    },
    ...(['r1', { usage, model: 'm1', time, sessionId: 's1', cost: '0.5' }] as const),
  ],
  [
    'Helicone request log',
    {
      ...{ request_id: 'r1', request_body: { messages }, response_body: CHAT, request_created_at: TIME },
      ...{ request_model: 'm1', costUSD: 0.5, 'request_properties.Helicone-Session-Id': 's1', response_status: 200 },
    },
    ...(['r1', { usage, model: 'm1', time, sessionId: 's1', cost: '0.5' }] as const),
  ],
];

it.each(RECORDS)('%s: with the body of its response', (_, values, id, reply) => {
  const found = opened(values);
  const { responseId: __, ...stated } = found.reply!;
  expect([found.id, stated]).toEqual([id, reply]);
});

/** What a record states, with messages or without. */
const statedIn = (values: Readonly<Record<string, unknown>>) => {
  const { reply, messages: all, recorded } = opened(values);
  return reply ?? all.map((message) => recorded?.(message)).find((fact) => fact !== undefined);
};

const LITELLM = {
  ...{ call_type: 'completion', model: 'm1', startTime: TIME, prompt_tokens: 20, completion_tokens: 9 },
  'metadata.usage_object': {
    prompt_tokens_details: { cached_tokens: 6 },
    cache_creation_input_tokens: 4,
    completion_tokens_details: { reasoning_tokens: 3 },
  },
};
const LITELLM_USAGE = { ...NOTHING, input: 10, cacheRead: 6, cacheWrite5m: 4, output: 9, reasoning: 3 };
const GENERATION = {
  ...{ id: 'r1', model: 'm1', created_at: TIME, total_cost: 0.5, native_tokens_prompt: 20 },
  ...{ native_tokens_completion: 9, native_tokens_cached: 6, native_tokens_reasoning: 3 },
};
const GENERATION_USAGE = { ...NOTHING, input: 14, cacheRead: 6, output: 9, reasoning: 3 };
const FACTS = { responseId: 'r1', model: 'm1', time, cost: '0.5' };

it.each<[string, Readonly<Record<string, unknown>>, Recorded]>([
  [
    'LiteLLM call log',
    { ...LITELLM, id: 'r1', trace_id: 's1', response_cost: 0.5 },
    { ...FACTS, sessionId: 's1', usage: LITELLM_USAGE },
  ],
  [
    'LiteLLM spend log',
    { ...LITELLM, request_id: 'r1', session_id: 's1', spend: 0.5 },
    { ...FACTS, sessionId: 's1', usage: LITELLM_USAGE },
  ],
  [
    'Helicone request log',
    {
      ...{ request_id: 'r1', request_body: {}, response_body: '', request_created_at: TIME, cost: 0.5 },
      ...{ response_model: 'm1', request_model: 'm0', prompt_tokens: 5, completion_tokens: 2 },
    },
    { ...FACTS, usage },
  ],
  ['OpenRouter generation', { data: GENERATION }, { ...FACTS, usage: GENERATION_USAGE }],
  ['OpenRouter generation alone', GENERATION, { ...FACTS, usage: GENERATION_USAGE }],
])('%s: counts tokens without a body', (_, values, reply) => {
  expect(statedIn(values)).toEqual(reply);
});

describe('a logger of one’s own', () => {
  const PAIRS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['request.model', { 'request.messages': messages, response: CHAT }],
    ['request.body.model', { 'request.body.messages': messages, 'response.body': CHAT }],
    ['request.model', { 'request.messages': messages, 'response.body': CHAT }],
  ];

  it.each(PAIRS)('names the model at %s, or beside the bodies', (path, values) => {
    expect(opened({ ...values, [path]: 'm1', model: 'm0' }).reply).toEqual({ usage, model: 'm1' });
    expect(opened({ ...values, model: 'm0' }).reply).toEqual({ usage, model: 'm0' });
  });

  it.each(['timestamp', 'time', 'created_at', 'createdAt', 'start_time', 'ts'])('may call the time %s', (key) => {
    for (const [, values] of PAIRS) expect(opened({ ...values, [key]: TIME }).reply).toEqual({ usage, time });
  });

  it.each([...['session_id', 'sessionId', 'session', 'conversation_id', 'conversationId', 'thread_id', 'threadId']])(
    'may call the session %s',
    (key) => {
      for (const [, values] of PAIRS)
        expect(opened({ ...values, [key]: 's' }).reply).toEqual({ usage, sessionId: 's' });
    },
  );

  it.each(['cost', 'cost_usd'])('may call the cost %s', (key) => {
    for (const [, values] of PAIRS) expect(opened({ ...values, [key]: 0.5 }).reply).toEqual({ usage, cost: '0.5' });
  });
});

const FAILED = { message: 'no' };
const UNCOUNTED = { call_type: 'completion', model: 'm1', startTime: TIME };
it.each<[string, Readonly<Record<string, unknown>>]>([
  ['OpenAI batch output, by its error', { custom_id: 'r1', response: null, error: FAILED }],
  [
    'OpenAI batch output, by the error of its body',
    { custom_id: 'r1', 'response.body': { error: FAILED }, error: null },
  ],
  ['OpenAI batch output, by its status', { custom_id: 'r1', response: { status_code: 400, body: {} }, error: null }],
  ['OpenAI batch output alone, by its body', { custom_id: 'r1', 'response.body': { error: FAILED } }],
  ['OpenAI batch output alone, by its status', { custom_id: 'r1', response: { status_code: 500, body: {} } }],
  ['Anthropic batch result', { custom_id: 'r1', result: { type: 'expired' } }],
  ['Gemini batch error', { key: 'r1', error: { code: 3 } }],
  ['Vertex AI batch output', { status: 'Bad Request', processed_time: TIME, request: CONTENTS, response: {} }],
  [
    'Bedrock batch output',
    {
      recordId: 'r1',
      modelInput: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      error: { errorCode: 400 },
    },
  ],
  ['LiteLLM call log, by its error', { ...UNCOUNTED, id: 'r1', response_cost: 0, status: 'success', error_str: 'no' }],
  ['LiteLLM call log, by its status', { ...UNCOUNTED, id: 'r1', response_cost: 0, status: 'failure', error_str: '' }],
  ['LiteLLM spend log', { ...UNCOUNTED, request_id: 'r1', spend: 0, status: 'failure' }],
  [
    'Helicone request log, by the error of its body',
    { request_body: {}, response_body: { error: FAILED }, request_created_at: TIME },
  ],
  [
    'Helicone request log, by its status',
    { request_body: {}, response_body: {}, request_created_at: TIME, response_status: 429 },
  ],
  ['request and response with bodies', { 'request.body.messages': messages, response: { status_code: 400, body: {} } }],
  ['request, and response with a body', { 'request.messages': messages, response: { status_code: 400, body: {} } }],
  ['request and response', { 'request.messages': messages, response: { error: FAILED } }],
])('%s: tells that it failed', (_, values) => {
  expect(statedIn(values)).toEqual({ failed: true });
});
