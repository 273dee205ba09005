/** Records of one request each: what was used, by which model, when, at which tier, at what cost, and what failed. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadPrices } from '../../src/measure/pricing/cost.js';
import { priced } from '../../src/measure/stats/request.js';
import { recordedRequests } from '../../src/measure/stats/requests.js';
import { unreadIn } from '../../src/source/unread/unread.js';
import type { Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';

const PRICING = { prices: await loadPrices(), at: undefined };

/** Of each request: id of the transcript, model, uncached input, cache read, output, tier, cost in US dollars. */
function requestsIn(text: string) {
  return openText(text).transcripts.flatMap((transcript) =>
    recordedRequests(transcript, PRICING).map((request) => {
      const { usage, model, billing } = request;
      const { cost } = priced(request, PRICING);
      const dollars = cost === undefined ? undefined : Number(cost) / 1e12;
      return [transcript.id, model, usage.input, usage.cacheRead, usage.output, billing?.tier, dollars];
    }),
  );
}

function failedIn(text: string): (string | undefined)[] {
  return openText(text).transcripts.flatMap(({ id, reply }) => (reply?.failed ? [id] : []));
}

/** The session, the time and the recorded cost of each recorded fact of a transcript. */
function factsOf({ messages, recorded, reply }: Transcript) {
  return [...messages.map((message) => recorded?.(message)), reply].flatMap((fact) =>
    fact === undefined ? [] : [[fact.sessionId, fact.time && new Date(fact.time).toISOString(), fact.cost]],
  );
}

describe('bodies of responses', () => {
  it('reads those of Chat Completions', () => {
    expect(requestsIn(fixture('openai-chat/hand-responses.jsonl'))).toEqual([
      ['chatcmpl-A1', 'gpt-5-2025-08-07', 176, 1024, 40, 'flex', 0.000374],
      ['chatcmpl-A2', 'gpt-5-2025-08-07', 1300, 0, 8, undefined, 0.001705],
    ]);
  });

  it('reads those of Anthropic, each as a transcript that is only a reply', () => {
    const text = fixture('anthropic-messages/hand-responses.jsonl');
    expect(requestsIn(text).map(([id, , input, , output]) => [id, input, output])).toEqual([
      ['msg_A0', 1000, 20],
      ['msg_A1', 11, 36],
    ]);
    expect(openText(text).transcripts.every(({ traits }) => traits.isReply && traits.endsOnReply)).toBe(true);
    expect(requestsIn(fixture('anthropic-messages/hand-response.json'))).toHaveLength(1);
  });

  it('finds no conversation in messages of a user among them', () => {
    const [reply] = fixture('anthropic-messages/hand-responses.jsonl').split('\n');
    const { transcripts } = openText(`{"role":"user","content":[{"type":"text","text":"Hi"}]}\n${reply}\n`);
    expect(transcripts.map(({ messages }) => messages.length)).toEqual([2]);
  });
});

