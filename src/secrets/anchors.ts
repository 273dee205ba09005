/**
 * Where anchors are. At every second byte, a table tells by three bytes in a row whether they are the rarest of an
 * anchor: it is small enough for a near cache.
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

/** Kept for the same rules, as `redact` may be called for each message. The list of all rules changes with plugins. */
export function anchorsOf(rules: readonly SecretRule[]): Anchors {
  const isSame = last?.rules.length === rules.length && rules.every((rule, index) => rule === last!.rules[index]);
  if (!isSame) last = { rules: [...rules], anchors: tablesOf(rules) };
  return last!.anchors;
}

let last: { readonly rules: readonly SecretRule[]; readonly anchors: Anchors } | undefined;

function tablesOf(rules: readonly SecretRule[]): Anchors {
  const byHead = table<Anchor>(HASHES);
  const probes = table<Probe>(NEAR);
  for (const rule of rules)
    for (const text of rule.anchors.flatMap(spellingsOf)) {
      byHead.add(hashOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)), { text, rule });
      for (const probe of probesOf(text)) probes.add(probe.hash, probe);
    }
  const { has } = probes;
  const listAt = (bytes: Buffer, at: number) => byHead.of(hashOf(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!));

  return {
    placesIn(bytes, start, end) {
      const places: number[] = [];
      let first = bytes[start]!;
      for (let at = start; at + 2 < end; at += 2) {
        const second = bytes[at + 1]!;
        const third = bytes[at + 2]!;
        const hash = nearHash(first, second, third);
        first = third;
        if (has[hash] === 0) continue;
        for (const { text, offset } of probes.of(hash))
          if (at >= start + offset && isTextAt(bytes, at - offset, text)) places.push(at - offset);
      }
      return places.sort((a, b) => a - b).filter((place, index) => place !== places[index - 1]);
    },
    rulesAt: (bytes, at) =>
      listAt(bytes, at)
        .filter(({ text }) => isTextAt(bytes, at, text))
        .map(({ rule }) => rule),
  };
}

/** Three bytes of an anchor by their hash, and how far they are from its beginning. */
interface Probe {
  readonly text: string;
  readonly hash: number;
  readonly offset: number;
}

/** Lists by a hash. */
function table<T>(size: number) {
  const lists: T[][] = [[]];
  const has = new Uint8Array(size);
  const places = new Uint16Array(size);
  return {
    has,
    add(hash: number, one: T) {
      if (has[hash] === 0) places[hash] = lists.push([]) - 1;
      has[hash] = 1;
      lists[places[hash]!]!.push(one);
    },
    of: (hash: number): readonly T[] => lists[places[hash]!]!,
  };
}

const NEAR = 1 << 17;

/** Of three bytes, without what tells large letters from small ones. */
function nearHash(first: number, second: number, third: number): number {
  return ((first & 31) << 12) | ((second & 31) << 7) | (second & 64) | ((third & 64) >> 1) | (third & 31);
}

/**
 * Of two places side by side, one is looked at. Of a long anchor, these are those of the rarest letters; of three, the
 * first is, or else any character beside its rarer pair.
 */
function probesOf(text: string): readonly Probe[] {
  const codes = Array.from(text, (letter) => letter.charCodeAt(0));
  const probe = (offset: number) => ({
    text,
    hash: nearHash(codes[offset]!, codes[offset + 1]!, codes[offset + 2]!),
    offset,
  });
  const ranks = Array.from(text.toLowerCase(), (letter) => LETTERS.indexOf(letter));
  const rankOf = (from: number) => ranks[from]! + ranks[from + 1]! + ranks[from + 2]! + ranks[from + 3]!;
  let best = 0;
  for (let other = 1; other + 3 < codes.length; other++) if (rankOf(other) < rankOf(best)) best = other;
  if (codes.length > 3) return [probe(best), probe(best + 1)];
  const isBefore = ranks[0]! <= ranks[2]!;
  const beside = Array.from({ length: 128 }, (_, code) =>
    isBefore ? nearHash(code, codes[0]!, codes[1]!) : nearHash(codes[1]!, codes[2]!, code),
  );
  return [probe(0), ...Array.from(new Set(beside), (hash) => ({ text, hash, offset: isBefore ? -1 : 1 }))];
}

/** The most common letters last; other characters are rarer than the first. */
const LETTERS = 'zqjxkvbywgpfmucd lhrsnioate';

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
