/** Aligns two unrelated recordings: by content, then by role and call id. */

import { diffArrays } from 'diff';
import { listIn } from '../../lists.js';
import { type Change, longestRising, weave } from '../../transcript/compare.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { argumentsByValue, readable } from './differences.js';
import { unshownIn } from './unshown.js';

/**
 * Pairs of transcripts: by id where both files have ids, each once; else in their order. A fork has an id of its own:
 * what is left is paired by its beginning, and a file of one transcript with another such file. One side may be
 * missing.
 */
export function alignTranscripts(
  before: readonly Transcript[],
  after: readonly Transcript[],
): { readonly before?: Transcript; readonly after?: Transcript }[] {
  const ids = (transcripts: readonly Transcript[]) =>
    new Map(
      transcripts.flatMap((transcript) => (transcript.id === undefined ? [] : [[transcript.id, transcript] as const])),
    );
  const [left, right] = [ids(before), ids(after)];
  if (left.size < before.length || right.size < after.length) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
      before: before[index],
      after: after[index],
    }));
  }
  const isSingle = before.length === 1 && after.length === 1;
  const forks = new Map<string, Transcript[]>(); // by their beginnings
  for (const transcript of after)
    if (!left.has(transcript.id!)) listIn(forks, isSingle ? '' : beginningOf(transcript)).push(transcript);
  const pairs = before.map((transcript) => ({
    before: transcript,
    after: right.get(transcript.id!) ?? forks.get(isSingle ? '' : beginningOf(transcript))?.shift(),
  }));
  const added = new Set([...forks.values()].flat());
  return [...pairs, ...after.filter((one) => added.has(one)).map((transcript) => ({ after: transcript }))];
}

/** All up to the first message of the user. */
function beginningOf({ messages }: Transcript): string {
  const said = messages.filter(({ role }) => role !== 'meta');
  return said
    .slice(0, said.findIndex(({ role }) => role === 'user') + 1)
    .map((message) => contentKey(message, true))
    .join('\n');
}

/** `isSameFormat`: formats that are not the same spell arguments, and mark parts, in ways of their own. */
export function alignMessages(before: readonly Message[], after: readonly Message[], isSameFormat = true): Change[] {
  const keyOf = (message: Message) => contentKey(message, isSameFormat);
  const keysBefore = before.map(keyOf);
  const keysAfter = after.map(keyOf);
  const origins = new Array<number | undefined>(after.length).fill(undefined);
  let at = 0;
  let to = 0;
  let removedRun = NO_CANDIDATES; // messages of the first list that were removed since the last match
  for (const { added, removed, count = 0 } of differencesBetween(keysBefore, keysAfter)) {
    if (removed) {
      removedRun = candidatesIn(before, at, at + count);
      at += count;
    } else if (added) {
      for (let index = to; index < to + count; index++) origins[index] = removedRun.take(roleKey(after[index]!));
      to += count;
    } else {
      for (let index = 0; index < count; index++) origins[to + index] = at + index;
      at += count;
      to += count;
      removedRun = NO_CANDIDATES;
    }
  }
  matchMoved(origins, keysBefore, keysAfter);
  return weave(before.length, origins, (from, index) => keysBefore[from] === keysAfter[index]);
}

/** Above this many differences the smallest diff is not searched for: that takes quadratic time. */
const MAX_EDITS = 1000;

/** Like `diffArrays`; for very different lists it keeps the longest common sequence it finds, first matches first. */
function differencesBetween(before: readonly string[], after: readonly string[]): readonly Stretch[] {
  const exact = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (exact !== undefined) return exact;
  const places = new Map<string, number[]>();
  for (let index = before.length - 1; index >= 0; index--) listIn(places, before[index]!).push(index);
  const origins = after.map((key) => places.get(key)?.pop());
  const kept = [...longestRising(origins)].sort((a, b) => a - b);
  const stretches: Stretch[] = [];
  let at = 0;
  let to = 0;
  const addGap = (end: number, endAfter: number) => {
    if (end > at) stretches.push({ removed: true, count: end - at });
    if (endAfter > to) stretches.push({ added: true, count: endAfter - to });
  };
  for (const index of kept) {
    addGap(origins[index]!, index);
    stretches.push({ count: 1 });
    [at, to] = [origins[index]! + 1, index + 1];
  }
  addGap(before.length, after.length);
  return stretches;
}

interface Stretch {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly count?: number;
}

/**
 * Removed messages that may have been changed instead: `take` returns the next one with the same role and answered
 * calls.
 */
function candidatesIn(before: readonly Message[], from: number, to: number): { take(key: string): number | undefined } {
  const places = new Map<string, number[]>();
  for (let index = to - 1; index >= from; index--) listIn(places, roleKey(before[index]!)).push(index);
  let next = from; // matches keep their order: skipped messages are not taken later
  return {
    take(key) {
      const own = places.get(key) ?? [];
      while (own.length > 0 && own.at(-1)! < next) own.pop();
      const found = own.pop();
      if (found !== undefined) next = found + 1;
      return found;
    },
  };
}

const NO_CANDIDATES = candidatesIn([], 0, 0);

/** A message that was removed in one place and added unchanged in another has moved. */
function matchMoved(origins: (number | undefined)[], before: readonly string[], after: readonly string[]): void {
  const taken = new Set(origins);
  const free = new Map<string, number[]>();
  for (let index = before.length - 1; index >= 0; index--)
    if (!taken.has(index)) listIn(free, before[index]!).push(index);
  origins.forEach((origin, index) => {
    if (origin === undefined) origins[index] = free.get(after[index]!)?.pop();
  });
}

/** The text comes last, for it alone may have line breaks. */
function contentKey(message: Message, isSameFormat: boolean): string {
  const text = readable(message.parts, isSameFormat ? undefined : argumentsByValue);
  const unshown = unshownIn(message, isSameFormat);
  const marks = unshown.size === 0 ? '' : JSON.stringify([...unshown].sort());
  return `${message.role} ${marks}\n${text}`;
}

function roleKey({ role, parts }: Message): string {
  const ids = parts.flatMap((part) => (part.type === 'result' ? [part.callId ?? part.tool ?? ''] : []));
  return `${role} ${ids.join(' ')}`;
}
