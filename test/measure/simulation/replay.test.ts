/** Replays start and miss as the recording did, and advice holds within the error against it. */
import { describe, expect, it } from 'vitest';
import { simulateAll, sweepAll } from '../../../src/engine/simulate/simulate.js';
import { stepsOf } from '../../../src/engine/steps.js';
import { usageOf } from '../../../src/formats/shared/recorded.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { prepareReplay, type SimulationOptions } from '../../../src/measure/simulation/simulate.js';
import { candidatesOf } from '../../../src/measure/simulation/sweep.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import { sweepReport } from '../../../src/reports/simulation/index.js';
import type { Message, Part, Recorded, Transcript, Usage } from '../../../src/transcript/types.js';
import { promptTokens } from '../../../src/transcript/usage.js';

const prices = await loadPrices();
const OPTIONS: SimulationOptions = { cache: 'auto', idle: undefined, prices, at: undefined, model: undefined };
const SETTINGS = { scope: 'all', carries: false, cache: 'auto', idle: undefined } as const;
const PRICING = { model: undefined, asModel: undefined, prices, at: undefined };
const NONE = { steps: [], scope: 'history', carries: false } as const;
/** A character is a token. */
const counting = createCounting('claude-sonnet-4-5', () => (text) => text.length, 1);

/** A request: the result before it, of so many tokens, and its recorded usage. */
interface Request {
  readonly adds: number;
  readonly input?: number;
  readonly read: number;
  readonly write: number;
  readonly seconds?: number;
}

const text = (length: number): Part => ({ type: 'text', text: 'x'.repeat(length) });

/** A session: a user message, then a call and its result before each further request. */
function sessionOf(requests: readonly Request[], model: string | undefined = 'claude-sonnet-4-5'): Transcript {
  const recorded = new Map<unknown, Recorded>();
  const messages = requests.flatMap(({ adds, input = 0, read, write, seconds }, index): Message[] => {
    const usage: Usage = usageOf({ input, cacheRead: read, cacheWrite5m: write, output: 10 });
    const reply = { reply: index };
    const time = (seconds ?? index) * 1000;
    const asked = { asked: index };
    recorded.set(reply, { usage, responseId: `r${index}`, time });
    recorded.set(asked, { time });
    const before: Message =
      index === 0
        ? { role: 'user', parts: [text(adds)], raw: asked }
        : {
            role: 'tool',
            parts: [{ type: 'result', callId: `c${index - 1}`, content: [{ type: 'text', text: 'x'.repeat(adds) }] }],
            raw: asked,
          };
    const call: Part = { type: 'call', callId: `c${index}`, tool: 'read', input: '{}' };
    return [before, { role: 'assistant', parts: [call], raw: reply }];
  });
  return { format: 'test', traits: {}, model, messages, recorded: ({ raw }) => recorded.get(raw) };
}

/** Requests that each read all that the one before sent. */
const warm = (count: number, adds = 1000): Request[] =>
  Array.from({ length: count }, (_, index) => ({ adds, read: 5000 + index * adds, write: adds }));

const replayed = (transcript: Transcript, options: Partial<SimulationOptions> = {}) =>
  prepareReplay(transcript, counting, { ...OPTIONS, ...options }).play(NONE);
const usages = (transcript: Transcript, options: Partial<SimulationOptions> = {}) =>
  replayed(transcript, options).requests.map(({ without: { usage } }) => [
    usage.input,
    usage.cacheRead,
    usage.cacheWrite5m,
  ]);

