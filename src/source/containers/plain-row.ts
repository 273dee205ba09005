/** A row of JavaScript values: the messages that a program holds. They are read and written without JSON text. */

import { isTranscriptError } from '../../errors.js';
import type { Format } from '../../formats/format.js';
import { MessageError } from '../../formats/shared/json-fields.js';
import { PlainNode, plainOf } from '../../json/plain-node.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { detect } from '../detect/detect.js';
import type { DetectOptions } from '../detect/detection.js';
import { SAMPLES } from '../sample.js';
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
}

/**
 * Opens a list of messages; undefined where its values are no messages (but records that hold some, for example). What
 * was read of a message is kept by its identity, and used again as long as the message has not changed.
 */
export function openPlainRow(values: readonly object[], options: DetectOptions): PlainRow | undefined {
  try {
    const format = formatOf(values, options);
    return format === undefined ? undefined : openRow(values, format);
  } catch (error) {
    if (error instanceof MessageError || isTranscriptError(error)) return undefined;
    throw error;
  }
}

function formatOf(values: readonly object[], options: DetectOptions): Format | undefined {
  const [{ records }] = SAMPLES;
  const { format, container } = detect(
    values.slice(0, records).map((value) => PlainNode.root(value)),
    options,
  );
  return container === 'rows' ? format : undefined;
}

function openRow(values: readonly object[], format: Format): PlainRow {
  const entries = readEntries(values, format);
  const single = entries.map(({ message }) => message);
  const { messages, whole, transcripts, joined } = transcriptsOf(single, format, false);
  return {
    format,
    transcripts,
    save(after) {
      const now = joined(after.values());
      return now === whole ? [...values] : written(withMessages(entries, messages), now, format);
    },
  };
}

/** What was read of messages, by format. */
const known = new WeakMap<Format, WeakMap<object, Entry>>();

function readEntries(values: readonly object[], format: Format): readonly Entry[] {
  const byValue = known.get(format) ?? new WeakMap<object, Entry>();
  known.set(format, byValue);
  const seen = new Set<object>();
  return values.map((value) => {
    const kept = seen.has(value) ? undefined : byValue.get(value); // an object that occurs twice is two messages
    if (kept?.value.isUnchanged()) {
      seen.add(value);
      return kept;
    }
    const node = PlainNode.root(value);
    const entry = { value: node, message: format.read(node) };
    if (!seen.has(value)) byValue.set(value, entry);
    seen.add(value);
    return entry;
  });
}

function withMessages(entries: readonly Entry[], messages: readonly Message[]): readonly Entry[] {
  return entries.map((entry, index) =>
    entry.message === messages[index] ? entry : { ...entry, message: messages[index]! },
  );
}

function written(entries: readonly Entry[], after: Transcript, format: Format): object[] {
  const rows = rowsAfter(entries, after, format);
  const json = rows.map((row) => row.json);
  const nodes = entries.map(({ value }) => value);
  const adjusted = format.beforeWrite?.(rows, nodes) ?? json;
  return adjusted.flatMap(valuesOf).map((value) => plainOf(value) as object);
}
