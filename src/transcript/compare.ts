/** What happened to a transcript, message by message. Of a transform this is known, not guessed: what it did not touch is the same object. */
import type { Message } from './types.js';

export type Change =
  | { readonly kind: 'kept'; readonly before: number; readonly after: number }
  | { readonly kind: 'moved'; readonly before: number; readonly after: number }
  | { readonly kind: 'changed'; readonly before: number; readonly after: number }
  | { readonly kind: 'dropped'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number };

/** What a message was read from, even where its value was edited since. Undefined where it was added. */
export function originOf({ raw, origin }: Message): unknown {
  return origin ?? raw;
}

/** The changes from one message list to one made out of it, in reading order: where things went, and where things came. */
export function changesBetween(before: readonly Message[], after: readonly Message[]): Change[] {
  const indexOf = new Map<unknown, number>();
  before.forEach((message, index) => {
    indexOf.set(originOf(message) ?? message, index);
  });
  const origins = after.map((message) => indexOf.get(originOf(message) ?? message));
  return weave(before.length, origins, (from, to) => before[from] === after[to]);
}

/**
 * The same list of changes out of origins: for each message after, the index it had before (undefined: it is new). What kept
 * its order is kept or changed; what did not has moved.
 */
export function weave(
  beforeLength: number,
  origins: readonly (number | undefined)[],
  isSame: (before: number, after: number) => boolean,
): Change[] {
  const inOrder = longestRising(origins);
  const used = new Set(origins);
  const changes: Change[] = [];
  let next = 0; // the first message before that is not told of yet
  const tellDropped = (end: number) => {
    for (; next < end; next++) if (!used.has(next)) changes.push({ kind: 'dropped', before: next });
  };
  origins.forEach((origin, after) => {
    if (origin === undefined) changes.push({ kind: 'added', after });
    else if (!inOrder.has(after)) changes.push({ kind: 'moved', before: origin, after });
    else {
      tellDropped(origin);
      next = origin + 1;
      changes.push({ kind: isSame(origin, after) ? 'kept' : 'changed', before: origin, after });
    }
  });
  tellDropped(beforeLength);
  return changes;
}

/** The positions of a longest rising subsequence: what need not be said to have moved. */
export function longestRising(values: readonly (number | undefined)[]): ReadonlySet<number> {
  const tails: number[] = []; // for each length, the position at which such a sequence ends lowest
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
