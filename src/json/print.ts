/**
 * Printing: nodes are slices of their source, edits are copied around, and only what is new is written, in the style of
 * its neighbourhood. Output goes to a sink as slices and texts, so that untouched megabytes are never copied here.
 */

import { proven } from './check.js';
import { ArrayEdit, type Json, type JsonPlain, ObjectEdit } from './edit.js';
import { JsonNode } from './node.js';
import { ENTRY } from './scan.js';
import { isAscii, type Style, styleOf } from './style.js';

export interface Sink {
  slice(bytes: Buffer, start: number, end: number): void;
  text(text: string): void;
  /** A whole value as it came in. Where this is missing, it is a slice. */
  value?(node: JsonNode): void;
}

/** A value to stand in the place of a node. */
export interface Replacement {
  readonly node: JsonNode;
  readonly value: Json;
}

/** Prints `root` with some of its descendants (disjoint, in any order) replaced. */
export function printReplaced(sink: Sink, root: JsonNode, replacements: readonly Replacement[]): void {
  const { bytes } = root.source;
  let cursor = root.start;
  for (const { node, value } of [...replacements].sort((a, b) => a.node.start - b.node.start)) {
    sink.slice(bytes, cursor, node.start);
    print(sink, value, () => styleOf(node));
    cursor = node.end;
  }
  sink.slice(bytes, cursor, root.end);
}

/** Prints any value; `style` is asked only where something new has to be laid out. */
export function print(sink: Sink, value: Json, style: () => Style): void {
  if (value instanceof JsonNode) {
    if (sink.value === undefined) sink.slice(value.source.bytes, value.start, value.end);
    else sink.value(value);
  } else if (value instanceof ObjectEdit) printObjectEdit(sink, value);
  else if (value instanceof ArrayEdit) printArrayEdit(sink, value, style);
  else sink.text(printPlain(value, style()));
}

/** A value as JSON text. Throws TranscriptError where what was printed is none. */
export function printed(value: Json, style: () => Style = () => styleOf(undefined)): string {
  const pieces: Buffer[] = [];
  print(
    {
      slice: (bytes, start, end) => pieces.push(bytes.subarray(start, end)),
      text: (text) => pieces.push(Buffer.from(text)),
    },
    value,
    style,
  );
  return proven(Buffer.concat(pieces)).toString();
}

/** One element of a row: how to print it, and the separator that stood before it in the source, if one did. */
export interface RowItem {
  readonly gap?: Span | undefined;
  print(sink: Sink): void;
}
interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * A row of items: the first stands alone, each other one behind the separator it had, or behind `separator` where it had none.
 * This is an array, an object, and a file of JSON Lines.
 */
export function printRow(sink: Sink, items: readonly RowItem[], separator: () => string): void {
  items.forEach((item, index) => {
    if (index > 0) printGap(sink, item.gap, separator);
    item.print(sink);
  });
}

function printGap(sink: Sink, gap: Span | undefined, separator: () => string): void {
  if (gap === undefined) sink.text(separator());
  else sink.slice(gap.bytes, gap.start, gap.end);
}

function printObjectEdit(sink: Sink, { base, fields }: ObjectEdit): void {
  if (!base.isObject) {
    sink.text(printPlain(Object.fromEntries(fields), styleOf(base))); // it had no members to keep
    return;
  }
  const { bytes } = base.source;
  const members = base.members();
  const lastOf = new Map(members.map(({ key }, index) => [key.text, index]));
  const style = () => styleOf(base);
  const items: RowItem[] = [];
  members.forEach(({ key, value }, index) => {
    const name = key.text;
    if (fields.has(name) && fields.get(name) === undefined) return;
    const gap = index === 0 ? undefined : { bytes, start: members[index - 1]!.value.end, end: key.start };
    const fresh = lastOf.get(name) === index ? fields.get(name) : undefined;
    items.push({
      gap,
      print: () => {
        sink.slice(bytes, key.start, fresh === undefined ? value.end : value.start);
        if (fresh !== undefined) printOver(sink, fresh, value, style);
      },
    });
  });
  for (const [name, value] of fields) {
    if (value === undefined || lastOf.has(name)) continue;
    items.push({
      print: () => {
        sink.text(quote(name, style().ascii) + style().colon);
        print(sink, value, () => deeper(style()));
      },
    });
  }
  const first = members[0];
  const last = members[members.length - 1];
  printBetween(
    sink,
    base,
    items,
    first?.key.start,
    last?.value.end,
    separatorOf(base, members[0]?.value.end, members[1]?.key.start),
  );
}

