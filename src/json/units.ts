/** Columns, as editors count them. */

/** Lines are decoded in chunks, because a line may exceed the longest string. */
const PIECE = 1 << 24;

/** The UTF-16 units of the text in these bytes: the columns of editors. */
export function unitsIn(bytes: Buffer, start: number, end: number): number {
  let units = 0;
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + PIECE);
    for (let back = 0; back < 3 && to < end && (bytes[to]! & 0xc0) === 0x80; back++) to--; // do not split a character
    units += bytes.utf8Slice(from, to).length;
    from = to;
  }
  return units;
}
