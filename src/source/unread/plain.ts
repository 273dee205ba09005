/**
 * Whether a value certainly has no content outside of what is covered. Nearly all messages are plain, so this goes over
 * the tape, without a node for any value; signs.ts looks at the rest.
 */
import type { JsonNode } from '../../json/node.js';
import { ARRAY, ENTRY, KIND, NULL, OBJECT, STRING } from '../../json/scan.js';
import { decodeString, type JsonSource } from '../../json/strings.js';
import { isIn } from './cover.js';
import { isOwnType, MEMBER, memberBits } from './signs.js';

export function isPlain({ source, at }: JsonNode, cover: readonly number[]): boolean {
  const pending = [at];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isIn(cover, next)) continue;
    if ((source.tape[next]! & KIND) === ARRAY) addItems(source, next, pending);
    else if (!isPlainObject(source, next, cover, pending)) return false;
  }
  return true;
}

/** Looks at the members of an object; those that may hold more are added to `pending`. */
function isPlainObject(source: JsonSource, object: number, cover: readonly number[], pending: number[]): boolean {
  const { tape } = source;
  const end = tape[object + 3]!;
  let [all, texts] = [0, 0];
  for (let key = object + ENTRY; key < end; key = tape[key + ENTRY + 3]!) {
    const value = key + ENTRY;
    const kind = tape[value]! & KIND;
    const bits = memberBits(source, key);
    if ((kind === OBJECT || kind === ARRAY) && (bits & MEMBER.aside) === 0) pending.push(value);
    if (bits === 0 || kind === NULL || isEmpty(tape, value, kind)) continue;
    all |= bits;
    if ((bits & MEMBER.kind) !== 0 && kind === STRING && isOwnType(decodeString(source, value))) return false;
    if (kind !== ARRAY && isIn(cover, value)) continue;
    if ((bits & MEMBER.holder) !== 0 && !(kind === ARRAY && isAllIn(tape, value, cover))) return false;
    if ((bits & MEMBER.words) !== 0 && (kind === STRING || hasText(tape, value, kind, cover))) texts |= bits;
  }
  const isAnswer = (all & MEMBER.callId) !== 0 && (all & MEMBER.answer) !== 0;
  return !isAnswer && (texts === 0 || (all & (MEMBER.speaker | MEMBER.kind)) === 0);
}

function addItems({ tape }: JsonSource, list: number, pending: number[]): void {
  const end = tape[list + 3]!;
  for (let item = list + ENTRY; item < end; item = tape[item + 3]!) {
    const kind = tape[item]! & KIND;
    if (kind === OBJECT || kind === ARRAY) pending.push(item);
  }
}

/** A pair of quotes. */
const QUOTES = 2;

function isEmpty(tape: Int32Array, at: number, kind: number): boolean {
  if (kind === STRING) return tape[at + 2]! - tape[at + 1]! === QUOTES;
  return (kind === OBJECT || kind === ARRAY) && tape[at + 3] === at + ENTRY;
}

function isAllIn(tape: Int32Array, list: number, cover: readonly number[]): boolean {
  const end = tape[list + 3]!;
  for (let item = list + ENTRY; item < end; item = tape[item + 3]!) if (!isIn(cover, item)) return false;
  return true;
}

/** Whether a list holds a text itself. */
function hasText(tape: Int32Array, at: number, kind: number, cover: readonly number[]): boolean {
  if (kind !== ARRAY) return false;
  const end = tape[at + 3]!;
  for (let item = at + ENTRY; item < end; item = tape[item + 3]!)
    if ((tape[item]! & KIND) === STRING && !isIn(cover, item)) return true;
  return false;
}
