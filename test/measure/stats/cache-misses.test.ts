import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCacheStats } from '../../../src/engine/stats/cache.js';
import { stats } from '../../../src/index.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import type { CacheFigures } from '../../../src/measure/stats/cache-figures.js';
import { type CacheRules, type CacheSource, createCacheMisses } from '../../../src/measure/stats/cache-misses.js';
import { computedCost, priced, type RequestFacts, type RequestRecord } from '../../../src/measure/stats/request.js';
import { open } from '../../../src/source/recording.js';
import type { Usage } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';

const prices = await loadPrices();

const EXPLICIT: CacheRules = { minimum: 1000, step: 1, isExplicit: true, lifetime: 300, lifetime1h: 3600 };
const AUTOMATIC: CacheRules = { minimum: 1024, step: 128, isExplicit: false, lifetime: 600, lifetime1h: 600 };
const rulesOf = (model: string) => (model.startsWith('claude') ? EXPLICIT : AUTOMATIC);

const CLAUDE = 'claude-sonnet-4-5';
const SOURCE: CacheSource = {
  file: 'a.jsonl',
  line: 1,
  session: 's',
  thread: '0',
  userTurns: [],
  prompt: undefined,
  isNameless: false,
  agent: undefined,
};

/** A request at this second with this usage. */
function requestAt(second: number, usage: Partial<Usage>, more: Partial<RequestFacts> = {}): RequestFacts {
  const record: RequestRecord = {
    key: undefined,
    index: second,
    agent: undefined,
    model: CLAUDE,
    session: 's',
    time: Date.UTC(2026, 0, 9) + second * 1000,
    usage: { ...NO_USAGE, ...usage },
    requests: 1,
    isRemainder: false,
    isUnanswered: false,
    billing: undefined,
    tokensSource: 'recorded',
    recordedCost: undefined,
    ...more,
  };
  return priced(record, { prices, at: undefined });
}

function factsOf(requests: readonly RequestFacts[], source: Partial<CacheSource> = {}) {
  const misses = createCacheMisses({ prices, at: undefined, rulesOf });
  misses.add({ ...SOURCE, ...source }, requests);
  return misses.facts();
}

/** The cause of the only miss. */
function causeOf(requests: readonly RequestFacts[], source: Partial<CacheSource> = {}): string | undefined {
  const [session] = factsOf(requests, source).sessions;
  expect(session!.misses).toHaveLength(1);
  return session!.misses[0]!.cause;
}

const WRITE = { input: 4, cacheWrite5m: 10_000 };
const MISS = { input: 4, cacheWrite5m: 12_000 };

