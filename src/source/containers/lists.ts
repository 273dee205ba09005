/**
 * Lists of messages that a format extracts from a record or a file, and puts back: what envelopes and bundles share.
 */
import { TranscriptError } from '../../errors.js';
import type { Description, Format } from '../../formats/format.js';
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Transcript } from '../../transcript/types.js';
import type { Opened, RecordEvent } from '../piece.js';
import { transcriptOf } from '../transcript.js';
import { type OpenedSites, readSite, replaceSites } from './sites.js';

export function openList(list: JsonNode, description: Description, format: Format, event: RecordEvent): OpenedSites {
  const traits = description.traits ?? format.traits;
  const site = readSite({ list, take: 'all', member: undefined, path: '' }, { ...format, traits }, event);
  const transcript = transcriptOf(site.messages, { format, traits, description, record: event.root });
  return { bySite: [site], transcript };
}

/** The lists with other transcripts; undefined where none changed. */
export function listsAfter(
  opened: readonly OpenedSites[],
  after: readonly Transcript[],
  format: Format,
): readonly Json[] | undefined {
  const before = opened.map(({ bySite: [site] }) => site!.site.list);
  const lists = opened.map(({ bySite, transcript }, index): Json => {
    const now = after[index]!;
    const [changed] = now === transcript ? [] : replaceSites(bySite, now.messages, format);
    return changed?.value ?? before[index]!;
  });
  return lists.every((list, index) => list === before[index]) ? undefined : lists;
}

/** The format is recognized by its messages, so `save` fails where the next run would find none. */
export function guardEmptied(opened: Opened): Opened {
  const hasMessages = (transcripts: readonly Transcript[] = []) =>
    transcripts.some(({ messages }) => messages.length > 0);
  const { transcripts, line, reopen, save } = opened;
  return {
    ...opened,
    save(sink, after) {
      if (hasMessages(transcripts) && !hasMessages(after) && !hasMessages(reopen!(after)?.transcripts))
        throw new TranscriptError(
          'format',
          'nothing would be left of what was said, nor tell what this was; keep more',
          { line, column: 1 },
        );
      save(sink, after);
    },
  };
}
