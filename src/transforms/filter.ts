import { addAll, greatest } from '../lists.js';
import { type Language, languageOption } from '../options/language.js';
import { type CallSite, isOpen, type Pairing, pair } from '../transcript/pairs.js';
import { currentRun, turns } from '../transcript/turns.js';
import type { Message, Traits, Transcript } from '../transcript/types.js';
import { agingFor } from './aging.js';
import { partsOfCalls, withoutParts } from './drop-calls.js';
import { emptiedTurns, openingOf } from './emptied-turns.js';
import { byFirstResult, everyOption, roundOf } from './every.js';
import { keepingFor, keepingOptions } from './keeping.js';
import { withMarkers } from './markers.js';
import { type DuesOf, goOn, ongoingFor } from './ongoing.js';
import { type Due, decidingFor, type Going, goingOf, isCounted, isGrouped, type Pace, sizeOf } from './pace.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform, type Longer } from './transform.js';

export default defineTransform({
  id: 'filter',
  summary: 'keep the last N tool calls',
  description:
    'Drops every answered tool call except the last N, with its result. An assistant message that loses all its ' +
    'calls keeps its text, and is dropped if it has none; user and system messages stay. A transcript with N or ' +
    'fewer results does not change. Calls and results pair by order: an id that is used twice means two calls. ' +
    'Legacy messages (function_call, role function) do not change. Answers of a person stay, and so do the last ' +
    'plan and the last failed call.',
  options: {
    maxToolCalls: {
      type: 'integer',
      least: 0,
      value: 'n',
      summary: 'how many to keep, newest first; 0 drops all (required)',
    },
    unit: {
      type: 'choice',
      choices: ['result', 'round'],
      default: 'result',
      summary: 'what to count: results, or rounds (an assistant message with all its results)',
    },
    scope: {
      type: 'choice',
      choices: ['all', 'history'],
      default: 'all',
      summary: 'history: do not change the current run (all after the last user message)',
    },
    pending: {
      type: 'choice',
      choices: ['keep', 'drop'],
      default: 'keep',
      excludes: ['scope=history'],
      summary: 'what to do with calls without a result at the end of the transcript',
    },
    dropUser: { type: 'flag', summary: 'also drop the user message of a turn whose calls were all dropped' },
    marker: {
      type: 'flag',
      excludes: ['dropUser'],
      summary: 'leave a message for each run of dropped calls, but none at the end: how many, of which tools',
    },
    ...languageOption,
    ...keepingOptions,
    ...everyOption,
    ...toolOptions,
  },
  needs: ['maxToolCalls'],
  onlyTraffic: () => true,
  isMonotone: ({ dropUser, pending }, { messages }) =>
    dropUser !== true && pending === 'keep' && pair(messages).results.every(({ standing }) => standing !== 'early'),
  continues: ({ every, ...options }, transcript) => isGrouped(every) && goesAsItGrows(transcript, options),
  /** What went stays gone, and what is kept decides what goes next. */
  resume(longer, options) {
    const { now, added, before, after, apply } = longer;
    const { every, dropUser, marker, pending } = options;
    if (typeof every === 'object' || dropUser === true || marker === true || pending !== 'keep') return undefined;
    if (every === 'auto') return resumeAuto(longer, options);
    if (isCounted(every) && isOneRound(before.messages, added)) return undefined;
    return apply(before === after ? now : { ...now, messages: [...after.messages, ...added] });
  },
  apply(transcript, options) {
    const { messages } = transcript;
    const pairing = pair(messages);
    const going = goingIn(transcript, pairing, options)(messages.length);
    if (going.length === 0) return transcript;

    const dropped: CallSite[] = [];
    for (const { what } of going) addAll(dropped, what);
    const end = endOf(messages, options);
    const matches = toolMatcher(options);
    if (options.pending === 'drop' && end === messages.length)
      addAll(
        dropped,
        pendingCalls(messages, pairing).filter((call) => matches(call.part.tool)),
      );
    const removed = partsOfCalls(dropped);
    for (const { part, call, message } of pairing.results)
      if (call === undefined && !part.legacy && message < end && (part.tool === undefined || matches(part.tool)))
        removed.add(part);
    if (options.marker === true) return withMarkers(transcript, removed, options.lang);
    if (options.dropUser !== true) return withoutParts(transcript, removed);
    // a turn that may have got calls after the group was full keeps its user message until the next group goes
    const full = options.every === 1 ? messages.length : greatest(going.map(({ ready }) => ready));
    const ended = turns(messages).filter((turn) => turn.end <= full);
    const emptied = emptiedTurns(ended, messages, removed);
    const left = withoutParts(transcript, removed, emptied);
    const opening = openingOf(transcript, left);
    return opening === undefined || !emptied.delete(opening) ? left : withoutParts(transcript, removed, emptied);
  },
});

