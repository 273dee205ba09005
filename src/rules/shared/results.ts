/** Results that are not right after their call: without a call, misplaced, duplicate, or split over messages. */
import type { CallSite, Pairing, ResultSite } from '../../transcript/pairs.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Fix, Problem, RuleContext } from '../rule.js';
import { nameOfCall, nameOfResult } from './calls.js';
import { withJoined } from './neighbors.js';
import { ANSWER, unansweredCalls } from './unanswered.js';
import { withoutParts } from './without-parts.js';

/** The result of a call to keep: the first in place, else the first. */
export function keptResult({ results }: CallSite): ResultSite | undefined {
  if (results.length < 2) return results[0];
  const known = keptOf.get(results) ?? results.find(({ standing }) => standing === 'in place') ?? results[0]!;
  keptOf.set(results, known);
  return known;
}

/** A call may have very many results: they are searched once. */
const keptOf = new WeakMap<readonly ResultSite[], ResultSite>();

/** A result without a call, and the last message before it that is no result. */
export interface Orphan {
  readonly site: ResultSite;
  readonly leader: Message | undefined;
  /** Whether that message, or a piece of it, calls a tool. */
  readonly followsCall: boolean;
}

export function orphansOf({ transcript: { messages }, pairing }: RuleContext): Orphan[] {
  const orphans = pairing.results.filter(({ call }) => call === undefined);
  if (orphans.length === 0) return [];
  const homeOf = (index: number) => messages[index]?.group ?? index;
  const callers = new Set(pairing.calls.map(({ message }) => homeOf(message)));
  let leader = -1;
  let seen = 0; // messages before this index were searched for the leader
  return orphans.map((site) => {
    for (; seen < site.message; seen++)
      if (messages[seen]!.role !== 'tool' && messages[seen]!.role !== 'meta') leader = seen;
    return { site, leader: messages[leader], followsCall: callers.has(homeOf(leader)) };
  });
}

export function* strayResults({ pairing }: RuleContext): Generator<Problem> {
  for (const result of pairing.results) {
    const { part, message } = result;
    const reason = reasonOf(result);
    if (reason !== undefined) yield { message, part, callId: part.callId, text: `${nameOfResult(result)} ${reason}` };
  }
}

function reasonOf(result: ResultSite): string | undefined {
  if (result.call === undefined) return 'answers no call';
  if (result !== keptResult(result.call)) return 'answers a call that already has a result';
  return result.standing === 'in place' ? undefined : 'is not right after its call';
}

/**
 * Removes surplus results. Misplaced results move to their calls, unless this would also add placeholder results: this
 * fix must not invent any.
 */
export const CLEAR_STRAYS: Fix = {
  safety: 'lossy',
  onlyMoves: (context) =>
    ANSWER.onlyMoves!(context) &&
    context.pairing.results.every((result) => result.call !== undefined && result === keptResult(result.call)),
  summary: 'Move results to their calls, and remove results without a call.',
  reaches({ pairing }, { part }) {
    const { byPart, areAnswered } = resultsOf(pairing);
    const result = byPart.get(part);
    return result?.call === undefined || result !== keptResult(result.call) || areAnswered;
  },
  apply(context, problems) {
    const { transcript, pairing } = context;
    const wrong = new Set(problems.map(({ part }) => part));
    const strays = pairing.results.filter(({ part }) => wrong.has(part));
    const surplus = strays.filter((result) => result.call === undefined || result !== keptResult(result.call));
    const moves = strays.length > surplus.length && resultsOf(pairing).areAnswered;
    return withoutParts({ ...context, transcript: moves ? ANSWER.apply(context, problems) : transcript }, surplus);
  },
};

interface Results {
  readonly byPart: ReadonlyMap<Part | undefined, ResultSite>;
  /** Whether each call has a result. */
  readonly areAnswered: boolean;
}

/** Each of very many problems asks for them. */
const known = new WeakMap<Pairing, Results>();

function resultsOf(pairing: Pairing): Results {
  const before = known.get(pairing);
  if (before !== undefined) return before;
  const byPart = new Map(pairing.results.map((result) => [result.part, result]));
  const made = { byPart, areAnswered: pairing.calls.every(({ results }) => results.length > 0) };
  known.set(pairing, made);
  return made;
}

/** Results of one turn in several messages. In formats other than the provider's this is normal. */
function* splitResults({ transcript: { messages }, wire }: RuleContext): Generator<Problem> {
  let before: Message | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'meta') continue;
    if (
      message.role === 'tool' &&
      before?.role === 'tool' &&
      wire(message) !== undefined &&
      wire(before) !== undefined
    ) {
      const part = message.parts.find(({ type }) => type === 'result');
      const callId = part?.type === 'result' ? part.callId : undefined;
      yield {
        message: index,
        part,
        callId,
        text: `the result${callId ? ` (${callId})` : ''} is in a separate message after other results`,
      };
    }
    before = message;
  }
}

/** Unanswered calls of a message whose other calls are answered: all results share one message, so none will follow. */
function* partlyAnswered(
  { transcript: { messages }, pairing: { calls }, wire }: RuleContext,
  reported: ReadonlySet<unknown>,
): Generator<Problem> {
  const answeredIn = new Set(
    calls
      .filter(({ results }) => results.some(({ message }) => wire(messages[message]!) !== undefined))
      .map(({ message }) => message),
  );
  for (const { part, message, results } of calls)
    if (answeredIn.has(message) && results.length === 0 && !reported.has(part))
      yield {
        message,
        part,
        callId: part.callId,
        text: `${nameOfCall(part)} has no result, but other calls of its message have one`,
      };
}

/** Problems for a provider that requires all results of a message in the next message. */
export function* missingOrSplitResults(context: RuleContext): Generator<Problem> {
  const unanswered = [...unansweredCalls(context)];
  yield* unanswered;
  yield* partlyAnswered(context, new Set(unanswered.map(({ part }) => part)));
  yield* splitResults(context);
}

export const RESULTS_TOGETHER: Fix = {
  ...ANSWER,
  summary:
    'Join separate results, move late results to their calls, and add a placeholder result for each unanswered call.',
  apply(context, problems) {
    const transcript = withJoined(
      context,
      new Set([...splitResults(context)].map(({ message }) => message!)),
      ({ role }) => role === 'tool',
    );
    if (transcript !== context.transcript) return transcript; // the next round adds what is missing
    const isHalf = [...partlyAnswered(context, new Set())].length > 0;
    return ANSWER.apply(isHalf ? { ...context, asRequest: true } : context, problems);
  },
};
