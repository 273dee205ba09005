/** Classes of bytes, sixteen at a time or one by one. */

/** A mask of the places in sixteen bytes where the first two letters are. */
export function pairsAt(at: usize, letters: i32): v128 {
  return v128.and(
    i8x16.eq(v128.load(at), i8x16.splat(<i8>letters)),
    i8x16.eq(v128.load(at, 1), i8x16.splat(<i8>(letters >> 8))),
  );
}

/** Quotes, backslashes, and control characters. */
export function stopsIn(bytes: v128): v128 {
  return v128.or(
    i8x16.lt_u(bytes, i8x16.splat(0x20)),
    v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
  );
}

/**
 * A mask of sixteen bytes that are invalid UTF-8 after the three bytes before each. Three tables by half bytes; each
 * bit is one kind of error. J. Keiser, D. Lemire: Validating UTF-8 In Less Than One Instruction Per Byte (2021),
 * https://arxiv.org/abs/2010.03090
 */
export function faultsAt(at: usize): v128 {
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

export function skipSpace(start: usize): usize {
  let at = start;
  let byte = load<u8>(at);
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = load<u8>(++at);
  return at;
}

export function skipDigits(start: usize): usize {
  let at = start;
  while (isDigit(load<u8>(at))) at++;
  return at;
}

export function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) < 10;
}

/** The length of a non-ASCII character, by its first byte. */
export function lengthOf(first: u8): i32 {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