export interface FilterOptions extends Pace {
  readonly maxToolCalls: number | undefined;
  readonly unit: 'result' | 'round';
  readonly scope: 'all' | 'history';
  readonly pending: 'keep' | 'drop';
  readonly dropUser: boolean | undefined;
  readonly marker: boolean | undefined;
  readonly lang?: Language | undefined;
  readonly everything: boolean | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

function resumeAuto(longer: Longer, options: FilterOptions): Transcript {
  const { now } = longer;
  return goOn(longer, {
    begin: () => ongoingFor<Unit>(duesFor(now.traits, options), decidingFor(now, options, { isWhole: true })),
    without: (all, units) => withoutParts(all, partsOfCalls(units.flat())),
  });
}

/**
 * Whether only calls go, one by one: a result without a call goes when calls go, and while a result is missing that
 * comes behind later messages of the model, the round of its call seems to be another. One before its call has none
 * yet.
 */
export function goesAsItGrows(
  { messages }: Transcript,
  { dropUser, marker, pending }: Pick<FilterOptions, 'dropUser' | 'marker' | 'pending'>,
): boolean {
  return (
    dropUser !== true &&
    marker !== true &&
    pending === 'keep' &&
    pair(messages).results.every(({ standing }) => standing === 'in place')
  );
}

function endOf(messages: readonly Message[], { scope }: Pick<FilterOptions, 'scope'>): number {
  return scope === 'history' ? currentRun(messages) : messages.length;
}

/** The calls that go. */
export function goingIn(transcript: Transcript, { calls }: Pairing, options: FilterOptions): Going<Unit> {
  const end = endOf(transcript.messages, options);
  return goingOf(transcript, duesFor(transcript.traits, options)(transcript, calls, end), options, { isWhole: true });
}

type Unit = readonly CallSite[];

/** Each unit can go when as many as are kept came after it; of the history, when the user wrote after that. */
function duesFor(traits: Traits, options: FilterOptions): DuesOf<Unit> {
  const matches = toolMatcher(options);
  const keeping = keepingFor(traits, options.everything);
  const isTogether = isCounted(options.every);
  const weightOf = ({ length }: Unit) => (options.unit === 'result' ? length : 1);
  const aging = agingFor<Unit>(Math.max(0, options.maxToolCalls ?? Number.POSITIVE_INFINITY), weightOf);
  return ({ messages }, calls, end = Number.POSITIVE_INFINITY) => {
    const answered = calls.filter(
      (call) => !call.part.legacy && !isOpen(call) && call.results[0]!.message < end && matches(call.part.tool),
    );
    keeping.add(calls);
    const endOfRun = options.scope === 'history' ? runEnds(messages) : (at: number) => at;
    const old = aging.add(
      isTogether || options.unit === 'round'
        ? roundsOf(answered, (call) => (isTogether ? roundOf(call, messages) : call.message))
        : byFirstResult(answered).map((call) => [call]),
      ([call]) => call!.results[0]!.message,
      (unit, since) => endOfRun(unit.reduce((ready, call) => Math.max(ready, keeping.mayGo(call)), since)),
    );
    const freesOf = options.every === 'auto' ? freedBy : () => NOTHING;
    return old.map(({ what, ready, rank }) => ({ what, ready, rank, calls: what.length, frees: freesOf(what) }));
  };
}

const NOTHING: Due<Unit>['frees'] = [];

function freedBy(unit: Unit): Due<Unit>['frees'] {
  const frees: (readonly [message: number, size: number])[] = [];
  for (const { part, message, results } of unit) {
    frees.push([message, sizeOf(part)]);
    for (const result of results) frees.push([result.message, sizeOf(result.part)]);
  }
  return frees;
}

/** The user message that ends the run of a message; infinite if none does. */
function runEnds(messages: readonly Message[]): (message: number) => number {
  const ends = messages.map(() => Number.POSITIVE_INFINITY);
  for (let at = ends.length - 2; at >= 0; at--) ends[at] = messages[at + 1]!.role === 'user' ? at + 1 : ends[at + 1]!;
  return (message) => ends[message] ?? Number.POSITIVE_INFINITY;
}

/** Whether a reply goes on, behind results of its first calls. */
function isOneRound(before: readonly Message[], added: readonly Message[]): boolean {
  const group = added.find(({ role }) => role === 'assistant')?.group;
  return group !== undefined && before.some((message) => message.group === group);
}

/** Answered calls by the message, or the reply, that made them. */
function roundsOf(answered: readonly CallSite[], keyOf: (call: CallSite) => unknown): readonly Unit[] {
  const rounds = new Map<unknown, CallSite[]>();
  for (const call of answered) {
    const key = keyOf(call);
    const round = rounds.get(key);
    if (round === undefined) rounds.set(key, [call]);
    else round.push(call);
  }
  return [...rounds.values()];
}

/** The open calls of the last message: only results follow it. */
function pendingCalls(messages: readonly Message[], { calls }: Pairing): readonly CallSite[] {
  const last = messages.findLastIndex((message) => message.role !== 'tool' && message.role !== 'meta');
  return calls.filter((call) => isOpen(call) && call.message === last);
}
