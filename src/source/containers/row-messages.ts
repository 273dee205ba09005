/** The messages of a row as transcripts, and the row after an edit: for JSON text and for JavaScript values alike. */
import type { Format, Row } from '../../formats/format.js';
import { adjacentNode } from '../../formats/shared/adjacent-record.js';
import { JsonNode } from '../../json/node.js';
import { replaceWithin } from '../../json/replace.js';
import { originOf } from '../../transcript/compare.js';
import { inGroups } from '../../transcript/edit.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { type Threads, threadsOf } from '../threads.js';
import { headerOf, toolEdits, transcriptOf } from '../transcript.js';

export interface RowTranscripts extends Threads {
  /** The messages as the agent would load them. */
  readonly messages: readonly Message[];
  /** All of them, before they are assigned to agents. */
  readonly whole: Transcript;
}

/**
 * `isAlone`: the row is one value, a reply without its request. `before`: the messages of a row that began the same.
 */
export function transcriptsOf(
  read: readonly Message[],
  format: Format,
  isAlone: boolean,
  before?: readonly Message[],
): RowTranscripts {
  const loaded = format.afterRead?.(read) ?? read;
  const messages = format.traits.piecesStandAlone ? inGroups(loaded, '', before) : loaded;
  const header = headerOf(messages, format);
  const usual = header.traits ?? format.traits;
  const traits = isAlone ? { ...usual, endsOnReply: true, isReply: true } : usual;
  const whole = transcriptOf(messages, { format, traits, description: { ...header, traits } });
  return { messages, whole, ...threadsOf(whole, format) };
}

/** A value of a row, or what was not read as one. */
interface RowEntry {
  readonly value: unknown;
}

/** A message that is about to be written, and the entry that it was read from; undefined if it was added. */
export interface EntryRow<E extends RowEntry> extends Row {
  readonly entry: E | undefined;
}

/** The rows of an edited transcript, in its order. `messages`: those of the entries, as the agent would load them. */
export function rowsAfter<E extends RowEntry>(
  entries: readonly E[],
  messages: readonly Message[],
  after: Transcript,
  format: Format,
): readonly EntryRow<E>[] {
  const indexOf = finderIn(messages);
  const tools = toolEdits(after);
  let near = entries.find(({ value }) => value instanceof JsonNode)?.value as JsonNode | undefined;
  return after.messages.map((message) => {
    const origin = originOf(message);
    const index = origin === undefined ? -1 : indexOf(origin);
    const entry = entries[index];
    const node = entry?.value instanceof JsonNode ? entry.value : undefined;
    near = node ?? adjacentNode(message) ?? near;
    const untouched = node === undefined ? null : replaceWithin(node, tools);
    return { entry, node, message, json: message === messages[index] ? untouched : format.write(message, near) };
  });
}

/** The index of the message of a value; -1 if there is none. Most are asked for in their order. */
function finderIn(messages: readonly Message[]): (raw: unknown) => number {
  let next = 0;
  let byRaw: Map<unknown, number> | undefined;
  return (raw) => {
    for (; byRaw === undefined && next < messages.length; next++) if (messages[next]!.raw === raw) return next++;
    byRaw ??= new Map(messages.map((message, index) => [message.raw, index]));
    return byRaw.get(raw) ?? -1;
  };
}
