/** Results that do not stand behind their call: they belong to none, to one further up or down, to one that has its result, or stand apart from the others. */
import type { CallSite, ResultSite } from '../../transcript/pairs.js';
import type { Message } from '../../transcript/types.js';
import type { Fix, Problem, RuleContext } from '../rule.js';
import { nameOfCall, nameOfResult } from './calls.js';
import { withJoined } from './neighbours.js';
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
  if (result !== keptResult(result.call)) return 'answers a call that has another result';
  return result.standing === 'in place' ? undefined : 'does not stand behind its call';
}

/** What is left over goes. What only stands elsewhere moves, unless calls without any result would be answered with it: that makes something up. */
export const CLEAR_STRAYS: Fix = {
  safety: 'lossy',
  summary: 'Move results to their calls, and drop those that have none.',
  apply(subject, problems) {
    const { transcript, pairing } = subject;
    const wrong = new Set(problems.map(({ part }) => part));
    const strays = pairing.results.filter(({ part }) => wrong.has(part));
    const gone = strays.filter((result) => result.call === undefined || result !== keptResult(result.call));
    const moves = strays.length > gone.length && pairing.calls.every(({ results }) => results.length > 0);
    return withoutParts({ ...subject, transcript: moves ? ANSWER.apply(subject, problems) : transcript }, gone);
  },
};

/** Results of one message's calls in several messages. Only in the provider's own format: in others each is a message of its own by design. */
function* splitResults({ transcript: { messages }, wire }: RuleContext): Generator<Problem> {
  let before: Message | undefined;
  for (const [message, said] of messages.entries()) {
    if (said.role === 'meta') continue;
    if (said.role === 'tool' && before?.role === 'tool' && wire(said) !== undefined && wire(before) !== undefined) {
      const part = said.parts.find(({ type }) => type === 'result');
      const callId = part?.type === 'result' ? part.callId : undefined;
      yield {
        message,
        part,
        callId,
        text: `the result${callId ? ` (${callId})` : ''} stands in a message of its own behind other results`,
      };
    }
    before = said;
  }
}

/** Calls without a result beside others that have theirs: where one message holds all results, those that are missing do not come any more. */
function* halfAnswered(
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
        text: `${nameOfCall(part)} has no result beside those of the others`,
      };
}

/** What a provider minds that wants the results of a message's calls in the next one: those that are missing, and those that stand apart. */
export function* unansweredOrSplit(subject: RuleContext): Generator<Problem> {
  const unanswered = [...unansweredCalls(subject)];
  yield* unanswered;
  yield* halfAnswered(subject, new Set(unanswered.map(({ part }) => part)));
  yield* splitResults(subject);
}

export const RESULTS_TOGETHER: Fix = {
  safety: 'synthetic',
  summary:
    'Join results that stand apart, move late ones to their calls, and give each call that has none a result that says so.',
  apply(subject, problems) {
    const transcript = withJoined(
      subject,
      new Set([...splitResults(subject)].map(({ message }) => message!)),
      ({ role }) => role === 'tool',
    );
    if (transcript !== subject.transcript) return transcript; // the next round sees what is missing
    const isHalf = [...halfAnswered(subject, new Set())].length > 0;
    return ANSWER.apply(isHalf ? { ...subject, asRequest: true } : subject, problems);
  },
};
