/** Call ids that a provider rejects: finding them, and renaming them in calls and results, always to the same id. */
import { type Pairing, pair } from '../../transcript/pairs.js';
import type { Part, Transcript } from '../../transcript/types.js';
import { repairIds, withCallIds } from '../../transforms/ids.js';
import type { Problem, RuleContext } from '../rule.js';

/** Calls with an invalid id, and results whose call has another id. Formats without ids have no problems. */
export function* invalidCallIds(
  { pairing: { calls, results } }: RuleContext,
  isValid: (id: string) => boolean,
  faultOf: (id: string) => string,
): Generator<Problem> {
  const loose = results.filter(({ part, call }) => call?.part.callId !== part.callId);
  for (const { part, message } of [...calls, ...loose]) {
    const { callId, type, tool } = part;
    if (callId !== undefined && !isValid(callId))
      yield {
        message,
        part,
        callId,
        text: `the id of ${type === 'call' ? 'the call' : 'the result'}${tool ? ` of ${tool}` : ''} ${faultOf(callId)}`,
      };
  }
}

/** Replaces invalid ids in calls and results; equal ids stay equal. Calls without an id get one. */
export function withValidCallIds(
  { transcript, pairing }: RuleContext,
  isValid: (id: string) => boolean,
  make: (text: string) => string,
): Transcript {
  const named = pairing.calls.some(({ part }) => part.callId === '') ? repairIds(transcript, pairing) : transcript;
  const rename = (id: string, attempt: number) => (isValid(id) ? id : make(attempt === 0 ? id : `${id}#${attempt}`));
  return renameIds(named, named === transcript ? pairing : pair(named.messages), rename);
}

/**
 * Renames ids so that equal ids stay equal and different ids stay different. `rename` returns the id itself to keep it;
 * it is called with the next `attempt` while its result is already in use.
 */
export function renameIds(
  transcript: Transcript,
  { calls, results }: Pairing,
  rename: (id: string, attempt: number) => string,
): Transcript {
  const parts = [...calls, ...results].map(({ part }) => part);
  const old = new Set(parts.flatMap(({ callId }) => callId || []));
  const taken = new Set(old);
  const names = new Map<string, string>();
  for (const id of old) {
    let name = rename(id, 0);
    for (let attempt = 1; name !== id && taken.has(name); attempt++) name = rename(id, attempt);
    taken.add(name);
    if (name !== id) names.set(id, name);
  }
  const ids = new Map<Part, string>();
  for (const part of parts) {
    const name = names.get(part.callId ?? '');
    if (name !== undefined) ids.set(part, name);
  }
  return withCallIds(transcript, ids);
}

/** All ids of calls and results. */
export function idsIn({ calls, results }: Pairing): Set<string> {
  return new Set([...calls, ...results].flatMap(({ part }) => (part.callId ? [part.callId] : [])));
}

/** The first free name of `base`, `base_2`, `base_3`, …, which is added to `taken`. */
export function takeFree(base: string, taken: Set<string>): string {
  const known = numbers.get(taken) ?? new Map<string, number>();
  numbers.set(taken, known);
  let number = known.get(base) ?? 1; // names are never freed
  const nameOf = () => (number === 1 ? base : `${base}_${number}`);
  while (taken.has(nameOf())) number++;
  known.set(base, number);
  taken.add(nameOf());
  return nameOf();
}

/** The number at which to continue, by base. */
const numbers = new WeakMap<Set<string>, Map<string, number>>();

/** The end of a text that was too long is a digest of all of it. `clean`: the text with the characters it may have. */
export function shortened(text: string, clean: string, most: number): string {
  return clean.length <= most ? clean : `${clean.slice(0, most - 9)}_${digest(text, 8)}`;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A short hash of letters and digits (FNV-1a, in rounds), for ids with a maximum length. */
export function digest(text: string, length = 12): string {
  let out = '';
  for (let round = 0; out.length < length; round++) {
    let hash = 0x811c9dc5 ^ round;
    for (const character of `${round}${text}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
    for (let i = 0; i < 5 && out.length < length; i++) {
      out += DIGITS[hash % DIGITS.length];
      hash = Math.floor(hash / DIGITS.length);
    }
  }
  return out;
}
