/** Every request counted once, however often a log says it. */
import { describe, expect, it } from 'vitest';
import { usageOf } from '../../../src/formats/shared/recorded.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { createLedger } from '../../../src/measure/stats/ledger.js';
import { priced, type RequestFacts } from '../../../src/measure/stats/request.js';
import { type Counted, requestsOf } from '../../../src/measure/stats/requests.js';
import type { Message, Recorded, Transcript } from '../../../src/transcript/types.js';

const NOTHING: Counted = { model: undefined, source: 'exact', tokens: [], written: [], everyRequest: 0, context: 0 };
const prices = await loadPrices();

function transcriptOf(records: readonly Recorded[], rest: Partial<Transcript> = {}): Transcript {
  const messages = records.map((recorded): Message => ({ role: 'assistant', parts: [], raw: recorded }));
  return { format: 'test', traits: {}, messages, recorded: ({ raw }) => raw as Recorded, ...rest };
}

const PRICING = { prices, at: undefined };

function ledgerOf(...transcripts: readonly Transcript[]) {
  const requests: (RequestFacts & { readonly transcript: number })[] = [];
  const ledger = createLedger<number>({
    price: (request) => priced(request, PRICING),
    settled: (transcript, own) => requests.push(...own.map((request) => ({ ...request, transcript }))),
  });
  for (const [number, transcript] of transcripts.entries())
    ledger.add(number, requestsOf(transcript, NOTHING, PRICING));
  const { duplicates, paid } = ledger.close();
  expect(paid.requests).toBe(requests.reduce((sum, request) => sum + request.requests, 0));
  return { requests, duplicates };
}

const figures = ({ usage }: RequestFacts) => [usage.input, usage.output];

describe('a total', () => {
  it('of costs alone is compared with the costs of requests', () => {
    const paid = [0.1, 0.2].map((cost): Recorded => ({ cost: String(cost) }));
    const total: Recorded = { runningCost: '0.3', runningRequests: 2 };
    expect(ledgerOf(transcriptOf(paid, { others: [total] })).requests).toHaveLength(2);
    const { requests } = ledgerOf(transcriptOf(paid, { others: [{ runningCost: '0.5' }] }));
    expect(requests.map(({ cost, requests: count }) => [cost, count])).toEqual([
      [100_000_000_000n, 1],
      [200_000_000_000n, 1],
      [200_000_000_000n, 0],
    ]);
  });
});

describe('what repeats', () => {
  it('takes the fullest of a streaming series', () => {
    const time = Date.parse('2026-01-09T00:00:00Z');
    const series = [1, 500].map(
      (output): Recorded => ({
        responseId: 'm1',
        requestId: 'r1',
        model: 'claude-sonnet-4-20250514',
        time,
        usage: usageOf({ input: 100, output }),
      }),
    );
    const { requests, duplicates } = ledgerOf(transcriptOf(series));
    expect(requests.map(figures)).toEqual([[100, 500]]);
    expect(requests[0]!.cost).toBe(7_800_000_000n); // $0.0078, as ccusage 20.0.24 has it
    expect(duplicates).toBe(1);
  });

  it('keeps the split of cache writes that only the earlier line has', () => {
    const line = (usage: Recorded['usage']): Recorded => ({ responseId: 'm1', requestId: 'r1', usage });
    const { requests } = ledgerOf(
      transcriptOf([
        line(usageOf({ cacheWrite5m: 100, cacheWrite1h: 900, output: 1 })),
        line(usageOf({ cacheWrite5m: 1000, output: 9 })),
      ]),
    );
    expect(requests.map(({ usage }) => [usage.cacheWrite5m, usage.cacheWrite1h, usage.output])).toEqual([
      [100, 900, 9],
    ]);
  });

  it('goes by the message id alone where there is no request id', () => {
    const { requests } = ledgerOf(
      transcriptOf([1, 2, 3].map((output) => ({ responseId: 'm1', usage: usageOf({ output }) }))),
    );
    expect(requests.map(figures)).toEqual([[0, 3]]);
  });

  it('counts a resumed session once, across files', () => {
    const first = transcriptOf([{ responseId: 'm1', requestId: 'r1', usage: usageOf({ input: 5, output: 1 }) }]);
    const resumed = transcriptOf([
      { responseId: 'm1', requestId: 'r1', usage: usageOf({ input: 5, output: 9 }) },
      { responseId: 'm2', requestId: 'r2', usage: usageOf({ input: 7, output: 2 }) },
    ]);
    const { requests, duplicates } = ledgerOf(first, resumed);
    expect(requests.map(({ transcript, usage }) => [transcript, usage.input, usage.output])).toEqual([
      [0, 5, 9],
      [1, 7, 2],
    ]);
    expect(duplicates).toBe(1);
  });

  const counts = (total: number, last: number): Recorded => ({
    usage: usageOf({ input: last }),
    running: usageOf({ input: total }),
  });

  it('passes over a running total that did not change', () => {
    const { requests, duplicates } = ledgerOf(
      transcriptOf([counts(10, 10), counts(10, 10), counts(25, 15), counts(25, 15), counts(40, 15)]),
    );
    expect(requests.map(({ usage }) => usage.input)).toEqual([10, 15, 15]);
    expect(duplicates).toBe(2);
  });

  it('knows a forked session by the totals it replays, but not by one alone', () => {
    const parent = transcriptOf([counts(10, 10), counts(25, 15), counts(40, 15)], { id: 'parent' });
    const fork = transcriptOf([counts(10, 10), counts(25, 15), counts(99, 74)], { id: 'fork' });
    const stranger = transcriptOf([counts(10, 10), counts(30, 20)], { id: 'stranger' });
    const { requests } = ledgerOf(parent, fork, stranger);
    expect(requests.map(({ transcript, usage }) => [transcript, usage.input])).toEqual([
      [0, 10],
      [0, 15],
      [0, 15],
      [1, 74],
      [2, 10],
      [2, 20],
    ]);
  });
});

