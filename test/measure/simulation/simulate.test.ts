/**
 * What a policy would have cost: literal figures, laws, and the signs that a simulation of prompt caches has to show.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../../src/engine/steps.js';
import { usageOf } from '../../../src/formats/shared/recorded.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { createCache } from '../../../src/measure/simulation/cache.js';
import { CACHES, cacheNamed, cacheOf, minimumOf, writesOf } from '../../../src/measure/simulation/caches.js';
import type { Policy } from '../../../src/measure/simulation/policy.js';
import { perYear, retriesOf } from '../../../src/measure/simulation/retries.js';
import { prepareReplay, type Simulation, type SimulationOptions } from '../../../src/measure/simulation/simulate.js';
import { candidatesOf, cheapestOf, mostKeptWithin, outcomesOf } from '../../../src/measure/simulation/sweep.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import type { Message, Part, Recorded, Transcript } from '../../../src/transcript/types.js';
import { promptTokens } from '../../../src/transcript/usage.js';
import type { Step } from '../../../src/transforms/pipeline.js';
import { defineTransform } from '../../../src/transforms/transform.js';
import { openText } from '../../shared/opened.js';
import { runs } from '../../shared/random-runs.js';

const prices = await loadPrices();
const SONNET = 'claude-sonnet-4-5-20250929';
/** A character is a token, so that figures can be told by hand. */
const byLength = (model: string | undefined) => createCounting(model, () => (text) => text.length, 1);
const OPTIONS: SimulationOptions = { cache: 'auto', idle: undefined, prices, at: undefined, model: undefined };
const HISTORY = { scope: 'history', carries: false } as const;
const ALL = { scope: 'all', carries: false } as const;
const filter = (maxToolCalls: number): readonly Step[] => stepsOf([{ transform: 'filter', maxToolCalls }]);

function simulate(transcript: Transcript, policy: Policy, options: Partial<SimulationOptions> = {}): Simulation {
  return prepareReplay(transcript, byLength(options.model ?? transcript.model), { ...OPTIONS, ...options }).play(
    policy,
  );
}

const text = (length: number): Part => ({ type: 'text', text: 'x'.repeat(length) });
const call = (id: number): Message => ({
  role: 'assistant',
  parts: [{ type: 'call', callId: `c${id}`, tool: 'read', input: '{}' }],
  raw: { call: id },
});
const result = (id: number, length: number): Message => ({
  role: 'tool',
  parts: [{ type: 'result', callId: `c${id}`, content: [{ type: 'text', text: 'x'.repeat(length) }] }],
  raw: { result: id },
});
const said = (role: 'system' | 'user' | 'assistant', length: number): Message => ({ role, parts: [text(length)] });
const transcriptOf = (messages: readonly Message[], rest: Partial<Transcript> = {}): Transcript => ({
  format: 'test',
  traits: {},
  model: SONNET,
  messages,
  ...rest,
});

