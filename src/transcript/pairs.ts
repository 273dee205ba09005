/**
 * Which result answers which call. Ids are not enough: real transcripts use an id again for a later call, and some have
 * none. So messages are read in order, and a result answers the nearest call before it that is still open under its id; one that
 * was read from the very value of a call answers that call.
 */
import type { CallPart, Message, Part, ResultPart } from './types.js';

export interface CallSite {
  readonly part: CallPart;
  /** The index of its message. */
  readonly message: number;
  /** The results that answer it, in order: one, if all is well. */
  results: ResultSite[];
}

export interface ResultSite {
  readonly part: ResultPart;
  readonly message: number;
  call: CallSite | undefined;
  /** `in place`: in the unbroken run of results right after its call's message. Late and early ones stand elsewhere. */
  standing: 'in place' | 'late' | 'early' | 'orphan';
}

export interface Pairing {
  readonly calls: readonly CallSite[];
  readonly results: readonly ResultSite[];
}

const NONE: never[] = [];

/** A result that has no call yet, and what stood before it: the calls from `start` to `end` are those that its run follows. */
interface Left {
  readonly result: ResultSite;
  readonly start: number;
  readonly end: number;
  readonly idless: number;
  /** The message in which its run begins. */
  readonly from: number;
}

export function pair(messages: readonly Message[]): Pairing {
  const calls: CallSite[] = [];
  const results: ResultSite[] = [];
  const callsById = new Map<string, CallSite[]>();
  const opens = new Map<readonly CallSite[], Opens>();
  const idless: CallSite[] = [];
  const outOfOrder = new Set<CallSite>();
  let start = 0; // of the calls that the current run of results follows
  let from = 0;
  let group: string | undefined;
  const left: Left[] = []; // results without an id, and then those whose id is no call's, take the calls that are left

  const answer = (result: ResultSite, call: CallSite | undefined, from: number) => {
    if (call === undefined) return;
    result.call = call;
    result.standing = call.message < from ? 'late' : 'in place';
    addResult(call, result, outOfOrder);
  };
  const nearestIn = (known: CallSite[]) => {
    if (known.length < MANY) return nearestOpen(known);
    const open = opensOf(opens, known);
    for (; open.size < known.length; ) open.add(known[open.size]!, known[open.size]!.message);
    return open.nearest;
  };
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!;
    if (message.role === 'meta') continue;
    if (message.role === 'assistant' || !message.parts.some(isResult)) {
      if (message.group === undefined || message.group !== group) [start, from] = [calls.length, index];
      group = message.group;
    }
    for (const part of message.parts) {
      if (part.type === 'call') {
        const call: CallSite = { part, message: index, results: NONE };
        calls.push(call);
        if (hasId(part)) callsById.set(part.callId, withLast(callsById.get(part.callId), call));
        else idless.push(call);
      } else if (part.type === 'result') {
        const result: ResultSite = { part, message: index, call: undefined, standing: 'orphan' };
        results.push(result);
        const last = start < calls.length ? calls[calls.length - 1] : undefined;
        const own = part.raw !== undefined && last?.part.raw === part.raw && isOpen(last) ? last : undefined; // a call and its result in one value
        const known = hasId(part) ? callsById.get(part.callId) : undefined;
        if (own !== undefined) answer(result, own, from);
        else if (known !== undefined) answer(result, nearestIn(known) ?? lastOf(known), from);
        else left.push({ result, start, end: calls.length, idless: idless.length, from });
      }
    }
  }
  pairEarly(results, callsById, outOfOrder);
  for (const named of [false, true]) {
    const find = createFinder(calls, idless);
    for (const one of left)
      if (one.result.call === undefined && hasId(one.result.part) === named) answer(one.result, find(one), one.from);
  }
  for (const call of outOfOrder) call.results.sort((a, b) => a.message - b.message);
  return { calls, results };
}

/** From so many calls of one id on, the open ones are kept apart. */
const MANY = 8;

function hasId(part: CallPart | ResultPart): part is (CallPart | ResultPart) & { readonly callId: string } {
  return part.callId !== undefined && part.callId !== '';
}

/** Calls in groups, the last one of which grows. Its first open call is found without a second look at those that were answered. */
class Opens {
  size = 0;
  last: CallSite | undefined;
  private readonly groups: { readonly key: number; readonly calls: CallSite[]; at: number }[] = [];

  add(call: CallSite, key: number): void {
    const top = lastOf(this.groups);
    if (top?.key === key) top.calls.push(call);
    else this.groups.push({ key, calls: [call], at: 0 });
    this.last = call;
    this.size++;
  }

