/** A row of values that are the messages themselves: the lines of a log, or the elements of a top-level array. */
import type { Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printRow, type RowItem, type Sink } from '../../json/print.js';
import type { RowEvent, Span } from '../../json/rows.js';
import { styleOf } from '../../json/style.js';
import type { Message, Transcript } from '../../transcript/types.js';
import {
  type Frame,
  type MakeLogTable,
  type Opened,
  type Piece,
  type RowPlace,
  type Tabled,
  type TabledLog,
  warningOf,
} from '../piece.js';
import { positionsOnce, type Start } from '../position.js';
import { onLine } from '../print-checked.js';
import { readMessage } from '../read-message.js';
import { type EntryRow, rowsAfter, transcriptsOf } from './row-messages.js';
import { copySpan, saveValue, valuesOf } from './values.js';

/** A value of a row, or bytes that were not read, and its message. */
interface Entry extends RowPlace {
  readonly message: Message;
}

interface RowOptions {
  /** The input has only one value. */
  readonly isOne: boolean;
  /** Makes the messages of logs rows of a table. */
  readonly logTables: MakeLogTable | undefined;
}

export function* openRows(
  events: Iterable<RowEvent>,
  format: Format,
  { isOne, logTables }: RowOptions,
): Generator<Piece, void, void> {
  let head: Frame['head'] | undefined;
  let isLog = false; // an array among the lines of a log is one of its lines
  let places: RowPlace[] = [];
  let entries: Entry[] | undefined; // of a row without a table
  let table: TabledLog | undefined;
  const readAll = () => places.map((place, index) => entryOf(place, isLog ? undefined : index, format));
  for (const event of events) {
    if (event.type === 'open') {
      head = event;
      isLog ||= !event.array;
      places = [];
      table = isLog ? logTables?.(format) : undefined;
      entries = table === undefined ? [] : undefined;
    } else if (event.type === 'close') {
      const frame = { head: head!, tail: event.span };
      const tabled = entries === undefined ? table!.finish(frame, places) : undefined;
      const read = () => openRow(frame, entries ?? readAll(), format, isOne);
      yield tabled === undefined ? read() : new OpenedLog(frame.head.line, tabled, read);
    } else if (event.type !== 'passed') {
      const isRead = event.type === 'record';
      const { gap, line } = event;
      const value = isRead ? event.root : event.span;
      const place: RowPlace = { gap, value, line, columnsBefore: isRead ? event.columnsBefore : 0 };
      if (entries !== undefined) entries.push(entryOf(place, isLog ? undefined : entries.length, format));
      else {
        places.push(place);
        if (!table!.add(isRead ? event.root : undefined)) entries = readAll();
      }
      if (!isRead) yield warningOf(event);
    }
  }
}

/** A class, as `OpenedRecord`: messages are read where a step asks for them. */
class OpenedLog implements Opened {
  readonly type = 'opened';
  private opened: Opened | undefined = undefined;

  constructor(
    readonly line: number,
    readonly tabled: Tabled,
    private readonly read: () => Opened,
  ) {}

  get transcripts(): readonly Transcript[] {
    return this.open().transcripts;
  }

  private open(): Opened {
    this.opened ??= this.read();
    return this.opened;
  }

  readonly positions = () => this.open().positions();

  readonly save = (sink: Sink, after: readonly Transcript[]): void => this.open().save(sink, after);
}

/** `index`: of an element; undefined for a line. */
function entryOf(place: RowPlace, index: number | undefined, format: Format): Entry {
  const { value } = place;
  if (!(value instanceof JsonNode)) return { ...place, message: { role: 'meta', parts: [], raw: value } };
  const message = index === undefined ? readLine(value, place, format) : readElement(value, place, index, format);
  return { ...place, message };
}

function readLine(root: JsonNode, start: Start, format: Format): Message {
  if (!root.isObject || format.score(root) === 0) return { role: 'meta', parts: [], raw: root };
  return readMessage(root, format, { path: '', event: { root, ...start } }, undefined);
}

function readElement(root: JsonNode, start: Start, ...[index, format]: [number, Format]): Message {
  return readMessage(root, format, { path: '', event: { root, ...start } }, index);
}

function openRow(frame: Frame, entries: readonly Entry[], format: Format, isOne: boolean): Opened {
  const { head, tail } = frame;
  const single = entries.map(({ message }) => message);
  const isAlone = isOne && !head.array && isDocument(entries, tail);
  const { messages, whole, transcripts, joined } = transcriptsOf(single, format, isAlone);
  return {
    type: 'opened',
    line: head.line,
    transcripts,
    positions: positionsOnce(() =>
      entries.flatMap(({ value, ...start }) => (value instanceof JsonNode ? [{ root: value, ...start }] : [])),
    ),
    save(sink, after) {
      onLine(head.line, () => {
        const now = joined(after.values());
        if (now === whole) copyRow(sink, frame, entries);
        else saveRow(sink, frame, entries, itemsAfter(entries, messages, now, format));
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

export function copyRow(sink: Sink, { head, tail }: Frame, entries: readonly RowPlace[]): void {
  copySpan(sink, head.span);
  for (const entry of entries) {
    copySpan(sink, entry.gap);
    copyEntry(sink, entry);
  }
  copySpan(sink, tail);
}

export function copyEntry(sink: Sink, { value }: Pick<RowPlace, 'value'>): void {
  if (value instanceof JsonNode) sink.slice(value.source.bytes, value.start, value.end);
  else copySpan(sink, value);
}

export function saveRow(sink: Sink, frame: Frame, entries: readonly RowPlace[], items: readonly RowItem[]): void {
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
function separatorOf({ span, array }: Frame['head'], [first, second]: readonly RowPlace[]): () => string {
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
function itemsAfter(
  entries: readonly Entry[],
  messages: readonly Message[],
  after: Transcript,
  format: Format,
): RowItem[] {
  const nodes = entries.flatMap(({ value }) => (value instanceof JsonNode ? [value] : []));
  const rows = rowsAfter(entries, messages, after, format);
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
