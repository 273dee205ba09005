/**
 * Pairs results with calls. Ids are not enough: real transcripts reuse ids for later calls, and some have none. So a
 * result answers the nearest open call before it with its id; a result from the same JSON value as a call answers that
 * call.
 */
import type { CallPart, Message, Part, ResultPart } from './types.js';

export interface CallSite {
  readonly part: CallPart;
  /** The index of its message. */
  readonly message: number;
  /** Its results, in order: one in a valid transcript. */
  results: ResultSite[];
}

export interface ResultSite {
  readonly part: ResultPart;
  readonly message: number;
  call: CallSite | undefined;
  /**
   * `in place`: in the run of results right after its call's message. `late`: further down. `early`: before its call.
   */
  standing: 'in place' | 'late' | 'early' | 'orphan';
}

export interface Pairing {
  readonly calls: readonly CallSite[];
  readonly results: readonly ResultSite[];
}

const NONE: never[] = [];

/** A result without a call so far. Its run of results follows the calls from `start` to `end`. */
interface Left {
  readonly result: ResultSite;
  readonly start: number;
  readonly end: number;
  readonly idless: number;
  /** The index of the message before its run. */
  readonly from: number;
}

/** Steps that follow one another often see the same list. `length`: of a list that grew in place. */
const known = new WeakMap<readonly Message[], Pairing & { readonly length: number }>();

export function pair(messages: readonly Message[]): Pairing {
  const { length } = messages;
  const before = known.get(messages);
  if (before?.length === length) return before;
  const { calls, results } = paired(messages);
  const pairing = { calls, results, length };
  known.set(messages, pairing);
  return pairing;
}

function paired(messages: readonly Message[]): Pairing {
  const calls: CallSite[] = [];
  const results: ResultSite[] = [];
  const callsById = new Map<string, CallSite[]>();
  const opens = new Map<readonly CallSite[], Opens>();
  const idless: CallSite[] = [];
  const outOfOrder = new Set<CallSite>();
  let start = 0; // the first call before the current run of results
  let from = 0;
  let group: string | undefined;
  const left: Left[] = []; // paired last: results without an id, then those with an unknown id

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
        // a call and its result in one value
        const own = part.raw !== undefined && last?.part.raw === part.raw && isOpen(last) ? last : undefined;
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

/** From this many calls with the same id on, the open ones are indexed. */
const MANY = 8;

function hasId(part: CallPart | ResultPart): part is (CallPart | ResultPart) & { readonly callId: string } {
  return part.callId !== undefined && part.callId !== '';
}

/** Calls in groups, of which the last one grows. Finds open calls without visiting answered ones twice. */
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
 * Finds the calls of results that have no id, or an unknown one, in their order. With an unknown id: the first open
 * call without an id before the run. Without an id: the nearest open call without an id of its tool, or else one before
 * the run, of its tool if there is any.
 */
function createFinder(calls: readonly CallSite[], idless: readonly CallSite[]): (left: Left) => CallSite | undefined {
  const before = new Map<string | undefined, Opens>(); // by tool; undefined: all tools
  const all = opensOf(before, undefined);
  const run = new Map<string | undefined, Opens>(); // by tool and by id; undefined: all
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
    const named = tool === undefined ? undefined : run.get(ofTool(tool));
    return (
      before.get(tool)?.nearest ??
      named?.nearest ??
      named?.last ?? // one more result of a call, not the result of another tool
      run.get(undefined)?.nearest ??
      run.get(ofId(callId))?.last
    );
  };
}

/** The first open call of the last message that has one. */
function nearestOpen(calls: readonly CallSite[]): CallSite | undefined {
  let found: CallSite | undefined;
  for (let i = calls.length - 1; i >= 0; i--) {
    const call = calls[i]!;
    if (found !== undefined && call.message !== found.message) break;
    if (isOpen(call)) found = call;
  }
  return found;
}

/**
 * Pairs results before their calls: with the first open call after them, or else with one that has only early results.
 */
function pairEarly(
  results: readonly ResultSite[],
  callsById: ReadonlyMap<string, readonly CallSite[]>,
  outOfOrder: Set<CallSite>,
): void {
  // results come in order, so these indices only grow
  const places = new Map<string, { after: number; open: number; early: number }>();
  for (const result of results) {
    if (result.call !== undefined || !hasId(result.part)) continue;
    const { callId } = result.part;
    const known = callsById.get(callId);
    if (known === undefined) continue;
    const place = places.get(callId) ?? { after: 0, open: 0, early: 0 };
    places.set(callId, place);
    // early results are added last
    const isEarly = ({ results: [first] }: CallSite) => first === undefined || first.standing === 'early';
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

/** Most results come in order. Calls for which they do not are sorted at the end. */
function addResult(call: CallSite, result: ResultSite, outOfOrder: Set<CallSite>): void {
  const last = lastOf(call.results);
  call.results = withLast(call.results, result);
  if (last !== undefined && last.message > result.message) outOfOrder.add(call);
}

/**
 * Whether messages that are added leave the pairing of those before them as it is: each result has the id of the call
 * before it that it answers, or an id that no call has; or nothing has an id, and results that are the value of their
 * call come along with it, or all are.
 */
export function pairsAsItGrows({ calls, results }: Pairing): boolean {
  const isOwn = ({ part, call }: ResultSite) => part.raw !== undefined && part.raw === call?.part.raw;
  const comesWithCall = (result: ResultSite) => result.message === result.call?.message;
  if (![...calls, ...results].some(({ part }) => hasId(part)))
    return results.every(isOwn) || results.every((result) => !isOwn(result) || comesWithCall(result));
  const ids = new Set(calls.map(({ part }) => part.callId));
  return (
    calls.every(({ part }) => hasId(part)) &&
    results.every(
      ({ part, call, standing }) =>
        hasId(part) &&
        (call === undefined ? !ids.has(part.callId) : standing !== 'early' && call.part.callId === part.callId),
    )
  );
}

export function isOpen(call: CallSite): boolean {
  return call.results.length === 0;
}

/** Whether a part is a result. */
export function isResult(part: Part): part is ResultPart {
  return part.type === 'result';
}

function lastOf<T>(items: readonly T[]): T | undefined {
  return items[items.length - 1];
}

/** Appends an item. A push to an empty list would reserve room for many, and most lists keep one item. */
function withLast<T>(list: T[] = NONE, item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
