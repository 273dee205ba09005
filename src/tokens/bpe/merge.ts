/**
 * Byte pair merging that only counts: of all adjacent parts whose bytes together are a token, the pair with the lowest
 * rank becomes one part (the leftmost of equal ones first), until no such pair is left. A scan finds that pair among
 * few parts, a tournament tree among many, so that n bytes always cost n log n.
 *
 * A merged part keeps the number of its first part; `next` and `previous` link the remaining parts.
 */
import { classAt, lengthOf } from './split.js';
import { NONE, type Table } from './table.js';

/**
 * Flags in a character's class, above the bits of split.ts: whether merging may start with it as one part. See
 * whole.ts.
 */
export const WHOLE = 32;
export const CUTS_BEFORE = 64;
export const CUTS_AFTER = 128;

/** The number of tokens of the bytes from `start` to `end`. `text` views the same bytes. */
export type Merge = (bytes: Uint8Array, text: DataView, start: number, end: number) => number;

/** Up to this many parts are merged by scanning. A part's number takes six bits. */
const FEW = 64;
/** Scratch space for more parts than this is released after use. */
const KEPT = 1 << 12;

export function createMerge(table: Table): Merge {
  let starts = new Int32Array(KEPT);
  const mergeFew = createMergeFew(table);

  return (bytes, text, start, end) => {
    if (end - start >= starts.length) starts = new Int32Array(end - start + 1);
    const parts = writeStarts(table.classes, bytes, start, end, starts);
    const tokens = parts <= FEW ? mergeFew(text, starts, parts) : mergeMany(table, text, starts, parts);
    if (starts.length > KEPT) starts = new Int32Array(KEPT);
    return tokens;
  };
}

/** Fills `starts` with the start of each initial part, then `end`; returns the number of parts. */
function writeStarts(classes: Uint8Array, bytes: Uint8Array, start: number, end: number, starts: Int32Array): number {
  let parts = 0;
  let before = 0;
  let here = classAt(classes, bytes, start);
  for (let p = start; p < end; ) {
    const after = Math.min(p + lengthOf(bytes[p]!), end);
    const next = after < end ? classAt(classes, bytes, after) : 0;
    starts[parts++] = p++;
    if ((here & WHOLE) === 0 || before & CUTS_AFTER || next & CUTS_BEFORE) while (p < after) starts[parts++] = p++;
    p = after;
    before = here;
    here = next;
  }
  starts[parts] = end;
  return parts;
}

function createMergeFew(table: Table): (text: DataView, starts: Int32Array, parts: number) => number {
  /** By part, for it and the next one: rank << 6 | the part's number; the lowest is the leftmost of the lowest rank. */
  const keys = new Int32Array(FEW);
  const next = new Int32Array(FEW + 1);
  const previous = new Int32Array(FEW + 1);

  const setKey = (text: DataView, part: number, start: number, end: number): void => {
    const rank = table.rank(text, start, end);
    keys[part] = rank === NONE ? NONE : (rank << 6) | part;
  };

  return (text, starts, parts) => {
    const pairs = parts - 1;
    for (let i = 0; i < parts; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      if (i < pairs) setKey(text, i, starts[i]!, starts[i + 2]!);
    }
    for (let count = parts; ; count--) {
      let lowest = NONE;
      for (let i = 0; i < pairs; i++) {
        const less = keys[i]! - lowest;
        lowest += less & (less >> 31); // the lower of the two: a branch would be mispredicted too often
      }
      if (lowest === NONE) return count;
      const part = lowest & 63;
      const absorbed = next[part]!;
      const after = next[absorbed]!;
      next[part] = after;
      previous[after] = part;
      keys[absorbed] = NONE;
      if (after < parts) setKey(text, part, starts[part]!, starts[next[after]!]!);
      else keys[part] = NONE;
      if (part > 0) setKey(text, previous[part]!, starts[previous[part]!]!, starts[after]!);
    }
  };
}

/**
 * A leaf of the tree is the rank of a part and the next; each inner node is the lower of its two, the root the lowest.
 */
function mergeMany(table: Table, text: DataView, starts: Int32Array, parts: number): number {
  const leaves = 2 ** Math.ceil(Math.log2(parts));
  const tree = new Int32Array(2 * leaves).fill(NONE);
  const next = new Int32Array(parts + 1);
  const previous = new Int32Array(parts + 1);
  for (let i = 0; i < parts; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
    if (i < parts - 1) tree[leaves + i] = table.rank(text, starts[i]!, starts[i + 2]!);
  }
  for (let node = leaves - 1; node > 0; node--) tree[node] = Math.min(tree[2 * node]!, tree[2 * node + 1]!);

  for (let count = parts; ; count--) {
    const lowest = tree[1]!;
    if (lowest === NONE) return count;
    let node = 1;
    while (node < leaves) node = tree[2 * node] === lowest ? 2 * node : 2 * node + 1;
    const part = node - leaves;
    const absorbed = next[part]!;
    const after = next[absorbed]!;
    next[part] = after;
    previous[after] = part;
    setLeaf(tree, leaves + absorbed, NONE);
    setLeaf(tree, node, after < parts ? table.rank(text, starts[part]!, starts[next[after]!]!) : NONE);
    if (part > 0) setLeaf(tree, leaves + previous[part]!, table.rank(text, starts[previous[part]!]!, starts[after]!));
  }
}

function setLeaf(tree: Int32Array, leaf: number, rank: number): void {
  tree[leaf] = rank;
  let lowest = rank;
  for (let node = leaf; node > 1; node >>= 1) {
    lowest = Math.min(lowest, tree[node ^ 1]!);
    if (tree[node >> 1] === lowest) return;
    tree[node >> 1] = lowest;
  }
}