describe('what is missed', () => {
  it('is nothing by a first request, which could not read anything', () => {
    const { missed, causes, possible } = factsOf([requestAt(0, WRITE)]);
    expect([missed.requests, missed.missed, possible]).toEqual([0, 0, 0]);
    expect(causes).toMatchObject([{ cause: 'first', requests: 1, missed: 0, cost: 0n }]);
  });

  it('is what was read and written before: it costs the price of a cache write less that of a read', () => {
    const { missed, possible } = factsOf([requestAt(0, WRITE), requestAt(9, MISS)]);
    expect([possible, missed.missed]).toEqual([10_000, 10_000]);
    expect(missed.cost).toBe(34_500_000_000n); // $3.75 − $0.30 a million
  });

  it('costs twice the input price in a cache of an hour, and the input price without cache writes', () => {
    const hour = factsOf([requestAt(0, { cacheWrite1h: 10_000 }), requestAt(9, { cacheWrite1h: 12_000 })]);
    const none = factsOf([requestAt(0, WRITE), requestAt(9, { input: 12_000 })]);
    expect(hour.missed.cost).toBe(57_000_000_000n); // $6.00 − $0.30
    expect(none.missed.cost).toBe(27_000_000_000n); // $3.00 − $0.30
  });

  it('has the prices of the whole prompt, beyond 200,000 tokens too', () => {
    const long = factsOf([requestAt(0, { cacheWrite5m: 250_000 }), requestAt(9, { cacheWrite5m: 260_000 })]);
    expect(long.missed.cost).toBe(250_000n * 6_900_000n); // $7.50 − $0.60 a million
  });

  it('costs nothing where the recording says that the request cost nothing', () => {
    const { missed } = factsOf([requestAt(0, WRITE), requestAt(9, MISS, { recordedCost: 0n })]);
    expect([missed.missed, missed.cost]).toEqual([10_000, 0n]);
  });

  it('has the discount of a recorded cost', () => {
    const full = computedCost(requestAt(9, MISS), { prices, at: undefined })!;
    const { missed } = factsOf([requestAt(0, WRITE), requestAt(9, MISS, { recordedCost: full / 2n })]);
    expect(missed.cost).toBe(17_250_000_000n);
  });

  it('is rounded down to the step of an automatic cache, and less than its shortest prefix is no miss', () => {
    const gpt = { model: 'gpt-5' };
    const figures = (cacheRead: number) =>
      factsOf([requestAt(0, { input: 5000 }, gpt), requestAt(9, { input: 6000 - cacheRead, cacheRead }, gpt)]);
    expect(figures(128)).toMatchObject({ possible: 4992, read: 128, missed: { missed: 4864 } });
    expect(figures(4992 - 1024)).toMatchObject({ missed: { requests: 1, missed: 1024 } });
    expect(figures(4992 - 896)).toMatchObject({ missed: { requests: 0, missed: 0 } });
  });

  it('is nothing where the prompt before was too short for the cache', () => {
    expect(factsOf([requestAt(0, { cacheWrite5m: 999 }), requestAt(9, MISS)]).possible).toBe(0);
  });

  it('skips sessions without cache figures, sums of several requests, and requests without a prompt', () => {
    const { sessions, withoutFigures, requests } = factsOf([requestAt(0, { input: 50_000 })]);
    expect([sessions, withoutFigures, requests]).toEqual([[], 1, 0]);
    const rest = [requestAt(1, MISS, { requests: 6 }), requestAt(2, MISS, { isRemainder: true }), requestAt(3, {})];
    expect(factsOf([requestAt(0, WRITE), ...rest]).requests).toBe(1);
  });

  it('is compared within a thread only', () => {
    const misses = createCacheMisses({ prices, at: undefined, rulesOf });
    misses.add(SOURCE, [requestAt(0, WRITE)]);
    misses.add({ ...SOURCE, thread: '1', session: 's/agent' }, [requestAt(1, MISS)]);
    expect(misses.facts()).toMatchObject({ requests: 2, missed: { requests: 0 } });
  });
});

describe('what a request continues, where two models take turns', () => {
  const opus = { model: 'claude-opus-4-5' };
  const half = { cacheWrite5m: 5_000 };
  it.each([
    [
      'the last request of its model, while that is cached, though it holds less',
      half,
      requestAt(5, WRITE, opus),
      9,
      'unexplained',
    ],
    ['the same, once it expired, if it holds as much', WRITE, requestAt(5, WRITE, opus), 400, 'idle'],
    ['the other model, if that holds more', half, requestAt(5, WRITE, opus), 400, 'model'],
  ])('%s', (_, first, between, second, cause) => {
    const { sessions } = factsOf([requestAt(0, first), between, requestAt(second, MISS)]);
    expect(sessions[0]!.misses.at(-1)).toMatchObject({ request: 2, cause });
  });
});

/** Of a session of Claude Code with this message between two requests. */
function missAfter(message: object): string | undefined {
  const reply = (id: string, usage: object, content: readonly object[]) => ({
    ...{ type: 'assistant', uuid: id, sessionId: 's', timestamp: '2026-01-09T12:00:00Z', requestId: id },
    message: { id, role: 'assistant', model: CLAUDE, content, usage },
  });
  const call = { type: 'tool_use', id: 'a', name: 'ToolSearch', input: {} };
  const rows = [
    reply('1', { input_tokens: 1, cache_creation_input_tokens: 10_000, output_tokens: 1 }, [call]),
    { type: 'user', uuid: '2', parentUuid: '1', sessionId: 's', timestamp: '2026-01-09T12:00:01Z', message },
    reply('3', { input_tokens: 1, cache_creation_input_tokens: 12_000, output_tokens: 1 }, []),
  ];
  const all = createCacheStats({
    context: { prices, at: undefined, model: undefined, asModel: undefined },
    within: undefined,
  });
  for (const transcript of open(rows.map((row) => JSON.stringify(row)).join('\n')).transcripts)
    all.add(transcript, { file: 'a.jsonl', line: 1 });
  return all.close().sessions[0]?.misses[0]?.cause;
}

