/** Prints the values of a container: what was read is copied, what is new is checked. */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { print, type Sink } from '../../json/print.js';
import type { Span } from '../../json/rows.js';
import { styleOf } from '../../json/style.js';
import { onLine, printChecked } from '../print-checked.js';

export function copySpan(sink: Sink, { bytes, start, end }: Span): void {
  sink.slice(bytes, start, end);
}

/** Prints a value in the style of `near`, the value that it replaces or follows. An error gets this line. */
export function saveValue(sink: Sink, value: Json, near: JsonNode | undefined, line: number): void {
  const write = (to: Sink) => print(to, value, () => styleOf(near));
  if (value instanceof JsonNode && value.is(near)) write(sink);
  else onLine(line, () => printChecked(sink, write));
}

/** The values that `Format.beforeWrite` makes of one message: none, one or several. */
export function valuesOf(written: Json | undefined): readonly Json[] {
  if (written === undefined) return [];
  return Array.isArray(written) ? (written as readonly Json[]) : [written];
}
