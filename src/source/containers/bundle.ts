/** Records that only together hold transcripts, such as the spans of a trace. */
import type { Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed, type Sink } from '../../json/print.js';
import type { RowEvent } from '../../json/rows.js';
import type { Transcript } from '../../transcript/types.js';
import { type Opened, type Piece, type RecordEvent, warningOf } from '../piece.js';
import { positionsIn } from '../position.js';
import { withPositions } from '../read-message.js';
import { guardEmptied, listsAfter, openList } from './lists.js';
import { copySpan, saveValue } from './values.js';

export function* openBundle(events: Iterable<RowEvent>, format: Format): Generator<Piece, void, void> {
  const all: RowEvent[] = [];
  for (const event of events) {
    all.push(event);
    if (event.type === 'bad' || event.type === 'cut') yield warningOf(event);
  }
  const opened = openAll(all, format);
  if (opened !== undefined) yield opened;
}

function openAll(events: readonly RowEvent[], format: Format): Opened | undefined {
  const records = events.filter((event): event is RecordEvent => event.type === 'record');
  const roots = records.map(({ root }) => root);
  const [first] = records;
  if (first === undefined) return undefined;
  const bundle = format.bundle!;
  const opened = withPositions(records, () =>
    (bundle.open(roots) ?? []).map((list) => openList(list, bundle.describe(list), format, first)),
  );
  const recordsAfter = (after: readonly Transcript[]): readonly Json[] => {
    const changed = listsAfter(opened, after, format);
    return changed === undefined ? roots : bundle.close(roots, changed);
  };
  return guardEmptied({
    type: 'opened',
    line: first.line,
    transcripts: opened.map(({ transcript }) => transcript),
    roots,
    positions: () => positionsIn(records),
    save: (sink, after) => saveAll(sink, events, recordsAfter(after)),
    reopen: (after) => openAll(withRoots(events, recordsAfter(after)), format),
  });
}

/** The bytes between the records stay. */
function saveAll(sink: Sink, events: readonly RowEvent[], written: readonly Json[]): void {
  let next = 0;
  for (const event of events) {
    if ('gap' in event) copySpan(sink, event.gap);
    if (event.type !== 'record') copySpan(sink, event.span);
    else saveValue(sink, written[next++]!, event.root, event.line);
  }
}

function withRoots(events: readonly RowEvent[], written: readonly Json[]): RowEvent[] {
  const roots = written.map((json): JsonNode => reparsed(json));
  let next = 0;
  return events.map((event) => (event.type === 'record' ? { ...event, root: roots[next++]! } : event));
}
