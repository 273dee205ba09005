/**
 * A JSON value that repeats what stands elsewhere, changed as that was changed: somebody tells what becomes of the values in it, and all
 * others stay the very nodes that they are. Three kinds of repetition are changed so: texts (repeats.ts), messages and texts in the same
 * record (echoes.ts), messages in any shape and provider's spelling (copies.ts).
 */
import { type Json, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';

/** What becomes of a value: another one, itself, or nothing. */
export type Fate = Json | typeof REMOVED;
/** The fate of what is no more. */
export const REMOVED = Symbol('gone');

/** Says what becomes of a value; undefined: only what is in it knows. `key` is the member that it is, or (`isItem`) in whose list it stands. */
export type FateOf = (node: JsonNode, key: string, isItem: boolean) => Fate | undefined;

/** Whether there is something left. */
export function isLeft(fate: Fate): fate is Json {
  return fate !== REMOVED;
}

/** What stands deeper in a value repeats nothing. */
export const DEEPEST = 200;
let level = 0;

/** The value with what is said of it, or of the values in it. The very node where nothing changes. */
export function mapDeep(node: JsonNode, fateOf: FateOf, key = '', isItem = false): Fate {
  const fate = fateOf(node, key, isItem);
  return fate === undefined ? walkedInside(node, fateOf, key) : fate;
}

/** The same of the values in it alone. */
export function walkedInside(node: JsonNode, fateOf: FateOf, key = ''): Json {
  if (level >= DEEPEST) return node;
  level++;
  try {
    return changedInside(node, fateOf, key);
  } finally {
    level--;
  }
}

function changedInside(node: JsonNode, fateOf: FateOf, key: string): Json {
  if (node.isArray)
    return patchEach(node, (item) => {
      const fate = mapDeep(item, fateOf, key, true);
      return isLeft(fate) ? fate : undefined;
    });
  if (!node.isObject) return node;
  const fields = new Map<string, Json | undefined>();
  for (const member of node.members()) {
    const fate = mapDeep(member.value, fateOf, member.key.text);
    if (fate !== member.value) fields.set(member.key.text, isLeft(fate) ? fate : undefined);
  }
  return patch(node, Object.fromEntries(fields));
}
