/** Saved states of AutoGen teams: the lists of messages inside them. */
import { amend, type Json, ObjectEdit } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Envelope } from '../format.js';

/** The lists in a state that has agents. */
export const stateEnvelope: Envelope = {
  open: (record) => (record.get('agent_states')?.isObject ? listsIn(record).map(({ list }) => list) : undefined),
  holders: ['agent_states'],
  close: (record, lists) =>
    listsIn(record).reduce<Json>((now, { path }, index) => put(record, now, path, lists[index]!), record),
};

interface ListAtPath {
  readonly list: JsonNode;
  readonly path: readonly string[];
}

/** The lists of messages in the states of a team's agents and manager, and in those of its nested teams. */
function listsIn(state: JsonNode, path: readonly string[] = []): ListAtPath[] {
  if (path.length > DEEPEST) return [];
  return state.members().flatMap(({ key, value }): ListAtPath[] => {
    const here = [...path, key.text];
    const isList =
      value.isArray &&
      (here.slice(-2).join('.') === 'llm_context.messages' ||
        key.text === 'llm_messages' ||
        key.text === 'message_thread');
    return isList ? [{ list: value, path: here }] : listsIn(value, here);
  });
}

/** Nested teams are read up to this depth. */
const DEEPEST = 50;

/** `json` (`node`, or an edit of it) with another value at a path. */
function put(node: JsonNode, json: Json, [key, ...rest]: readonly string[], value: Json): Json {
  const old = node.get(key!)!;
  const now = (json instanceof ObjectEdit ? json.fields.get(key!) : undefined) ?? old;
  const written = rest.length === 0 ? value : put(old, now, rest, value);
  return written === now ? json : amend(node, json, { [key!]: written });
}
