/** Prints values in a new layout. */
import type { JsonNode } from './node.js';
import type { Sink } from './print.js';
import { ARRAY, ENTRY, KIND, OBJECT } from './scan.js';

/** Values nested deeper than this stay on one line: the indentation of a deep value would take quadratic space. */
const MOST_INDENTED = 100;

/** A value in the layout of JSON.stringify; strings and numbers keep their notation. */
export function layOut(node: JsonNode, indent: number): string {
  const pieces: string[] = [];
  printLaidOut({ text: (text) => pieces.push(text) }, node, indent);
  return pieces.join('');
}

/** Prints a value in that layout, on one line: its own bytes without the white space between its tokens. */
export function printOnOneLine(sink: Pick<Sink, 'slice'>, { source: { bytes, tape }, at, start, end }: JsonNode): void {
  let from = start;
  const skipSpaces = (gap: number, gapEnd: number) => {
    for (let i = gap; i < gapEnd; i++) {
      if (bytes[i]! > 0x20) continue;
      if (from < i) sink.slice(bytes, from, i);
      from = i + 1;
    }
  };
  let done = start;
  for (let entry = at, last = tape[at + 3]!; entry < last; entry += ENTRY) {
    const kind = tape[entry]! & KIND;
    if (kind === OBJECT || kind === ARRAY) continue;
    skipSpaces(done, tape[entry + 1]!);
    done = tape[entry + 2]!;
  }
  skipSpaces(done, end);
  if (from < end) sink.slice(bytes, from, end);
}

/** A piece of text has at least so many characters, but for the last. */
const PIECE = 1 << 16;

/** Iterative, because values may be deep; in pieces, because they may be large. */
export function printLaidOut(
  sink: Pick<Sink, 'text'>,
  { source: { bytes, tape }, at }: JsonNode,
  indent: number,
): void {
  let gathered = '';
  const put = (text: string) => {
    gathered += text;
    if (gathered.length < PIECE) return;
    sink.text(gathered);
    gathered = '';
  };
  const around: { readonly end: number; readonly isObject: boolean; count: number }[] = [];
  const isLaidOut = () => indent > 0 && around.length <= MOST_INDENTED;
  const breakLine = (level: number) => put(`\n${' '.repeat(indent * level)}`);
  const close = () => {
    const breaks = isLaidOut() && around[around.length - 1]!.count > 0;
    const { isObject } = around.pop()!;
    if (breaks) breakLine(around.length);
    put(isObject ? '}' : ']');
  };
  for (let entry = at; entry === at || around.length > 0; entry += ENTRY) {
    while (around.length > 0 && around[around.length - 1]!.end <= entry) close();
    const holder = around[around.length - 1];
    if (holder === undefined && entry > at) break;
    const isValue = holder?.isObject === true && holder.count % 2 === 1;
    if (isValue) put(isLaidOut() ? ': ' : ':');
    else if (holder !== undefined) {
      if (holder.count > 0) put(',');
      if (isLaidOut()) breakLine(around.length);
    }
    if (holder !== undefined) holder.count++;
    const kind = tape[entry]! & KIND;
    const isObject = kind === OBJECT;
    if (isObject || kind === ARRAY) {
      put(isObject ? '{' : '[');
      around.push({ end: tape[entry + 3]!, isObject, count: 0 });
    } else put(bytes.utf8Slice(tape[entry + 1]!, tape[entry + 2]!));
  }
  sink.text(gathered);
}
