/**
 * Prints values: nodes and the unchanged parts of edits as slices of their source, new parts as text in the style
 * around them. A sink gets slices instead of strings, so that unchanged megabytes are not copied.
 */

import { once } from '../once.js';
import { assertJson } from './check.js';
import { ArrayEdit, type Json, type JsonPlain, ObjectEdit } from './edit.js';
import { JsonNode, parsePieces } from './node.js';
import { isPlainBased, plainOf } from './plain-value.js';
import { printString, quote } from './print-string.js';
import { ENTRY } from './scan.js';
import { type Style, styleOf } from './style.js';

export interface Sink {
  slice(bytes: Buffer, start: number, end: number): void;
  text(text: string): void;
  /** Writes or copies all slices. */
  settle?(): void;
  /** An unchanged value, or several with what is between them. A sink without this method gets it as a slice. */
  value?(range: Pick<JsonNode, 'source' | 'start' | 'end'>): void;
}

/** A node, and the value to print instead. */
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

/** Prints any value. `style` is called only if a new value is printed. */
export function print(sink: Sink, value: Json, style: () => Style): void {
  if (isPlainBased(value)) sink.text(JSON.stringify(plainOf(value)));
  else if (value instanceof JsonNode) {
    if (sink.value === undefined) sink.slice(value.source.bytes, value.start, value.end);
    else sink.value(value);
  } else if (value instanceof ObjectEdit) printObjectEdit(sink, value);
  else if (value instanceof ArrayEdit) printArrayEdit(sink, value, style);
  else printNew(sink, value, style());
}

/** A new text is printed in pieces of about so many characters. */
const PIECE = 1 << 18;

/** A long list of new values is never one text. */
function printNew(sink: Sink, value: JsonPlain, style: Style): void {
  let gathered = '';
  eachText(value, style, (text) => {
    gathered += text; // V8 links the parts and copies them once
    if (gathered.length < PIECE) return;
    sink.text(gathered);
    gathered = '';
  });
  sink.text(gathered);
}

/** A value as JSON text. Throws TranscriptError if the result is not valid. */
export function printed(value: Json, style: () => Style = compact): string {
  return assertJson(Buffer.concat(piecesOf(value, style))).toString();
}

/** The node of a printed value, which is scanned once. Throws TranscriptError if the result is not valid. */
export function reparsed(value: Json, style: () => Style = compact): JsonNode {
  const pieces = piecesOf(value, style);
  try {
    return parsePieces(pieces);
  } catch {
    assertJson(Buffer.concat(pieces)); // which says what is wrong
    throw new Error('JSON that is valid cannot be parsed');
  }
}

const compact = () => styleOf(undefined);

function piecesOf(value: Json, style: () => Style): Buffer[] {
  const pieces: Buffer[] = [];
  print(
    {
      slice: (bytes, start, end) => pieces.push(bytes.subarray(start, end)),
      text: (text) => pieces.push(Buffer.from(text)),
    },
    value,
    style,
  );
  return pieces;
}

/** An element of a row, and the separator before it in the source, if any. */
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
 * Prints the elements of an array, the members of an object, or the lines of a file. Each item after the first gets its
 * own separator, or else `separator`.
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
    printNew(sink, Object.fromEntries(fields), styleOf(base)); // there are no members to keep
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
  printMembers(sink, base, items);
}

