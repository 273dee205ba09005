/** Results that do not stand behind their call: they belong to none, to one further up or down, to one that has its result, or stand apart from the others. */
import type { CallSite, ResultSite } from '../../transcript/pairs.js';
import type { Message } from '../../transcript/types.js';
import type { Fix, Problem, RuleContext } from '../rule.js';
import { nameOfCall, nameOfResult } from './calls.js';
import { withJoined } from './neighbors.js';
import { ANSWER, unansweredCalls } from './unanswered.js';
import { withoutParts } from './without-parts.js';

/** Of several results of a call the one that stays: the first in place, else the first. */
export function keptResult({ results }: CallSite): ResultSite | undefined {
  if (results.length < 2) return results[0];
  const known = keptOf.get(results) ?? results.find(({ standing }) => standing === 'in place') ?? results[0]!;
  keptOf.set(results, known);
  return known;
}

/** A call may have as many results as there are: they are looked through once. */
const keptOf = new WeakMap<readonly ResultSite[], ResultSite>();

/** A result without a call, and the message that the run of results in which it stands follows. */
export interface Orphan {
  readonly site: ResultSite;
  readonly leader: Message | undefined;
  /** Whether that message, or a piece of it, made a call. */
  readonly behindCalls: boolean;
}

export function orphansOf({ transcript: { messages }, pairing }: RuleContext): Orphan[] {
  const orphans = pairing.results.filter(({ call }) => call === undefined);
  if (orphans.length === 0) return [];
  const homeOf = (index: number) => messages[index]?.group ?? index;
  const callers = new Set(pairing.calls.map(({ message }) => homeOf(message)));
  let leader = -1;
  let seen = 0; // up to here the leader is known
  return orphans.map((site) => {
    for (; seen < site.message; seen++)
      if (messages[seen]!.role !== 'tool' && messages[seen]!.role !== 'meta') leader = seen;
    return { site, leader: messages[leader], behindCalls: callers.has(homeOf(leader)) };
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

/** What is left over goes. What only stands elsewhere moves, unless calls without any result would be answered with it: that makes something up. */
export const CLEAR_STRAYS: Fix = {
  safety: 'lossy',
  summary: 'Move results to their calls, and remove results without a call.',
  apply(context, problems) {
    const { transcript, pairing } = context;
    const wrong = new Set(problems.map(({ part }) => part));
    const strays = pairing.results.filter(({ part }) => wrong.has(part));
    const gone = strays.filter((result) => result.call === undefined || result !== keptResult(result.call));
    const moves = strays.length > gone.length && pairing.calls.every(({ results }) => results.length > 0);
    return withoutParts({ ...context, transcript: moves ? ANSWER.apply(context, problems) : transcript }, gone);
  },
};

/** Results of one message's calls in several messages. Only in the provider's own format: in others each is a message of its own by design. */
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

/** Calls without a result beside others that have theirs: where one message holds all results, those that are missing do not come any more. */
function* partlyAnswered(
  { transcript: { messages }, pairing: { calls }, wire }: RuleContext,
  told: ReadonlySet<unknown>,
): Generator<Problem> {
  const answeredIn = new Set(
    calls
      .filter(({ results }) => results.some(({ message }) => wire(messages[message]!) !== undefined))
      .map(({ message }) => message),
  );
  for (const { part, message, results } of calls)
    if (answeredIn.has(message) && results.length === 0 && !told.has(part))
      yield {
        message,
        part,
        callId: part.callId,
        text: `${nameOfCall(part)} has no result, but other calls of its message have one`,
      };
}

/** What a provider minds that wants the results of a message's calls in the next one: those that are missing, and those that stand apart. */
export function* missingOrSplitResults(context: RuleContext): Generator<Problem> {
  const unanswered = [...unansweredCalls(context)];
  yield* unanswered;
  yield* partlyAnswered(context, new Set(unanswered.map(({ part }) => part)));
  yield* splitResults(context);
}

export const RESULTS_TOGETHER: Fix = {
  safety: 'synthetic',
  summary:
    'Join separate results, move late results to their calls, and add a placeholder result for each unanswered call.',
  apply(context, problems) {
    const transcript = withJoined(
      context,
      new Set([...splitResults(context)].map(({ message }) => message!)),
      ({ role }) => role === 'tool',
    );
    if (transcript !== context.transcript) return transcript; // the next round sees what is missing
    const isHalf = [...partlyAnswered(context, new Set())].length > 0;
    return ANSWER.apply(isHalf ? { ...context, asRequest: true } : context, problems);
  },
};