describe('batch files', () => {
  it.each([
    [
      'openai-chat/hand-batch-output.jsonl',
      [
        ['r-1', 'gpt-4o-mini-2024-07-18', 22, 0, 2, 'batch', 0.00000225],
        ['r-2', 'gpt-5-mini-2025-08-07', 30, 0, 3, 'flex', 0.00000675],
      ],
      ['r-3', 'r-4'],
    ],
    [
      'openai-responses/hand-batch-output.jsonl',
      [['r-5', 'gpt-5-2025-08-07', 50, 0, 70, 'batch', 0.00038125]],
      ['r-6'],
    ],
    [
      'anthropic-messages/hand-batch-results.jsonl',
      [
        ['a-0', 'claude-opus-4-6', 1000, 0, 20, 'batch', 0.00275],
        ['a-1', 'claude-opus-4-6', 11, 200, 36, 'batch', 0.001465],
      ],
      ['a-2', 'a-3', 'a-4'],
    ],
    [
      'anthropic-messages/hand-bedrock-batch.jsonl',
      [['CALL0000003', 'claude-sonnet-4-5-20250929', 12, 0, 5, 'batch', 0.0000555]],
      [],
    ],
    [
      'bedrock-converse/hand-batch-output.jsonl',
      [['CALL0000001', undefined, 12, 0, 4, 'batch', undefined]],
      ['CALL0000002'],
    ],
    ['gemini-contents/hand-batch-output.jsonl', [['g-1', 'gemini-2.5-flash', 9, 0, 32, 'batch', 0.00004135]], ['g-2']],
    [
      'gemini-contents/hand-vertex-batch.jsonl',
      [[undefined, 'gemini-2.5-flash', 4, 0, 2, 'batch', 0.0000031]],
      [undefined],
    ],
  ])('reads %s: half the price, and nothing for what failed', (name, requests, failed) => {
    expect(requestsIn(fixture(name))).toEqual(requests);
    expect(failedIn(fixture(name))).toEqual(failed);
  });

  it('reads a file in which all requests failed', () => {
    const text = fixture('usage-log/hand-batch-errors.jsonl');
    expect(openText(text).detection.format.id).toBe('usage-log');
    expect(requestsIn(text)).toEqual([]);
  });

  it('reads the requests before they are sent', () => {
    const { transcripts } = openText(fixture('anthropic-messages/hand-batch-requests.jsonl'));
    expect(transcripts.map(({ id, model }) => [id, model])).toEqual([
      ['a-1', 'claude-opus-4-6'],
      ['a-2', 'claude-opus-4-6'],
    ]);
  });
});

describe('call logs of gateways', () => {
  it("reads LiteLLM's, a request a line, with its own cost, also where messages were left out", () => {
    const text = fixture('openai-chat/hand-litellm-log.jsonl');
    expect(requestsIn(text)).toEqual([
      ['chatcmpl-C1', 'gpt-4o-2024-08-06', 10, 0, 20, undefined, 0.000225],
      ['chatcmpl-C2', 'gpt-4o', 20, 100, 20, undefined, 0.0001],
    ]);
    expect(failedIn(text)).toEqual(['chatcmpl-C3']);
    expect(openText(text).transcripts.flatMap(factsOf)).toEqual([
      ['trace-1', '2026-05-05T16:53:21.000Z', '0.00022500000000000002'],
      ['trace-1', '2026-05-05T16:53:30.250Z', '0.0001'],
      [undefined, undefined, undefined],
    ]);
  });

  it("reads Helicone's, and requests with the bodies of both sides", () => {
    expect(requestsIn(fixture('openai-chat/hand-helicone.jsonl'))).toEqual([
      ['req-h-1', 'gpt-4o-mini-2024-07-18', 12, 0, 2, undefined, 0.000003],
    ]);
    const pairs = fixture('openai-chat/hand-pairs-with-bodies.jsonl');
    expect(requestsIn(pairs)).toEqual([[undefined, 'gpt-4o-2024-08-06', 8, 0, 1, undefined, 0.00003]]);
    expect(failedIn(pairs)).toHaveLength(1);
  });

  it('reads a time without a zone as UTC', () => {
    const [first, second] = openText(fixture('usage-log/hand-litellm-spend.jsonl')).transcripts.flatMap(factsOf);
    expect([first![1], second![1]]).toEqual(['2026-05-05T16:53:20.847Z', '2026-05-05T16:54:20.847Z']);
  });
});

