/**
 * `every` and `low-water`: a transcript grows request by request, and what is sent keeps its beginning until a whole
 * group of calls is due, or the budget is exceeded. Otherwise the provider's prompt cache is lost with each request.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultsOf } from '../../src/options/option.js';
import { isOpen, pair } from '../../src/transcript/pairs.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { roundOf } from '../../src/transforms/every.js';
import { transformNamed } from '../../src/transforms/index.js';
import { applySteps, type Step } from '../../src/transforms/pipeline.js';
import { requestTokens } from '../../src/transforms/request.js';
import { complaints, judged } from '../shared/judge.js';
import { lawful } from '../shared/lawful.js';
import { meaningOf, openText } from '../shared/opened.js';
import { HISTORY_FORMATS, historyOf, type Turn } from '../shared/random-histories.js';
import { runs } from '../shared/random-runs.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';

type Values = Readonly<Record<string, unknown>>;
type Trial = readonly [id: string, options: Values];

/** A request: the transcript up to it, and what is sent after the steps. */
interface Request {
  readonly prompt: Transcript;
  readonly sent: Transcript;
}

// --- random transcripts: each call has its result right behind it, and the same call comes again and again

const rounds = fc
  .array(
    fc.record({
      says: fc.constantFrom('', 'Now I look.'),
      calls: fc.array(fc.tuple(fc.constantFrom('search', 'read'), fc.constantFrom('x', 'y')), {
        minLength: 1,
        maxLength: 3,
      }),
      length: fc.constantFrom(3, 120, 400),
    }),
    { maxLength: 8 },
  )
  .map((all): readonly Round[] => all);
/** What pays is long. */
const LONG = 40;
interface Round {
  readonly says: string;
  readonly calls: readonly (readonly [tool: string, query: string])[];
  readonly length: number;
}

const chat = fc
  .array(fc.record({ rounds, answer: fc.boolean() }), { minLength: 1, maxLength: 6 })
  .map((exchanges): readonly Turn[] => exchanges.flatMap(turnsOf));

function turnsOf(
  { rounds: all, answer }: { readonly rounds: readonly Round[]; readonly answer: boolean },
  exchange: number,
): Turn[] {
  return [
    { who: 'user', content: `Question ${exchange}` },
    ...all.flatMap(({ says, calls, length }, round): Turn[] => {
      const made = calls.map(([name, q], index) => ({ id: `c${exchange}_${round}_${index}`, name, input: { q } }));
      return [
        { who: 'assistant', content: says, calls: made },
        {
          who: 'tool',
          results: made.map(({ id, name }) => ({ id, name, content: `${id} ${'r'.repeat(length)}` })),
          says: undefined,
        },
      ];
    }),
    ...(answer || all.length === 0
      ? [{ who: 'assistant', content: `Answer ${exchange}`, calls: [] } satisfies Turn]
      : []),
  ];
}

const histories = fc
  .tuple(fc.constantFrom(...HISTORY_FORMATS), chat, fc.boolean())
  .map(([format, turns, withIds]) => JSON.stringify(historyOf(format, turns, withIds)));
const longHistories = histories.map((text) => text.replaceAll(/r{100,}/g, (all) => all.repeat(LONG)));

