/** LangGraph states and LangSmith runs: lists of messages in records that repeat them. */
import { ArrayEdit, type Json, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Envelope } from '../format.js';
import { mapDeep, REMOVED } from '../shared/map-values.js';
import { fieldsOf, kindOf } from './langchain-kinds.js';

/** The paths at which runs, states and checkpoints hold their messages, the most complete list first. */
const STATE_PATHS: readonly (readonly string[])[] = [
  ['outputs', 'messages'],
  ['output', 'messages'],
  ['values', 'messages'],
  ['channel_values', 'messages'],
  ['checkpoint', 'channel_values', 'messages'],
  ['inputs', 'messages'],
  ['input', 'messages'],
];

/** The list of messages in a run, state or checkpoint. */
export const stateEnvelope: Envelope = {
  open(record) {
    const list = stateIn(record);
    return list === undefined ? undefined : [list];
  },
  close: (record, [list]) => withMessages(record, stateIn(record)!, list!),
};

function stateIn(record: JsonNode): JsonNode | undefined {
  for (const path of STATE_PATHS) {
    const found = path.reduce<JsonNode | undefined>((node, key) => node?.get(key), record);
    if (found?.isArray && (found.length > 0 || path[0] !== 'outputs')) return found;
  }
  return undefined;
}

/**
 * The record with a new list of messages. A run repeats its input in its output, and a state repeats what was written
 * last: each copy of a message gets the message's change.
 */
function withMessages(record: JsonNode, before: JsonNode, after: Json): Json {
  const items = after instanceof ArrayEdit ? after.items : [];
  const kept = new Map<number, JsonNode | ObjectEdit>();
  for (const item of items)
    if (item instanceof JsonNode || item instanceof ObjectEdit)
      kept.set(item instanceof JsonNode ? item.at : item.base.at, item);
  const byKey = new Map(before.items().map((item) => [messageKey(item), kept.get(item.at)]));
  return mapDeep(record, (node, _, isItem) => {
    if (node.is(before)) return after;
    if (!isItem || !node.isObject || kindOf(node) === undefined || !byKey.has(messageKey(node))) return undefined;
    const now = byKey.get(messageKey(node));
    if (now === undefined) return REMOVED;
    return now instanceof JsonNode ? node : now;
  }) as Json;
}

/** What copies of a message have in common: its id, or its whole text. */
function messageKey(message: JsonNode): string {
  return fieldsOf(message).get('id')?.string ?? message.text;
}