function printArrayEdit(sink: Sink, { base, items }: ArrayEdit, outer: () => Style): void {
  if (!base.isArray) {
    sink.text(printPlain(items, outer())); // it had no elements to keep
    return;
  }
  const { source } = base;
  const { bytes, tape } = source;
  const first = base.at + ENTRY;
  const end = tape[base.at + 3]!;
  const style = once(() => (base.items().some((node) => node.isObject) ? styleOf(base) : deeper(outer())));
  const separator = once(separatorOf(base, ...firstSeparator(base)));
  sink.slice(bytes, base.start, first < end && items.length > 0 ? tape[first + 1]! : base.start + 1);
  let at = first; // the base's own element to look at next, and where the one before it ends: most keep their order
  let before = -1;
  let places: ReadonlyMap<number, number> | undefined; // where some stand in another order
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    const own = baseOf(item);
    if (own !== undefined && own.source === source && own.at !== at) {
      if (own.at < at) places ??= placesIn(tape, first, end);
      if (places !== undefined) [at, before] = places.has(own.at) ? [own.at, places.get(own.at)!] : [end, before];
      else for (; at < end && at !== own.at; at = tape[at + 3]!) before = tape[at + 2]!;
    }
    const isOwn = own !== undefined && own.source === source && at < end;
    if (index > 0)
      printGap(sink, isOwn && before >= 0 ? { bytes, start: before, end: own.start } : undefined, separator);
    print(sink, item, style);
    if (isOwn) [before, at] = [own.end, tape[at + 3]!];
  }
  sink.slice(bytes, items.length > 0 && first < end ? lastEnd(base) : base.end - 1, base.end);
}

/** All elements of an array ask for the same, which takes a look at all of them. */
function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** Where the element before each one ends; -1 before the first. */
function placesIn(tape: JsonNode['source']['tape'], first: number, end: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  let before = -1;
  for (let at = first; at < end; at = tape[at + 3]!) {
    places.set(at, before);
    before = tape[at + 2]!;
  }
  return places;
}

/** Where the first element of an array ends and the second begins, where there are two. */
function firstSeparator({ source: { tape }, at }: JsonNode): [end: number | undefined, start: number | undefined] {
  const end = tape[at + 3]!;
  const first = at + ENTRY;
  const second = first < end ? tape[first + 3]! : end;
  return [first < end ? tape[first + 2]! : undefined, second < end ? tape[second + 1]! : undefined];
}

function lastEnd({ source: { tape }, at }: JsonNode): number {
  let last = at + ENTRY;
  for (const end = tape[at + 3]!; tape[last + 3]! < end; ) last = tape[last + 3]!;
  return tape[last + 2]!;
}

/** Brackets around a row, with the space that stood inside them; nothing stands inside where nothing is left. */
function printBetween(
  sink: Sink,
  base: JsonNode,
  items: readonly RowItem[],
  first: number | undefined,
  last: number | undefined,
  separator: () => string,
): void {
  const { bytes } = base.source;
  sink.slice(bytes, base.start, base.start + 1);
  if (items.length > 0) {
    if (first !== undefined) sink.slice(bytes, base.start + 1, first);
    printRow(sink, items, separator);
    if (last !== undefined) sink.slice(bytes, last, base.end - 1);
  }
  sink.slice(bytes, base.end - 1, base.end);
}

/** The separator that a container uses: what stands between its first two members, or what its only one suggests. */
function separatorOf(base: JsonNode, firstEnd: number | undefined, secondStart: number | undefined): () => string {
  return () => {
    const { bytes } = base.source;
    if (firstEnd !== undefined && secondStart !== undefined) return bytes.latin1Slice(firstEnd, secondStart);
    const style = styleOf(base);
    const gap = /^\s*/.exec(bytes.latin1Slice(base.start + 1, base.end))![0];
    return gap.includes('\n') ? `,${gap}` : style.comma;
  };
}

