/**
 * A cache of token counts for repeated byte strings, such as the system prompt of each request in a log. Keeps the last
 * megabytes that were counted; finds a candidate by a few of its bytes, and then compares all of them. Pauses while the
 * hit rate is low, so that lookups cost almost nothing.
 */

export interface Repeated {
  /** The count for the same bytes, or -1. */
  recall(bytes: Uint8Array, start: number, end: number): number;
  keep(bytes: Uint8Array, start: number, end: number, tokens: number): void;
}

/** Counting shorter strings is as fast as finding them. */
const SHORTEST = 48;
const LONGEST = 1 << 17;
const SLOTS = 1 << 12;
const KEPT = 1 << 22;
/** The lookups in a round; the hit rate is checked after each round. */
const ROUND = 1 << 12;
/** Pauses lookups for REST rounds if the hit rate drops below 1/WORTH. */
const WORTH = 16;
const REST = 16;

export function createRepeated(): Repeated {
  let ring: Buffer | undefined; // created when it is first needed
  let written = 0; // in all; the remainder is the position in the ring
  const places = new Float64Array(SLOTS).fill(-1);
  const lengths = new Int32Array(SLOTS);
  const counts = new Int32Array(SLOTS);
  let lookups = 0;
  let hits = 0;
  let resting = 0;
  const isOn = () => {
    if (resting > 0) {
      resting--;
      return false;
    }
    if (++lookups < ROUND) return true;
    if (hits * WORTH < lookups) resting = ROUND * REST;
    lookups = 0;
    hits = 0;
    return resting === 0;
  };
  return {
    recall(bytes, start, end) {
      const length = end - start;
      if (length < SHORTEST || length > LONGEST || !isOn() || ring === undefined) return -1;
      const slot = slotOf(bytes, start, end);
      const place = places[slot]!;
      if (lengths[slot] !== length || place < 0 || written - place > KEPT) return -1;
      const at = place % KEPT;
      if (ring.compare(bytes, start, end, at, at + length) !== 0) return -1;
      hits++;
      return counts[slot]!;
    },
    keep(bytes, start, end, tokens) {
      const length = end - start;
      if (length < SHORTEST || length > LONGEST || resting > 0) return;
      ring ??= Buffer.allocUnsafeSlow(KEPT);
      if ((written % KEPT) + length > KEPT) written += KEPT - (written % KEPT); // no string wraps around the end
      ring.set(bytes.subarray(start, end), written % KEPT);
      const slot = slotOf(bytes, start, end);
      places[slot] = written;
      lengths[slot] = length;
      counts[slot] = tokens;
      written += length;
    },
  };
}

/** A hash of the length and a few bytes. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const step = (end - start) >> 4;
  let hash = end - start;
  for (let at = end - 1; at >= start; at -= step) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