describe('usage without messages', () => {
  it.each([
    [
      'hand-claude-code.jsonl',
      [
        ['11111111-1111-4111-8111-111111111111', 'claude-opus-4-6', 3, 0, 120, undefined, 0.0905],
        ['11111111-1111-4111-8111-111111111111', 'claude-opus-4-6', 5, 14000, 80, undefined, 0.010275],
        ['22222222-2222-4222-8222-222222222222', 'claude-haiku-4-5-20251001', 400, 0, 10, undefined, 0.00045],
      ],
    ],
    [
      'hand-codex.jsonl',
      [['0199a213-81c0-7800-8aa1-bbab2a035a53', 'gpt-5-codex', 4904, 4096, 600, undefined, 0.012642]],
    ],
    [
      'hand-gemini-cli.jsonl',
      [['5e2c9a3e-0000-4000-8000-000000000001', 'gemini-2.5-pro', 5000, 4000, 200, undefined, 0.00875]],
    ],
    [
      'hand-litellm-spend.jsonl',
      [
        ['s-1', 'gpt-4o', 10, 0, 20, undefined, 0.000225],
        ['s-1', 'gpt-4o', 464, 1536, 20, undefined, 0.0012],
      ],
    ],
    [
      'hand-openrouter-generation.json',
      [[undefined, 'anthropic/claude-sonnet-4.5', 13, 18041, 120, undefined, 0.0055]],
    ],
  ])('reads %s', (name, requests) => {
    expect(requestsIn(fixture(`usage-log/${name}`))).toEqual(requests);
  });

  it('leaves a log with messages to the format of its messages, whatever the share of them', () => {
    const [withMessages] = fixture('openai-chat/hand-litellm-log.jsonl').split('\n');
    const without = fixture('usage-log/hand-litellm-spend.jsonl');
    const text = `${without}${withMessages}\n`;
    expect(openText(text).detection.format.id).toBe('openai-chat');
    expect(requestsIn(text).map(([id]) => id)).toEqual(['chatcmpl-S1', 'chatcmpl-S2', 'chatcmpl-C1']);
  });
});

describe('bodies as JSON in strings', () => {
  it.each([
    [
      'hand-mitmproxy.har.json',
      [
        ['chatcmpl-F1', 'gpt-4o-2024-08-06', 60, 0, 15, undefined, 0.0003],
        ['msg_F2', 'claude-opus-4-6', 14, 0, 5, undefined, 0.000195],
      ],
    ],
    [
      'hand-cassette.json',
      [
        ['resp_F3', 'gpt-5-2025-08-07', 20, 0, 4, undefined, 0.000065],
        ['resp-F4', 'gemini-2.5-flash', 5, 0, 3, undefined, 0.000009],
      ],
    ],
    ['hand-lines.jsonl', [['chatcmpl-F1', 'gpt-4o-2024-08-06', 60, 0, 15, undefined, 0.0003]]],
  ])('reads %s', (name, requests) => {
    expect(requestsIn(fixture(`call-log/${name}`))).toEqual(requests);
  });

  it('takes nothing else in a HAR file for a request to a model', () => {
    const { transcripts } = openText(fixture('call-log/hand-mitmproxy.har.json'));
    expect(transcripts.map(({ messages }) => messages.map(({ role }) => role).join(' '))).toEqual([
      'system user assistant',
      'system user assistant',
      'system user', // it failed
    ]);
  });
});

describe('promptfoo', () => {
  const text = fixture('promptfoo/hand-results.json');

  it('reads a request for each result, none for one from its cache', () => {
    expect(requestsIn(text).map(([, model, input, , output, , cost]) => [model, input, output, cost])).toEqual([
      ['gpt-5-mini', 37, 204, 0.00041725],
      ['gpt-4o', 26, 4, 0.000105],
      ['gpt-4o', 55, 15, 0.0002875],
      ['gpt-5-mini', 0, 0, 0],
      ['claude-sonnet-4-5-20250929', 40, 20, 0.00042],
    ]);
    const requests = openText(text).transcripts.flatMap((transcript) => recordedRequests(transcript, PRICING));
    expect(requests.map((request) => request.requests)).toEqual([1, 1, 1, 0, 1]);
  });

  it('reads prompts and outputs as messages', () => {
    const roles = openText(text).transcripts.map(({ messages }) => messages.map(({ role }) => role).join(' '));
    expect(roles).toEqual([
      'user assistant',
      'system user assistant',
      'user assistant',
      'user assistant',
      'user assistant',
      'user',
    ]);
    expect(openText(text).transcripts[2]!.messages[1]!.parts[0]).toMatchObject({ type: 'call', tool: 'get_weather' });
  });
});

