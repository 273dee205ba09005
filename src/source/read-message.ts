/** Reads one message. An error names the message, and its line and column. */
import { TranscriptError } from '../errors.js';
import type { Format } from '../formats/format.js';
import { MessageError } from '../formats/shared/json-fields.js';
import type { JsonNode } from '../json/node.js';
import type { Message } from '../transcript/types.js';
import { unreadKind } from './detect/unread-kinds.js';
import type { RecordEvent } from './piece.js';
import { positionOf, type Start } from './position.js';

/** The list of messages, or the one message, that is being read. */
export interface MessageSource {
  /** Its path in the record; empty if the record is the message. */
  readonly path: string;
  readonly event: Pick<RecordEvent, 'root'> & Start;
}

/** `index`: the message's index in its list; undefined for a message that is in no list. */
export function readMessage(raw: JsonNode, format: Format, from: MessageSource, index: number | undefined): Message {
  try {
    if (!raw.isObject && index !== undefined)
      throw new MessageError(`it is ${kindOf(raw)}; expected a message object`, '', raw);
    return format.read(raw, index === undefined && from.path !== '');
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    const located = locateMessage(error, index === undefined ? from.path : `${from.path}[${index}]`, from.event);
    throw unreadKind([raw])?.at(located.place) ?? located;
  }
}

function kindOf(node: JsonNode): string {
  if (node.isNull) return 'null';
  return `${node.isArray ? 'an' : 'a'} ${node.kind}`;
}

/** The error with its full path, line and column. */
function locateMessage(
  { node, message, place }: MessageError,
  path: string,
  event: MessageSource['event'],
): TranscriptError {
  const where = path === '' ? 'this message' : `message \`${path}\``;
  const isEmbedded = node.source !== event.root.source; // it was JSON in a string, where columns cannot be counted
  if (isEmbedded)
    return new TranscriptError('message', `${where}: ${message}`, { path: place.path, line: event.line, column: 1 });
  const inside = place.path === undefined || place.path === '' ? [] : [place.path];
  return new TranscriptError('message', `${where}: ${message}`, {
    path: [...(path === '' ? [] : [path]), ...inside].join('.'),
    ...positionOf(node, event),
  });
}

/** Runs a function that reads whole records, and adds line and column to its errors. */
export function withPositions<T>(events: readonly RecordEvent[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof MessageError ? locateIn(error, events) : error;
  }
}

/** An error whose path begins at one of these records, with its line and column. */
export function locateIn({ node, message, place }: MessageError, events: readonly RecordEvent[]): TranscriptError {
  const event = events.find(({ root }) => root.source === node.source);
  const position = event === undefined ? { line: events[0]!.line, column: 1 } : positionOf(node, event);
  return new TranscriptError('message', message, { ...place, ...position });
}
