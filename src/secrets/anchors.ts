/**
 * Where anchors are. At every second byte, two tables of pairs tell whether an anchor may be near: they are small
 * enough for the nearest cache, and three bytes in a row that stand in both are rare.
 */
import type { SecretRule } from './rule.js';

export interface Anchors {
  /** The places at which an anchor begins, in order. */
  placesIn(bytes: Buffer, start: number, end: number): readonly number[];
  /** The rules with an anchor at this place, in their order. */
  rulesAt(bytes: Buffer, at: number): readonly SecretRule[];
}

interface Anchor {
  readonly text: string;
  readonly rule: SecretRule;
}

export function anchorsOf(rules: readonly SecretRule[]): Anchors {
  const lists: Anchor[][] = [[]];
  /** By the hash of their first letters, which list anchors are in. */
  const listOf = new Uint16Array(HASHES);
  const near = nearTables();
  for (const rule of rules)
    for (const text of rule.anchors.flatMap(spellingsOf)) {
      const hash = hashOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2));
      if (listOf[hash] === 0) listOf[hash] = lists.push([]) - 1;
      lists[listOf[hash]!]!.push({ text, rule });
      near.add(text);
    }
  const listAt = (bytes: Buffer, at: number) => lists[listOf[hashOf(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!)]!]!;
  const isAnchored = (bytes: Buffer, at: number) => listAt(bytes, at).some(({ text }) => isTextAt(bytes, at, text));

  return {
    placesIn(bytes, start, end) {
      const { heads, tails } = near;
      const places: number[] = [];
      let next = start; // all places before it are judged
      let first = bytes[start]!;
      for (let at = start; at + 2 < end; at += 2) {
        const second = bytes[at + 1]!;
        const third = bytes[at + 2]!;
        if ((heads[(first << 8) | second]! & tails[(second << 8) | third]!) !== 0)
          for (next = Math.max(next, at - 1); next <= at + 1; next++) if (isAnchored(bytes, next)) places.push(next);
        first = third;
      }
      return places;
    },
    rulesAt: (bytes, at) =>
      listAt(bytes, at)
        .filter(({ text }) => isTextAt(bytes, at, text))
        .map(({ rule }) => rule),
  };
}

/** Which pairs the first and the last two of three bytes near an anchor may be, with a bit for some first bytes. */
function nearTables() {
  const heads = new Uint8Array(1 << 16);
  const tails = new Uint8Array(1 << 16);
  const addTriple = (first: number, second: number, third: number) => {
    const bit = 1 << (first & 7);
    heads[(first << 8) | second]! |= bit;
    tails[(second << 8) | third]! |= bit;
  };
  return {
    heads,
    tails,
    /** Of two places side by side, one is looked at: the first or second of the anchor, or the one before it. */
    add(text: string) {
      const [first, second, third, fourth] = Array.from(text, (letter) => letter.charCodeAt(0)) as number[];
      addTriple(first!, second!, third!);
      if (fourth !== undefined) addTriple(second!, third!, fourth);
      else for (let before = 0; before < 256; before++) addTriple(before, first!, second!);
    },
  };
}

/** JSON may write a slash as `\\/`, and JSON in strings as `\\\\/`. */
function spellingsOf(anchor: string): readonly string[] {
  return anchor.includes('/') ? ['/', '\\/', '\\\\/'].map((slash) => anchor.replaceAll('/', slash)) : [anchor];
}

const HASHES = 1 << 12;

function hashOf(first: number, second: number, third: number): number {
  return ((first << 6) ^ (second << 3) ^ third) & (HASHES - 1);
}

function isTextAt(bytes: Buffer, at: number, text: string): boolean {
  for (let i = text.length - 1; i >= 0; i--) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
