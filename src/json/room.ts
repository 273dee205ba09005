/** How much of an input is read at once. */

/** The default size of a read, in bytes. */
export const CHUNK = 1 << 18;
/** The size of the first read: most files are small, and untouched memory costs nothing. */
const FIRST_CHUNK = 1 << 16;
/** A pipe gives few bytes at a time: they are appended while there is this much room. */
export const LEAST = 1 << 14;
/** Up to this size, an incomplete value is scanned again after each read. */
export const LONG = 1 << 20;
/** The rest of an input is read at once if it is at most so many times as long as what was read of a value. */
const REST = 8;

/**
 * The room behind the `kept` bytes of an incomplete value. Doubling keeps the work linear, but leaves as much memory
 * behind as the value takes: a long one gets room for the `rest` of the input, if that is not much longer.
 */
export function roomBehind(kept: number, rest: number, hasBegun: boolean, chunk: number): number {
  if (kept > LONG && rest > kept && rest < REST * kept) return rest + LEAST;
  return Math.max(hasBegun ? chunk : Math.min(FIRST_CHUNK, chunk), kept);
}
