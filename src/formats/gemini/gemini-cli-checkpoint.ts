/**
 * Lists of messages in a Gemini CLI log that leave some out: from there on, only these are sent. What stands in no line
 * of its own (the summary of a compression) is read as words of the user.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts (2026-11-29)
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import { readMessage } from './gemini-cli-read.js';
import { writeMessage } from './gemini-cli-write.js';

export interface Checkpoint {
  readonly ids: ReadonlySet<string>;
  /** The messages that stand in no line. */
  readonly own: readonly JsonNode[];
}

/** The own messages of each list that was read: its texts may go, and no text tells then whose they were. */
const ownOf = new WeakMap<object, readonly JsonNode[]>();

/** `idsOf`: of the messages in a line. */
export function checkpointMessage(
  raw: JsonNode,
  { ids, own }: Checkpoint,
  idsOf: (line: JsonNode) => readonly string[],
): Message {
  ownOf.set(raw, own);
  const keeps: Message['keeps'] = (sent) =>
    sent.filter((earlier) => idsOf(earlier.raw as JsonNode).some((id) => ids.has(id)));
  const parts = own.flatMap((item) => readMessage(item).parts.filter(isText));
  return { role: own.length === 0 ? 'meta' : 'user', parts, raw, keeps };
}

const isText = ({ type }: Part) => type === 'text';

/** Added texts follow those of the first message. */
export function writeCheckpoint(raw: JsonNode, parts: readonly Part[]): Json {
  const own = ownOf.get(raw) ?? [];
  const set = raw.get('$set')!;
  const list = set.get('messages')!;
  const texts = own.flatMap((item) => readMessage(item).parts.filter(isText));
  const added = parts.filter((part) => !texts.some(({ raw: text }) => (text as JsonNode).is(part.raw)));
  const items = list.items().map((item) => {
    if (!own.some((each) => each.is(item))) return item;
    const message = readMessage(item);
    const now = message.parts.flatMap((part) =>
      isText(part) ? parts.filter(({ raw: from }) => (part.raw as JsonNode).is(from)) : [part],
    );
    const all = own[0]!.is(item) ? [...now, ...added] : now;
    const isSame = all.length === message.parts.length && all.every((part, at) => isSamePart(part, message.parts[at]!));
    return isSame ? item : writeMessage({ ...message, parts: all }, item);
  });
  return patch(raw, { $set: patch(set, { messages: patchItems(list, items) }) });
}

function isSamePart(part: Part, old: Part): boolean {
  return 'text' in part && 'text' in old ? (old.text as JsonNode).is?.(part.text) === true : part === old;
}
