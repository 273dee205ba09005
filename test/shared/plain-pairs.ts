/**
 * The rules by which results pair with calls, written down as plainly as can be: every call is looked at for every
 * result. What `pair` is held against.
 */
import type { CallSite, Pairing, ResultSite } from '../../src/transcript/pairs.js';
import type { CallPart, Message, Part, ResultPart } from '../../src/transcript/types.js';

const NONE: never[] = [];

export function plainPair(messages: readonly Message[]): Pairing {
  const calls: CallSite[] = [];
  const results: ResultSite[] = [];
  const callsById = new Map<string, CallSite[]>();
  const idless: CallSite[] = [];
  let run: CallSite[] = NONE; // the calls that the current run of results follows
  let group: string | undefined;
  // results without an id, and then those whose id is no call's, take the calls that are left
  const left: ResultSite[] = [];
  const around = new Map<ResultSite, { readonly run: readonly CallSite[]; readonly idless: number }>();

  const answer = (result: ResultSite, call: CallSite | undefined, near: readonly CallSite[]) => {
    if (call === undefined) return;
    result.call = call;
    result.standing = near.includes(call) ? 'in place' : 'late';
    addResult(call, result);
  };
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!;
    if (message.role === 'meta') continue;
    if (message.role === 'assistant' || !message.parts.some(isResult)) {
      if (message.group === undefined || message.group !== group) run = NONE;
      group = message.group;
    }
    for (const part of message.parts) {
      if (part.type === 'call') {
        const call: CallSite = { part, message: index, results: NONE };
        calls.push(call);
        run = withLast(run, call);
        if (hasId(part)) callsById.set(part.callId, withLast(callsById.get(part.callId), call));
        else idless.push(call);
      } else if (part.type === 'result') {
        const result: ResultSite = { part, message: index, call: undefined, standing: 'orphan' };
        results.push(result);
        const last = run[run.length - 1];
        // a call and its result in one value
        const own = part.raw !== undefined && last?.part.raw === part.raw && isOpen(last) ? last : undefined;
        const known = hasId(part) ? callsById.get(part.callId) : undefined;
        if (own !== undefined) answer(result, own, run);
        else if (known !== undefined) answer(result, nearestOpen(known) ?? lastOf(known), run);
        else {
          left.push(result);
          around.set(result, { run: [...run], idless: idless.length });
        }
      }
    }
  }
  pairEarly(results, callsById);
  for (const named of [false, true]) {
    for (const result of left) {
      if (result.call !== undefined || hasId(result.part) !== named) continue;
      const { run: near, idless: before } = around.get(result)!;
      answer(
        result,
        named
          ? near.find((call) => isOpen(call) && call.part.callId === '')
          : findNameless(result.part, idless, before, near),
        near,
      );
    }
  }
  return { calls, results };
}

function hasId(part: CallPart | ResultPart): part is (CallPart | ResultPart) & { readonly callId: string } {
  return part.callId !== undefined && part.callId !== '';
}

/**
 * The call that a result without an id answers: by order the nearest open one without an id before it, else one that
 * its run follows.
 */
function findNameless(
  { callId, tool }: ResultPart,
  idless: readonly CallSite[],
  before: number,
  run: readonly CallSite[],
): CallSite | undefined {
  const isOf = (call: CallSite) => tool === undefined || call.part.tool === tool;
  return (
    nearestOpen(idless, before, isOf) ??
    run.find((call) => isOpen(call) && isOf(call)) ??
    (tool === undefined ? undefined : run.findLast(isOf)) ??
    run.find(isOpen) ??
    run.findLast((call) => call.part.callId === callId)
  );
}

/** Of the open calls before `end` that fit, the first one of the last message that has any. */
function nearestOpen(
  calls: readonly CallSite[],
  end = calls.length,
  fits = (_: CallSite) => true,
): CallSite | undefined {
  let found: CallSite | undefined;
  for (let i = end - 1; i >= 0; i--) {
    const call = calls[i]!;
    if (found !== undefined && call.message !== found.message) break;
    if (isOpen(call) && fits(call)) found = call;
  }
  return found;
}

/**
 * A result before its call, and no call with its id before it: it answers the first call after it that nothing else
 * answers, or one again: rather one that only early results answer.
 */
function pairEarly(results: readonly ResultSite[], callsById: ReadonlyMap<string, readonly CallSite[]>): void {
  for (const result of results) {
    if (result.call !== undefined || !hasId(result.part)) continue;
    const after = callsById.get(result.part.callId)?.filter((candidate) => candidate.message > result.message) ?? [];
    const call =
      after.find(isOpen) ??
      after.find(({ results: answers }) => answers.every(({ standing }) => standing === 'early')) ??
      after[0];
    if (call === undefined) continue;
    result.call = call;
    result.standing = 'early';
    addResult(call, result);
  }
}

/** Results come in order but for a few: the last one goes to its place. */
function addResult(call: CallSite, result: ResultSite): void {
  const last = lastOf(call.results);
  call.results = withLast(call.results, result);
  if (last !== undefined && last.message > result.message) call.results.sort((a, b) => a.message - b.message);
}

function isOpen(call: CallSite): boolean {
  return call.results.length === 0;
}

function isResult(part: Part): boolean {
  return part.type === 'result';
}

function lastOf<T>(items: readonly T[]): T | undefined {
  return items[items.length - 1];
}

/**
 * The list with one more. An empty one is not pushed to: it would take room for sixteen, and most stay lists of one.
 */
function withLast<T>(list: T[] = NONE, item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