function printArrayEdit(sink: Sink, { base, items }: ArrayEdit, outer: () => Style): void {
  if (!base.isArray) {
    printNew(sink, items, outer()); // there are no elements to keep
    return;
  }
  const { source } = base;
  const { bytes, tape } = source;
  const first = base.at + ENTRY;
  const end = tape[base.at + 3]!;
  const style = once(() => (base.items().some((node) => node.isObject) ? styleOf(base) : deeper(outer())));
  const separator = once(separatorOf(base, ...firstSeparator(base)));
  sink.slice(bytes, base.start, first < end && items.length > 0 ? tape[first + 1]! : base.start + 1);
  let at = first; // tape index of the base's next element; most elements keep their order
  let before = -1; // offset at which the element before it ends
  let places: ReadonlyMap<number, number> | undefined; // only if the order changed
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

/** By tape index of each element: the offset at which the element before it ends; -1 for the first. */
function placesIn(tape: JsonNode['source']['tape'], first: number, end: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  let before = -1;
  for (let at = first; at < end; at = tape[at + 3]!) {
    places.set(at, before);
    before = tape[at + 2]!;
  }
  return places;
}

/** The offsets of the separator between the first two elements. */
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

/** Prints the members of an edit in the braces and white space of its base; `{}` if nothing is left. */
function printMembers(sink: Sink, base: JsonNode, items: readonly RowItem[]): void {
  const { bytes } = base.source;
  const members = base.members();
  const [first, second] = members;
  const last = members[members.length - 1];
  sink.slice(bytes, base.start, base.start + 1);
  if (items.length > 0) {
    if (first !== undefined) sink.slice(bytes, base.start + 1, first.key.start);
    printRow(sink, items, separatorOf(base, first?.value.end, second?.key.start));
    if (last !== undefined) sink.slice(bytes, last.value.end, base.end - 1);
  }
  sink.slice(bytes, base.end - 1, base.end);
}

/** The separator between the first two members, or one in the style of the only member. */
function separatorOf(base: JsonNode, firstEnd: number | undefined, secondStart: number | undefined): () => string {
  return () => {
    const { bytes } = base.source;
    if (firstEnd !== undefined && secondStart !== undefined) return bytes.latin1Slice(firstEnd, secondStart);
    const style = styleOf(base);
    const gap = /^\s*/.exec(bytes.latin1Slice(base.start + 1, base.end))![0];
    return gap.includes('\n') ? `,${gap}` : style.comma;
  };
}

/** The node itself, or the node that an edit is based on. */
function baseOf(value: Json): JsonNode | undefined {
  if (value instanceof JsonNode) return value;
  return value instanceof ObjectEdit || value instanceof ArrayEdit ? value.base : undefined;
}

/** Prints a value instead of an old one. The unchanged parts of a string keep their notation. */
function printOver(sink: Sink, value: Json, old: JsonNode, style: () => Style): void {
  if (typeof value === 'string' && old.isString) sink.text(printString(value, old));
  else print(sink, value, () => deeper(style()));
}

function deeper(style: Style): Style {
  return style.newline === undefined ? style : { ...style, indent: style.indent + style.unit };
}

function eachText(value: JsonPlain, style: Style, put: (text: string) => void): void {
  if (typeof value === 'string') put(quote(value, style.ascii));
  else if (value === null || typeof value !== 'object') put(JSON.stringify(value));
  else {
    const inner = deeper(style);
    const lineBreak = style.newline === undefined ? '' : style.newline + inner.indent;
    const separator = style.newline === undefined ? style.comma : `,${lineBreak}`;
    const isList = Array.isArray(value);
    let between = (isList ? '[' : '{') + lineBreak;
    const add = (item: Json, key: string) => {
      put(between + key);
      eachNestedText(item, inner, put);
      between = separator;
    };
    if (isList) for (const item of value as readonly Json[]) add(item, '');
    else
      for (const [key, item] of Object.entries(value))
        if (item !== undefined) add(item, quote(key, style.ascii) + style.colon);
    if (between !== separator) put(isList ? '[' : '{');
    else if (style.newline !== undefined) put(style.newline + style.indent);
    put(isList ? ']' : '}');
  }
}

function eachNestedText(value: Json, style: Style, put: (text: string) => void): void {
  if (isPlain(value)) eachText(value, style, put);
  else print({ slice: (bytes, start, end) => put(bytes.utf8Slice(start, end)), text: put }, value, () => style);
}

function isPlain(value: Json): value is JsonPlain {
  return !(value instanceof JsonNode || value instanceof ObjectEdit || value instanceof ArrayEdit);
}
