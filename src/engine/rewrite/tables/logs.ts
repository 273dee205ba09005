/** A log whose messages are rows of a table: of its lines only those are read that an edit changes or concerns. */
import type { Description, Echoes, Format, Row } from '../../../formats/format.js';
import type { Json } from '../../../json/edit.js';
import { JsonNode } from '../../../json/node.js';
import type { RowItem } from '../../../json/print.js';
import { copyEntry, copyRow, saveRow } from '../../../source/containers/row.js';
import { saveValue, valuesOf } from '../../../source/containers/values.js';
import type { Frame, RowPlace, RowsAfter, Tabled, TabledLog } from '../../../source/piece.js';
import { onLine } from '../../../source/print-checked.js';
import { HEADER_LINES, headerOf } from '../../../source/transcript.js';
import { GOES, MessageTable, type RowChanges, STAYS } from '../../../transcript/table.js';
import type { Message } from '../../../transcript/types.js';
import { concerned } from './concerned.js';
import { type Lines, logs } from './lines.js';

/** Undefined for a format whose logs have no tables. */
export function openLog(format: Format): TabledLog | undefined {
  const linesOf = logs.get(format.id);
  if (linesOf === undefined) return undefined;
  const filling = createFilling(linesOf());
  let places = 0;
  return {
    add: (root) => filling.add(root, places++),
    finish(frame, entries) {
      const { table, lines, lineOf } = filling;
      const lineOfRow = new Set(lineOf);
      const outline = () =>
        entries.map(({ value }, line) => withoutParts(value, lineOfRow.has(line) ? 'user' : 'meta'));
      const order = table.messages.length === 0 ? undefined : lines.order(format, outline);
      if (order === undefined) return undefined;
      if (order === 'as they stand') return tabledLog(filling, frame, { format, entries });
      return tabledLog(refilled(order, entries, linesOf()), frame, { format, entries, order });
    },
  };
}

interface Filling {
  readonly table: MessageTable;
  readonly lines: Lines;
  /** By row: its line. */
  readonly lineOf: number[];
  add(root: JsonNode | undefined, line: number): boolean;
}

/** Each log has its own table: one can be opened while another one is read. */
function createFilling(lines: Lines): Filling {
  const table = new MessageTable();
  const lineOf: number[] = [];
  table.clear(table.source, lines.messages.traits);
  return {
    table,
    lines,
    lineOf,
    add(root, line) {
      const rows = table.messages.length;
      if (root === undefined) return true;
      table.source = root.source;
      table.size += root.byteLength;
      if (!lines.add(root.source, table)) return false;
      if (table.messages.length === rows) return true;
      table.addLine();
      lineOf.push(line);
      return true;
    },
  };
}

/** In another order than that of the lines. */
function refilled(order: readonly number[], entries: readonly RowPlace[], lines: Lines): Filling {
  const filling = createFilling(lines);
  for (const line of order) {
    const { value } = entries[line]!;
    filling.add(value instanceof JsonNode ? value : undefined, line);
  }
  return filling;
}

function tabledLog({ table, lineOf }: Filling, frame: Frame, given: Pick<Log, 'format' | 'entries' | 'order'>): Tabled {
  const { format, entries } = given;
  const rowOf = new Int32Array(entries.length).fill(-1);
  lineOf.forEach((line, row) => {
    rowOf[line] = row;
  });
  const log: Log = { ...given, table, lineOf, rowOf };
  let changed: Changed = new Map();
  table.read = (row) => format.read(lineNode(log, lineOf[row]!));
  return {
    table,
    describe: () => describe(log),
    traits: () => format.traits,
    log: { length: entries.length, sample: (most) => sampleOf(log, most), wasSent: () => wasSent(log) },
    changed(changes) {
      changed = changedLines(log, changes);
      const { fates } = changes;
      return fates.every((fate) => fate === STAYS) ? undefined : { fates, printers: NO_PRINTERS };
    },
    save(sink, rows) {
      onLine(frame.head.line, () => {
        if (rows === undefined) copyRow(sink, frame, entries);
        else saveRow(sink, frame, entries, itemsAfter(log, changed));
      });
    },
  };
}

