/**
 * The validating scan, in AssemblyScript: WebAssembly checks 32 bytes of a string at once and needs no warm-up.
 * `generate.mjs` compiles it into ../code.ts; ../scan.ts documents it and copies the bytes into its memory.
 *
 * Positions are addresses. A zero byte follows the last one: it ends every value, so no loop checks for the end.
 */

import { faultsAt, isDigit, lengthOf, pairsAt, skipDigits, skipSpace, stopsIn } from './bytes';

/** Kinds and flags of a tape's entries, as in ../scan.ts. */
const NULL = 0;
const TRUE = 1;
const FALSE = 2;
const NUMBER = 3;
const STRING = 4;
const OBJECT = 5;
const ARRAY = 6;
const ESCAPED = 8;
const WIDE = 16;

/** The size of a tape entry in bytes: four integers. */
const ENTRY = 16;

/** No key is expected. */
const NONE = -1;

/**
 * The outcome of the last scan: the number of integers in its tape, or the problem (an index into the list in
 * ../scan.ts) and its address.
 */
export let tapeLength: i32 = 0;
export let problem: i32 = 0;
export let problemAt: usize = 0;

/** The flags of the last string. */
let flags: i32 = 0;
/** The end of the memory. */
let room: usize = 0;

/**
 * Grows the memory to at least `bytes`; false if that fails. `generate.mjs` limits it to just below 4 GB of addresses.
 */
export function reserve(bytes: usize): bool {
  const had = memory.size();
  const pages = <i32>(bytes >> 16) + 1 - had;
  if (pages > 0 && memory.grow(max(pages, had)) < 0 && memory.grow(pages) < 0) return false;
  room = (<usize>memory.size()) << 16;
  return true;
}

/** The first address of one of two texts, given as their first four bytes in a little-endian integer; else `end`. */
export function find(start: usize, end: usize, one: i32, other: i32): usize {
  for (let at = start; at < end; at += 32) {
    const here = v128.or(pairsAt(at, one), pairsAt(at, other));
    const behind = v128.or(pairsAt(at + 16, one), pairsAt(at + 16, other));
    if (!v128.any_true(v128.or(here, behind))) continue;
    for (let pairs = i8x16.bitmask(here) | (i8x16.bitmask(behind) << 16); pairs !== 0; pairs &= pairs - 1) {
      const found = at + ctz(pairs);
      const letters = load<i32>(found);
      if (letters === one || letters === other) return min(found, end);
    }
  }
  return end;
}

/**
 * Scans the value that begins at or after `start` into the tape; `origin` is the address of offset 0, `end` that of the
 * zero byte. Returns the address after the value; 0 if it is invalid, or incomplete and more bytes may follow.
 */
export function scan(origin: usize, start: usize, end: usize, isLast: bool, tape: usize): usize {
  let next = tape;
  let open: usize = 0; // the entry of the innermost open container; its fourth integer is its parent
  let at = start;
  let key = NONE; // the problem to report if a key is expected and missing
  while (true) {
    at = skipSpace(at);
    if (next + ENTRY > room && !reserve(next + ENTRY)) return wrong(at, 12);
    const entry = next;
    next += ENTRY;
    store<i32>(entry, <i32>(at - origin), 4);
    let byte = load<u8>(at);
    if (key !== NONE && byte !== 0x22) return wrong(at, key);
    if (byte === 0x22) {
      at = skipString(at + 1, end);
      if (at === 0) return 0;
      store<i32>(entry, STRING | flags);
      close(entry, <i32>(at - origin), tape, next);
      if (key !== NONE) {
        key = NONE;
        at = skipSpace(at);
        if (load<u8>(at) !== 0x3a) return wrong(at, 5);
        at++;
        continue;
      }
    } else if (byte === 0x7b || byte === 0x5b) {
      store<i32>(entry, byte === 0x7b ? OBJECT : ARRAY);
      store<i32>(entry, <i32>open, 12);
      open = entry;
      at = skipSpace(at + 1);
      if (load<u8>(at) !== byte + 2) {
        // the code of a closing bracket is that of the opening one plus two
        if (byte === 0x7b) key = 0;
        continue;
      }
    } else {
      let kind = NUMBER;
      if (byte === 0x2d || isDigit(byte)) at = skipNumber(at);
      else if (byte === 0x74) {
        kind = TRUE;
        at = skipWord(at, 0x65757274); // "true", as a little-endian integer
      } else if (byte === 0x66) {
        kind = FALSE;
        at = skipWord(at + 1, 0x65736c61); // "alse"
      } else if (byte === 0x6e) {
        kind = NULL;
        at = skipWord(at, 0x6c6c756e); // "null"
      } else return wrong(at, 1);
      if (at === 0) return 0;
      if (at >= end && open === 0 && !isLast) return wrong(end, 1); // the rest of a number may follow
      store<i32>(entry, kind);
      close(entry, <i32>(at - origin), tape, next);
    }

    // After a value or the opening of an empty container: close containers that end here, then find the next value.
    while (true) {
      if (open === 0) {
        tapeLength = <i32>((next - tape) >> 2);
        return at;
      }
      at = skipSpace(at);
      byte = load<u8>(at);
      const inObject = load<i32>(open) === OBJECT;
      at++;
      if (byte === 0x2c) {
        if (inObject) key = 2;
        break;
      }
      if (byte !== (inObject ? 0x7d : 0x5d)) return wrong(at - 1, inObject ? 3 : 4);
      const parent = <usize>load<i32>(open, 12);
      close(open, <i32>(at - origin), tape, next);
      open = parent;
    }
  }
}