  /** The first open call of the last group that has any. */
  get nearest(): CallSite | undefined {
    for (let top = lastOf(this.groups); top !== undefined; top = lastOf(this.groups)) {
      while (top.at < top.calls.length && !isOpen(top.calls[top.at]!)) top.at++;
      if (top.at < top.calls.length) return top.calls[top.at];
      this.groups.pop();
    }
    return undefined;
  }
}

function opensOf<K>(map: Map<K, Opens>, key: K): Opens {
  const opens = map.get(key) ?? new Opens();
  map.set(key, opens);
  return opens;
}

/**
 * For results whose ids tell no call, asked in their order: the call that each answers. With an id, the first open call without one
 * that the run follows; without, the nearest open call without an id before it, else one that its run follows.
 */
function createFinder(calls: readonly CallSite[], idless: readonly CallSite[]): (left: Left) => CallSite | undefined {
  const before = new Map<string | undefined, Opens>(); // by tool, and of all tools
  const all = opensOf(before, undefined);
  const run = new Map<string | undefined, Opens>(); // by tool, by id, and all
  const ofTool = (tool: string) => `tool ${tool}`;
  const ofId = (id: string | undefined) => (id === undefined ? 'none' : `id ${id}`);
  let start = -1;
  let end = 0;
  return ({ result: { part }, ...left }) => {
    while (all.size < left.idless) {
      const call = idless[all.size]!;
      for (const key of [undefined, call.part.tool]) opensOf(before, key).add(call, call.message);
    }
    if (start !== left.start) {
      run.clear();
      start = end = left.start;
    }
    for (; end < left.end; end++) {
      const call = calls[end]!;
      for (const key of [undefined, ofTool(call.part.tool), ofId(call.part.callId)]) opensOf(run, key).add(call, 0);
    }
    if (hasId(part)) return run.get(ofId(''))?.nearest;
    const { callId, tool } = part;
    return (
      before.get(tool)?.nearest ??
      (tool === undefined ? undefined : run.get(ofTool(tool))?.nearest) ??
      run.get(undefined)?.nearest ??
      run.get(ofId(callId))?.last
    );
  };
}

/** Of the open calls, the first one of the last message that has any. */
function nearestOpen(calls: readonly CallSite[]): CallSite | undefined {
  let found: CallSite | undefined;
  for (let i = calls.length - 1; i >= 0; i--) {
    const call = calls[i]!;
    if (found !== undefined && call.message !== found.message) break;
    if (isOpen(call)) found = call;
  }
  return found;
}

/** A result before its call, and no call with its id before it: it answers the first call after it that nothing else answers, or one again: rather one that only early results answer. */
function pairEarly(
  results: readonly ResultSite[],
  callsById: ReadonlyMap<string, readonly CallSite[]>,
  outOfOrder: Set<CallSite>,
): void {
  const places = new Map<string, { after: number; open: number; early: number }>(); // results come in order: no place goes back
  for (const result of results) {
    if (result.call !== undefined || !hasId(result.part)) continue;
    const { callId } = result.part;
    const known = callsById.get(callId);
    if (known === undefined) continue;
    const place = places.get(callId) ?? { after: 0, open: 0, early: 0 };
    places.set(callId, place);
    const isEarly = ({ results: [first] }: CallSite) => first === undefined || first.standing === 'early'; // early ones are added last
    while (place.after < known.length && known[place.after]!.message <= result.message) place.after++;
    place.open = Math.max(place.open, place.after);
    while (place.open < known.length && !isOpen(known[place.open]!)) place.open++;
    place.early = Math.max(place.early, place.after);
    while (place.early < known.length && !isEarly(known[place.early]!)) place.early++;
    const call = known[place.open] ?? known[place.early] ?? known[place.after];
    if (call === undefined) continue;
    result.call = call;
    result.standing = 'early';
    addResult(call, result, outOfOrder);
  }
}

/** Results come in order but for a few: their calls are put in order when all have come. */
function addResult(call: CallSite, result: ResultSite, outOfOrder: Set<CallSite>): void {
  const last = lastOf(call.results);
  call.results = withLast(call.results, result);
  if (last !== undefined && last.message > result.message) outOfOrder.add(call);
}

export function isOpen(call: CallSite): boolean {
  return call.results.length === 0;
}

function isResult(part: Part): boolean {
  return part.type === 'result';
}

function lastOf<T>(items: readonly T[]): T | undefined {
  return items[items.length - 1];
}

/** The list with one more. An empty one is not pushed to: it would take room for sixteen, and most stay lists of one. */
function withLast<T>(list: T[] = NONE, item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
