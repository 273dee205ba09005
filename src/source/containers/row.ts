/** A row of values that are the messages themselves: the lines of a log, or the elements of a top-level array. */
import type { Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printRow, type RowItem, type Sink } from '../../json/print.js';
import type { RowEvent, Span } from '../../json/rows.js';
import { styleOf } from '../../json/style.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { type Opened, type Piece, type RecordEvent, warningOf } from '../piece.js';
import { positionsIn, type Start } from '../position.js';
import { onLine } from '../print-checked.js';
import { readMessage } from '../read-message.js';
import { type EntryRow, rowsAfter, transcriptsOf } from './row-messages.js';
import { copySpan, saveValue, valuesOf } from './values.js';

/** A value of a row, or bytes that were not read; the bytes before it, where it begins, and its message. */
interface Entry extends Start {
  readonly gap: Span;
  readonly value: JsonNode | Span;
  readonly message: Message;
}

/** The bytes around a row's entries: `head` before the first, `tail` after the last. */
interface Frame {
  readonly head: RowEvent & { readonly type: 'open' };
  readonly tail: Span;
}

/** `isOne`: the input has only one value. */
export function* openRows(events: Iterable<RowEvent>, format: Format, isOne: boolean): Generator<Piece, void, void> {
  let head: Frame['head'] | undefined;
  let isLog = false; // an array among the lines of a log is one of its lines
  let entries: Entry[] = [];
  for (const event of events) {
    if (event.type === 'open') {
      head = event;
      isLog ||= !event.array;
      entries = [];
    } else if (event.type === 'close') {
      yield openRow({ head: head!, tail: event.span }, entries, format, isOne);
    } else if (event.type === 'record') {
      const { gap, root: value, line, columnsBefore } = event;
      const message = isLog ? readLine(event, format) : readElement(event, entries.length, format);
      entries.push({ gap, value, message, line, columnsBefore });
    } else if (event.type !== 'passed') {
      const { gap, span: value, line } = event;
      entries.push({ gap, value, message: { role: 'meta', parts: [], raw: value }, line, columnsBefore: 0 });
      yield warningOf(event);
    }
  }
}

function readLine(event: RecordEvent, format: Format): Message {
  const { root } = event;
  if (!root.isObject || format.score(root) === 0) return { role: 'meta', parts: [], raw: root };
  return readMessage(root, format, { path: '', event }, undefined);
}

function readElement(event: RecordEvent, index: number, format: Format): Message {
  return readMessage(event.root, format, { path: '', event }, index);
}

function openRow(frame: Frame, read: readonly Entry[], format: Format, isOne: boolean): Opened {
  const { head, tail } = frame;
  const single = read.map(({ message }) => message);
  const isAlone = isOne && !head.array && isDocument(read, tail);
  const { messages, whole, transcripts, joined } = transcriptsOf(single, format, isAlone);
  const entries = messages === single ? read : read.map((entry, index) => ({ ...entry, message: messages[index]! }));
  return {
    type: 'opened',
    line: head.line,
    transcripts,
    positions: () =>
      positionsIn(
        entries.flatMap(({ value, ...start }) => (value instanceof JsonNode ? [{ root: value, ...start }] : [])),
      ),
    save(sink, after) {
      onLine(head.line, () => {
        const now = joined(after.values());
        if (now === whole) copyRow(sink, frame, entries);
        else saveRow(sink, frame, entries, itemsAfter(entries, now, format));
      });
    },
  };
}

/** One value over several lines, or without a newline after it, is a document: no messages can be added beside it. */
function isDocument([entry]: readonly Entry[], { bytes, start, end }: Span): boolean {
  const { value } = entry!;
  if (!(value instanceof JsonNode)) return false;
  return (
    !bytes.subarray(start, end).includes(0x0a) || value.source.bytes.subarray(value.start, value.end).includes(0x0a)
  );
}

// --- save

function copyRow(sink: Sink, { head, tail }: Frame, entries: readonly Entry[]): void {
  copySpan(sink, head.span);
  for (const entry of entries) {
    copySpan(sink, entry.gap);
    copyEntry(sink, entry);
  }
  copySpan(sink, tail);
}

function copyEntry(sink: Sink, { value }: Entry): void {
  if (value instanceof JsonNode) sink.slice(value.source.bytes, value.start, value.end);
  else copySpan(sink, value);
}

function saveRow(sink: Sink, frame: Frame, entries: readonly Entry[], items: readonly RowItem[]): void {
  const { head, tail } = frame;
  if (items.length === 0 && entries.length > 0) {
    saveEmptyRow(sink, frame);
    return;
  }
  copySpan(sink, head.span);
  printRow(sink, items, separatorOf(head, entries));
  copySpan(sink, tail);
}

/** An empty array stays; of lines, only a byte order mark does. */
function saveEmptyRow(sink: Sink, { head: { span, array }, tail }: Frame): void {
  const head = span.bytes.utf8Slice(span.start, span.end);
  if (array) sink.text(head.trimEnd() + tail.bytes.utf8Slice(tail.start, tail.end).replace(/^\s+/, ''));
  else sink.text(/^\ufeff?/.exec(head)![0]);
}

/** The text between added entries, as it is between the first two. */
function separatorOf({ span, array }: Frame['head'], [first, second]: readonly Entry[]): () => string {
  return () => {
    const gap = second?.gap;
    const text = gap === undefined ? '' : gap.bytes.utf8Slice(gap.start, gap.end);
    if (!array) return text.includes('\r\n') ? '\r\n' : '\n';
    if (gap !== undefined) return text;
    const before = span.bytes.utf8Slice(span.start, span.end);
    const space = before.slice(before.trimEnd().length);
    if (space.includes('\n')) return `,${space}`;
    return styleOf(first?.value instanceof JsonNode ? first.value : undefined).comma;
  };
}

/** What to print, in order. A last line that is cut off stays last, wherever messages were added. */
function itemsAfter(entries: readonly Entry[], after: Transcript, format: Format): RowItem[] {
  const nodes = entries.flatMap(({ value }) => (value instanceof JsonNode ? [value] : []));
  const rows = rowsAfter(entries, after, format);
  const adjusted = format.beforeWrite?.(
    rows.filter((row) => !isUnread(row)),
    nodes,
  );
  const items: RowItem[] = [];
  let cutLine: RowItem | undefined;
  let next = 0;
  let near = nodes[0];
  let line = entries[0]?.line ?? 1; // an added message gets the line of the one before it
  const add = (written: readonly Json[], gap: Span | undefined) => {
    const [style, errorLine] = [near, line];
    for (const value of written) items.push({ gap, print: (to) => saveValue(to, value, style, errorLine) });
  };
  for (const row of rows) {
    const { entry, node, json } = row;
    const gap = entry === entries[0] ? undefined : entry?.gap;
    if (isUnread(row)) {
      const item: RowItem = { gap, print: (to) => copyEntry(to, entry!) };
      if (entry === entries.at(-1)) cutLine = item;
      else items.push(item);
      continue;
    }
    const written = valuesOf(adjusted === undefined ? json : adjusted[next++]);
    if (written.length > 0) near = node ?? near;
    line = entry?.line ?? line;
    add(written, gap);
  }
  for (const json of adjusted?.slice(next) ?? []) if (json !== undefined) add([json], undefined);
  return cutLine === undefined ? items : [...items, cutLine];
}

/** Bytes that were not read as JSON. */
function isUnread({ entry, node }: EntryRow<Entry>): boolean {
  return entry !== undefined && node === undefined;
}
