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
  const lines = logs.get(format.id)?.();
  return lines && new LogTable(format, lines);
}

/** No table holds longer than its log, but one log can be opened while another one is read. */
class LogTable implements TabledLog {
  private readonly table = new MessageTable();
  /** By row: its line. */
  private readonly lineOf: number[] = [];
  /** By line: its row; -1 without a message. */
  private readonly rowOf: number[] = [];

  constructor(
    private readonly format: Format,
    private readonly lines: Lines,
  ) {
    this.table.clear(this.table.source, lines.messages.traits);
    this.table.size = 0;
  }

  add(root: JsonNode | undefined): boolean {
    const { table, lineOf, rowOf } = this;
    const rows = table.messages.length;
    if (root !== undefined) {
      table.nextLine(root.source);
      table.size += root.byteLength;
      if (!this.lines.add(root.source, table)) return false;
    }
    const isMessage = table.messages.length > rows;
    rowOf.push(isMessage ? rows : -1);
    if (!isMessage) return true;
    table.addLine();
    lineOf.push(rowOf.length - 1);
    return true;
  }

  finish(frame: Frame, entries: readonly RowPlace[]): Tabled | undefined {
    const { table, format, lines, rowOf } = this;
    const outline = () =>
      entries.map(({ value }, line): Message => ({ role: rowOf[line]! < 0 ? 'meta' : 'user', parts: [], raw: value }));
    if (table.messages.length === 0 || !lines.areOne(format, outline)) return undefined;
    const log: Log = { table, format, entries, lineOf: this.lineOf, rowOf };
    let changed: ReadonlyMap<number, Message | undefined> = new Map();
    return {
      table,
      describe: () => describe(log),
      traits: () => format.traits,
      wasSent: () => wasSent(log),
      changed(changes) {
        const fates = changes.fates;
        changed = changedLines(log, changes);
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
}

const NO_PRINTERS: RowsAfter['printers'] = new Map();

export interface Log {
  readonly table: MessageTable;
  readonly format: Format;
  readonly entries: readonly RowPlace[];
  readonly lineOf: readonly number[];
  readonly rowOf: readonly number[];
}

/** A line, without the texts that were decoded of it before: it holds no longer than it is used. */
export function lineNode({ entries }: Log, line: number): JsonNode {
  const { bytes, tape } = (entries[line]!.value as JsonNode).source;
  return new JsonNode({ bytes, tape }, 0);
}

/** As `transcriptOf` finds the model; what it looks for after that is in no line of these formats. */
function describe(log: Log): Description {
  const { format, entries, lineOf } = log;
  const header = headerOf(
    entries.slice(0, HEADER_LINES).map(({ value }) => ({ role: 'meta', parts: [], raw: value })),
    format,
  );
  let { model } = header;
  for (let row = 0; model === undefined && row < lineOf.length; row++)
    model = format.read(lineNode(log, lineOf[row]!)).model;
  return { ...header, model };
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

/** By line: the message that it becomes; undefined if it goes. */
function changedLines(log: Log, { fates, change }: RowChanges): ReadonlyMap<number, Message | undefined> {
  const changed = new Map<number, Message | undefined>();
  log.lineOf.forEach((line, row) => {
    if (fates[row] === STAYS) return;
    const before = fates[row] === GOES ? undefined : log.format.read(lineNode(log, line));
    const after = before && change(before, row);
    if (after !== undefined && after === before) fates[row] = STAYS;
    else changed.set(line, after);
    if (after === undefined) fates[row] = GOES;
  });
  return changed;
}

function itemsAfter(log: Log, changed: ReadonlyMap<number, Message | undefined>): RowItem[] {
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
function writtenLines(log: Log, changed: ReadonlyMap<number, Message | undefined>): ReadonlyMap<number, Written> {
  const { format } = log;
  const nodes = concerned(log, changed, format.echoes as Echoes);
  const rows: Row[] = [];
  for (const [line, node] of nodes) {
    const message = changed.has(line) ? changed.get(line) : { ...UNTOUCHED, raw: node };
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

const UNTOUCHED: Message = { role: 'meta', parts: [] };
