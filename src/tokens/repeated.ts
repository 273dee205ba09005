/**
 * Counts of byte strings that come again: the system prompt of every request in a log, a history that is sent once more. The last
 * megabytes of what was counted are kept; a candidate is found by a few of its bytes and then compared whole. Where little comes again
 * it is left alone for a while: then asking costs next to nothing.
 */

export interface Repeated {
  /** What was kept for the same bytes, or -1. */
  recall(bytes: Uint8Array, start: number, end: number): number;
  keep(bytes: Uint8Array, start: number, end: number, tokens: number): void;
}

/** Shorter ones are counted as fast as they are found. */
const SHORTEST = 48;
const LONGEST = 1 << 17;
const SLOTS = 1 << 12;
const KEPT = 1 << 22;
/** After so many questions it is weighed whether they were worth it. */
const ROUND = 1 << 12;
/** One in so many has to have been answered, else none is asked for so many rounds. */
const WORTH = 16;
const REST = 16;

export function createRepeated(): Repeated {
  let ring: Buffer | undefined; // made when there is something to keep
  let written = 0; // in all: where in the ring that is, its remainder tells
  const places = new Float64Array(SLOTS).fill(-1);
  const lengths = new Int32Array(SLOTS);
  const counts = new Int32Array(SLOTS);
  let asked = 0;
  let answered = 0;
  let resting = 0;
  const isOn = () => {
    if (resting > 0) {
      resting--;
      return false;
    }
    if (++asked < ROUND) return true;
    if (answered * WORTH < asked) resting = ROUND * REST;
    asked = 0;
    answered = 0;
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
      answered++;
      return counts[slot]!;
    },
    keep(bytes, start, end, tokens) {
      const length = end - start;
      if (length < SHORTEST || length > LONGEST || resting > 0) return;
      ring ??= Buffer.allocUnsafeSlow(KEPT);
      if ((written % KEPT) + length > KEPT) written += KEPT - (written % KEPT); // none goes around the end
      ring.set(bytes.subarray(start, end), written % KEPT);
      const slot = slotOf(bytes, start, end);
      places[slot] = written;
      lengths[slot] = length;
      counts[slot] = tokens;
      written += length;
    },
  };
}

/** By the length and a few bytes, spread over the whole. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const step = (end - start) >> 4;
  let hash = end - start;
  for (let at = end - 1; at >= start; at -= step) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
