/** Sums over transcripts by hand: what has no price, shares of roles and tools, and the causes of what was not cached. */
import { describe, expect, it } from 'vitest';
import { createGatherer } from '../../../src/measure/stats/audit.js';
import { CACHE_CAUSES, type CacheMiss, figuresOf } from '../../../src/measure/stats/cache-figures.js';
import { type TranscriptFacts, totalsOf } from '../../../src/measure/stats/facts.js';
import type { RequestFacts } from '../../../src/measure/stats/request.js';
import type { Transcript } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';

const request = (more: Partial<RequestFacts> = {}): RequestFacts =>
  ({
    ...{ key: undefined, index: 1, model: 'm', session: 's', branch: undefined, time: 5, requests: 1 },
    ...{ usage: { ...NO_USAGE, input: 10 }, cost: 5n, costSource: 'computed', tokensSource: 'recorded', ...more },
  }) as RequestFacts;
const TOTALS = {
  messages: 2,
  toolCalls: 1,
  toolResults: 1,
  tokens: 30,
  cost: 7n,
  costSource: 'estimated',
  tokensSource: 'exact',
};
const facts = (
  more: { readonly line?: number; readonly model?: string } & Record<string, unknown> = {},
  totals: object = {},
) =>
  ({
    ...{
      file: 'f',
      line: 1,
      format: 'x',
      id: 'i',
      model: 'm',
      contextWindow: undefined,
      messages: [],
      roles: [],
      tools: [],
    },
    ...{ definitionTokens: 0, requestTokens: 0, hints: [], turnStarts: [], ...more, totals: { ...TOTALS, ...totals } },
  }) as unknown as TranscriptFacts;
type Added = readonly [TranscriptFacts, readonly RequestFacts[]];
function gathered(added: readonly Added[], within?: (time: number) => boolean) {
  const gatherer = createGatherer<RequestFacts>(
    { within, grouping: undefined, settled: undefined },
    { carries: false, price: (one) => one },
  );
  for (const [transcript, requests] of added)
    gatherer.add(transcript, {
      length: requests.length,
      at: (index: number) => requests[index],
      [Symbol.iterator]: () => requests.values(),
    } as never);
  return gatherer.facts();
}

describe('what has no price', () => {
  const UNPRICED = { cost: undefined, costSource: 'unpriced' } as const;

  it.each<[string, Added, readonly (string | undefined)[]]>([
    ['a request', [facts(), [request(UNPRICED)]], ['m']],
    ['a request that has one', [facts(), [request()]], []],
    ['a transcript without requests', [facts({ model: 'n' }, UNPRICED), []], ['n']],
    ['one that has a price', [facts(), []], []],
    ['one without messages', [facts({}, { ...UNPRICED, messages: 0 }), []], []],
    ['one whose requests have one', [facts({}, UNPRICED), [request()]], []],
  ])('%s', (_, added, models) => {
    expect([...gathered([added]).unpriced.keys()]).toEqual(models);
  });

  it('is told by model, in their order, with each place once', () => {
    const silent = (model: string, line: number): Added => [facts({ model, line }, UNPRICED), []];
    const { unpriced } = gathered([silent('b', 1), silent('a', 2), silent('b', 3), silent('b', 1)]);
    expect([...unpriced].map(([model, places]) => [model, [...places]])).toEqual([
      ['a', ['f:2']],
      ['b', ['f:1', 'f:3']],
    ]);
  });

  it('is not told of what is not asked for', () => {
    expect(gathered([[facts({}, UNPRICED), []]], () => true).unpriced.size).toBe(0);
  });
});

it('transcripts count where one of their requests does', () => {
  const added: readonly Added[] = [
    [facts(), [request({ time: 1 })]],
    [facts({ line: 2 }), [request({ time: 9 }), request({ time: 2 })]],
  ];
  const counts = (within?: (time: number) => boolean) => {
    const { transcripts, totals, paid } = gathered(added, within);
    return [transcripts, totals.messages, paid.requests];
  };
  expect(counts()).toEqual([2, 4, 3]);
  expect(counts((time) => time < 3)).toEqual([2, 4, 2]);
  expect(counts((time) => time > 3)).toEqual([1, 2, 1]);
  expect(counts((time) => time > 10)).toEqual([0, 0, 0]);
});