function some(options: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<Values> {
  return fc.record(
    Object.fromEntries(Object.entries(options).map(([key, values]) => [key, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  );
}

const every = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(undefined, 'calls', 'rounds'))
  .map(([n, unit]) => (unit === undefined ? n : `${n} ${unit}`));
const tool = [['search'], ['re*']];
const filter = fc
  .tuple(
    every,
    fc.integer({ min: 0, max: 4 }),
    some({ unit: ['round'], scope: ['history'], dropUser: [true], marker: [true], tool }),
  )
  .map(([n, maxToolCalls, more]): Trial => ['filter', { ...more, every: n, maxToolCalls }]);
const clear = fc
  .tuple(
    every,
    fc.integer({ min: 0, max: 4 }),
    some({ trigger: [600], clearAtLeast: [100], clearInputs: [true], tool }),
  )
  .map(([n, keep, more]): Trial => ['clear', { trigger: 0, ...more, every: n, keep }]);
const dedupe = fc
  .tuple(every, some({ ignoreArg: [['q']], tool }))
  .map(([n, more]): Trial => ['dedupe', { ...more, every: n }]);
const stale = fc
  .tuple(every, some({ reads: [true], tool }))
  .map(([n, more]): Trial => ['stale', { pathArg: ['read=q'], editPathArg: ['search=q'], ...more, every: n }]);
const fit = fc
  .tuple(
    fc.constantFrom(200, 700, 2000),
    fc.constantFrom(0.3, 0.5, 0.7, 1),
    some({ everything: [true], unit: ['round', 'auto'] }),
  )
  .map(([maxTokens, lowWater, more]): Trial => ['fit', { ...more, maxTokens, lowWater }]);

const auto = fc
  .tuple(fc.oneof(filter, clear, dedupe, stale), fc.constantFrom('anthropic', 'openai', 'deepseek', 'off'))
  .map(([[id, { dropUser: _, ...options }], promptCache]): Trial => [id, { ...options, every: 'auto', promptCache }]);

// --- requests

function stepOf([id, options]: Trial): Step {
  const transform = transformNamed(id);
  return { transform, values: { ...defaultsOf(transform.options), ...options } as Step['values'] };
}

const apply = (transcript: Transcript, trial: Trial) => applySteps(transcript, [stepOf(trial)], CHARACTERS);

/** The ends of all prompts: before each reply of the model, and the end. */
function promptEnds(messages: readonly Message[]): number[] {
  const ends: number[] = [];
  let isReply = true; // before the first user message there is no prompt
  messages.forEach(({ role, parts }, index) => {
    if (role === 'meta') return;
    const isModel = role === 'assistant';
    if (isModel && !isReply) ends.push(index);
    isReply = isModel && !parts.some(({ type }) => type === 'result');
  });
  return [...ends, messages.length];
}

function requestsOf(transcript: Transcript, trial: Trial, ends = promptEnds(transcript.messages)): Request[] {
  return ends.map((end) => {
    const prompt = { ...transcript, messages: transcript.messages.slice(0, end) };
    return { prompt, sent: apply(prompt, trial) };
  });
}

/** What is sent, message by message. */
function said({ messages }: Transcript): string[] {
  return messages.filter(({ role }) => role !== 'meta').map(sentText);
}

/** Most messages of a request are those of the request before. */
const texts = new WeakMap<Message, string>();
function sentText(message: Message): string {
  const text = texts.get(message) ?? JSON.stringify(meaningOf(message));
  texts.set(message, text);
  return text;
}

/** The requests that do not begin with all that the request before them sent. */
function breaksIn(requests: readonly Request[]): readonly number[] {
  const texts = requests.map(({ sent }) => said(sent));
  return texts.flatMap((text, index) =>
    index > 0 && texts[index - 1]!.some((message, at) => text[at] !== message) ? [index] : [],
  );
}

/** Answered calls; or the messages that made them. */
function unitsIn({ messages }: Transcript, unit: unknown): number {
  const answered = pair(messages).calls.filter((call) => !isOpen(call));
  return unit === 'round' ? new Set(answered.map(({ message }) => message)).size : answered.length;
}

/** Answered calls that are not sent as they were; or the messages that made them. */
function goneIn({ prompt, sent }: Request, unit: unknown): number {
  const left = new Set(sent.messages.flatMap(({ parts }) => parts));
  const gone = pair(prompt.messages).calls.filter((call) => !isOpen(call) && !left.has(call.results[0]!.part));
  return unit === 'round' ? new Set(gone.map(({ message }) => message)).size : gone.length;
}

interface Paced {
  readonly n: number;
  readonly unit: unknown;
  /** Whether calls of a message stay together. */
  readonly isCounted: boolean;
}

function pacedBy(options: Values): Paced {
  const [digits, counted] = String(options['every']).split(' ');
  return { n: Number(digits), unit: counted?.slice(0, -1) ?? options['unit'], isCounted: counted !== undefined };
}

/** Whether calls go when others came after them; those of the other steps go by what these say. */
function goesByAge(id: string): boolean {
  return !['dedupe', 'stale', 'retries'].includes(id);
}

/** The beginning changes only for a whole group, and not more often than groups are full. */
function expectGroups(requests: readonly Request[], [id, options]: Trial): void {
  const { n, unit } = pacedBy(options);
  const kept =
    unit === 'round' && options['unit'] !== 'round' ? 0 : Number(options['maxToolCalls'] ?? options['keep'] ?? 0);
  let before = 0;
  for (const [index, at] of breaksIn(requests).entries()) {
    const name = `${id} ${JSON.stringify(options)}: break ${index + 1} at request ${at}`;
    const groups = Math.floor(Math.max(0, unitsIn(requests[at]!.prompt, unit) - kept) / n);
    expect(index + 1, name).toBeLessThanOrEqual(groups);
    const gone = goneIn(requests[at]!, unit);
    if (goesByAge(id)) expect(gone - before, name).toBeGreaterThanOrEqual(n);
    before = gone;
  }
}

/** Where nothing stays for longer, breaks are a group apart. */
function expectApart(requests: readonly Request[], [id, options]: Trial): void {
  if (!goesByAge(id) || options['scope'] === 'history' || Number(options['trigger'] ?? 0) > 0) return;
  const { n, unit, isCounted } = pacedBy(options);
  const units = requests.map(({ prompt }) => unitsIn(prompt, unit));
  const calls = isCounted ? requests.map(({ prompt }) => unitsIn(prompt, 'call')) : units;
  const breaks = breaksIn(requests);
  // several calls at once may fill a group early
  const slack = calls.reduce((most, now, index) => Math.max(most, now - (calls[index - 1] ?? 0)), 1) - 1;
  for (const [index, at] of breaks.slice(1).entries())
    expect(units[at]! - units[breaks[index]!]!).toBeGreaterThanOrEqual(n - slack);
}

describe('a growing transcript', () => {
  type Check = (transcript: Transcript, trial: Trial) => void;
  const law = (name: string, trials: fc.Arbitrary<Trial>, check: Check, texts = histories) => {
    it(name, () => {
      const property = fc.property(texts, trials, (text, trial) => {
        for (const transcript of openText(text).transcripts) check(transcript, trial);
      });
      fc.assert(property, runs(1 / 40));
    });
  };

  law(
    'keeps its beginning until a whole group of calls is due',
    fc.oneof(filter, clear, dedupe, stale),
    (whole, trial) => {
      const requests = requestsOf(whole, trial);
      expectGroups(requests, trial);
      expectApart(requests, trial);
    },
  );

  const dropping = filter.filter(([, options]) => typeof options['every'] === 'string');
  const clearing = clear.filter(([, options]) => typeof options['every'] === 'string');
  law('changes the calls of one message together', fc.oneof(dropping, clearing), (whole, trial) => {
    const [id, { tool: _, ...options }] = trial;
    const [n, unit] = String(options['every']).split(' ');
    for (const { prompt, sent } of requestsOf(whole, [id, options])) {
      const left = new Set(sent.messages.flatMap(({ parts }) => parts));
      const rounds = new Map<unknown, boolean[]>();
      for (const call of pair(prompt.messages).calls.filter((one) => !isOpen(one))) {
        const key = roundOf(call, prompt.messages);
        rounds.set(key, [...(rounds.get(key) ?? []), !left.has(call.results[0]!.part)]);
      }
      const changed = [...rounds.values()].filter((calls) => calls.includes(true));
      expect(changed.flat()).not.toContain(false);
      if (unit === 'rounds') expect(changed.length % Number(n)).toBe(0);
      else if (changed.length > 0) expect(changed.flat().length).toBeGreaterThanOrEqual(Number(n));
    }
  });

  law('keeps its beginning until the budget is exceeded, and is within it then', fit, (whole, trial) => {
    const requests = requestsOf(whole, trial);
    const budget = Number(trial[1]['maxTokens']);
    for (const at of breaksIn(requests)) {
      const [before, now] = [requests[at - 1]!, requests[at]!];
      const added = now.prompt.messages.slice(before.prompt.messages.length);
      const longer = { ...before.sent, messages: [...before.sent.messages, ...added] };
      expect(requestTokens(longer, CHARACTERS)).toBeGreaterThan(budget);
    }
    for (const { prompt, sent } of requests)
      if (requestTokens(sent, CHARACTERS) > budget)
        expect(said(sent)).toEqual(said(apply(prompt, ['fit', { ...trial[1], lowWater: undefined, maxTokens: 0 }])));
  });

  // what a trimmed context lost cannot be told from it: its tokens, calls of a turn, an answer between two questions
  const carried = fc
    .oneof(filter, clear, dedupe, stale, fit)
    .filter(([id, { dropUser, trigger, clearAtLeast, everything }]) =>
      [dropUser, clearAtLeast, (id === 'fit' && !everything) || undefined, trigger || undefined].every(
        (value) => value === undefined,
      ),
    );
  /** Where the last calls may go, no marker stands for them yet, and the trimmed context does not tell of them. */
  const unmarked = ({ marker, maxToolCalls }: Values, messages: string[]) =>
    marker === true && maxToolCalls === 0 ? messages.filter((one) => !one.includes('[Left out: ')) : messages;
  const goesOn: Check = (whole, trial) => {
    let context: readonly Message[] = [];
    let end = 0;
    for (const { prompt, sent } of requestsOf(whole, trial)) {
      const grown = { ...prompt, messages: [...context, ...prompt.messages.slice(end)] };
      const own = apply(grown, trial);
      expect(unmarked(trial[1], said(own))).toEqual(unmarked(trial[1], said(sent)));
      context = own.messages;
      end = prompt.messages.length;
    }
  };
  law('is the same for an agent that goes on from what it sent', carried, goesOn);
  const paying = auto.filter(([, { trigger, clearAtLeast }]) => !trigger && clearAtLeast === undefined);
  law('is the same when it goes on where that pays', paying, goesOn, longHistories);

  it('stays valid in every format, and is the same when it is done again', () => {
    const check = (text: string, [id, options]: Trial) => {
      const output = rewriteText(text, id, options);
      lawful(complaints(judged(text), judged(output)));
      expect(rewriteText(output, id, options)).toBe(output);
    };
    fc.assert(fc.property(histories, fc.oneof(filter, clear, dedupe, stale, fit), check), runs(1 / 40));
    fc.assert(fc.property(longHistories, auto, check), runs(1 / 20));
  });
});

describe('fifty questions of one length', () => {
  const questions = Array.from({ length: 50 }, (_, index): readonly Turn[] => [
    { who: 'user', content: `Question ${index + 10}` },
    { who: 'assistant', content: 'Answer'.repeat(10), calls: [] },
  ]).flat();
  const [transcript] = openText(JSON.stringify(historyOf('openai-chat', questions, true))).transcripts;
  const budget = 1000;
  const QUESTION = 30; // tokens: the next one may come after the answer that exceeds the budget

  it.each([
    [undefined, 40],
    [0.7, 10],
    [0.5, 7],
    [0.1, 4],
  ])('with --low-water %s, fit moves its cut %i times', (lowWater, moves) => {
    const requests = requestsOf(transcript!, ['fit', { maxTokens: budget, lowWater, everything: true }]);
    const breaks = breaksIn(requests);
    expect(breaks.length).toBe(moves);
    for (const at of breaks)
      expect(requestTokens(requests[at]!.sent, CHARACTERS)).toBeLessThanOrEqual((lowWater ?? 1) * budget + QUESTION);
  });
});

// --- recordings

/** Messages of a long recording, and requests of it, that are enough. */
const ENOUGH = { messages: 300, requests: 40 };

const TRIALS: readonly Trial[] = [
  ['filter', { maxToolCalls: 2, every: 4 }],
  ['filter', { maxToolCalls: 1, every: 3, unit: 'round', dropUser: true }],
  ['clear', { trigger: 0, keep: 2, every: 5, clearInputs: true }],
  ['stale', { every: 3 }],
  ['retries', { every: 3 }],
  ['dedupe', { every: 4, ignoreArg: ['path', 'command', 'file_path', 'query', 'cmd'] }],
];

/** The last plan and the last failure go like all others. */
const all = ([id, options]: Trial): Trial => [
  id,
  transformNamed(id).options['everything'] === undefined ? options : { ...options, everything: true },
];

const RECORDED = sampled([...fixtures(), ...sharedRecordings()], 'every').filter(
  ({ bytes }) => bytes.length < 5_000_000,
);

describe('recordings', () => {
  const found = { transcripts: 0, breaks: 0, formats: new Set<string>() };

  it.each(RECORDED)('$name', ({ bytes }) => {
    for (const opened of openText(bytes).transcripts) {
      const transcript = apply({ ...opened, messages: opened.messages.slice(0, ENOUGH.messages) }, ['patch', {}]);
      if (unitsIn(transcript, 'result') < 6) continue;
      const ends = promptEnds(transcript.messages);
      const step = Math.ceil(ends.length / ENOUGH.requests);
      const some = ends.filter((_, index) => index % step === 0);
      for (const trial of TRIALS) {
        const requests = requestsOf(transcript, trial, some);
        expectGroups(requests, trial);
        expectApart(requestsOf(transcript, all(trial), some), all(trial));
        found.breaks += breaksIn(requests).length;
      }
      found.transcripts++;
      found.formats.add(opened.format);
    }
  });

  it('has recordings on which the steps bite', () => {
    expect(found.transcripts).toBeGreaterThan(5);
    expect(found.formats.size).toBeGreaterThan(2);
    expect(found.breaks).toBeGreaterThan(5);
  });
});