describe('eight cities', () => {
  const [transcript] = openText(readFileSync('fixtures/transforms/filter/eight-cities-3/input.json')).transcripts;
  const { requests } = simulate(transcript!, { ...HISTORY, steps: filter(3) }, { model: 'gpt-4o' });

  it('has two requests a run', () => {
    expect(requests.map(({ callsInHistory }) => callsInHistory)).toEqual([
      0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7,
    ]);
  });

  it('sends three calls of the history and the one of the run', () => {
    const answers = requests.filter(({ index }) => index % 2 === 1);
    expect(answers.map(({ callsBefore }) => callsBefore)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(answers.map(({ callsAfter }) => callsAfter)).toEqual([1, 2, 3, 4, 4, 4, 4, 4]);
    expect(requests.filter(({ index }) => index % 2 === 0).map(({ callsAfter }) => callsAfter)).toEqual([
      0, 1, 2, 3, 3, 3, 3, 3,
    ]);
  });

  it('cuts first before run 5: the call for Tokyo', () => {
    expect(requests.map(({ firstChanged }) => firstChanged ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      2,
      null,
      6,
      null,
      10,
      null,
      14,
      null,
    ]);
  });
});

describe('sixty requests on a warm cache of Anthropic', () => {
  const session = (turns: number) =>
    transcriptOf([
      said('system', 7991),
      said('user', 100),
      ...Array.from({ length: turns }, (_, turn) => [
        { ...call(turn), parts: [text(240), ...call(turn).parts] },
        result(turn, 1990),
      ]).flat(),
    ]);
  const sixty = session(60);
  const clear = (more: object = {}): Policy => ({
    scope: 'all',
    carries: true,
    steps: stepsOf([
      { transform: 'clear', trigger: 50_000, keep: 3, text: '[Old tool result content cleared]', ...more },
    ]),
  });
  const batches = clear();
  const change = (policy: Policy, options: Partial<SimulationOptions> = {}) => {
    const { totals } = simulate(sixty, policy, options);
    return Math.round((Number(totals.with.cost! - totals.without.cost!) / Number(totals.without.cost!)) * 100);
  };

  it('costs more when results are dropped at every step, and less when they are cleared in batches', () => {
    expect([change({ ...ALL, steps: filter(10) }), change({ ...ALL, steps: filter(3) }), change(batches)]).toEqual([
      179, 61, -24,
    ]);
  });

  it('costs less in any case where nothing is cached, or everything is forgotten', () => {
    const changes = [{ cache: 'off' }, { idle: 301 }].map((options) =>
      [filter(10), filter(3)].map((steps) => change({ ...ALL, steps }, options)).concat(change(batches, options)),
    );
    expect(changes).toEqual([
      [-54, -70, -54],
      [-54, -71, -54],
    ]);
  });

  it('over 200 requests ends up clearing at every step, unless it has to be worth it', () => {
    const long = session(200);
    const costs = [undefined, clear(), clear({ clearAtLeast: 20_000 })].map((policy) => {
      const { totals } = simulate(long, policy ?? batches);
      return Number((policy === undefined ? totals.without : totals.with).cost!) / 1e12;
    });
    // the first with the higher price above 200,000 tokens
    expect(costs.map((cost) => cost.toFixed(2))).toEqual(['29.64', '26.63', '8.52']);
  });

  it('rewrites at every step, or seldom', () => {
    const every = simulate(sixty, { ...ALL, steps: filter(10) }).totals;
    const seldom = simulate(sixty, batches).totals;
    expect([every.rewrites, seldom.rewrites]).toEqual([49, 4]);
    expect(every.paidAgain).toBeGreaterThan(seldom.paidAgain * 5);
  });
});

describe('a cache', () => {
  const prompt = (messages: readonly Message[], unseen = 0, thread = 0, before: readonly Message[] = []) => {
    const sums = [unseen];
    for (const message of messages) sums.push(sums.at(-1)! + tokensOf(message));
    const broken = messages.findIndex((message, index) => message !== before[index]);
    return { thread, messages, sums, same: broken < 0 ? messages.length : broken };
  };
  const tokensOf = ({ parts }: Message) =>
    parts.reduce((sum, part) => sum + ('text' in part && typeof part.text === 'string' ? part.text.length : 0), 0);
  const [system, user, reply, next] = [
    said('system', 2000),
    said('user', 1000),
    said('assistant', 500),
    said('user', 100),
  ];
  const use = (
    id: string,
    model: string,
    prompts: readonly (readonly [messages: readonly Message[], time: number])[],
  ) => {
    const cache = createCache(cacheNamed(id)!, model);
    return prompts.map(([messages, time], index) => {
      const { read, written } = cache.send(prompt(messages, 0, 0, prompts[index - 1]?.[0]), time);
      return [read, written];
    });
  };

  it('of Anthropic reads up to the last breakpoint and writes the rest', () => {
    expect(
      use('anthropic', SONNET, [
        [[system, user], 0],
        [[system, user, reply, next], 10],
      ]),
    ).toEqual([
      [0, 3000],
      [3000, 600],
    ]);
  });

  it('of Anthropic is gone after five minutes without use, after an hour if that was bought', () => {
    const later = [[system, user], 0] as const;
    expect(
      use('anthropic', SONNET, [later, [[system, user], 299], [[system, user], 598]]).map(([read]) => read),
    ).toEqual([0, 3000, 3000]);
    expect(use('anthropic', SONNET, [later, [[system, user], 300]]).map(([read]) => read)).toEqual([0, 3000]);
    expect(
      use('anthropic', SONNET, [later, [[system, user, reply, next], 200], [[system, user], 500]]).map(
        ([read]) => read,
      ),
    ).toEqual([0, 3000, 3000]); // what is read lives on
    expect(use('anthropic', SONNET, [later, [[system, user], 301]]).map(([read]) => read)).toEqual([0, 0]);
    expect(use('anthropic-1h', SONNET, [later, [[system, user], 3000]]).map(([read]) => read)).toEqual([0, 3000]);
  });

  it('of Anthropic falls back on the system prompt where the messages changed', () => {
    expect(
      use('anthropic', SONNET, [
        [[system, user, reply, next], 0],
        [[system, reply, next], 1],
      ])[1],
    ).toEqual([2000, 600]);
  });

  it('of Anthropic looks back over 20 blocks and no further', () => {
    const blocks = (count: number) => Array.from({ length: count }, () => said('assistant', 10));
    expect(
      use('anthropic', SONNET, [
        [[system, user], 0],
        [[system, user, ...blocks(19)], 1],
      ])[1],
    ).toEqual([3000, 190]);
    expect(
      use('anthropic', SONNET, [
        [[system, user], 0],
        [[system, user, ...blocks(20)], 1],
      ])[1],
    ).toEqual([2000, 1200]);
  });

  it('needs a least length, by model', () => {
    expect(
      use('anthropic', 'claude-haiku-4-5', [
        [[system, user], 0],
        [[system, user], 1],
      ]),
    ).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(
      ['claude-opus-5', 'claude-opus-4-7', 'claude-3-5-haiku-latest', 'us.anthropic.claude-sonnet-4-5'].map((model) =>
        minimumOf(cacheOf(model)!, model),
      ),
    ).toEqual([512, 2048, 2048, 1024]);
  });

  it('holds a prompt of the least length, and a system prompt of that length, until its last second', () => {
    const [least, rest, other] = [said('system', 1024), said('user', 10), said('user', 10)];
    const { lifetime } = cacheNamed('openai')!;
    const second = (...prompts: Parameters<typeof use>[2]) => [
      use('anthropic', SONNET, prompts)[1]![0],
      use('openai', 'gpt-4o', prompts)[1]![0],
    ];
    expect(second([[least], 0], [[least], 1])).toEqual([1024, 1024]);
    expect(second([[least, rest], 0], [[least, other], 1])).toEqual([1024, 1024]);
    expect(second([[least], 0], [[least], lifetime])[1]).toBe(1024);
    expect(second([[least], 0], [[least], lifetime + 1])[1]).toBe(0);
  });

  it('of OpenAI reads in steps of 128, from 1,024 on, any prefix', () => {
    expect(
      use('openai', 'gpt-4o', [
        [[system, user, reply], 0],
        [[system, user, next], 1],
        [[user, next], 2],
        [[user, next], 3],
      ]),
    ).toEqual([
      [0, 0],
      [2944, 0],
      [0, 0],
      [1024, 0],
    ]);
    expect(
      use('openai', 'gpt-4o', [
        [[system], 0],
        [[system], 3601],
      ])[1],
    ).toEqual([0, 0]);
  });

  it('of OpenAI charges for writing from GPT-5.6 on', () => {
    expect(use('openai', 'gpt-5.6', [[[system, user], 0]])).toEqual([[0, 2944]]);
    expect(['gpt-5.5', 'gpt-5.6-luna', 'gpt-6'].map((model) => writesOf(cacheOf(model)!, model))).toEqual([
      undefined,
      'cacheWrite5m',
      'cacheWrite5m',
    ]);
  });

  it('of DeepSeek reads in units of 64, for hours', () => {
    expect(
      use('deepseek', 'deepseek-chat', [
        [[user], 0],
        [[user, next], 7000],
      ])[1],
    ).toEqual([960, 0]);
  });

  it('is known for each model, with its source and the day it was read', () => {
    expect(
      [
        'claude-opus-4-5',
        'gpt-4o-mini',
        'o4-mini',
        'aide-gpt-5',
        'google/gemini-2.5-pro',
        'deepseek-chat',
        'gpt-4-turbo',
        'llama-3',
      ].map((model) => cacheOf(model)?.id),
    ).toEqual(['anthropic', 'openai', 'openai', 'openai', 'gemini', 'deepseek', undefined, undefined]);
    for (const { source, date } of CACHES)
      expect([source, date]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
  });
});

describe('a step that changes messages', () => {
  const session = transcriptOf([
    said('system', 2000),
    said('user', 50),
    ...Array.from({ length: 12 }, (_, turn) => [call(turn), result(turn, 800)]).flat(),
  ]);
  const seen: string[] = [];
  const blank = (perMessage: boolean) =>
    ({
      values: {},
      transform: defineTransform({
        id: 'blank',
        summary: '',
        description: '',
        options: {},
        perMessage,
        apply(transcript) {
          const blanked = (part: Part): Part => {
            if (part.type !== 'result' || part.content[0]?.raw === 'blank') return part;
            seen.push(part.callId!);
            return { ...part, content: [{ type: 'text', text: '[gone]', raw: 'blank' }] };
          };
          return {
            ...transcript,
            messages: transcript.messages.map((message) =>
              message.parts.some((part) => blanked(part) !== part)
                ? { ...message, parts: message.parts.map(blanked) }
                : message,
            ),
          };
        },
      }),
    }) as unknown as Step;

  it('makes the same message each time, so that a cache finds it', () => {
    const { totals, requests } = simulate(session, { ...ALL, steps: [blank(false)] });
    expect([totals.rewrites, totals.paidAgain]).toEqual([0, 0]);
    expect(requests.at(-1)!.with.usage.cacheRead).toBe(promptTokens(requests.at(-2)!.with.usage));
  });

  it('sees a message once where it changes each by itself', () => {
    const often = simulate(session, { ...ALL, steps: [blank(false)] });
    seen.length = 0;
    expect(simulate(session, { ...ALL, steps: [blank(true)] })).toEqual(often);
    expect(seen.length).toBe(2 * 11); // once to see that it changes, once to change it
  });

  it('makes what was sent before be paid again', () => {
    const turn = (id: number) => [said('user', 43), call(id), result(id, 793)];
    const { requests } = simulate(
      transcriptOf([said('system', 1991), ...[0, 1, 2].flatMap(turn), said('assistant', 10)]),
      { ...HISTORY, steps: filter(1) },
    );
    // a user 50, a call with its own overhead 52 and 18, a result 800: the first call and its result go before the last
    // turn
    expect(
      requests.map(({ firstChanged, paidAgain, with: { usage } }) => [
        firstChanged,
        paidAgain,
        usage.cacheRead,
        usage.cacheWrite5m,
      ]),
    ).toEqual([
      [undefined, 0, 0, 2053],
      [undefined, 0, 2053, 920],
      [2, 50, 2053, 970], // of what stays, the second user message had been sent behind the call
      [undefined, 0, 3023, 870],
    ]);
  });
});

describe('money', () => {
  it('is exact: a request read, written and answered at the prices of Sonnet 4.5', () => {
    const { requests, totals } = simulate(
      transcriptOf([
        said('system', 1987),
        said('user', 1000),
        said('assistant', 489),
        said('user', 100),
        said('assistant', 39),
      ]),
      { ...HISTORY, steps: [] },
    );
    // each message has 3 tokens and its role on top, each request 3
    expect(
      requests.map(({ without: { usage } }) => [usage.input, usage.cacheRead, usage.cacheWrite5m, usage.output]),
    ).toEqual([
      [0, 0, 3006, 501],
      [0, 3006, 608, 51],
    ]);
    expect(requests.map(({ without }) => without.cost)).toEqual([
      3006n * 3_750_000n + 501n * 15_000_000n,
      3006n * 300_000n + 608n * 3_750_000n + 51n * 15_000_000n,
    ]);
    expect(totals.with).toEqual(totals.without);
  });

  it('is not known without a price', () => {
    expect(
      simulate(transcriptOf([said('user', 10), said('assistant', 10)], { model: 'nobody-1' }), {
        ...HISTORY,
        steps: [],
      }).totals.without.cost,
    ).toBeUndefined();
  });
});

describe('recorded usage', () => {
  const recorded = (role: 'user' | 'assistant', length: number, said: Recorded): Message => ({
    role,
    parts: [text(length)],
    raw: said,
  });
  const usage = (input: number, cacheRead: number, cacheWrite5m: number, output: number) =>
    usageOf({ input, cacheRead, cacheWrite5m, output });
  const log = transcriptOf(
    [
      recorded('user', 100, { time: 0 }),
      recorded('assistant', 50, { time: 1000, usage: usage(4, 0, 9996, 60) }),
      recorded('user', 100, { time: 2000 }),
      recorded('assistant', 50, { time: 3000, usage: usage(4, 9996, 400, 70) }),
      recorded('user', 100, { time: 400_000 }),
      recorded('assistant', 50, { time: 401_000, usage: usage(4, 0, 10_796, 80) }),
    ],
    { recorded: ({ raw }) => raw as Recorded | undefined },
  );
  const { requests, prediction, tokensSource } = simulate(log, { ...HISTORY, steps: [] });

  it('says how long prompts were, and what was written', () => {
    expect(tokensSource).toBe('recorded');
    expect(requests.map(({ without }) => [promptTokens(without.usage), without.usage.output])).toEqual([
      [10_000, 60],
      [10_400, 70],
      [10_800, 80],
    ]);
  });

  it('is replayed: no request reads more than it did', () => {
    expect(requests.map(({ without }) => without.usage.cacheRead)).toEqual([0, 9996, 0]);
    expect(prediction).toMatchObject({ requests: 3, predicted: 9996, recorded: 9996, prompt: 31_200, off: 0 });
  });

  it('is what the cache is checked against if a cache is named: the five minutes count', () => {
    const { requests, prediction } = simulate(log, { ...HISTORY, steps: [] }, { cache: 'anthropic' });
    expect(requests.map(({ without }) => without.usage.cacheRead)).toEqual([0, 10_000, 0]);
    expect(prediction).toMatchObject({ predicted: 10_000, recorded: 9996, off: 4 });
  });

  it('of a reply that is not written down makes a request too', () => {
    const { requests } = simulate(transcriptOf([said('user', 93)], { reply: { usage: usage(200, 0, 0, 9) } }), {
      ...HISTORY,
      steps: [],
    });
    expect(
      requests.map(({ message, without }) => [message, promptTokens(without.usage), without.usage.output]),
    ).toEqual([[1, 200, 9]]);
  });

  it('shows where a context was begun anew', () => {
    const told = (prompt: number, id: number): Message =>
      recorded('assistant', 50, { responseId: `r${id}`, usage: usage(prompt, 0, 0, 5) });
    const { requests } = simulate(
      transcriptOf(
        [
          recorded('user', 90, {}),
          told(20_000, 1),
          recorded('user', 90, {}),
          told(20_150, 2),
          recorded('user', 500, {}),
          told(9000, 3),
        ],
        { recorded: log.recorded! },
      ),
      { ...HISTORY, steps: [] },
      { cache: 'anthropic' },
    );
    expect(requests.map(({ without: { usage } }) => [promptTokens(usage), usage.cacheRead])).toEqual([
      [20_000, 0],
      [20_150, 20_000],
      [9000, 0],
    ]);
  });

  it.each([
    // its first request finds what another session left
    ['claude-code/short.jsonl', { requests: 2, prompt: 44_007, recorded: 36_009, predicted: 36_009, off: 0 }],
    // its last request reads what requests wrote that the log does not hold
    [
      'codex-rollout/vibe-coding-tracker.jsonl',
      { requests: 4, prompt: 40_311, recorded: 18_688, predicted: 18_688, off: 0 },
    ],
  ])('of %s is predicted', (file, expected) => {
    const [transcript] = openText(readFileSync(`fixtures/formats/${file}`)).transcripts;
    expect(simulate(transcript!, { ...HISTORY, steps: [] }).prediction).toMatchObject(expected);
  });
});

describe('a sweep', () => {
  const session = transcriptOf([
    said('system', 2000),
    ...Array.from({ length: 8 }, (_, turn) => [
      said('user', 50),
      call(turn),
      result(turn, 800),
      said('assistant', 40),
    ]).flat(),
  ]);
  const stage = prepareReplay(session, byLength(SONNET), OPTIONS);
  const axes = [{ name: 'max-tool-calls', steps: [0], key: 'maxToolCalls', values: [0, 2, 4, 8] }];
  const outcomes = outcomesOf([stage], candidatesOf(filter(1), axes), HISTORY, undefined);

  it('names every combination', () => {
    const both = [...axes, { name: 'unit', steps: [0], key: 'unit', values: ['result', 'round'] }];
    expect(candidatesOf(filter(1), both).map(({ label }) => label)).toEqual(
      [0, 2, 4, 8].flatMap((limit) => ['result', 'round'].map((unit) => `max-tool-calls=${limit} unit=${unit}`)),
    );
    expect(candidatesOf(filter(1), both)[3]!.steps[0]!.values).toMatchObject({ maxToolCalls: 2, unit: 'round' });
  });

  it('gives the value of an axis to each of its steps', () => {
    const steps = [...filter(1), ...stepsOf([{ transform: 'truncate', maxLength: 5000 }, 'dedupe'])];
    const [candidate] = candidatesOf(steps, [{ name: 'every', steps: [0, 2], key: 'every', values: [20] }]);
    expect(candidate!.label).toBe('every=20');
    expect(candidate!.steps.map(({ values }) => values['every'])).toEqual([20, undefined, 20]);
  });

  it('finds the cheapest, and what nothing else is better than', () => {
    expect(
      outcomes.map(({ label, totals, isFrontier }) => [label, totals.resultsKept, isFrontier, totals.with.cost]),
    ).toEqual([
      ['no policy', 64, true, 77_216_400_000n],
      ['max-tool-calls=0', 8, true, 62_482_800_000n],
      ['max-tool-calls=2', 34, true, 107_100_900_000n],
      ['max-tool-calls=4', 52, true, 116_401_050_000n],
      ['max-tool-calls=8', 64, false, 77_216_400_000n], // as no policy
    ]);
    expect(cheapestOf(outcomes).label).toBe('max-tool-calls=0');
    const off = prepareReplay(session, byLength(SONNET), { ...OPTIONS, cache: 'off' });
    const dearer = outcomesOf(
      [off],
      candidatesOf(
        [...filter(2), ...stepsOf([{ transform: 'truncate', maxLength: 5000 }])],
        [{ name: 'max-length', steps: [1], key: 'maxLength', values: [1000, 5000] }],
      ),
      ALL,
      undefined,
    );
    expect(dearer.map(({ isFrontier }) => isFrontier)).toEqual([true, true, false]); // the last two are equal
  });

  it('finds what keeps most within a budget', () => {
    const costs = outcomes.map(({ totals }) => totals.with.cost!);
    expect(mostKeptWithin(outcomes, costs[1]!)!.label).toBe('max-tool-calls=0');
    expect(mostKeptWithin(outcomes, costs[2]!)!.label).toBe('no policy');
    expect(mostKeptWithin(outcomes, 1n)).toBeUndefined();
    expect(mostKeptWithin(outcomes, 10n ** 15n)!.totals.resultsKept).toBe(outcomes[0]!.totals.resultsKept);
  });
});

it('shows what a context of 4,280 tokens costs that is sent again', () => {
  const context = transcriptOf(
    [said('user', 260), { ...call(1), parts: [text(90), ...call(1).parts] }, result(1, 3886)],
    { model: 'gpt-4o' },
  );
  const { tokens, attempts } = retriesOf(context, byLength('gpt-4o'), stepsOf(['strip']), 3, prices, undefined);
  expect(tokens).toBe(4280);
  expect(attempts.map((attempt) => attempt.tokens)).toEqual([4280, 8560, 12_840, 17_120]);
  expect(attempts.map((attempt) => attempt.cost)).toEqual([
    10_700_000_000n,
    21_400_000_000n,
    32_100_000_000n,
    42_800_000_000n,
  ]);
  expect(attempts.map((attempt) => attempt.strippedTokens)).toEqual([4280, 4280 + 270, 4280 + 2 * 270, 4280 + 3 * 270]);
  expect(perYear(attempts[3]!.cost, { users: 10, questions: 5, subtasks: 2 })).toBe(42_800_000_000n * 100n * 365n);
});

describe('whatever is recorded', () => {
  const message = fc.oneof(
    fc.record({ kind: fc.constant('user'), length: fc.nat(3000) }),
    fc.record({ kind: fc.constant('answer'), length: fc.nat(500) }),
    fc.record({ kind: fc.constant('call'), length: fc.nat(3000) }),
  );
  const transcripts = fc
    .array(message, { maxLength: 25 })
    .map((kinds) =>
      transcriptOf([
        said('system', 1500),
        ...kinds.flatMap(({ kind, length }, id) =>
          kind === 'user'
            ? [said('user', length)]
            : kind === 'answer'
              ? [said('assistant', length)]
              : [call(id), result(id, length)],
        ),
      ]),
    );
  const policies = fc.record({
    limit: fc.nat(4),
    scope: fc.constantFrom('history' as const, 'all' as const),
    carries: fc.boolean(),
  });
  const caches = fc.constantFrom('off', ...CACHES.map(({ id }) => id));

  it('never reads more than the prompt, nothing if the cache is off, and sends no more than without the filter', () => {
    fc.assert(
      fc.property(
        transcripts,
        policies,
        caches,
        fc.option(fc.nat(400), { nil: undefined }),
        (transcript, { limit, scope, carries }, cache, idle) => {
          for (const { without, with: sent, callsAfter, callsBefore } of simulate(
            transcript,
            { scope, carries, steps: filter(limit) },
            { cache, idle },
          ).requests) {
            for (const { usage } of [without, sent]) {
              expect(Object.values(usage).every((tokens) => tokens >= 0)).toBe(true);
              if (cache === 'off') expect(usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h).toBe(0);
            }
            expect(promptTokens(sent.usage)).toBeLessThanOrEqual(promptTokens(without.usage));
            expect(callsAfter).toBeLessThanOrEqual(callsBefore);
          }
        },
      ),
      runs(1 / 200),
    );
  });

  it('has two equal sides without a policy, and comes out the same again', () => {
    fc.assert(
      fc.property(transcripts, policies, caches, (transcript, { limit, scope, carries }, cache) => {
        for (const { without, with: sent, firstChanged } of simulate(
          transcript,
          { scope, carries, steps: [] },
          { cache },
        ).requests)
          expect([sent, firstChanged]).toEqual([without, undefined]);
        const policy = { scope, carries, steps: filter(limit) };
        expect(simulate(transcript, policy, { cache })).toEqual(simulate(transcript, policy, { cache }));
      }),
      runs(1 / 200),
    );
  });
});

it('is a function of the library', async () => {
  const library = (await import('../../../src/index.js')) as typeof import('../../../src/index.js');
  const messages = JSON.parse(readFileSync('fixtures/transforms/filter/eight-cities-3/input.json', 'utf8')) as object[];
  const { transcripts } = await library.simulate(messages, [{ transform: 'filter', maxToolCalls: 3 }], {
    countTokens: (text) => text.length,
    model: 'gpt-4o',
    prices,
  });
  expect(transcripts[0]!.requests.map(({ calls_after }) => calls_after)).toEqual([
    0, 1, 1, 2, 2, 3, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4,
  ]);
  const [opened] = library.open(JSON.stringify(messages)).transcripts;
  expect((await library.simulate(opened!, ['patch'])).totals.requests).toBe(16);
  await expect(library.simulate(messages, [], { cache: 'redis' })).rejects.toThrow('`options.cache` is "redis"');
});

describe('looks at what each request sends beyond the one before, not at all of it', () => {
  const truncate = stepsOf([{ transform: 'truncate', maxLength: 100, noMinimum: true }]);
  const chat = (_: number) => [said('user', 40), said('assistant', 30)];
  const round = (id: number) => [call(id), result(id, 793)];
  it.each<[string, (id: number) => Message[], Policy]>([
    ['a chat', chat, { ...HISTORY, steps: [] }],
    ['a chat, without old calls', chat, { ...HISTORY, steps: filter(1) }],
    ['a chat, without old calls of any run', chat, { ...ALL, steps: filter(1) }],
    ['a chat, cut', chat, { ...ALL, steps: truncate }],
    ['calls', round, { ...ALL, steps: [] }],
    ['calls, cut', round, { ...ALL, steps: truncate }],
  ])('%s', (_, messagesOf, policy) => {
    const looksAt = (times: number) => {
      let looks = 0;
      const messages = Array.from({ length: times }, (_, id) => messagesOf(id))
        .flat()
        .map(({ parts, ...message }) => ({
          ...message,
          get parts() {
            looks++;
            return parts;
          },
        }));
      expect(simulate(transcriptOf(messages), policy).totals.requests).toBe(times);
      return looks;
    };
    expect(looksAt(400)).toBeLessThan(4.2 * looksAt(100));
  });
});

it('images that a model wrote cost what they cost', () => {
  const usage = usageOf({ input: 1000, output: 1290, media: { outputImage: 1290 } });
  const recorded = ({ role }: Message): Recorded | undefined => (role === 'assistant' ? { usage } : undefined);
  const messages = [said('user', 1000), said('assistant', 1)];
  const { totals } = simulate(transcriptOf(messages, { model: 'gemini-2.5-flash-image', recorded }), {
    steps: filter(1),
    ...HISTORY,
  });
  expect(totals.without.cost).toBe(1290n * 30_000_000n + 1000n * 300_000n);
});
