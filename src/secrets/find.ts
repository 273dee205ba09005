/**
 * Finds secrets in bytes, whatever they are part of: texts, arguments, names, or JSON in strings. A table of the first
 * letters of all anchors skips most bytes. Where an anchor is, the pattern of its rule runs on the text as it reads
 * once its escapes are resolved, and what it finds is mapped back to whole escapes.
 */
import { anchorsOf } from './anchors.js';
import { findEncoded } from './encoded.js';
import type { FindSecrets, FoundSecret } from './found.js';
import { findAcross } from './joined.js';
import { withoutOverlaps } from './overlaps.js';
import { isPlaceholder, isTooEven } from './placeholder.js';
import { findPrivateKeys } from './private-key.js';
import type { SecretRule } from './rule.js';
import { withoutEscapes } from './unescaped.js';
import { beforeEscape, boundaryBefore, indexIn, spanIn, type View, viewsOf } from './view.js';

/** A match has at most this many bytes, unless its rule says otherwise or it goes on. */
const LONGEST = 512;
const MOST = 1 << 18;
/** So many bytes before a match tell whether it begins a word. */
const CONTEXT = 8;
const LONGEST_HEAD = 360;

/** `isAllowed`: texts that are no secrets, whatever they look like. */
export function createFinder(rules: readonly SecretRule[], isAllowed: (text: string) => boolean): FindSecrets {
  const anchors = anchorsOf(rules);

  const longestAt = (bytes: Buffer, at: number, limits: Limits) => {
    let best: FoundSecret | undefined;
    for (const rule of new Set(anchors.rulesAt(bytes, at))) {
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
    for (const at of anchors.placesIn(bytes, start, end)) {
      const secret = at < last ? undefined : longestAt(bytes, at, { last, end });
      if (secret === undefined || (secret.rule.tier === 'candidate' && holdsDefinite(bytes, secret))) continue;
      found.push(secret);
      last = secret.end;
    }
    return found;
  };

  const keys = rules.find(({ id }) => id === 'private-key');
  const findPlain = (bytes: Buffer) => {
    const found = keys === undefined ? [] : findPrivateKeys(bytes, keys).filter(({ text }) => !isAllowed(text));
    return found.length === 0 ? findOthers(bytes) : [...withoutOverlaps([found, findOthers(bytes)])];
  };
  const findWithin = inSlices((bytes) => {
    const encoded = findEncoded(bytes, findPlain);
    return encoded.length === 0 ? findPlain(bytes) : [...withoutOverlaps([findPlain(bytes), encoded])];
  });
  const findOthers = (bytes: Buffer) => {
    const plain = withoutEscapes(bytes);
    if (plain === undefined) return search(bytes);
    return search(plain.bytes).map((secret) => ({
      ...secret,
      start: plain.originOf(secret.start),
      end: plain.originOf(secret.end),
    }));
  };
  return inSlices((bytes) => {
    const across = findAcross(bytes, findWithin);
    return across.length === 0 ? findWithin(bytes) : [...withoutOverlaps([across, findWithin(bytes)])];
  });
}

/** What searches whole buffers, for parts of them: a search for what is not there must end where the part does. */
function inSlices(find: (bytes: Buffer) => readonly FoundSecret[]): FindSecrets {
  return (bytes, start = 0, end = bytes.length) =>
    find(bytes.subarray(start, end)).map((secret) => ({
      ...secret,
      start: secret.start + start,
      end: secret.end + start,
    }));
}

interface Limits {
  /** The end of the secret before. */
  readonly last: number;
  readonly end: number;
}

function startsAs(head: RegExp, bytes: Buffer, at: number, end: number): boolean {
  head.lastIndex = 0;
  return head.test(bytes.latin1Slice(at, Math.min(end, at + LONGEST_HEAD)));
}

/** The longest match of a rule in any view of the bytes around its anchor. */
function matchAt(bytes: Buffer, at: number, { last, end }: Limits, rule: SecretRule): FoundSecret | undefined {
  if (rule.isPart !== true && rule.lead === undefined && isWithinWord(bytes, at)) return undefined;
  if (rule.head !== undefined && !startsAs(rule.head, bytes, at, end)) return undefined;
  const from = boundaryBefore(bytes, Math.max(last, at - (rule.lead ?? 0) - (rule.before ?? CONTEXT)), last);
  for (let room = rule.longest ?? LONGEST; ; room *= 8) {
    const to = Math.min(end, at + room);
    const found = matchIn(bytes, viewsOf(bytes, from, to), at, rule);
    if (to === end || found === undefined || found.end < to || room > MOST) return found;
  }
}

function matchIn(bytes: Buffer, views: Iterable<View>, at: number, rule: SecretRule): FoundSecret | undefined {
  let best: FoundSecret | undefined;
  for (const view of views) {
    const found = matchInView(view, indexIn(view, at), rule);
    if (found === undefined || (best !== undefined && found.end - found.start <= best.end - best.start)) continue;
    best = { ...found, ...quoteOf(bytes, view, found) };
  }
  return best;
}

function matchInView(view: View, at: number, rule: SecretRule): FoundSecret | undefined {
  const { text } = view;
  for (let begin = Math.max(0, at - (rule.lead ?? 0)); begin <= at; begin++) {
    if (rule.isPart !== true && !startsWord(text, begin)) continue;
    rule.pattern.lastIndex = begin;
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const secret = withoutStop(secretIn(match), text[rule.pattern.lastIndex]);
    if (!(rule.isSecret ?? isDrawn)(secret, match)) return undefined;
    const start = begin + match[0].lastIndexOf(secret);
    return { rule, ...spanIn(view, beforeEscape(text, start), start + secret.length), text: decoded(secret) };
  }
  return undefined;
}

/** The text of bytes, unless they are no UTF-8. */
function decoded(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const text = Buffer.from(bytes, 'latin1').utf8Slice();
  return text.includes('\ufffd') ? bytes : text;
}

/** The quotes that a mark needs in place of a number of JSON: those of its name. */
function quoteOf(bytes: Buffer, view: View, { start, text }: FoundSecret): Pick<FoundSecret, 'quote'> {
  const key = /^-?[\d.]+$/.test(text) ? /"\s*:\s*$/.exec(view.text.slice(0, indexIn(view, start))) : null;
  if (key === null) return {};
  const span = spanIn(view, key.index, key.index + 1);
  return { quote: bytes.latin1Slice(span.start, span.end) };
}

function secretIn(match: RegExpExecArray): string {
  const { name, quote, comma, ...named } = match.groups ?? {};
  const secrets = match.groups === undefined ? match : Object.values(named);
  return secrets.findLast((secret) => secret !== undefined)!;
}

/** A stop that ends a sentence is no part of a secret. */
function withoutStop(text: string, next: string | undefined): string {
  return next === undefined || /[\s"'`]/.test(next) ? text.replace(/[.:?]+$/, '') : text;
}

function isDrawn(text: string): boolean {
  return !isPlaceholder(text) && !isTooEven(text);
}

/** Whether the character before is no letter or digit. A color of a terminal ends a word. */
function startsWord(text: string, at: number): boolean {
  if (at === 0 || !WORD.test(text[at]!) || !WORD.test(text[at - 1]!)) return true;
  return COLOR.test(text.slice(Math.max(0, at - CONTEXT), at));
}

/** Whether what is before goes on, and is no escape, percent-encoding or color: a look that is cheap. */
function isWithinWord(bytes: Buffer, at: number): boolean {
  const around = bytes.latin1Slice(Math.max(0, at - 2), at + 1);
  return /\w\w$/.test(around) && !/(?:\\[nrtbf]|[0-9a-f]{2}|[\d;[]m).$/i.test(around);
}

const WORD = /\w/;
const COLOR = /\[[\d;]*m$/;
