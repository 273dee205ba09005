/** Ids of calls: those that a provider does not take are found, and renamed on both sides, the same way every time. */
import { type Pairing, pair } from '../../transcript/pairs.js';
import type { Part, Transcript } from '../../transcript/types.js';
import { repairIds, withCallIds } from '../../transforms/ids.js';
import type { Problem, RuleContext } from '../rule.js';

/** The calls, and the results of no such call, whose id does not fit. Where a format has no ids, there is none to mind. */
export function* unfitCallIds(
  { pairing: { calls, results } }: RuleContext,
  fits: (id: string) => boolean,
  faultOf: (id: string) => string,
): Generator<Problem> {
  const loose = results.filter(({ part, call }) => call?.part.callId !== part.callId);
  for (const { part, message } of [...calls, ...loose]) {
    const { callId, type, tool } = part;
    if (callId !== undefined && !fits(callId))
      yield {
        message,
        part,
        callId,
        text: `the id of ${type === 'call' ? 'the call' : 'the result'}${tool ? ` of ${tool}` : ''} ${faultOf(callId)}`,
      };
  }
}

/** The same new id for the same old one that does not fit, every time and on both sides. Calls without an id get one. */
export function withFitCallIds(
  { transcript, pairing }: RuleContext,
  fits: (id: string) => boolean,
  make: (text: string) => string,
): Transcript {
  const named = pairing.calls.some(({ part }) => part.callId === '') ? repairIds(transcript, pairing) : transcript;
  const rename = (id: string, attempt: number) => (fits(id) ? id : make(attempt === 0 ? id : `${id}#${attempt}`));
  return renameIds(named, named === transcript ? pairing : pair(named.messages), rename);
}

/**
 * What has the same id keeps having the same one, and no two become one. `rename` gives an id itself back where it can stay, and another
 * one for each `attempt` that collides with one in use.
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

/** All ids that calls and results have. */
export function idsIn({ calls, results }: Pairing): Set<string> {
  return new Set([...calls, ...results].flatMap(({ part }) => (part.callId ? [part.callId] : [])));
}

/** `base`, or where that is taken `base_2`, `base_3`, …: the first that is free. It is taken from then on. */
export function takeFree(base: string, taken: Set<string>): string {
  const known = numbers.get(taken) ?? new Map<string, number>();
  numbers.set(taken, known);
  let number = known.get(base) ?? 1; // what was taken stays taken
  const nameOf = () => (number === 1 ? base : `${base}_${number}`);
  while (taken.has(nameOf())) number++;
  known.set(base, number);
  taken.add(nameOf());
  return nameOf();
}

/** Up to which number names are taken, by their base. */
const numbers = new WeakMap<Set<string>, Map<string, number>>();

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A text as a few letters and digits, the same every time: for names that have to be short. FNV-1a, in rounds. */
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
