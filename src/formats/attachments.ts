/**
 * Records of logs that are no messages, and whose words the agent sends to the model all the same: mentioned files,
 * reminders, what hooks say. They begin no turn, and no step edits them. To add an agent: a file beside its format, and
 * an entry here.
 */
import { JsonNode } from '../json/node.js';
import type { Transcript } from '../transcript/types.js';
import claudeCode from './anthropic/claude-code-attachments.js';
import type { Attached } from './attached.js';

/** By the id of the format: what is sent of a line, undefined if nothing is. It loads with the first record. */
const READERS: ReadonlyMap<string, (line: JsonNode) => Attached | undefined> = new Map([
  ['claude-code', (line: JsonNode) => claudeCode(line)],
]);

/** Whether logs of a format may hold such records. */
export function hasAttachments(format: string): boolean {
  return READERS.has(format);
}

/** By the index of the record among the messages. */
export function attachedIn({
  format,
  messages,
}: Pick<Transcript, 'format' | 'messages'>): ReadonlyMap<number, Attached> {
  const found = new Map<number, Attached>();
  const read = READERS.get(format);
  if (read === undefined) return found;
  for (const [index, { role, raw }] of messages.entries()) {
    const attached = role === 'meta' && raw instanceof JsonNode ? read(raw) : undefined;
    if (attached !== undefined) found.set(index, attached);
  }
  return found;
}
