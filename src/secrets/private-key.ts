/**
 * Private keys, by their heads, whatever stands inside: line numbers, a note that something was cut, or the strings of
 * a list, a line each. Without an end, a key is as long as lines of base64 follow.
 */
import type { FoundSecret } from './found.js';
import type { SecretRule } from './rule.js';

const GAP = '(?: |\\+|%20)';
const HEAD = new RegExp(
  `-{4,5}${GAP}?BEGIN${GAP}(?:[A-Z0-9]{2,9}${GAP}){0,3}PRIVATE${GAP}KEY(?:${GAP}BLOCK)?${GAP}?-{4,5}|` +
    'Private-Lines: \\d+', // of PuTTY
  'g',
);
const END = /-{4,5}(?: |\+|%20)?END[A-Z0-9 +%]{3,60}-{4,5}/;
const KINDS = ['PRIVATE', 'Private'].map((kind) => Buffer.from(kind));
/** Longer than any key of RSA, and than a PGP key without pictures. */
const LONGEST = 100_000;
/** What stands between two lines of one key, such as a note that something was cut. */
const WIDEST = 240;
/** A line of a key. Words and paths have no such mixture. */
const LINE = /(?=[A-Za-z+/]*\d)(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])[A-Za-z0-9+/]{16,}={0,2}/g;
const LAST_LINE = /^\s{1,8}(?=\S*(?:=|\d))[A-Za-z0-9+/]{1,80}={0,2}(?![A-Za-z0-9+/])/;
/** A string that is nothing but lines of a key, with line numbers or marks of a diff. */
const ONLY_LINES = new RegExp(
  String.raw`^(?:[\s+>|-]*(?:\d+\s*(?:[:|\t]|\xe2\x86\x92)?\s*)?` +
    String.raw`(?:[A-Za-z0-9+/]{1,80}={0,2}|(?:Proc-Type|DEK-Info|Version):[^\n]*|-{4,5}END[^-]*-{4,5})?\s*)*$`,
);

export function findPrivateKeys(bytes: Buffer, rule: SecretRule): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const at of KINDS.flatMap((kind) => placesOf(kind, bytes)).sort((a, b) => a - b)) {
    const from = Math.max(found.at(-1)?.end ?? 0, at - 48);
    const head = [...bytes.latin1Slice(from, Math.min(bytes.length, at + 40)).matchAll(HEAD)].find(
      ({ index, 0: text }) => from + index <= at && at < from + index + text.length,
    );
    if (head === undefined) continue;
    const place = { from: from + head.index, to: from + head.index + head[0].length };
    for (const span of keyAt(bytes, place)) found.push({ rule, ...span, text: textOf(bytes, span) });
  }
  return found;
}

function placesOf(text: Buffer, bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function keyAt(bytes: Buffer, head: { from: number; to: number }): readonly Span[] {
  const text = masked(bytes.latin1Slice(head.to, Math.min(bytes.length, head.to + LONGEST)));
  const first = text.slice(0, stringEnd(text, 0));
  const close = END.exec(first);
  if (close !== null)
    return first.search(LINE) >= 0 ? [{ start: head.from, end: head.to + close.index + close[0].length }] : [];
  const spans: Span[] = [];
  const length = linesIn(first, 0)?.end ?? 0;
  if (length > 0) spans.push({ start: head.from, end: head.to + length });
  return [...spans, ...linesAfter(bytes, text, first.length, head.to)];
}

/** Strings of the same list, or members of the same name, that go on with lines of the key. */
function linesAfter(bytes: Buffer, text: string, from: number, origin: number): readonly Span[] {
  const key = /(\\*"\w{1,40}\\*"\s{0,4}:\s{0,4})\\*"[^"]{0,200}$/.exec(
    bytes.latin1Slice(Math.max(0, origin - 320), origin),
  )?.[1];
  const spans: Span[] = [];
  for (let at = from; ; ) {
    const next = /^\\*"[\s,+.]{0,80}\\*"/.exec(text.slice(at, at + 100)) ?? memberAfter(text, at, key);
    if (next === null) return spans;
    const begin = at + next[0].length;
    const close = stringEnd(text, begin);
    const line = text.slice(begin, close);
    if (!ONLY_LINES.test(line)) return spans;
    const place = linesIn(line, 0) ?? shortLine(line, spans.length > 0);
    if (place !== undefined) spans.push({ start: origin + begin + place.start, end: origin + begin + place.end });
    if (END.test(line)) return spans;
    at = close;
  }
}

function memberAfter(text: string, at: number, key: string | undefined): RegExpExecArray | null {
  if (key === undefined) return null;
  const spelled = key.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^\\\\*"[\\s\\S]{0,300}?${spelled}\\\\*"`).exec(text.slice(at, at + 400));
}

/** The first to the last line of a key in a text; the last line may be short. */
function linesIn(text: string, from: number): Span | undefined {
  let first: number | undefined;
  let last = from;
  for (const { index, 0: line } of text.matchAll(LINE)) {
    if (index - last > WIDEST) break;
    first ??= index;
    last = index + line.length;
  }
  if (first === undefined) return undefined;
  return { start: first, end: last + (LAST_LINE.exec(text.slice(last, last + 100))?.[0].length ?? 0) };
}

function shortLine(line: string, isWithin: boolean): Span | undefined {
  const short = /(?<![\w-])[A-Za-z0-9+/]{2,80}={0,2}\s*$/.exec(line);
  return isWithin && short !== null ? { start: short.index, end: short.index + short[0].trimEnd().length } : undefined;
}

/** Where the string ends in which `from` is: at a quote, or the backslashes before it. */
function stringEnd(text: string, from: number): number {
  const quote = text.indexOf('"', from);
  if (quote < 0) return text.length;
  let at = quote;
  while (at > from && text[at - 1] === '\\') at--;
  return at;
}

/** Escapes as signs of the same length: line breaks as spaces, the others as what they stand for. */
function masked(text: string): string {
  return text
    .replace(/\\+[nrt]|%0[AaDd]/g, (escaped) => ' '.repeat(escaped.length))
    .replace(/\\+(?:\/|u00[0-9a-fA-F]{2})|%2[BbFf]/g, (escaped) => '/'.repeat(escaped.length));
}

function textOf(bytes: Buffer, { start, end }: Span): string {
  return bytes.utf8Slice(start, end);
}
