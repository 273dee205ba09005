/** What assembly/scan.ts does, byte by byte, where no WebAssembly can be had. */

/** The scan, with its memory. */
export interface Code {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly tapeLength: { readonly value: number };
  readonly problem: { readonly value: number };
  readonly problemAt: { readonly value: number };
  reserve(bytes: number): number;
  find(start: number, end: number, one: number, other: number): number;
  scan(origin: number, start: number, end: number, isLast: number, tape: number): number;
}

const STRING = 4;
const OBJECT = 5;
const ARRAY = 6;
const ESCAPED = 8;
const WIDE = 16;
const NONE = -1;
const WORDS = [
  [0x6e, 'null', 0],
  [0x74, 'true', 1],
  [0x66, 'false', 2],
] as const;
const NUMBER = 3;

/** Bytes that may follow a backslash: `n " \ / t r b f`. */
const ESCAPES: ReadonlySet<number> = new Set(Array.from('n"\\/trbf', (letter) => letter.charCodeAt(0)));

export function plainCode(): Code {
  const memory = { buffer: new ArrayBuffer(1 << 16) };
  let bytes = new Uint8Array(memory.buffer);
  let ints = new Int32Array(memory.buffer);
  const tapeLength = { value: 0 };
  const problem = { value: 0 };
  const problemAt = { value: 0 };
  let flags = 0;

  /** Records the problem and its address; returns 0. */
  const wrong = (at: number, what: number): number => {
    problem.value = what;
    problemAt.value = at;
    return 0;
  };
  const reserve = (size: number): number => {
    if (size <= bytes.length) return 1;
    const grown = new Uint8Array((Math.max(size, 2 * bytes.length) + 3) & ~3);
    grown.set(bytes);
    bytes = grown;
    ints = new Int32Array(grown.buffer);
    memory.buffer = grown.buffer;
    return 1;
  };
  const skipSpace = (start: number): number => {
    let at = start;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
    return at;
  };
  const isDigit = (at: number): boolean => bytes[at]! >= 0x30 && bytes[at]! <= 0x39;
  const skipDigits = (start: number): number => {
    let at = start;
    while (isDigit(at)) at++;
    return at;
  };
  const skipNumber = (start: number): number => {
    let at = bytes[start] === 0x2d ? start + 1 : start;
    if (!isDigit(at)) return wrong(at, 11);
    at = bytes[at] === 0x30 ? at + 1 : skipDigits(at);
    if (bytes[at] === 0x2e) {
      if (!isDigit(at + 1)) return wrong(at + 1, 11);
      at = skipDigits(at + 1);
    }
    if ((bytes[at]! | 0x20) !== 0x65) return at;
    at += bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 2 : 1;
    return isDigit(at) ? skipDigits(at) : wrong(at, 11);
  };
  const skipWord = (start: number, word: string): number => {
    for (let at = 1; at < word.length; at++) if (bytes[start + at] !== word.charCodeAt(at)) return wrong(start + at, 1);
    return start + word.length;
  };
  const skipEscape = (start: number): number => {
    const byte = bytes[start + 1]!;
    if (ESCAPES.has(byte)) return start + 2;
    if (byte !== 0x75) return wrong(start + 1, 8);
    for (let at = start + 2; at < start + 6; at++) {
      const letter = bytes[at]! | 0x20;
      if (!isDigit(at) && !(letter >= 0x61 && letter <= 0x66)) return wrong(at, 9);
    }
    return start + 6;
  };
  const goesOn = (at: number): boolean => bytes[at]! >> 6 === 2;
  /** The length of a well-formed non-ASCII character (Unicode 15, table 3-7); 0 if it is none. */
  const widthAt = (at: number): number => {
    const [byte, second] = [bytes[at]!, bytes[at + 1]!];
    if (!goesOn(at + 1)) return 0;
    if (byte < 0xe0) return byte >= 0xc2 ? 2 : 0;
    if (!goesOn(at + 2)) return 0;
    if (byte < 0xf0) return (byte === 0xe0 && second < 0xa0) || (byte === 0xed && second > 0x9f) ? 0 : 3;
    const isOut = byte > 0xf4 || (byte === 0xf0 && second < 0x90) || (byte === 0xf4 && second > 0x8f);
    return isOut || !goesOn(at + 3) ? 0 : 4;
  };
  /** From the byte after the opening quote to the one after the closing quote. Sets `flags`. */
  const skipString = (start: number, end: number): number => {
    flags = 0;
    for (let at = start; ; ) {
      const byte = bytes[at]!;
      if (byte === 0x22) return at + 1;
      if (byte === 0x5c) {
        flags |= ESCAPED;
        at = skipEscape(at);
        if (at === 0) return 0;
      } else if (byte >= 0x80) {
        flags |= WIDE;
        const width = widthAt(at);
        const expected = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        // a sequence that the end of the bytes cuts is incomplete, not invalid
        if (width === 0) return wrong(at + expected > end ? end : at, 10);
        at += width;
      } else if (byte >= 0x20) at++;
      else return wrong(at, byte === 0x0a ? 6 : 7);
    }
  };

  function scan(origin: number, start: number, end: number, isLast: number, tape: number): number {
    const first = tape >> 2;
    let next = first;
    let open = 0; // the entry of the innermost open container; its fourth integer is its parent
    let at = start;
    let key = NONE; // the problem to report if a key is expected and missing
    const close = (entry: number) => {
      ints[entry + 2] = at - origin;
      ints[entry + 3] = next - first;
    };
    while (true) {
      at = skipSpace(at);
      reserve((next + 4) << 2);
      const entry = next;
      next += 4;
      ints[entry + 1] = at - origin;
      const byte = bytes[at]!;
      if (key !== NONE && byte !== 0x22) return wrong(at, key);
      if (byte === 0x22) {
        at = skipString(at + 1, end);
        if (at === 0) return 0;
        ints[entry] = STRING | flags;
        close(entry);
        if (key !== NONE) {
          key = NONE;
          at = skipSpace(at);
          if (bytes[at] !== 0x3a) return wrong(at, 5);
          at++;
          continue;
        }
      } else if (byte === 0x7b || byte === 0x5b) {
        ints[entry] = byte === 0x7b ? OBJECT : ARRAY;
        ints[entry + 3] = open;
        open = entry;
        at = skipSpace(at + 1);
        if (bytes[at] !== byte + 2) {
          if (byte === 0x7b) key = 0;
          continue;
        }
      } else {
        const word = WORDS.find(([letter]) => letter === byte);
        if (word === undefined && byte !== 0x2d && !isDigit(at)) return wrong(at, 1);
        at = word === undefined ? skipNumber(at) : skipWord(at, word[1]);
        if (at === 0) return 0;
        if (at >= end && open === 0 && isLast === 0) return wrong(end, 1); // the rest of a number may follow
        ints[entry] = word === undefined ? NUMBER : word[2];
        close(entry);
      }
      // after a value or the opening of an empty container: containers that end here, then the next value
      while (true) {
        if (open === 0) {
          tapeLength.value = next - first;
          return at;
        }
        at = skipSpace(at);
        const inObject = ints[open] === OBJECT;
        if (bytes[at] === 0x2c) {
          at++;
          if (inObject) key = 2;
          break;
        }
        if (bytes[at] !== (inObject ? 0x7d : 0x5d)) return wrong(at, inObject ? 3 : 4);
        at++;
        const parent = ints[open + 3]!;
        close(open);
        open = parent;
      }
    }
  }

  /** The first address of one of two texts, given as their first four bytes in a little-endian integer; else `end`. */
  function find(start: number, end: number, one: number, other: number): number {
    for (let at = start; at < end; at++) {
      const letters = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      if (letters === one || letters === other) return at;
    }
    return end;
  }

  return { memory, tapeLength, problem, problemAt, reserve, scan, find };
}