it('shares are summed by role and tool, and estimates told by model', () => {
  const roles = [
    { role: 'user', messages: 1, tokens: 10 },
    { role: 'assistant', messages: 2, tokens: 5 },
  ];
  const tools = [
    { tool: 'f', calls: 2, results: 1, tokens: 7 },
    { tool: '', calls: 1, results: 1, tokens: 1 },
  ];
  const one = facts({ roles, tools, definitionTokens: 3 }, { tokensSource: 'estimated' });
  const { shares, estimated, totals } = gathered([
    [one, []],
    [facts({ roles, tools }), []],
  ]);
  expect([...shares.role]).toEqual([
    ['user', { messages: 2, calls: 0, results: 0, tokens: 20 }],
    ['assistant', { messages: 4, calls: 0, results: 0, tokens: 10 }],
    ['(tool definitions)', { messages: 0, calls: 0, results: 0, tokens: 3 }],
  ]);
  expect([...shares.tool]).toEqual([
    ['f', { messages: 0, calls: 4, results: 2, tokens: 14 }],
    ['(unknown)', { messages: 0, calls: 2, results: 2, tokens: 2 }],
  ]);
  expect([...estimated]).toEqual(['m']);
  expect(totals).toMatchObject({ messages: 4, toolCalls: 2, toolResults: 2, tokens: 60, cost: 14n });
});

describe('misses of the cache', () => {
  const miss = (cause: CacheMiss['cause'], missed: number, cost: bigint | undefined) =>
    ({ cause, missed, cost }) as CacheMiss;
  const judged = (isFirst: boolean, possible = 10, read = 4) => ({ request: request(), possible, read, isFirst });

  it('are summed by cause, the dearest first, then the largest, and those of an unknown price last', () => {
    const misses = [
      miss('idle', 5, 2n),
      miss('model', 9, 3n),
      miss('idle', 1, 2n),
      miss('user', 7, undefined),
      miss('user', 1, 9n),
      miss('tools', 20, 4n),
    ];
    const { causes, missed } = figuresOf([judged(true), judged(false), judged(true)], misses);
    expect(causes).toEqual([
      { cause: 'tools', requests: 1, missed: 20, cost: 4n, knownCost: 4n },
      { cause: 'idle', requests: 2, missed: 6, cost: 4n, knownCost: 4n },
      { cause: 'model', requests: 1, missed: 9, cost: 3n, knownCost: 3n },
      { cause: 'first', requests: 2, missed: 0, cost: 0n, knownCost: 0n },
      { cause: 'user', requests: 2, missed: 8, cost: undefined, knownCost: 9n },
    ]);
    expect(missed).toEqual({ requests: 6, missed: 43, cost: undefined, knownCost: 20n });
  });

  it('are few among the requests that could have read', () => {
    const { requests, possible, read, paid, causes } = figuresOf([judged(false), judged(false, 5, 5)], []);
    expect([requests, possible, read, paid.requests, causes]).toEqual([2, 15, 9, 2, []]);
  });

  it('have one of nine causes', () => {
    expect(CACHE_CAUSES).toEqual([
      'first',
      'model',
      'tools',
      'system',
      'rewritten',
      'idle',
      'user',
      'provider',
      'unexplained',
    ]);
  });
});

it('totals count messages, calls and results, and what each request adds', () => {
  const call = { type: 'call', callId: 'c', tool: 'f', input: '{}' };
  const messages = [
    { role: 'meta', parts: [call] },
    { role: 'user', parts: [] },
    { role: 'assistant', parts: [call, call] },
    { role: 'tool', parts: [{ type: 'result', callId: 'c', content: [], isError: false }] },
  ];
  const of = (all: readonly object[]) => {
    const tokens = all.map((_, index) => index);
    const counted = { model: 'm', source: 'exact', tokens, everyRequest: 10 } as never;
    return totalsOf({ messages: all } as unknown as Transcript, counted, undefined, undefined);
  };
  expect(of(messages)).toMatchObject({ messages: 3, toolCalls: 2, toolResults: 1, tokens: 16, cost: undefined });
  expect(of(messages)).toMatchObject({ costSource: 'unpriced', tokensSource: 'exact' });
  expect(of(messages.slice(0, 1))).toMatchObject({ messages: 0, toolCalls: 0, tokens: 0, cost: 0n });
});