describe('a replay', () => {
  it('starts as warm as the recording did', () => {
    expect(usages(sessionOf(warm(3)))).toEqual([
      [0, 5000, 1000],
      [0, 6000, 1000],
      [0, 7000, 1000],
    ]);
    expect(usages(sessionOf(warm(3)), { cache: 'anthropic' })[0]).toEqual([0, 0, 6000]);
  });

  it('misses where the recording missed, and goes on warm', () => {
    const missed: Request[] = [
      ...warm(2),
      { adds: 1000, read: 4000, write: 4000 },
      { adds: 1000, read: 8000, write: 1000 },
    ];
    expect(usages(sessionOf(missed))).toEqual([
      [0, 5000, 1000],
      [0, 6000, 1000],
      [0, 4000, 4000],
      [0, 8000, 1000],
    ]);
  });

  it('lets the recording say when entries expire', () => {
    const late: Request[] = [...warm(2), { adds: 1000, read: 7000, write: 1000, seconds: 9000 }];
    expect(usages(sessionOf(late))[2]).toEqual([0, 7000, 1000]);
    expect(usages(sessionOf(late), { cache: 'anthropic' })[2]).toEqual([0, 0, 8000]);
  });

  it('has no cache if no recorded request cached a token', () => {
    const uncached = warm(3).map(({ adds }, index) => ({ adds, input: 6000 + index * adds, read: 0, write: 0 }));
    expect(usages(sessionOf(uncached))).toEqual([
      [6000, 0, 0],
      [7000, 0, 0],
      [8000, 0, 0],
    ]);
  });

  it('charges no writes if none was recorded', () => {
    const unwritten = warm(3).map(({ adds, read }) => ({ adds, input: adds, read, write: 0 }));
    expect(usages(sessionOf(unwritten))).toEqual(unwritten.map(({ input, read }) => [input, read, 0]));
  });

  it('keeps tokens that no message explains, also when the policy drops the messages', () => {
    const grown: Request[] = warm(4).map((request, index) =>
      index < 2 ? request : { ...request, read: request.read + (index - 2) * 20_000, write: 21_000 },
    );
    const replay = prepareReplay(sessionOf(grown), counting, OPTIONS);
    const { requests, prediction } = replay.play(NONE);
    expect(requests.map(({ without }) => promptTokens(without.usage))).toEqual([6000, 7000, 28_000, 49_000]);
    expect(prediction!.promptsOff).toBeGreaterThan(10_000);
    const bare = replay.play({ ...NONE, scope: 'all', steps: stepsOf(['filter:max-tool-calls=0']) });
    expect(promptTokens(bare.requests.at(-1)!.with.usage)).toBeGreaterThan(35_000);
  });

  it('reads by measured hit shares only if the recording does not say what was read', () => {
    const session = sessionOf(
      warm(3, 1024).map((request) => ({ ...request, input: 0 })),
      'gpt-5',
    );
    expect(usages(session).map(([, cached]) => cached)).toEqual([5000, 6016, 7040]);
    const silent: Transcript = { ...session, recorded: () => undefined };
    const silentReads = prepareReplay(silent, counting, { ...OPTIONS, idle: 700 }).play(NONE);
    const full = silentReads.requests.map(({ without }) => promptTokens(without.usage));
    // 78 % of what the prompt before left in the cache, both in steps of 128
    const inSteps = (tokens: number) => Math.floor(tokens / 128) * 128;
    expect(silentReads.requests.map(({ without }) => without.usage.cacheRead)).toEqual([
      0,
      inSteps(inSteps(full[0]!) * 0.78),
      inSteps(inSteps(full[1]!) * 0.78),
    ]);
  });
});

