/** Keys of requests: records with the same key are one request, in every file. */
import type { Recorded, Usage } from '../../transcript/types.js';

/** The ids of a response and of its request. */
export function keyOf({ responseId, requestId }: Recorded): string | undefined {
  if (responseId === undefined) return requestId;
  return requestId === undefined ? responseId : `${responseId} ${requestId}`;
}

interface Keyed {
  readonly key: string | undefined;
  readonly session: string | undefined;
  readonly usage: Usage;
  /** The usage of the session so far, if recorded. */
  readonly running: Usage | undefined;
}

/**
 * Keys for requests that are known by running totals. A total that is logged again unchanged is the same request, and a
 * forked session repeats the totals of its parent step by step. A first step alone may equal another by chance, so the
 * key of a session includes the first two.
 */
export function withRunningKeys<Entry extends Keyed>(entries: readonly Entry[]): readonly Entry[] {
  const totals = entries.filter(({ running }) => running !== undefined);
  if (totals.length === 0) return entries;
  const texts = totals.map(({ running }) => JSON.stringify(running));
  const isStep = (index: number) => index === 0 || texts[index] !== texts[index - 1];
  const steps = totals.filter((_, index) => isStep(index));
  const nameOf = ({ running, usage }: Entry) => JSON.stringify([running, usage]);
  let chain = hash(steps.length > 1 ? steps.slice(0, 2).map(nameOf).join() : `${steps[0]?.session} ${texts[0]}`);
  let step = -1;
  const keys = new Map<Entry, string>();
  totals.forEach((entry, index) => {
    if (isStep(index)) step++;
    if (isStep(index) && step > 1) chain = hash(chain + nameOf(entry));
    keys.set(entry, step > 1 ? chain : `${chain} ${step}`);
  });
  return entries.map((entry) => (keys.has(entry) ? { ...entry, key: keys.get(entry)! } : entry));
}

/** A short key for a text: two FNV-1a hashes. */
export function hash(text: string): string {
  const words = [0x811c9dc5, 0x9e3779b9].map((seed) => {
    let value = seed;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return value.toString(36);
  });
  return words.join(' ');
}
