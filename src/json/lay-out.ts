/** Prints values in a new layout. */
import type { JsonNode } from './node.js';
import { ARRAY, ENTRY, KIND, OBJECT } from './scan.js';

/** Values nested deeper than this stay on one line: the indentation of a deep value would take quadratic space. */
const MOST_INDENTED = 100;

/**
 * A value in the layout of JSON.stringify; strings and numbers keep their notation. Iterative, because values may be
 * deep.
 */
export function layOut({ source: { bytes, tape }, at }: JsonNode, indent: number): string {
  const pieces: string[] = [];
  const around: { readonly end: number; readonly isObject: boolean; count: number }[] = [];
  const isLaidOut = () => indent > 0 && around.length <= MOST_INDENTED;
  const breakLine = (level: number) => pieces.push(`\n${' '.repeat(indent * level)}`);
  const close = () => {
    const breaks = isLaidOut() && around[around.length - 1]!.count > 0;
    const { isObject } = around.pop()!;
    if (breaks) breakLine(around.length);
    pieces.push(isObject ? '}' : ']');
  };
  for (let entry = at; entry === at || around.length > 0; entry += ENTRY) {
    while (around.length > 0 && around[around.length - 1]!.end <= entry) close();
    const holder = around[around.length - 1];
    if (holder === undefined && entry > at) break;
    const isValue = holder?.isObject === true && holder.count % 2 === 1;
    if (isValue) pieces.push(isLaidOut() ? ': ' : ':');
    else if (holder !== undefined) {
      if (holder.count > 0) pieces.push(',');
      if (isLaidOut()) breakLine(around.length);
    }
    if (holder !== undefined) holder.count++;
    const kind = tape[entry]! & KIND;
    const isObject = kind === OBJECT;
    if (isObject || kind === ARRAY) {
      pieces.push(isObject ? '{' : '[');
      around.push({ end: tape[entry + 3]!, isObject, count: 0 });
    } else pieces.push(bytes.utf8Slice(tape[entry + 1]!, tape[entry + 2]!));
  }
  return pieces.join('');
}