describe('advice', () => {
  const played = (transcript: Transcript, ...steps: string[]) =>
    simulateAll(
      [{ transcript, counting, place: { file: 'a', line: 1, id: undefined, format: 'test', model: transcript.model } }],
      { steps: stepsOf(steps), written: steps.join(' ') },
      SETTINGS,
      PRICING,
    );
  const swept = (transcript: Transcript, values: readonly unknown[], name = 'max-tool-calls', key = 'maxToolCalls') =>
    sweepAll(
      [{ transcript, counting, place: { file: 'a', line: 1, id: undefined, format: 'test', model: transcript.model } }],
      {
        candidates: candidatesOf(stepsOf(['filter:max-tool-calls=1']), [{ name, steps: [0], key, values }]),
        budget: undefined,
      },
      SETTINGS,
      PRICING,
    );
  const uncached = (count: number) =>
    sessionOf(
      Array.from({ length: count }, (_, index) => ({ adds: 1000, input: 2000 + index * 1003, read: 0, write: 0 })),
    );

  it('names a policy that costs more than none, and the way out', () => {
    const facts = played(sessionOf(warm(60)), 'filter:max-tool-calls=10');
    expect(facts.verdict.kind).toBe('costs');
    expect(facts.steadier!.label).toBe('every=20');
    expect(facts.steadier!.totals.with.cost! < facts.totals.without.cost!).toBe(true);
  });

  it('shows what the best times would have brought, and recommends no hindsight', () => {
    const { outcomes, hindsight, recommended } = swept(sessionOf(warm(60)), [1, 7, 20], 'every', 'every');
    expect(hindsight.map(({ label, isFrontier }) => [label, isFrontier])).toEqual([['best timing', false]]);
    const cost = hindsight[0]!.totals.with.cost!;
    for (const { totals } of outcomes) expect(totals.with.cost! >= cost).toBe(true);
    expect(recommended?.label).not.toBe('best timing');
    expect(swept(sessionOf(warm(60)), [1, 2]).hindsight).toEqual([]);
  });

  it('recommends what saves for sure', () => {
    const { verdict } = played(uncached(30), 'filter:max-tool-calls=3');
    expect(verdict).toMatchObject({ kind: 'saves' });
  });

  it('recommends nothing if the range of error holds the cost without a policy', () => {
    // prompts that grow by 1,000 and 3,000 tokens in turn, from results of 1,000
    const uneven = sessionOf(
      Array.from({ length: 30 }, (_, index) => ({
        adds: 1000,
        input: 2000 + index * 2000 + (index % 2) * 1000,
        read: 0,
        write: 0,
      })),
    );
    const facts = played(uneven, 'filter:max-tool-calls=28');
    expect(facts.verdict.error).toBeGreaterThan(0.01);
    expect(facts.verdict.kind).toBe('unsure');
    expect(swept(uneven, [28]).recommended).toBeUndefined();
    expect(played(uneven, 'filter:max-tool-calls=3').verdict.kind).toBe('saves');
  });

  it('recommends nothing above an error of 20 %', () => {
    const jumps = sessionOf([
      ...Array.from({ length: 10 }, (_, index) => ({ adds: 1000, input: 2000 + index * 1000, read: 0, write: 0 })),
      ...Array.from({ length: 10 }, (_, index) => ({ adds: 1000, input: 80_000 + index * 1000, read: 0, write: 0 })),
    ]);
    const { verdict } = played(jumps, 'filter:max-tool-calls=3');
    expect(verdict.error).toBeGreaterThan(0.2);
    expect(verdict.kind).toBe('inexact');
  });

  it('recommends nothing if a request has no price', () => {
    const unpriced: Transcript = { ...uncached(30), model: 'my-own-model' };
    expect(played(unpriced, 'filter:max-tool-calls=3').verdict.kind).toBe('unpriced');
    expect(swept(unpriced, [3, 5]).recommended).toBeUndefined();
  });

  it('never recommends to drop all results', () => {
    const turns = uncached(30);
    const asked: Transcript = {
      ...turns,
      messages: turns.messages.flatMap((message, index) =>
        index > 0 && index % 10 === 0 ? [message, { role: 'user', parts: [text(5)], raw: { user: index } }] : [message],
      ),
    };
    const facts = swept(asked, [0, 1, 5, 20]);
    expect(facts.cheapest.label).toBe('max-tool-calls=0');
    expect(facts.recommended!.label).not.toBe('max-tool-calls=0');
    const json = JSON.parse(String(sweepReport.json(facts)));
    expect(json).toMatchObject({ cheapest: 'max-tool-calls=0', recommended: facts.recommended!.label });
  });
});
