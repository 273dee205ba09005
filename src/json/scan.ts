/**
 * The validating scan: one pass over UTF-8 bytes that accepts exactly what JSON.parse accepts and writes down where each
 * value stands, as a flat tape of integers (the idea is simdjson's). It builds no value, so it runs faster than JSON.parse.
 *
 * A tape entry is four integers: kind and flags, start, end (offsets into the bytes), and the index of the entry after
 * this value's subtree. An object's members follow it as key, value, key, value; an array's elements follow it in order.
 */
export const ENTRY = 4;

export const NULL = 0;
export const TRUE = 1;
export const FALSE = 2;
export const NUMBER = 3;
export const STRING = 4;
export const OBJECT = 5;
export const ARRAY = 6;
export const KIND = 7;
/** A string with at least one escape. */
export const ESCAPED = 8;
/** A string with at least one byte above 0x7f. */
export const WIDE = 16;

/** The input ends before the value does: more bytes may complete it. */
export const INCOMPLETE = -1;
/** No JSON; `tape.errorAt` and `tape.error` say where and what. */
export const INVALID = -2;

/** Scratch space for one scan at a time. `keep` copies what a record needs. */
export class Tape {
  ints: Int32Array = new Int32Array(1 << 12);
  length = 0;
  errorAt = 0;
  error = '';

  grow(): Int32Array {
    const larger = new Int32Array(this.ints.length * 2);
    larger.set(this.ints);
    this.ints = larger;
    return larger;
  }

  keep(): Int32Array {
    return this.ints.slice(0, this.length);
  }
}

/** Bytes at which the fast run through a string's plain ASCII has to stop and look. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x20 || byte === 0x22 || byte === 0x5c || byte > 0x7e ? 1 : 0));

/**
 * Four bytes are looked at as one word: each of the terms has the high bit of a byte that is a control character, a quote, a backslash,
 * no ASCII, or DEL. A borrow may set another bit, but only above a byte that is one of them.
 * https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
 */
const ONES = 0x01010101;
const HIGH = 0x80808080;
let words: DataView = new DataView(new ArrayBuffer(0));
let wordsOf: Uint8Array | undefined;

let stringFlags = 0;
let problem = '';

/**
 * Scans the value that begins at or after `pos` into `tape`. `bytes[limit]` must exist and be 0: the sentinel spares every
 * bounds check. `last` says that no bytes follow `limit`.
 * @returns the offset behind the value, `INCOMPLETE` or `INVALID`.
 */
export function scan(bytes: Uint8Array, pos: number, limit: number, last: boolean, tape: Tape): number {
  if (bytes !== wordsOf) {
    words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    wordsOf = bytes;
  }
  let ints = tape.ints;
  let size = ints.length - 2 * ENTRY;
  let next = 0;
  let open = -1; // the tape index of the innermost open container; its own parent waits in its fourth integer
  let i = pos;

  value: for (;;) {
    let byte = bytes[i]!;
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i]!;
    if (next > size) {
      ints = tape.grow();
      size = ints.length - 2 * ENTRY;
    }
    const at = next;
    next += ENTRY;
    ints[at + 1] = i;

    if (byte === 0x22) {
      i = scanString(bytes, i + 1, limit);
      if (i < 0) return fail(tape, ~i, limit, problem);
      ints[at] = STRING | stringFlags;
      ints[at + 2] = i;
      ints[at + 3] = next;
    } else if (byte === 0x7b) {
      ints[at] = OBJECT;
      ints[at + 3] = open;
      open = at;
      i++;
      byte = bytes[i]!;
      while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i]!;
      if (byte === 0x22) {
        i = scanKey(bytes, i, limit, ints, next);
        if (i < 0) return fail(tape, ~i, limit, problem);
        next += ENTRY;
        continue;
      }
      if (byte !== 0x7d) return fail(tape, i, limit, 'expected a key in double quotes or a closing brace');
    } else if (byte === 0x5b) {
      ints[at] = ARRAY;
      ints[at + 3] = open;
      open = at;
      i++;
      byte = bytes[i]!;
      while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i]!;
      if (byte !== 0x5d) continue;
    } else {
      const kind = byte === 0x74 ? TRUE : byte === 0x66 ? FALSE : byte === 0x6e ? NULL : NUMBER;
      if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) i = scanNumber(bytes, i);
      else if (kind === NUMBER) return fail(tape, i, limit, 'expected a value');
      else i = scanWord(bytes, i, kind === TRUE ? 'true' : kind === FALSE ? 'false' : 'null');
      if (i < 0) return fail(tape, ~i, limit, problem);
      if (i >= limit && open < 0 && !last) return INCOMPLETE; // the rest of a number may follow
      ints[at] = kind;
      ints[at + 2] = i;
      ints[at + 3] = next;
    }

    // A value, or the opening of an empty container, lies behind: close what closes, then find the next value.
    for (;;) {
      if (open < 0) {
        tape.length = next;
        return i;
      }
      byte = bytes[i]!;
      while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i]!;
      const inObject = ints[open] === OBJECT;
      if (byte === 0x2c) {
        i++;
        if (!inObject) continue value;
        byte = bytes[i]!;
        while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i]!;
        if (byte !== 0x22) return fail(tape, i, limit, 'expected a key in double quotes after the comma');
        if (next > size) {
          ints = tape.grow();
          size = ints.length - 2 * ENTRY;
        }
        i = scanKey(bytes, i, limit, ints, next);
        if (i < 0) return fail(tape, ~i, limit, problem);
        next += ENTRY;
        continue value;
      }
      if (byte !== (inObject ? 0x7d : 0x5d)) return fail(tape, i, limit, inObject ? 'expected a comma or a closing brace' : 'expected a comma or a closing bracket');
      i++;
      const parent = ints[open + 3]!;
      ints[open + 2] = i;
      ints[open + 3] = next;
      open = parent;
    }
  }
}

