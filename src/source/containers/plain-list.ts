/** A list of JavaScript values in a format that is known: messages are read and written without JSON text. */

import { TranscriptError } from '../../errors.js';
import type { Format } from '../../formats/format.js';
import { MessageError } from '../../formats/shared/json-fields.js';
import { PlainNode } from '../../json/plain-node.js';
import { plainOf } from '../../json/plain-value.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { rowsAfter, transcriptsOf } from './row-messages.js';
import { valuesOf } from './values.js';

export interface PlainRow {
  readonly format: Format;
  /** The transcripts of the list: one for each agent. */
  readonly transcripts: readonly Transcript[];
  /** The list with other transcripts: unchanged messages are the same objects, changed ones keep their prototypes. */
  save(after: readonly Transcript[]): object[];
}

/** What was read of a message. */
interface Entry {
  readonly value: PlainNode;
  readonly message: Message;
  /** The number of the list that it was last read for. */
  list: number;
}

/**
 * Opens a list of messages. What was read of a message is kept by its identity, and used again as long as the message
 * has not changed. Throws TranscriptError with the path of a value that is no message.
 */
export function openPlainList(values: readonly object[], format: Format): PlainRow {
  try {
    return openRow(values, format);
  } catch (error) {
    throw error instanceof MessageError ? placed(error, values, format) : error;
  }
}

/** The error with the path of its value in the list. */
function placed({ message, place }: MessageError, values: readonly object[], format: Format): TranscriptError {
  const index = values.findIndex((value) => {
    try {
      format.read(PlainNode.root(value));
      return false;
    } catch {
      return true;
    }
  });
  const path = `messages[${index}]${place.path === undefined ? '' : `.${place.path}`}`;
  return new TranscriptError('message', `\`${path}\`: ${message}`, { path });
}

function openRow(values: readonly object[], format: Format): PlainRow {
  const first = values.slice(0, FIRST_MESSAGES);
  const before = first.map((value) => conversations.get(value)).findLast((known) => known?.format === format);
  const entries = readEntries(values, format, before);
  const single = entries.map(({ message }) => message);
  const { messages, whole, transcripts, joined } = transcriptsOf(single, format, false, before?.messages);
  for (const value of first) conversations.set(value, { format, entries, messages });
  return {
    format,
    transcripts,
    save(after) {
      const now = joined(after.values());
      if (now === whole) return [...values];
      return written(entries, messages, now, format);
    },
  };
}

/**
 * The last list of a conversation, by its first messages: a weak entry for each message would cost more than reading
 * it.
 */
const conversations = new WeakMap<object, Conversation>();
/** Some programs make the system prompt anew for each request, others hand over one object in all conversations. */
const FIRST_MESSAGES = 3;

interface Conversation {
  readonly format: Format;
  readonly entries: readonly Entry[];
  readonly messages: readonly Message[];
  byValue?: ReadonlyMap<unknown, Entry>;
}

let lists = 0;

function readEntries(values: readonly object[], format: Format, before: Conversation | undefined): readonly Entry[] {
  const list = ++lists;
  return values.map((value, index) => {
    const known = before && knownEntry(before, value, index);
    const isKnown = known !== undefined && known.list !== list && known.value.isUnchanged();
    const entry = isKnown ? known : read(value, format);
    entry.list = list; // an object that occurs twice is two messages
    return entry;
  });
}

/** Most messages stay where they were. */
function knownEntry(before: Conversation, value: object, index: number): Entry | undefined {
  const same = before.entries[index];
  if (same?.value.value === value) return same;
  if (same === undefined && before.byValue === undefined) return undefined; // the list has only grown
  before.byValue ??= new Map(before.entries.map((entry) => [entry.value.value, entry]));
  return before.byValue.get(value);
}

function read(value: object, format: Format): Entry {
  const node = PlainNode.root(value);
  return { value: node, message: format.read(node), list: 0 };
}

function written(entries: readonly Entry[], messages: readonly Message[], after: Transcript, format: Format): object[] {
  const rows = rowsAfter(entries, messages, after, format);
  const adjusted = format.beforeWrite?.(
    rows,
    entries.map(({ value }) => value),
  );
  const values: object[] = [];
  for (const json of adjusted ?? rows.map((row) => row.json))
    for (const value of valuesOf(json)) values.push(plainOf(value) as object);
  return values;
}
