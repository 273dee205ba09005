/** A record whose messages are rows of a table, and how it is printed with what a step makes of them. */
import type { Description, Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { print, type Sink } from '../../json/print.js';
import { styleOf } from '../../json/style.js';
import { CALLS_GO, CHANGES, GOES, MessageTable, type RowChanges, STAYS } from '../../transcript/table.js';
import type { Site } from '../message-paths.js';
import type { RecordEvent, RowsAfter, Tabled } from '../piece.js';
import { onLine, printChecked } from '../print-checked.js';

/** One for all records: each is used before the next one is opened. */
const shared = new MessageTable();

/** Undefined where the messages do not fit into a table, or the record repeats them elsewhere. */
export function tabledAt(
  { root, line }: RecordEvent,
  format: Format,
  lists: readonly (readonly Site[])[],
  describe: () => Description,
): Tabled | undefined {
  const site = lists.length === 1 && lists[0]!.length === 1 ? lists[0]![0]! : undefined;
  if (site === undefined || site.take !== 'all' || site.member !== undefined || site.encoded !== undefined)
    return undefined;
  const { list } = site;
  if (format.table?.fill(list, shared) !== true || shared.messages.length === 0) return undefined;
  shared.size = root.end - root.start;
  return {
    table: shared,
    describe,
    changed: (changes) => changedRows(list, changes, format),
    save(sink, rows) {
      const { bytes } = root.source;
      if (rows === undefined) sink.slice(bytes, root.start, root.end);
      else
        onLine(line, () =>
          printChecked(sink, (to) => {
            to.slice(bytes, root.start, list.start);
            printRows(to, list, rows, format);
            to.slice(bytes, list.end, root.end);
          }),
        );
    },
  };
}

/** What is left of the rows, and what is written for those that change; undefined if all of them stay. */
function changedRows(list: JsonNode, { fates, change }: RowChanges, format: Format): RowsAfter | undefined {
  const written = new Map<number, Json>();
  const { length, of } = shared.messages;
  for (let row = 0; row < length; row++) {
    if (fates[row] === CALLS_GO && format.table!.callsRange(list.source, of.at[row]!) === undefined)
      fates[row] = CHANGES;
    if (fates[row] !== CHANGES) continue;
    const raw = new JsonNode(list.source, of.at[row]!);
    const before = format.read(raw);
    const after = change(before, row);
    if (after === undefined) fates[row] = GOES;
    else if (after === before) fates[row] = STAYS;
    else written.set(row, format.write(after, raw));
  }
  return fates.every((fate) => fate === STAYS) ? undefined : { fates, written };
}

/** Prints the list as `print` prints an edit of it, but messages in a row that stay as one range. */
function printRows(sink: Sink, list: JsonNode, { fates, written }: RowsAfter, { table }: Format): void {
  const { source } = list;
  const { length, of } = shared.messages;
  const isEmpty = fates.every((fate) => fate === GOES);
  sink.slice(source.bytes, list.start, isEmpty ? list.start + 1 : of.start[0]!);
  let isFirst = true;
  for (let row = 0; row < length; row++) {
    if (fates[row] === GOES) continue;
    if (!isFirst) sink.slice(source.bytes, of.end[row - 1]!, of.start[row]!); // the comma before it
    isFirst = false;
    const start = of.start[row]!;
    if (fates[row] === CHANGES) print(sink, written.get(row)!, () => styleOf(list));
    else if (fates[row] === CALLS_GO) {
      const [from, to] = table!.callsRange(source, of.at[row]!)!;
      sink.slice(source.bytes, start, from);
      sink.slice(source.bytes, to, of.end[row]!);
    } else {
      while (row + 1 < length && fates[row + 1] === STAYS) row++;
      sink.value?.({ source, start, end: of.end[row]! });
    }
  }
  sink.slice(source.bytes, isEmpty ? list.end - 1 : of.end[length - 1]!, list.end);
}
