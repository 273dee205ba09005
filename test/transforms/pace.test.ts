/** `--every auto`: when it pays, against a plain reference, and against the best timing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bestTimes, type Timed } from '../../src/measure/simulation/best-timing.js';
import { CACHES } from '../../src/measure/simulation/caches.js';
import type { Message, Transcript, Usage } from '../../src/transcript/types.js';
import { loadAuto } from '../../src/transforms/auto.js';
import { CACHE_TERMS, termsFor } from '../../src/transforms/cache-terms.js';
import { everyOption } from '../../src/transforms/every.js';
import { type Due, goingOf } from '../../src/transforms/pace.js';
import { openText } from '../shared/opened.js';
import { runs } from '../shared/random-runs.js';

loadAuto();

/** A call of the model with what it says, and the length of its result; seconds since the request before. */
interface Round {
  readonly said: number;
  readonly result: number;
  readonly idle: number;
}

const rounds = fc.array(
  fc.record({
    said: fc.constantFrom(0, 400, 30_000),
    result: fc.constantFrom(10, 300, 3000, 20_000, 60_000),
    idle: fc.constantFrom(5, 5, 5, 290, 400, 4000),
  }),
  { maxLength: 30 },
);
/** It never pays soon, but at last. */
const LATE: Round[] = [
  { said: 0, result: 20_000, idle: 5 },
  { said: 30_000, result: 10, idle: 5 },
  ...Array.from({ length: 120 }, () => ({ said: 0, result: 10, idle: 5 })),
];
const caches = fc.constantFrom(...CACHE_TERMS.map(({ id }) => id));

const [{ traits }] = openText('[{"role":"user","content":"go"}]').transcripts as unknown as [Transcript];
const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) }) as const;

/** A user message, then two messages a round. The result of a round can go when two more are there. */
function historyOf(all: readonly Round[]): { transcript: Transcript; dues: Due<number>[] } {
  const times = new Map<Message, number>();
  const messages: Message[] = [{ role: 'user', parts: [text(100)] }];
  let now = 0;
  times.set(messages[0]!, now);
  for (const { said, result, idle } of all) {
    messages.push({ role: 'assistant', parts: [text(said)] }, { role: 'tool', parts: [text(result)] });
    now += idle * 1000;
    times.set(messages.at(-1)!, now);
  }
  const recorded = (message: Message) => ({ time: times.get(message)! });
  const dues = all.slice(0, -2).map(({ result }, index): Due<number> => {
    const at = 2 * index + 2;
    return { what: index, ready: at + 4, frees: [[at, result]] };
  });
  return { transcript: { format: 'openai-chat', traits, messages, recorded }, dues };
}

/** By request: what goes there. Written plainly, from the description of the option. */
function reference(all: readonly Round[], cache: string): number[][] {
  const { lifetime, read, write, soon, least } = termsFor(cache);
  const gone = new Set<number>();
  const size = (at: number) => (gone.has(at) ? 0 : all[at]!.result);
  const since = (at: number) => Math.max(1, at + 3); // the request that has two more results
  return all
    .map((_, index) => index + 1)
    .map((count) => {
      const idle = all[count - 1]!.idle;
      const free = all.map((_round, at) => at).filter((at) => at + 2 < count && !gone.has(at));
      const first = free[0];
      if (first === undefined) return [];
      const isCold = idle > lifetime;
      let again = 0; // after the first that can go, up to the end of the last prompt
      for (let at = first; at < count - 1; at++) {
        if (at > first) again += all[at]!.said;
        if (!free.includes(at)) again += size(at);
      }
      const freed = free.reduce((sum, at) => sum + all[at]!.result, 0);
      const inVain = free.reduce((sum, at) => sum + all[at]!.result * (count - since(at)), 0);
      const price = isCold ? 0 : again * (write - read);
      const sent = all.slice(0, count - 1).reduce((sum, { said }, at) => sum + said + size(at), 100);
      const floor = isCold || sent < 2 * least ? 0 : 12_000;
      const pays = freed * read * soon >= price || inVain * read >= 4 * price;
      if (!pays || freed <= floor) return [];
      for (const at of free) gone.add(at);
      return free;
    });
}

it('goes by the rule that the option describes', () => {
  fc.assert(
    fc.property(rounds, caches, (all, promptCache) => {
      const { transcript, dues } = historyOf(all);
      const going = goingOf(transcript, dues, { every: 'auto', promptCache }, { isWhole: true });
      going(1); // the first request
      const found = all.map((_, index) => going(2 * index + 3).map(({ what }) => what));
      expect(found).toEqual(reference(all, promptCache));
    }),
    { ...runs(1 / 3), examples: ['openai', 'anthropic', 'deepseek'].map((cache) => [LATE, cache]) },
  );
});

it('says the same of a longer history about all requests before', () => {
  fc.assert(
    fc.property(rounds, caches, fc.boolean(), (all, promptCache, isWhole) => {
      const { transcript, dues } = historyOf(all);
      const pace = { every: 'auto', promptCache } as const;
      const stepwise = goingOf(transcript, dues, pace, { isWhole });
      const gone: number[] = [];
      for (let count = 1; count <= all.length; count++) {
        gone.push(...stepwise(2 * count + 1).map(({ what }) => what));
        const prefix = historyOf(all.slice(0, count));
        const atOnce = goingOf(prefix.transcript, prefix.dues, pace, { isWhole })(2 * count + 1);
        expect(atOnce.map(({ what }) => what).sort()).toEqual([...gone].sort());
      }
    }),
    runs(1 / 10),
  );
});

