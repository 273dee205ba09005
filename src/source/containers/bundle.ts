/** Records that only together hold transcripts, such as the spans of a trace. */
import type { Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import { type RowItem, reparsed, type Sink } from '../../json/print.js';
import type { RowEvent } from '../../json/rows.js';
import type { Transcript } from '../../transcript/types.js';
import { type Frame, type Opened, type Piece, type RecordEvent, type RowPlace, warningOf } from '../piece.js';
import { positionsIn } from '../position.js';
import { withPositions } from '../read-message.js';
import { guardEmptied, listsAfter, openList } from './lists.js';
import { saveRow } from './row.js';
import { copySpan, saveValue, valuesOf } from './values.js';

export function* openBundle(events: Iterable<RowEvent>, format: Format): Generator<Piece, void, void> {
  const { eachRow } = format.bundle!;
  let all: RowEvent[] = [];
  for (const event of events) {
    all.push(event);
    if (event.type === 'bad' || event.type === 'cut') yield warningOf(event);
    if (event.type !== 'close' || !eachRow) continue;
    yield* openedOf(all, format);
    all = [];
  }
  yield* openedOf(all, format);
}

/** A row without records passes through. */
function openedOf(events: readonly RowEvent[], format: Format): readonly Piece[] {
  const opened = openAll(events, format);
  if (opened !== undefined) return [opened];
  return events.flatMap((event): Piece[] =>
    event.type === 'open' || event.type === 'close'
      ? [{ type: 'passage', is: event.type === 'open' ? 'list' : 'close', span: event.span }]
      : [],
  );
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
  if (written.some((json) => Array.isArray(json))) {
    saveRows(sink, events, written);
    return;
  }
  let next = 0;
  for (const event of events) {
    if ('gap' in event) copySpan(sink, event.gap);
    if (event.type !== 'record') copySpan(sink, event.span);
    else saveValue(sink, written[next++]!, event.root, event.line);
  }
}

/** The same where records come and go: each row is printed as one of messages is. */
function saveRows(sink: Sink, events: readonly RowEvent[], written: readonly Json[]): void {
  let next = 0;
  let head: Frame['head'] | undefined;
  let entries: RowPlace[] = [];
  let items: RowItem[] = [];
  for (const event of events) {
    if (event.type === 'open') [head, entries, items] = [event, [], []];
    else if (event.type === 'close') saveRow(sink, { head: head!, tail: event.span }, entries, items);
    else {
      const gap = entries.length === 0 ? undefined : event.gap;
      if (event.type !== 'record') items.push({ gap, print: (to) => copySpan(to, event.span) });
      else
        for (const [index, json] of valuesOf(written[next++]).entries())
          items.push({
            gap: index === 0 ? gap : undefined,
            print: (to) => saveValue(to, json, event.root, event.line),
          });
      const line = 'line' in event ? event.line : 0;
      entries.push({
        gap: event.gap,
        value: event.type === 'record' ? event.root : event.span,
        line,
        columnsBefore: 0,
      });
    }
  }
}

function withRoots(events: readonly RowEvent[], written: readonly Json[]): RowEvent[] {
  let next = 0;
  return events.flatMap((event): RowEvent[] =>
    event.type === 'record' ? valuesOf(written[next++]).map((json) => ({ ...event, root: reparsed(json) })) : [event],
  );
}
