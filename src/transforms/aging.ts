/** What gets old: it can go when as much as is kept came after it, and nothing makes it stay for longer. */
import type { Due } from './pace.js';

interface Old<U> extends Pick<Due<U>, 'what'> {
  readonly rank: number;
  /** The message at which it was there. */
  readonly since: number;
  ready: number;
}

export interface Aging<U> {
  /**
   * Adds units. Returns those of which is known since now when they can go. `from`: the message at which a unit is
   * there. `readyAt`: from when on one can go that is old since a message; infinite as long as nobody knows.
   */
  add(units: readonly U[], from: (unit: U) => number, readyAt: (unit: U, since: number) => number): Old<U>[];
}

/** `weightOf`: how much of `kept` a unit is. */
export function agingFor<U>(kept: number, weightOf: (unit: U) => number = () => 1): Aging<U> {
  const newest: U[] = [];
  let weight = 0;
  let staying: Old<U>[] = [];
  let rank = 0;
  return {
    add(units, from, readyAt) {
      for (const unit of units) {
        newest.push(unit);
        weight += weightOf(unit);
        for (; newest.length > 0 && weight - weightOf(newest[0]!) >= kept; rank++) {
          const what = newest.shift()!;
          weight -= weightOf(what);
          staying.push({ what, rank, since: from(unit), ready: Number.POSITIVE_INFINITY });
        }
      }
      for (const one of staying) one.ready = readyAt(one.what, one.since);
      const old = staying.filter(({ ready }) => ready < Number.POSITIVE_INFINITY);
      staying = staying.filter(({ ready }) => ready === Number.POSITIVE_INFINITY);
      return old;
    },
  };
}