it('trims short prompts that no cache holds, though little goes', () => {
  const short = Array.from({ length: 12 }, () => ({ said: 0, result: 300, idle: 5 }));
  const goneBy = (promptCache: string, model: string) => {
    const { transcript, dues } = historyOf(short);
    return goingOf({ ...transcript, model }, dues, { every: 'auto', promptCache }, { isWhole: true })(25).length;
  };
  expect(goneBy('gemini', 'gemini-2.5-pro')).toBeGreaterThan(0);
  expect(goneBy('gemini', 'gemini-2.5-flash')).toBeGreaterThan(0);
  expect(goneBy('deepseek', 'deepseek-chat')).toBe(0);
  for (const [model, tokens] of CACHES.find(({ id }) => id === 'gemini')!.minimums)
    expect(termsFor('gemini', `gemini-2.5-${model.source === '.' ? 'flash' : model.source}`).least).toBe(tokens);
});

it('takes a prompt for cached as long as what was recorded says of it', () => {
  /** 400 seconds pass before the first result and before the last; a cache of Anthropic is kept for 300. */
  const all = [400, 5, 5, 5, 400].map((idle) => ({ said: 0, result: 900, idle }));
  const { transcript, dues } = historyOf(all);
  const none = { input: 10, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  const goneBy = (usage: Partial<Usage>, promptCache?: string) => {
    const recorded = (message: Message) => ({ ...transcript.recorded!(message), usage: { ...none, ...usage } });
    const read = { ...transcript, recorded, model: 'claude-sonnet-4-5' };
    const going = goingOf(read, dues, { every: 'auto', promptCache }, { isWhole: true });
    return [1, 3, 5, 7, 9, 11].map((end) => going(end).length);
  };
  const [late, never] = [
    [0, 0, 0, 0, 0, 3],
    [0, 0, 0, 0, 0, 0],
  ];
  expect(goneBy({})).toEqual(late);
  expect(goneBy({ cacheWrite5m: 1000 })).toEqual(late);
  expect(goneBy({ cacheWrite1h: 1000 })).toEqual(never);
  expect(goneBy({ cacheRead: 9 })).toEqual(late);
  expect(goneBy({ cacheRead: 11 })).toEqual(never);
  expect(goneBy({ cacheRead: 11, cacheWrite1h: 1000 }, 'anthropic')).toEqual(late);
});

it('lets choose each cache', () => {
  expect(everyOption.promptCache.choices).toEqual(CACHE_TERMS.map(({ id }) => id));
});

// --- the best timing

const prompts = fc.array(
  fc.record({
    grown: fc.nat(100),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    hit: fc.constantFrom(0, 0.9, 1, 1),
  }),
  { maxLength: 9 },
);

/** Prompts that grow; applied at each request, the policy leaves a share of what was new before. */
function timedOf(all: readonly { grown: number; share: number; hit: number }[], unseen: number): Timed[] {
  let left = unseen; // of what the policy has seen
  let last = 0; // what it has not seen yet
  return all.map(({ grown, share, hit }) => {
    const kept = share === 1 ? Number.POSITIVE_INFINITY : left;
    left += last * share;
    last = grown;
    return { whole: left + last, kept, grown, hit };
  });
}

/** What a schedule costs, told request by request. */
function spent(
  requests: readonly Timed[],
  times: ReadonlySet<number>,
  unseen: number,
  { read, write }: Prices,
): number {
  let tokens = unseen;
  let kept = Number.POSITIVE_INFINITY;
  return requests.reduce((sum, request, at) => {
    kept = Math.min(kept, request.kept);
    const known = request.hit * (times.has(at) ? Math.min(kept, tokens) : tokens);
    tokens = times.has(at) ? request.whole : tokens + request.grown;
    if (times.has(at)) kept = Number.POSITIVE_INFINITY;
    return sum + read * known + write * (tokens - known);
  }, 0);
}
type Prices = ReturnType<typeof termsFor>;

it('finds the timing that no other one beats', () => {
  fc.assert(
    fc.property(prompts, caches, fc.nat(50), (all, cache, unseen) => {
      const requests = timedOf(all, unseen);
      const prices = termsFor(cache);
      const best = spent(requests, new Set(bestTimes(requests, unseen, prices)), unseen, prices);
      for (let set = 0; set < 2 ** all.length; set++) {
        const times = new Set(all.flatMap((_, at) => ((set >> at) & 1 ? [at] : [])));
        expect(best).toBeLessThanOrEqual(spent(requests, times, unseen, prices) + 1e-6);
      }
    }),
    runs(1 / 5),
  );
});

it.each([
  ['openai', 'gpt-4o', 0.5],
  ['openai', 'gpt-4.1', 0.25],
  ['openai', undefined, 0.1],
  ['xai', undefined, 0.25],
])('what the cache %s reads for the model %s costs %d of the input: of none what most cost', (cache, model, read) => {
  expect(termsFor(cache, model).read).toBe(read);
});