it('takes a recorded cost as it is spelled, and the model of the lines before', () => {
  const { requests } = ledgerOf(
    transcriptOf([
      { model: 'gpt-4o' },
      { usage: usageOf({ input: 1_000_000 }), cost: '0.000123456789' },
      { usage: usageOf({ input: 1_000_000 }) },
    ]),
  );
  expect(requests.map(({ model, cost, costSource }) => [model, cost, costSource])).toEqual([
    ['gpt-4o', 123_456_789n, 'recorded'],
    ['gpt-4o', 2_500_000_000_000n, 'computed'],
  ]);
});

it('takes what is said of the reply, and of a rollout as a whole', () => {
  const reply: Recorded = { responseId: 'x', model: 'gpt-4o', usage: usageOf({ input: 3, output: 4 }) };
  const whole: Recorded = { running: usageOf({ input: 30, output: 40 }), runningCost: '1.5' };
  expect(ledgerOf(transcriptOf([], { reply })).requests.map(figures)).toEqual([[3, 4]]);
  expect(ledgerOf(transcriptOf([], { reply: whole })).requests.map(({ usage, cost }) => [usage.input, cost])).toEqual([
    [30, 1_500_000_000_000n],
  ]);
});

it('counts of a total only what nothing before it counted: its own requests, and those of sub-agents', () => {
  const one: Recorded = { responseId: 'm1', model: 'gpt-4o', usage: usageOf({ input: 1_000_000, output: 1 }) };
  const fuller: Recorded = { ...one, usage: usageOf({ input: 1_000_000, output: 5 }) };
  const total: Recorded = { running: usageOf({ input: 1_000_000, output: 105 }), cost: '6.5' };
  const agent = transcriptOf([{ responseId: 'm2', model: 'gpt-4o', usage: usageOf({ input: 400_000 }) }]);
  const alone = ledgerOf(transcriptOf([one, fuller, total])).requests;
  expect(alone.map(({ usage, cost }) => [usage.input, usage.output, cost])).toEqual([
    [1_000_000, 5, 2_500_050_000_000n],
    [0, 100, 3_999_950_000_000n],
  ]);
  const main = { ...transcriptOf([one, fuller, total]), agents: [agent] };
  const all = ledgerOf(main, agent).requests;
  expect(all.map(({ usage, cost }) => [usage.input, cost])).toEqual([
    [1_000_000, 2_500_050_000_000n],
    [0, 2_999_950_000_000n],
    [400_000, 1_000_000_000_000n],
  ]);
});

it('prices the total of several requests as that many: none of them is long', () => {
  const running = usageOf({ input: 600_000, output: 6000 });
  const reply: Recorded = { model: 'claude-sonnet-4-5-20250929', time: Date.UTC(2026, 0, 9), running };
  const costOf = (runningRequests: number) =>
    ledgerOf(transcriptOf([], { reply: { ...reply, runningRequests } })).requests.map(({ cost, requests }) => [
      cost,
      requests,
    ]);
  expect(costOf(6)).toEqual([[1_890_000_000_000n, 6]]);
  expect(costOf(1)).toEqual([[3_735_000_000_000n, 1]]);
});

it('reads totals by model, if they name the model of every request', () => {
  const one: Recorded = { responseId: 'm1', model: 'gpt-4o', usage: usageOf({ input: 100 }) };
  const total = (model: string): Recorded => ({
    running: usageOf({ input: 150 }),
    byModel: [
      { model, running: usageOf({ input: 110 }) },
      { model: 'gpt-4o-mini', running: usageOf({ input: 40 }), runningRequests: 2 },
    ],
  });
  const rows = (model: string) =>
    ledgerOf(transcriptOf([one, total(model)])).requests.map((row) => [row.model, row.usage.input, row.requests]);
  expect(rows('gpt-4o')).toEqual([
    ['gpt-4o', 100, 1],
    ['gpt-4o', 10, 0],
    ['gpt-4o-mini', 40, 2],
  ]);
  expect(rows('another name')).toEqual([
    ['gpt-4o', 100, 1],
    ['gpt-4o', 50, 0],
  ]);
});

it('estimates what would have been sent, where nothing is recorded', () => {
  const messages: Message[] = [
    { role: 'user', parts: [] },
    { role: 'assistant', parts: [], group: 'a' },
    { role: 'assistant', parts: [], group: 'a' },
    { role: 'tool', parts: [] },
    { role: 'assistant', parts: [], group: 'b' },
  ];
  const counted: Counted = {
    model: 'gpt-4o',
    source: 'exact',
    tokens: [10, 20, 30, 40, 50],
    written: [0, 20, 30, 0, 50],
    everyRequest: 3,
    context: 0,
  };
  expect(
    requestsOf({ format: 'test', traits: {}, messages }, counted, PRICING).map(({ index, usage, tokensSource }) => [
      index,
      usage.input,
      usage.output,
      tokensSource,
    ]),
  ).toEqual([
    [1, 13, 50, 'exact'],
    [4, 103, 50, 'exact'],
  ]);
});
