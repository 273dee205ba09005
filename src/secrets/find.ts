/**
 * Finds secrets in bytes, whatever they are part of: texts, arguments, names, or JSON in strings. Most bytes are only
 * looked up in a table of the first three letters of all anchors; the pattern of a rule runs where its anchor is.
 */
import { isPlaceholder } from './placeholder.js';
import type { SecretRule } from './rule.js';
import { withoutEscapes } from './unescaped.js';

export interface FoundSecret {
  readonly rule: SecretRule;
  /** Offsets in the bytes. */
  readonly start: number;
  readonly end: number;
  /** The secret, without JSON escapes. Never print it. */
  readonly text: string;
}

/** Secrets in the bytes from `start` to `end`, in order; none overlaps another. */
export type FindSecrets = (bytes: Buffer, start?: number, end?: number) => FoundSecret[];

interface Anchor {
  readonly text: string;
  readonly rule: SecretRule;
}

/** A match has at most this many bytes, unless its rule says otherwise. */
const LONGEST = 512;

/** `isAllowed`: texts that are no secrets, whatever they look like. */
export function createFinder(rules: readonly SecretRule[], isAllowed: (text: string) => boolean): FindSecrets {
  const byStart = new Map<number, Anchor[]>();
  const isStart = new Uint8Array(1 << 18);
  for (const rule of rules)
    for (const text of rule.anchors) {
      const hash = hashOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2));
      isStart[hash] = 1;
      byStart.set(hash, [...(byStart.get(hash) ?? []), { text, rule }]);
    }

  const longestAt = (bytes: Buffer, at: number, limits: Limits, anchors: readonly Anchor[]) => {
    let best: FoundSecret | undefined;
    for (const { text, rule } of anchors) {
      if (!isTextAt(bytes, at, text)) continue;
      const found = matchAt(bytes, at, limits, rule);
      if (found === undefined || isAllowed(found.text)) continue;
      if (best === undefined || found.end - found.start > best.end - best.start) best = found;
    }
    return best;
  };

  /** A known kind of key is better than the name in front of it. */
  const holdsDefinite = (bytes: Buffer, { start, end }: FoundSecret): boolean =>
    search(bytes, start, end).some(({ rule }) => rule.tier === 'definite');

  const search: FindSecrets = (bytes, start = 0, end = bytes.length) => {
    const found: FoundSecret[] = [];
    let last = start; // the end of the last secret
    let first = bytes[start]!;
    let second = bytes[start + 1]!;
    for (let at = start; at + 2 < end; at++) {
      const third = bytes[at + 2]!;
      const hash = hashOf(first, second, third);
      first = second;
      second = third;
      if (isStart[hash] === 0) continue;
      const secret = longestAt(bytes, at, { last, end }, byStart.get(hash)!);
      if (secret === undefined || (secret.rule.tier === 'candidate' && holdsDefinite(bytes, secret))) continue;
      found.push(secret);
      last = secret.end;
      at = Math.max(at, secret.end - 1);
      first = bytes[at + 1]!;
      second = bytes[at + 2]!;
    }
    return found;
  };

  return (bytes, start = 0, end = bytes.length) => {
    const plain = withoutEscapes(bytes, start, end);
    if (plain === undefined) return search(bytes, start, end);
    return search(plain.bytes).map((secret) => ({
      ...secret,
      start: plain.originOf(secret.start),
      end: plain.originOf(secret.end),
    }));
  };
}

function hashOf(first: number, second: number, third: number): number {
  return ((first << 12) ^ (second << 6) ^ third) & 0x3ffff;
}

interface Limits {
  /** The end of the secret before. */
  readonly last: number;
  readonly end: number;
}

function matchAt(bytes: Buffer, at: number, { last, end }: Limits, rule: SecretRule): FoundSecret | undefined {
  const from = Math.max(last, at - (rule.lead ?? 0));
  if (from === at && rule.isPart !== true && !startsWord(bytes, at, last)) return undefined;
  const window = bytes.latin1Slice(from, Math.min(end, at + (rule.longest ?? LONGEST)));
  for (let begin = 0; begin <= at - from; begin++) {
    if (rule.isPart !== true && !startsWord(bytes, from + begin, last)) continue;
    rule.pattern.lastIndex = begin;
    const match = rule.pattern.exec(window);
    if (match === null) continue;
    const secret = match.groups?.['secret'] ?? match[0];
    if (isPlaceholder(secret, rule.entropy ?? 3)) return undefined;
    const start = from + begin + match[0].lastIndexOf(secret);
    return { rule, start, end: start + secret.length, text: secret };
  }
  return undefined;
}

function isTextAt(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Whether the byte before is no letter, digit or part of a word; an escape in JSON (`\n`) ends a word. */
function startsWord(bytes: Buffer, at: number, least: number): boolean {
  const first = bytes[at]!;
  if (at <= least || !isWordByte(first)) return true;
  const before = bytes[at - 1]!;
  if (!isWordByte(before)) return true;
  return bytes[at - 2] === BACKSLASH || ESCAPE_CODE.test(bytes.latin1Slice(Math.max(least, at - 8), at));
}

const BACKSLASH = 0x5c;
/** A color of a terminal. */
const ESCAPE_CODE = /\[[\d;]*m$/;

function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f
  );
}
