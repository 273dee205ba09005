/** A record whose messages are rows of a table, and how it is printed with what a step makes of them. */
import type { Description, Format } from '../../../formats/format.js';
import { JsonNode } from '../../../json/node.js';
import { print, type Sink } from '../../../json/print.js';
import { printString } from '../../../json/print-string.js';
import type { JsonSource } from '../../../json/strings.js';
import { styleOf } from '../../../json/style.js';
import { readSite } from '../../../source/containers/sites.js';
import type { Site } from '../../../source/message-paths.js';
import type { RecordEvent, RowsAfter, Tabled } from '../../../source/piece.js';
import { onLine, printChecked } from '../../../source/print-checked.js';
import { ASSISTANT, CHANGES, GOES, LOSES, MessageTable, type RowChanges, STAYS } from '../../../transcript/table.js';
import type { Message, Text, Traits } from '../../../transcript/types.js';
import { joined } from '../../../transforms/alternate.js';
import { fill } from './add.js';
import { tablers } from './layouts.js';

/** One for all records: each is used before the next one is opened. */
const shared = new MessageTable();

/** Undefined where the messages do not fit into a table, or the record repeats them elsewhere. */
export function openTable(
  event: RecordEvent,
  format: Format,
  lists: readonly (readonly Site[])[],
  describe: () => Description,
): Tabled | undefined {
  const { root, line } = event;
  const sites = lists.length === 1 ? lists[0]! : [];
  const site = sites.at(-1);
  if (site === undefined || site.take !== 'all' || site.member !== undefined || site.encoded !== undefined)
    return undefined;
  const { list } = site;
  const beside = sites.slice(0, -1);
  if (!beside.every(({ take }) => take === 'whole')) return undefined;
  const tabler = tablers.get(format.id);
  if (tabler === undefined || !fill(tabler, list, shared) || shared.messages.length === 0) return undefined;
  const prompts = beside.flatMap((one) => readSite(one, format, event).messages); // or an error
  if (!prompts.every(({ role }) => role === 'system')) return undefined;
  shared.read = (row) => format.read(new JsonNode(list.source, shared.messages.of.at[row]!));
  shared.prompts = prompts.length;
  shared.beside = beside.reduce((sum, one) => sum + one.list.end - one.list.start, 0);
  shared.size = root.end - root.start;
  const traits = () => describe().traits ?? format.traits;
  shared.joinsResults = format.traits.rolesAlternate === true && format.traits.resultsShareMessage === true;
  return {
    table: shared,
    describe,
    traits,
    changed: (changes) => changedRows(list, changes, format, traits),
    save(sink, rows) {
      const { bytes } = root.source;
      if (rows === undefined) sink.slice(bytes, root.start, root.end);
      else
        onLine(line, () =>
          printChecked(sink, (to) => {
            to.slice(bytes, root.start, list.start);
            printRows(to, list, rows);
            to.slice(bytes, list.end, root.end);
          }),
        );
    },
  };
}

/** What is left of the rows, and how those are printed that change; undefined if all of them stay. */
function changedRows(
  list: JsonNode,
  changes: RowChanges,
  format: Format,
  traitsOf: () => Traits,
): RowsAfter | undefined {
  const { fates } = changes;
  const { source } = list;
  const printers = new Map<number, Print>();
  const { length, of } = shared.messages;
  for (let row = 0; row < length; row++) {
    if (fates[row] === STAYS || fates[row] === GOES) continue;
    const raw = new JsonNode(source, of.at[row]!);
    const cuts = fates[row] === LOSES ? tablers.get(format.id)!.cuts(source, raw.at, changes.isGone!(row)) : undefined;
    const printer = cuts === undefined ? changedMessage(raw, row, changes, format) : withoutRanges(raw, cuts);
    if (typeof printer === 'function') printers.set(row, printer);
    else fates[row] = printer;
  }
  const traits = fates.includes(GOES) ? traitsOf() : {};
  if (traits.rolesAlternate === true) joinMeeting({ source, changes, printers, format, traits });
  return fates.every((fate) => fate === STAYS) ? undefined : { fates, printers };
}

interface Meeting {
  readonly source: JsonSource;
  readonly changes: RowChanges;
  readonly printers: Map<number, Print>;
  readonly format: Format;
  readonly traits: Traits;
}

/** Makes one message of those of one role that stood apart, as `alternating` does. */
function joinMeeting({ source, changes, printers, format, traits }: Meeting): void {
  const { fates } = changes;
  const { length, of } = shared.messages;
  const now = (row: number): Message => {
    const before = shared.read(row);
    return fates[row] === STAYS ? before : changes.change(before, row)!;
  };
  let first = -1;
  let one: Message | undefined; // what became of the first
  for (let row = 0; row < length; row++) {
    if (fates[row] === GOES) continue;
    const meets = first >= 0 && first < row - 1 && (of.role[first] === ASSISTANT) === (of.role[row] === ASSISTANT);
    const both = meets ? joined(one ?? now(first), now(row), traits) : undefined;
    if (both === undefined) [first, one] = [row, undefined];
    else {
      one = both;
      printers.set(first, printerOf(both, new JsonNode(source, of.at[first]!), format));
      fates[first] = CHANGES;
      fates[row] = GOES;
    }
  }
}

type Print = (sink: Sink) => void;
type Change = RowChanges['change'];

function withoutRanges({ source: { bytes }, start, end }: JsonNode, cuts: readonly number[]): Print {
  return (sink) => {
    let from = start;
    for (let i = 0; i < cuts.length; i += 2) {
      if (cuts[i]! > from) sink.slice(bytes, from, cuts[i]!);
      from = cuts[i + 1]!;
    }
    sink.slice(bytes, from, end);
  };
}

/** Reads the message, and writes it only if more changes than one text. */
function changedMessage(raw: JsonNode, row: number, { change }: { readonly change: Change }, format: Format) {
  const before = format.read(raw);
  const after = change(before, row);
  if (after === undefined) return GOES;
  if (after === before) return STAYS;
  const { source, start, end } = raw;
  const [text, now] = [onlyText(before), onlyText(after)];
  if (!(text instanceof JsonNode && text.isString && text.source === source) || typeof now !== 'string') {
    return printerOf(after, raw, format);
  }
  return (sink: Sink) => {
    sink.slice(source.bytes, start, text.start);
    sink.text(printString(now, text));
    sink.slice(source.bytes, text.end, end);
  };
}

function printerOf(message: Message, raw: JsonNode, format: Format): Print {
  const written = format.write(message, raw);
  return (sink) => print(sink, written, () => styleOf(raw));
}

/** The text that is all the content of the only result of a message. */
function onlyText({ parts: [part, other] }: Message): Text | undefined {
  if (part?.type !== 'result' || other !== undefined || part.content.length !== 1) return undefined;
  const [only] = part.content;
  return only!.type === 'text' && (only!.raw === only!.text || typeof only!.text === 'string') ? only!.text : undefined;
}

/** Prints the list as `print` prints an edit of it, but messages in a row that stay as one range. */
function printRows(sink: Sink, list: JsonNode, { fates, printers }: RowsAfter): void {
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
    if (fates[row] !== STAYS) printers.get(row)!(sink);
    else {
      while (row + 1 < length && fates[row + 1] === STAYS) row++;
      sink.value?.({ source, start, end: of.end[row]! });
    }
  }
  sink.slice(source.bytes, isEmpty ? list.end - 1 : of.end[length - 1]!, list.end);
}
