/**
 * The changes of a transcript by message. They are exact: a transform returns the same object for an unchanged message.
 */
import type { Message } from './types.js';

export type Change =
  | { readonly kind: 'kept'; readonly before: number; readonly after: number }
  | { readonly kind: 'moved'; readonly before: number; readonly after: number }
  | { readonly kind: 'changed'; readonly before: number; readonly after: number }
  | { readonly kind: 'dropped'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number };

/** The value that a message was read from, before any edits. Undefined for an added message. */
export function originOf({ raw, origin }: Message): unknown {
  return origin ?? raw;
}

/** The changes between a message list and one derived from it, in reading order. */
export function changesBetween(before: readonly Message[], after: readonly Message[]): Change[] {
  const indexOf = new Map<unknown, number>();
  before.forEach((message, index) => {
    indexOf.set(originOf(message) ?? message, index);
  });
  const origins = after.map((message) => indexOf.get(originOf(message) ?? message));
  return weave(before.length, origins, (from, to) => before[from] === after[to]);
}

/**
 * The same from origins: for each message after, its index before (undefined if it was added). Messages in their old
 * order are kept or changed, the others moved.
 */
export function weave(
  beforeLength: number,
  origins: readonly (number | undefined)[],
  isSame: (before: number, after: number) => boolean,
): Change[] {
  const inOrder = longestRising(origins);
  const used = new Set(origins);
  const changes: Change[] = [];
  let next = 0; // the first message before without a change so far
  const addDropped = (end: number) => {
    for (; next < end; next++) if (!used.has(next)) changes.push({ kind: 'dropped', before: next });
  };
  origins.forEach((origin, after) => {
    if (origin === undefined) changes.push({ kind: 'added', after });
    else if (!inOrder.has(after)) changes.push({ kind: 'moved', before: origin, after });
    else {
      addDropped(origin);
      next = origin + 1;
      changes.push({ kind: isSame(origin, after) ? 'kept' : 'changed', before: origin, after });
    }
  });
  addDropped(beforeLength);
  return changes;
}

/** The positions of a longest increasing subsequence: the messages that did not move. */
export function longestRising(values: readonly (number | undefined)[]): ReadonlySet<number> {
  const tails: number[] = []; // by length, the position at which such a sequence ends with the lowest value
  const previous = new Array<number>(values.length).fill(-1);
  values.forEach((value, position) => {
    if (value === undefined) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    previous[position] = low === 0 ? -1 : tails[low - 1]!;
    tails[low] = position;
  });
  const rising = new Set<number>();
  for (let at = tails[tails.length - 1] ?? -1; at >= 0; at = previous[at]!) rising.add(at);
  return rising;
}