describe('why', () => {
  it('an entry expired: after five minutes, or after an hour if it was written for an hour', () => {
    expect(causeOf([requestAt(0, WRITE), requestAt(301, MISS)])).toBe('idle');
    expect(causeOf([requestAt(0, WRITE), requestAt(300, MISS)])).toBe('unexplained');
    const hour = requestAt(0, { cacheWrite1h: 10_000 });
    expect(causeOf([hour, requestAt(3600, MISS)])).toBe('unexplained');
    expect(causeOf([hour, requestAt(3601, MISS)])).toBe('idle');
  });

  it('a cache read keeps the lifetime of what it read', () => {
    const read = requestAt(10, { input: 4, cacheRead: 10_000 });
    expect(causeOf([requestAt(0, { cacheWrite1h: 10_000 }), read, requestAt(1000, MISS)])).toBe('unexplained');
  });

  it('the user wrote a message while the entry was cached', () => {
    expect(causeOf([requestAt(0, WRITE), requestAt(9, MISS)], { userTurns: [5] })).toBe('user');
    expect(causeOf([requestAt(0, WRITE), requestAt(9, MISS)], { userTurns: [0, 10] })).toBe('unexplained');
  });

  it('the history was rewritten: the prompt is shorter than before', () => {
    expect(causeOf([requestAt(0, WRITE), requestAt(9, { cacheWrite5m: 3000 })], { userTurns: [5] })).toBe('rewritten');
  });

  it('a result in between loaded tools', () => {
    expect(causeOf([requestAt(0, WRITE), requestAt(9, MISS)], { toolLoads: [5] })).toBe('tools');
    expect(causeOf([requestAt(0, WRITE), requestAt(9, MISS)], { toolLoads: [0, 9] })).toBe('unexplained');
    const rows = [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference' }] }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] }] },
    ];
    expect(rows.map((row) => missAfter(row))).toEqual(['tools', 'unexplained']);
  });

  it('what came after an earlier prompt was sent otherwise: an explicit cache was read up to there', () => {
    const [first, second] = [requestAt(0, WRITE), requestAt(9, { cacheRead: 10_000, cacheWrite5m: 3000 })];
    const third = (cacheRead: number) => requestAt(19, { cacheRead, cacheWrite5m: 5000 });
    const miss = factsOf([first, second, third(10_000)], { userTurns: [15] }).sessions[0]!.misses[0]!;
    expect(miss).toMatchObject({ cause: 'rewritten', changed: 0, missed: 3000 });
    expect(causeOf([first, second, third(9_999)])).toBe('unexplained');
    expect(causeOf([first, second, requestAt(19, { cacheWrite5m: 15_000 })])).toBe('unexplained');
  });

  it('an automatic cache kept nothing of a prompt that only grew, by what is recorded', () => {
    const gpt = { model: 'gpt-5' };
    const first = requestAt(0, { input: 9000, cacheRead: 1024, output: 100 }, gpt);
    const sizes = Array.from({ length: 10 }, (_, index) => index * 100);
    const then = (tokens: number) => causeOf([first, requestAt(9, { input: tokens }, gpt)], { sizes });
    expect(then(10_024 + 100 + 400)).toBe('provider');
    expect(then(10_024 + 100 + 400 + 200)).toBe('unexplained');
    expect(then(9000)).toBe('rewritten');
  });

  it('the model changed', () => {
    expect(causeOf([requestAt(0, WRITE), requestAt(9, MISS, { model: 'claude-opus-4-5' })])).toBe('model');
  });

  it('is not a small request to another model in between', () => {
    const small = requestAt(5, { input: 1500, cacheRead: 1200 }, { model: 'claude-haiku-4-5' });
    const { sessions } = factsOf([requestAt(0, WRITE), small, requestAt(9, MISS)]);
    expect(sessions[0]!.misses).toMatchObject([{ request: 2, cause: 'unexplained', missed: 10_000 }]);
  });

  it.each([
    ['tools', { tools: [{ name: 'b', input_schema: {} }] }, undefined],
    ['system', { system: 'It is five past nine.' }, undefined],
    ['rewritten', { messages: ['Hello', 'Ho', 'Again'] }, 2],
    ['rewritten', { messages: ['Hello'] }, undefined],
    ['rewritten', { messages: ['Hello', 'Hi', 'Anew', 'So', 'On'] }, 3],
    ['unexplained', { messages: ['Hello', 'Hi', 'Again', 'So', 'On'] }, undefined], // both are known, and equal
  ])('%s, in a log that holds whole prompts (%j)', (cause, change, changed) => {
    const tools = [{ name: 'a', input_schema: {} }];
    const prompt = { tools, system: 'It is nine.', messages: ['Hello', 'Hi', 'Again'] };
    const misses = createCacheStats({ context: { model: undefined, prices, at: undefined }, within: undefined });
    const log = [logged(prompt, 10_000), logged({ ...prompt, ...change }, 12_000)].join('\n');
    const { transcripts } = open(log, { from: 'anthropic-messages' });
    for (const transcript of transcripts) misses.add({ ...transcript, id: 'one' }, { file: '', line: 1 });
    const found = misses.close().sessions.flatMap((session) => session.misses);
    expect(found).toMatchObject([{ cause, missed: 10_000, changed }]);
  });

  it('no log without session names continues a prompt that is as long', async () => {
    const one = { system: 'It is nine.', messages: ['Hello', 'Hi', 'Again'] };
    const log = (next: typeof one) => `${logged(one, 10_000)}\n${logged(next, 12_000)}`;
    const missedIn = async (text: string) =>
      (await stats(text, { cache: true, from: 'anthropic-messages' })).totals.missed;
    expect(await missedIn(log({ ...one, system: 'It is ten.' }))).toBe(0);
    expect(await missedIn(log({ ...one, messages: ['Hello', 'Hi', 'Again', 'So', 'On'] }))).toBe(10_000);
  });
});