function fail(tape: Tape, at: number, limit: number, what: string): number {
  if (at >= limit) return INCOMPLETE;
  tape.errorAt = at;
  tape.error = what;
  return INVALID;
}

/** Scans `"key":` into the tape at `next`; returns the offset behind the colon, or the complement of where it fails. */
function scanKey(bytes: Uint8Array, start: number, limit: number, ints: Int32Array, next: number): number {
  let i = scanString(bytes, start + 1, limit);
  if (i < 0) return i;
  ints[next] = STRING | stringFlags;
  ints[next + 1] = start;
  ints[next + 2] = i;
  ints[next + 3] = next + ENTRY;
  let byte = bytes[i]!;
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++i]!;
  if (byte === 0x3a) return i + 1;
  problem = 'expected a colon after the key';
  return ~i;
}

/** From behind the opening quote to behind the closing one, or the complement of where it fails. Sets `stringFlags`. */
function scanString(bytes: Uint8Array, start: number, limit: number): number {
  let flags = 0;
  let i = start;
  for (;;) {
    for (; i < limit - 4; i += 4) {
      const four = words.getInt32(i, true);
      if ((((four - 0x20202020) | ((four ^ 0x22222222) - ONES) | ((four ^ 0x5c5c5c5c) - ONES) | four | (four + ONES)) & HIGH) !== 0) break;
    }
    while (STOPS[bytes[i]!] === 0) i++;
    const byte = bytes[i]!;
    if (byte === 0x22) {
      stringFlags = flags;
      return i + 1;
    }
    if (byte === 0x5c) {
      flags |= ESCAPED;
      i = scanEscape(bytes, i);
    } else if (byte >= 0x80) {
      flags |= WIDE;
      i = scanWide(bytes, i, limit);
    } else if (byte === 0x7f) {
      i++;
    } else {
      problem = byte === 0x0a ? 'a string is not closed on its line' : 'a control character stands unescaped in a string';
      return ~i;
    }
    if (i < 0) return i;
  }
}

function scanEscape(bytes: Uint8Array, at: number): number {
  const byte = bytes[at + 1]!;
  if (byte !== 0x75) {
    // " \ / b f n r t
    if (byte === 0x22 || byte === 0x5c || byte === 0x2f || byte === 0x6e || byte === 0x74 || byte === 0x72 || byte === 0x62 || byte === 0x66) return at + 2;
    problem = 'no such escape in JSON';
    return ~(at + 1);
  }
  for (let i = at + 2; i < at + 6; i++) {
    const digit = bytes[i]! | 0x20;
    if (!((digit >= 0x30 && digit <= 0x39 && bytes[i]! >= 0x30) || (digit >= 0x61 && digit <= 0x66))) {
      problem = 'a \\u escape needs four hexadecimal digits';
      return ~i;
    }
  }
  return at + 6;
}

/** Steps over well-formed UTF-8 above ASCII (Unicode 15, table 3-7), as long as it lasts. */
function scanWide(bytes: Uint8Array, at: number, limit: number): number {
  let i = at;
  for (;;) {
    const byte = bytes[i]!;
    if (byte < 0x80) return i;
    const second = bytes[i + 1]!;
    let length = 0;
    if (byte < 0xe0) {
      if (byte >= 0xc2 && second >> 6 === 2) length = 2;
    } else if (byte < 0xf0) {
      if (second >> 6 === 2 && bytes[i + 2]! >> 6 === 2 && !(byte === 0xe0 && second < 0xa0) && !(byte === 0xed && second > 0x9f)) length = 3;
    } else if (byte < 0xf5 && second >> 6 === 2 && bytes[i + 2]! >> 6 === 2 && bytes[i + 3]! >> 6 === 2) {
      if (!(byte === 0xf0 && second < 0x90) && !(byte === 0xf4 && second > 0x8f)) length = 4;
    }
    if (length === 0) {
      problem = NOT_UTF8;
      const cut = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return ~(i + cut > limit ? limit : i); // a sequence that the end of the input cuts is incomplete, not wrong
    }
    i += length;
  }
}

/** The one problem that is of the bytes, not of the JSON. */
export const NOT_UTF8 = 'these bytes are not UTF-8';

function scanNumber(bytes: Uint8Array, at: number): number {
  let i = at;
  if (bytes[i] === 0x2d) i++;
  if (bytes[i] === 0x30) i++;
  else if (isDigit(bytes[i]!)) i = skipDigits(bytes, i);
  else return badNumber(i);
  if (bytes[i] === 0x2e) {
    if (!isDigit(bytes[++i]!)) return badNumber(i);
    i = skipDigits(bytes, i);
  }
  if ((bytes[i]! | 0x20) === 0x65) {
    i++;
    if (bytes[i] === 0x2b || bytes[i] === 0x2d) i++;
    if (!isDigit(bytes[i]!)) return badNumber(i);
    i = skipDigits(bytes, i);
  }
  return i;
}

function badNumber(at: number): number {
  problem = 'a number needs a digit here';
  return ~at;
}

function skipDigits(bytes: Uint8Array, at: number): number {
  let i = at;
  while (isDigit(bytes[i]!)) i++;
  return i;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function scanWord(bytes: Uint8Array, at: number, word: string): number {
  for (let k = 1; k < word.length; k++) {
    if (bytes[at + k] !== word.charCodeAt(k)) {
      problem = 'expected a value';
      return ~(at + k);
    }
  }
  return at + word.length;
}