/** The node that a value is an edit of, or is. */
function baseOf(value: Json): JsonNode | undefined {
  if (value instanceof JsonNode) return value;
  return value instanceof ObjectEdit || value instanceof ArrayEdit ? value.base : undefined;
}

/** Prints a value in the place of an old one; of a changed string, the part that did not change keeps its spelling. */
function printOver(sink: Sink, value: Json, old: JsonNode, style: () => Style): void {
  if (typeof value === 'string' && old.isString) sink.text(printString(value, old));
  else print(sink, value, () => deeper(style()));
}

function deeper(style: Style): Style {
  return style.newline === undefined ? style : { ...style, indent: style.indent + style.unit };
}

function printPlain(value: JsonPlain, style: Style): string {
  if (typeof value === 'string') return quote(value, style.ascii);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = deeper(style);
  const entries = Array.isArray(value)
    ? (value as readonly Json[]).map((item) => printNested(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => quote(key, style.ascii) + style.colon + printNested(item as Json, inner));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return open! + close!;
  if (style.newline === undefined) return open + entries.join(style.comma) + close;
  const lineBreak = style.newline + inner.indent;
  return open + lineBreak + entries.join(`,${lineBreak}`) + style.newline + style.indent + close;
}

function printNested(value: Json, style: Style): string {
  const pieces: string[] = [];
  const sink: Sink = {
    slice: (bytes, start, end) => pieces.push(bytes.utf8Slice(start, end)),
    text: (text) => pieces.push(text),
  };
  print(sink, value, () => style);
  return pieces.join('');
}

/** A JSON string, with everything above ASCII as escapes where the file is written so. */
export function quote(text: string, ascii: boolean): string {
  const quoted = JSON.stringify(text);
  return ascii
    ? quoted.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : quoted;
}

/** A changed string: what it shares with the old one, at the front and at the back, is copied as it was spelled. */
export function printString(text: string, old: JsonNode): string {
  const before = old.text;
  const limit = Math.min(text.length, before.length);
  let head = sharedUnits(limit, (from, to) => text.slice(from, to) === before.slice(from, to));
  if (head > 0 && isHighSurrogate(before.charCodeAt(head - 1))) head--;
  let tail = sharedUnits(
    limit - head,
    (from, to) =>
      text.slice(text.length - to, text.length - from) === before.slice(before.length - to, before.length - from),
  );
  if (tail > 0 && isLowSurrogate(before.charCodeAt(before.length - tail))) tail--;
  const { bytes } = old.source;
  const middle = quote(text.slice(head, text.length - tail), isAscii(old.source)).slice(1, -1);
  const headEnd = offsetOf(old, old.start + 1, head);
  const tailStart = tail === 0 ? old.end - 1 : offsetOf(old, headEnd, before.length - tail - head);
  return bytes.utf8Slice(old.start, headEnd) + middle + bytes.utf8Slice(tailStart, old.end);
}

/** Characters that are compared at once: engines compare whole strings far faster than we do characters. */
const BLOCK = 1024;

/** How many of the first `limit` units are the same on both sides: block by block, then by halves of one. */
function sharedUnits(limit: number, isSame: (from: number, to: number) => boolean): number {
  let shared = 0;
  while (shared + BLOCK <= limit && isSame(shared, shared + BLOCK)) shared += BLOCK;
  for (let half = BLOCK / 2; half >= 1; half /= 2)
    if (shared + half <= limit && isSame(shared, shared + half)) shared += half;
  return shared;
}

/** The byte offset of the UTF-16 unit `units` further on than `start` in a string. */
function offsetOf({ source: { bytes }, isPlain }: JsonNode, start: number, units: number): number {
  if (isPlain) return start + units;
  let offset = start;
  for (let unit = 0; unit < units; ) {
    const byte = bytes[offset]!;
    if (byte === 0x5c) offset += bytes[offset + 1] === 0x75 ? 6 : 2;
    else offset += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    unit += byte >= 0xf0 ? 2 : 1;
  }
  return offset;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
