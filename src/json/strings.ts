/** The strings of a tape: comparing and decoding them. */
import { ESCAPED, STRING, WIDE } from './scan.js';

/**
 * The bytes of a scanned value and its tape, either of which may be longer. Offsets count from the start of `bytes`.
 */
export interface JsonSource {
  readonly bytes: Buffer;
  readonly tape: Int32Array;
  /** Decoded texts by tape index, shared by all nodes of the same value. */
  texts?: Map<number, string>;
  /** Of a JavaScript value, which has neither bytes nor a tape. */
  readonly isPlain?: true;
}

/**
 * Names to search for together, as keys or values. They are grouped by length once, so most comparisons need no
 * letters.
 */
export class Keys {
  readonly found: Int32Array;
  private readonly byLength: (readonly number[] | undefined)[] = [];
  private readonly byName: ReadonlyMap<string, number>;

  constructor(readonly names: readonly string[]) {
    this.found = new Int32Array(names.length);
    this.byName = new Map(names.map((name, index) => [name, index]));
    names.forEach((name, index) => {
      this.byLength[name.length] = [...(this.byLength[name.length] ?? []), index];
    });
  }

  /** The index of a name; -1 if it is none of them. */
  indexOfName(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  /** The index of the name that equals the string at this tape index; -1 if none does. */
  indexOf(source: JsonSource, at: number): number {
    const { tape } = source;
    if ((tape[at]! & SPELLED) !== 0) return this.indexOfName(decodeString(source, at));
    const candidates = this.byLength[tape[at + 2]! - tape[at + 1]! - 2];
    if (candidates === undefined) return -1;
    for (let i = 0; i < candidates.length; i++)
      if (isKey(source, at, this.names[candidates[i]!]!)) return candidates[i]!;
    return -1;
  }
}

/** Flags of strings whose bytes are not their characters one by one. */
const SPELLED = ESCAPED | WIDE;

/** Whether the string at this tape index, decoded, equals a text. */
export function isKey(source: JsonSource, at: number, text: string): boolean {
  const { bytes, tape } = source;
  if ((tape[at]! & SPELLED) !== 0) return decodeString(source, at) === text;
  const start = tape[at + 1]! + 1;
  if (tape[at + 2]! - start - 1 !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function decodeString({ bytes, tape }: JsonSource, at: number): string {
  const flags = tape[at]!;
  const start = tape[at + 1]!;
  const end = tape[at + 2]!;
  if (flags === STRING && end - start <= SHORT) return shortString(bytes, start + 1, end - 1);
  if ((flags & ESCAPED) !== 0) return JSON.parse(bytes.utf8Slice(start, end)) as string;
  return decodeRange(bytes, flags, start + 1, end - 1);
}

/** Bytes to look for a place between two characters. */
const SLACK = 64;
/** The longest escape is `\u0041`. */
const ESCAPE = 6;

/**
 * The first and the last so many characters of a long string, with a line break between, as they are in its decoded
 * text; undefined if only that tells them.
 */
export function decodeEnds({ bytes, tape }: JsonSource, at: number, characters: number): string | undefined {
  const flags = tape[at]!;
  const start = tape[at + 1]! + 1;
  const end = tape[at + 2]! - 1;
  const length = 3 * characters + 2 * SLACK;
  if (end - start <= 2 * length) return undefined;
  const head = decodeRange(bytes, flags, start, boundary(bytes, start + length)).slice(0, characters);
  const tail = decodeRange(bytes, flags, boundary(bytes, end - length + SLACK), end).slice(-characters);
  return head.length + tail.length < 2 * characters ? undefined : `${head}\n${tail}`;
}

/** Nothing if an end is not known. */
function decodeRange(bytes: Buffer, flags: number, start: number, end: number): string {
  if (Math.min(start, end) < 0) return '';
  if ((flags & ESCAPED) !== 0) return JSON.parse(`"${bytes.utf8Slice(start, end)}"`) as string;
  return (flags & WIDE) !== 0 ? bytes.utf8Slice(start, end) : bytes.latin1Slice(start, end);
}

/** The last offset up to `at` that is neither in an escape nor in a character; -1 if there is none near. */
function boundary(bytes: Buffer, at: number): number {
  for (let i = at; i > at - SLACK; i--)
    if (!bytes.subarray(i - ESCAPE, i).includes(0x5c) && (bytes[i]! & 0xc0) !== 0x80) return i;
  return -1;
}

/** Short strings (roles, types, names of tools) repeat: finding one in this cache is cheaper than creating it. */
const SHORT = 26;
const shortStrings: string[] = new Array(1024).fill('');

function shortString(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  const slot = (length * 31 + bytes[start]! * 7 + bytes[end - 1]! * 13 + bytes[start + (length >> 1)]! * 3) & 1023;
  const known = shortStrings[slot]!;
  if (known.length === length) {
    let i = 0;
    while (i < length && known.charCodeAt(i) === bytes[start + i]) i++;
    if (i === length) return known;
  }
  const text = bytes.latin1Slice(start, end);
  shortStrings[slot] = text;
  return text;
}
