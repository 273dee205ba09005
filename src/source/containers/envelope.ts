/** A record whose messages are no list in it: the format extracts the lists and puts them back. */
import type { Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import { print, reparsed } from '../../json/print.js';
import { styleOf } from '../../json/style.js';
import type { Transcript } from '../../transcript/types.js';
import type { Opened, RecordEvent } from '../piece.js';
import { positionsIn } from '../position.js';
import { withPositions } from '../read-message.js';
import { guardEmptied, listsAfter, openList } from './lists.js';

export function openEnvelope(event: RecordEvent, format: Format): Opened | undefined {
  const { root, line } = event;
  const { envelope } = format;
  const lists = withPositions([event], () => envelope?.open(root));
  if (lists === undefined) return undefined;
  const description = format.describe?.(root);
  const opened = lists.map((list, index) =>
    openList(list, { ...description, ...envelope!.describe?.(list, root, index) }, format, event),
  );
  const recordAfter = (after: readonly Transcript[]): Json => {
    const changed = listsAfter(opened, after, format);
    return changed === undefined ? root : envelope!.close(root, changed);
  };
  return guardEmptied({
    type: 'opened',
    line,
    transcripts: opened.map(({ transcript }) => transcript),
    record: root,
    roots: [root],
    positions: () => positionsIn([event]),
    save: (sink, after) => print(sink, recordAfter(after), () => styleOf(root)),
    reopen: (after) => openEnvelope({ ...event, root: reparsed(recordAfter(after)) }, format),
  });
}