/** A logged request of Anthropic with its response, which wrote this many tokens to the cache. */
function logged(
  { messages, ...request }: { readonly messages: readonly string[]; readonly [key: string]: unknown },
  written: number,
): string {
  const turns = messages.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
  const usage = { input_tokens: 4, output_tokens: 1, cache_creation_input_tokens: written };
  const reply = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', usage };
  return JSON.stringify({
    request: { model: CLAUDE, max_tokens: 9, ...request, messages: turns },
    response: { id: `msg_${written}`, type: 'message', model: CLAUDE, ...reply },
  });
}

describe('sums', () => {
  const tokens = fc.nat(40_000);
  const random = fc.array(
    fc.record({
      usage: fc.record({ input: tokens, cacheRead: tokens, cacheWrite5m: tokens, cacheWrite1h: tokens }),
      model: fc.constantFrom(CLAUDE, 'claude-opus-4-5', 'gpt-5', 'no-such-model'),
      second: fc.nat(9000),
      thread: fc.constantFrom('0', '1', '2'),
      isFree: fc.boolean(),
    }),
    { maxLength: 30 },
  );

  it('hold: misses add up to causes, sessions and totals, and are never more than what could be read', () => {
    fc.assert(
      fc.property(random, fc.array(fc.nat(9000)), (requests, userTurns) => {
        const misses = createCacheMisses({ prices, at: undefined, rulesOf });
        for (const { usage, model, second, thread, isFree } of requests)
          misses.add({ ...SOURCE, thread, userTurns }, [
            requestAt(second, usage, isFree ? { model, recordedCost: 0n } : { model }),
          ]);
        const facts = misses.facts();
        for (const session of facts.sessions) {
          expectSums(session, session.misses);
          expectSums(
            session,
            session.causes.map((sum) => ({ ...sum, cost: sum.cost })),
          );
          for (const { missed, possible, read, cost } of session.misses) {
            expect(missed).toBeGreaterThan(0);
            expect(missed).toBe(possible - read);
            expect(cost ?? 0n).toBeGreaterThanOrEqual(0n);
          }
        }
        expectSums(
          facts,
          facts.sessions.map(({ missed }) => missed),
        );
        expect(facts.missed.missed).toBeLessThanOrEqual(facts.possible - facts.read);
        expect(facts.missed.knownCost).toBeLessThanOrEqual(facts.paid.knownCost);
      }),
    );
  });
});

function expectSums(
  { missed }: CacheFigures,
  parts: readonly { readonly missed: number; readonly cost: bigint | undefined }[],
): void {
  expect(parts.reduce((sum, part) => sum + part.missed, 0)).toBe(missed.missed);
  const isKnown = parts.every(({ cost }) => cost !== undefined);
  expect(isKnown ? parts.reduce((sum, { cost }) => sum + cost!, 0n) : undefined).toBe(missed.cost);
}
