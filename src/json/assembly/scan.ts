/**
 * The validating scan, in AssemblyScript: WebAssembly looks at 32 bytes of a string at once, and is fast from the first byte on.
 * `generate.mjs` compiles it into ../code.ts; ../scan.ts says what it does and puts the bytes where it finds them.
 *
 * Bytes are told by their address. Behind the last one stands a zero, which no value goes on with: it spares every check for the end.
 */

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

/** How many bytes an entry of the tape takes: four integers. */
const ENTRY = 16;

/** No key is due. */
const NONE = -1;

/** Of the last scan: how many integers its tape has; else which problem there is (its place in the list of ../scan.ts), and at which address. */
export let tapeLength: i32 = 0;
export let problem: i32 = 0;
export let problemAt: usize = 0;

/** Of the last string. */
let flags: i32 = 0;
/** The end of the memory. */
let room: usize = 0;

/** Makes sure that there are so many bytes of memory: says whether there are. `generate.mjs` bounds it just below 4 GB, where addresses end. */
export function reserve(bytes: usize): bool {
  const had = memory.size();
  const pages = <i32>(bytes >> 16) + 1 - had;
  if (pages > 0 && memory.grow(max(pages, had)) < 0 && memory.grow(pages) < 0) return false;
  room = (<usize>memory.size()) << 16;
  return true;
}

/** Where one of two texts begins first, each told by its first four bytes as a little-endian integer; `end` where none does. */
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

/** Where of sixteen bytes the first two letters stand. */
function pairsAt(at: usize, letters: i32): v128 {
  return v128.and(
    i8x16.eq(v128.load(at), i8x16.splat(<i8>letters)),
    i8x16.eq(v128.load(at, 1), i8x16.splat(<i8>(letters >> 8))),
  );
}

/**
 * Scans the value that begins at or after `start` into the tape; `origin` is the address of offset 0, `end` that of the zero.
 * Returns the address behind the value, or 0: what is missing at the end may still follow.
 */
export function scan(origin: usize, start: usize, end: usize, isLast: bool, tape: usize): usize {
  let next = tape;
  let open: usize = 0; // the entry of the innermost open container; its own parent waits in its fourth integer
  let at = start;
  let key = NONE; // which problem it is, where a key has to stand and does not
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
        // the closing bracket stands two further on than the opening one
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

    // A value, or the opening of an empty container, lies behind: close what closes, then find the next value.
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

/** Writes where a value ends, and which entry follows its subtree. */
function close(entry: usize, end: i32, tape: usize, next: usize): void {
  store<i32>(entry, end, 8);
  store<i32>(entry, <i32>((next - tape) >> 2), 12);
}

/** Notes what is wrong, and where; 0 stands for it. */
function wrong(at: usize, what: i32): usize {
  problem = what;
  problemAt = at;
  return 0;
}

function skipSpace(start: usize): usize {
  let at = start;
  let byte = load<u8>(at);
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = load<u8>(++at);
  return at;
}

/** From behind the opening quote to behind the closing one. Sets `flags`. */
function skipString(start: usize, end: usize): usize {
  let at = start;
  let escaped = 0;
  let high = 0; // bits of bytes above ASCII, of all bytes so far and of the last 32
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

/** Quotes, backslashes, and control characters. */
function stopsIn(bytes: v128): v128 {
  return v128.or(
    i8x16.lt_u(bytes, i8x16.splat(0x20)),
    v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
  );
}

/** The same, byte by byte: where something is no UTF-8, or stands close behind the string, it tells whether and where. */
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

/**
 * Bits where of sixteen bytes and those before them two, or three or four, do not follow one another in UTF-8: three tables by half bytes, of which each bit is a kind of
 * fault. J. Keiser, D. Lemire: Validating UTF-8 In Less Than One Instruction Per Byte (2021), https://arxiv.org/abs/2010.03090
 */
function faultsAt(at: usize): v128 {
  const half = i8x16.splat(15);
  const bytes = v128.load(at);
  const first = v128.load(at - 1);
  const second = v128.load(at - 2);
  const third = v128.load(at - 3);
  const byLead = i8x16.swizzle(
    i8x16(2, 2, 2, 2, 2, 2, 2, 2, -128, -128, -128, -128, 33, 1, 21, 73),
    i8x16.shr_u(first, 4),
  );
  const byLeadEnd = i8x16.swizzle(
    i8x16(-25, -93, -125, -125, -117, -53, -53, -53, -53, -53, -53, -53, -53, -37, -53, -53),
    v128.and(first, half),
  );
  const byNext = i8x16.swizzle(i8x16(1, 1, 1, 1, 1, 1, 1, 1, -26, -82, -70, -70, 1, 1, 1, 1), i8x16.shr_u(bytes, 4));
  const pairs = v128.and(v128.and(byLead, byLeadEnd), byNext);
  const goesOn = v128.or(i8x16.sub_sat_u(second, i8x16.splat(0x60)), i8x16.sub_sat_u(third, i8x16.splat(0x70)));
  return v128.xor(v128.and(goesOn, i8x16.splat(-128)), pairs);
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

/** Steps over well-formed UTF-8 above ASCII (Unicode 15, table 3-7), as long as it lasts. */
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
      const cut = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return wrong(at + cut > end ? end : at, 10); // a sequence that the end of the bytes cuts is incomplete, not wrong
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

function skipDigits(start: usize): usize {
  let at = start;
  while (isDigit(load<u8>(at))) at++;
  return at;
}

function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) < 10;
}

/** Four letters, as one integer. */
function skipWord(start: usize, letters: i32): usize {
  if (load<i32>(start) === letters) return start + 4;
  let at = start;
  while (<i32>load<u8>(at) === ((letters >> ((<i32>(at - start)) << 3)) & 0xff)) at++;
  return wrong(at, 1);
}
