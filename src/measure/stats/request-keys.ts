/** Keys of requests: records with the same key are one request, in every file. */
import type { Recorded, Usage } from '../../transcript/types.js';

/** The ids of a response and of its request. Some servers give each response the same id, an empty one: it is none. */
export function keyOf({ responseId, requestId }: Recorded): string | undefined {
  return [responseId, requestId].filter(Boolean).join(' ') || undefined;
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
 * key of a session includes the first two. A fork with the first alone says of which session that is, so the first step
 * has further keys with its session and the one that it was forked from.
 */
export function withRunningKeys<Entry extends Keyed>(
  entries: readonly Entry[],
  forkOf: string | undefined,
): readonly Entry[] {
  const totals = entries.filter(({ running }) => running !== undefined);
  if (totals.length === 0) return entries;
  const texts = totals.map(({ running }) => JSON.stringify(running));
  const isStep = (index: number) => index === 0 || texts[index] !== texts[index - 1];
  const steps = totals.filter((_, index) => isStep(index));
  const nameOf = ({ running, usage }: Entry) => JSON.stringify([running, usage]);
  const sessions = [steps[0]?.session, ...(forkOf === undefined ? [] : [forkOf])];
  const alone = sessions.map((session) => hash(`${session} ${texts[0]}`));
  const both = steps.length > 1 ? [hash(steps.slice(0, 2).map(nameOf).join())] : [];
  let [chain = ''] = [...both, ...alone];
  let step = -1;
  const keys = new Map<Entry, string>();
  totals.forEach((entry, index) => {
    if (isStep(index)) step++;
    if (isStep(index) && step > 1) chain = hash(chain + nameOf(entry));
    const firsts = [...both, ...alone].map((key) => `${key} 0`).join(OR);
    keys.set(entry, step > 1 ? chain : step === 1 ? `${chain} 1` : firsts);
  });
  return entries.map((entry) => (keys.has(entry) ? { ...entry, key: keys.get(entry)! } : entry));
}

/** Stands between the keys of one request. */
export const OR = '\u001f';

/** A short key for a text: two FNV-1a hashes. */
export function hash(text: string): string {
  const words = [0x811c9dc5, 0x9e3779b9].map((seed) => {
    let value = seed;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return value.toString(36);
  });
  return words.join(' ');
}