/** Stores the end of a value and the entry after its subtree. */
function close(entry: usize, end: i32, tape: usize, next: usize): void {
  store<i32>(entry, end, 8);
  store<i32>(entry, <i32>((next - tape) >> 2), 12);
}

/** Records the problem and its address; returns 0. */
function wrong(at: usize, what: i32): usize {
  problem = what;
  problemAt = at;
  return 0;
}

/** From the byte after the opening quote to the one after the closing quote. Sets `flags`. */
function skipString(start: usize, end: usize): usize {
  let at = start;
  let escaped = 0;
  let high = 0; // non-ASCII bytes among all bytes so far; `lately`: among the last 32
  let lately = 0;
  let faults = i8x16.splat(0);
  while (true) {
    const bytes = v128.load(at);
    const more = v128.load(at, 16);
    const bits = i8x16.bitmask(v128.or(bytes, more));
    if ((bits | lately) !== 0) faults = v128.or(faults, v128.or(faultsAt(at), faultsAt(at + 16)));
    lately = bits;
    let stops = i8x16.bitmask(stopsIn(bytes)) | (i8x16.bitmask(stopsIn(more)) << 16);
    let next = at + 32;
    while (stops !== 0) {
      const bit = ctz(stops);
      const stop = at + bit;
      const byte = load<u8>(stop);
      if (byte === 0x5c) {
        escaped = ESCAPED;
        const behind = skipEscape(stop);
        if (behind === 0) return v128.any_true(faults) ? skipSlowly(start, end) : 0;
        stops = behind < next ? stops & (-1 << (<i32>(behind - at))) : 0;
        if (behind > next) next = behind;
      } else {
        if (v128.any_true(faults) && skipSlowly(start, end) === 0) return 0;
        if (byte !== 0x22) return wrong(stop, byte === 0x0a ? 6 : 7);
        if (bits !== 0) high |= (i8x16.bitmask(bytes) | (i8x16.bitmask(more) << 16)) & ((1 << bit) - 1);
        flags = escaped | (high === 0 ? 0 : WIDE);
        return stop + 1;
      }
    }
    high |= bits;
    at = next;
  }
}

/** Like `skipString`, byte by byte: finds the exact place of invalid UTF-8, or that it is only after the string. */
function skipSlowly(start: usize, end: usize): usize {
  let at = start;
  while (at !== 0) {
    const byte = load<u8>(at);
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) at = skipEscape(at);
    else if (byte >= 0x80) at = skipWide(at, end);
    else if (byte >= 0x20) at++;
    else at = wrong(at, byte === 0x0a ? 6 : 7);
  }
  return 0;
}

function skipEscape(start: usize): usize {
  const byte = load<u8>(start, 1);
  // n " \ / t r b f
  if (
    byte === 0x6e ||
    byte === 0x22 ||
    byte === 0x5c ||
    byte === 0x2f ||
    byte === 0x74 ||
    byte === 0x72 ||
    byte === 0x62 ||
    byte === 0x66
  )
    return start + 2;
  if (byte !== 0x75) return wrong(start + 1, 8);
  for (let at = start + 2; at < start + 6; at++) {
    const digit = load<u8>(at);
    if (!isDigit(digit) && <u8>((digit | 0x20) - 0x61) >= 6) return wrong(at, 9);
  }
  return start + 6;
}

/** Skips a run of well-formed non-ASCII UTF-8 (Unicode 15, table 3-7). */
function skipWide(start: usize, end: usize): usize {
  let at = start;
  while (true) {
    const byte = load<u8>(at);
    if (byte < 0x80) return at;
    const second = load<u8>(at, 1);
    let length = 0;
    if (byte < 0xe0) {
      if (byte >= 0xc2 && second >> 6 === 2) length = 2;
    } else if (byte < 0xf0) {
      if (
        second >> 6 === 2 &&
        load<u8>(at, 2) >> 6 === 2 &&
        !(byte === 0xe0 && second < 0xa0) &&
        !(byte === 0xed && second > 0x9f)
      )
        length = 3;
    } else if (byte < 0xf5 && second >> 6 === 2 && load<u8>(at, 2) >> 6 === 2 && load<u8>(at, 3) >> 6 === 2) {
      if (!(byte === 0xf0 && second < 0x90) && !(byte === 0xf4 && second > 0x8f)) length = 4;
    }
    if (length === 0) {
      // a sequence truncated at the end of the bytes is incomplete, not invalid
      return wrong(at + lengthOf(byte) > end ? end : at, 10);
    }
    at += length;
  }
}

function skipNumber(start: usize): usize {
  let at = start;
  if (load<u8>(at) === 0x2d) at++;
  const first = load<u8>(at);
  if (!isDigit(first)) return wrong(at, 11);
  at = first === 0x30 ? at + 1 : skipDigits(at);
  if (load<u8>(at) === 0x2e) {
    at++;
    if (!isDigit(load<u8>(at))) return wrong(at, 11);
    at = skipDigits(at);
  }
  if ((load<u8>(at) | 0x20) === 0x65) {
    at++;
    const sign = load<u8>(at);
    if (sign === 0x2b || sign === 0x2d) at++;
    if (!isDigit(load<u8>(at))) return wrong(at, 11);
    at = skipDigits(at);
  }
  return at;
}

/** Skips a word of four letters, given as one integer. */
function skipWord(start: usize, letters: i32): usize {
  if (load<i32>(start) === letters) return start + 4;
  let at = start;
  while (<i32>load<u8>(at) === ((letters >> ((<i32>(at - start)) << 3)) & 0xff)) at++;
  return wrong(at, 1);
}