/** The published prices, by hand: `../shared/cases/cost` says what each file is. */
const CASES: readonly (readonly [file: string, costs: readonly number[]])[] = [
  ['resp.jsonl', [0.008946, 0.008946]],
  ['batch-out.jsonl', [0.008946]],
  ['anthropic-batch.jsonl', [0.015]],
  ['chat-default.json', [0.0225]],
  ['chat-flex.json', [0.01125]],
  ['chat-batch.json', [0.01125]],
  ['chat-priority.json', [0.045]],
];
const SHARED = '../shared/cases/cost';

describe.skipIf(!existsSync(SHARED))(`the cases of ${SHARED}`, () => {
  it.each(CASES)('%s costs what the provider asks', (file, costs) => {
    expect(requestsIn(readFileSync(`${SHARED}/${file}`, 'utf8')).map((request) => request.at(-1))).toEqual(costs);
  });
});

it('reads invocation logs of Bedrock: the request, its reply, usage and the model', () => {
  const { transcripts } = openText(fixture('anthropic-messages/hand-bedrock-log.jsonl'));
  expect(transcripts.map(({ id, messages }) => [id, messages.map(({ role }) => role)])).toEqual([
    ['inv-1', ['system', 'user', 'assistant', 'tool', 'assistant']],
    ['inv-2', ['user']],
  ]);
  const { reply, tools } = transcripts[0]!;
  expect(reply).toMatchObject({ responseId: 'msg_bdrk_1', usage: { input: 120, output: 12 } });
  expect(tools!.text).toContain('get_weather');
  expect(transcripts[1]!.reply).toEqual({ failed: true });
});

describe('logs of Bedrock without a body to read', () => {
  const record = (input: object, output: object, more: object = {}) =>
    JSON.stringify({
      ...{ schemaType: 'ModelInvocationLog', timestamp: '2026-03-01T10:00:05Z', requestId: 'inv-3' },
      modelId: 'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      input: { inputTokenCount: 7, cacheReadInputTokenCount: 90, ...input },
      output: { outputTokenCount: 5, ...output },
      ...more,
    });
  const asked = { inputBodyJson: { max_tokens: 9, messages: [{ role: 'user', content: 'Will it rain?' }] } };
  const stated = {
    model: 'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    usage: { input: 7, cacheRead: 90, output: 5 },
    time: Date.UTC(2026, 2, 1, 10, 0, 5),
  };

  it.each([
    ['a stream', record(asked, { outputBodyJson: [{ type: 'message_start' }, { type: 'message_stop' }] })],
    ['a response that is stored elsewhere', record(asked, { outputBodyS3Path: 's3://logs/inv-3.json.gz' })],
    ['a response without its model', record(asked, { outputBodyJson: { role: 'assistant', content: [] } })],
  ])('%s counts as a request', (_, text) => {
    const { transcripts } = openText(text, { from: 'anthropic-messages' });
    expect(transcripts.map(({ reply }) => reply)).toMatchObject([stated]);
  });

  it('requests to other models count beside those that are read, and their texts as unread', () => {
    const reply = { outputBodyJson: { role: 'assistant', content: [{ type: 'text', text: 'It does.' }] } };
    const titan = record(
      { inputBodyJson: { inputText: 'Will it rain?' } },
      { outputBodyJson: { results: [{ outputText: 'It does not.' }] } },
      { requestId: 'inv-4', modelId: 'amazon.titan-text-lite-v1' },
    );
    const stored = record({ inputBodyS3Path: 's3://logs/inv-5.json.gz' }, {}, { requestId: 'inv-5' });
    const { detection, pieces, transcripts } = openText(`${record(asked, reply)}\n${titan}\n${stored}\n`);
    expect(detection.format.id).toBe('anthropic-messages');
    expect(transcripts.map((one) => one.reply?.usage?.input)).toEqual([7, 7, 7]);
    expect(pieces.map((piece) => unreadIn(piece, detection.format)?.texts)).toEqual([undefined, 2, undefined]);
  });
});