/** By line: the message that it becomes; undefined if it goes. */
export type Changed = ReadonlyMap<number, Message | undefined>;

const NO_PRINTERS: RowsAfter['printers'] = new Map();

export interface Log {
  readonly table: MessageTable;
  readonly format: Format;
  readonly entries: readonly RowPlace[];
  /** Of its lines in the conversation; undefined if they stand in it. */
  readonly order?: readonly number[];
  readonly lineOf: readonly number[];
  /** By line: its row; -1 without a message. */
  readonly rowOf: Int32Array;
}

/** A line, without the texts that were decoded of it before: it holds no longer than it is used. */
export function lineNode({ entries }: Log, line: number): JsonNode {
  const { bytes, tape } = (entries[line]!.value as JsonNode).source;
  return new JsonNode({ bytes, tape }, 0);
}

/** As `transcriptOf` finds the model; what it looks for after that is in no line of these formats. */
function describe(log: Log): Description {
  const { table, format, entries, lineOf } = log;
  const header = headerOf(
    entries.slice(0, HEADER_LINES).map(({ value }) => withoutParts(value)),
    format,
  );
  let { model } = header;
  for (let row = 0; model === undefined && row < lineOf.length; row++) model = table.read(row).model;
  return { ...header, model };
}

function sampleOf({ table, entries, rowOf, order }: Log, most: number): readonly Message[] {
  return (order ?? [...entries.keys()]).flatMap((line, place) => {
    const row = rowOf[line]!;
    if (row < 0) return [withoutParts(entries[line]!.value)];
    return place < most ? [table.read(row)] : [];
  });
}

/** Whether usage is recorded in a line that no step drops. */
function wasSent(log: Log): boolean {
  const { table, format, entries, rowOf } = log;
  return entries.some(({ value }, line) => {
    const row = rowOf[line]!;
    const stays = row < 0 || table.firstCall(row) === table.messages.of.calls[row];
    return stays && value instanceof JsonNode && format.recorded?.(lineNode(log, line))?.usage !== undefined;
  });
}

function changedLines(log: Log, { fates, change }: RowChanges): Changed {
  const changed = new Map<number, Message | undefined>();
  log.lineOf.forEach((line, row) => {
    if (fates[row] === STAYS) return;
    const before = fates[row] === GOES ? undefined : log.table.read(row);
    const after = before && change(before, row);
    if (after !== undefined && after === before) fates[row] = STAYS;
    else changed.set(line, after);
    if (after === undefined) fates[row] = GOES;
  });
  return changed;
}

function itemsAfter(log: Log, changed: Changed): RowItem[] {
  const written = writtenLines(log, changed);
  return log.entries.flatMap((entry, line): RowItem[] => {
    const gap = line === 0 ? undefined : entry.gap;
    const now = written.get(line);
    if (now === undefined) return [{ gap, print: (to) => copyEntry(to, entry) }];
    return now.json.map((json) => ({ gap, print: (to) => saveValue(to, json, now.node, entry.line) }));
  });
}

interface Written {
  readonly node: JsonNode;
  readonly json: readonly Json[];
}

/** What becomes of the lines that change, and of those that an edit of these concerns. */
function writtenLines(log: Log, changed: Changed): ReadonlyMap<number, Written> {
  const { format } = log;
  const nodes = concerned(log, changed, format.echoes as Echoes);
  const rows: Row[] = [];
  for (const [line, node] of nodes) {
    const message = changed.has(line) ? changed.get(line) : withoutParts(node);
    if (message === undefined) continue;
    rows.push({ node, message, json: changed.has(line) ? format.write(message, node) : node });
  }
  const before = [...nodes.values()];
  const placeOf = new Map([...nodes].map(([line, node]) => [node, line]));
  const adjusted = format.beforeWrite!(rows, before, placeOf);
  const written = new Map(before.map((node) => [placeOf.get(node)!, { node, json: [] as readonly Json[] }]));
  rows.forEach(({ node }, index) => {
    written.set(placeOf.get(node!)!, { node: node!, json: valuesOf(adjusted[index]) });
  });
  return written;
}

function withoutParts(raw: unknown, role: Message['role'] = 'meta'): Message {
  return { role, parts: [], raw };
}
