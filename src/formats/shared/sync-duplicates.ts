/** Applies edits of messages to values of the same record that repeat those messages in the same format. */
import { type Json, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { ContentPart, Message } from '../../transcript/types.js';
import type { MessageChange } from '../format.js';
import { type MappedValue, REMOVED } from './map-values.js';

/** Applies the edit of a message to a value that repeats it. */
export function repeatEdit({ before, after, json }: MessageChange, duplicate: JsonNode): MappedValue {
  if (after === undefined) return REMOVED;
  if (after === before) return duplicate;
  return json instanceof ObjectEdit ? new ObjectEdit(duplicate, json.fields) : json!;
}

/** The changes by message key. If several messages share a key and one is unchanged, that one wins. */
export function changesByKey(
  changes: readonly MessageChange[],
  keyOf: (message: JsonNode) => string,
): ReadonlyMap<string, MessageChange> {
  const byKey = new Map<string, MessageChange>();
  for (const change of changes) {
    const key = keyOf(change.before.raw as JsonNode);
    const known = byKey.get(key);
    if (known === undefined || known.after !== known.before) byKey.set(key, change);
  }
  return byKey;
}

/** Shorter texts (a status, a name, a number) can be equal by chance. */
const MIN_LENGTH = 24;

/** Texts that no message contains any more, each with its replacement: the new text of a cut result, else ''. */
export function removedTexts(changes: readonly MessageChange[]): ReadonlyMap<string, string> {
  const kept = new Set(changes.flatMap(({ after }) => (after === undefined ? [] : textsOf(after))));
  const removed = new Map<string, string>();
  for (const { before, after } of changes) {
    if (after === before) continue;
    const left = after?.role === 'tool' ? (textsOf(after)[0] ?? '') : '';
    for (const text of textsOf(before)) if (text.length >= MIN_LENGTH && !kept.has(text)) removed.set(text, left);
  }
  return removed;
}

/** The texts of a message: those of a result also joined; of a call all strings but its id and tool name. */
function textsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'result') return [joinTexts(part.content), ...part.content.flatMap(plainText)];
    if (part.type === 'call')
      return part.raw instanceof JsonNode && part.input instanceof JsonNode
        ? stringsIn(part.raw).filter((text) => text !== part.callId && text !== part.tool)
        : []; // cleared calls have no texts
    return part.type === 'text' || part.type === 'thinking' ? [textOf(part.text)] : [];
  });
}

function stringsIn(node: JsonNode): string[] {
  const found: string[] = [];
  const left = [node]; // a loop, as the value can be nested deeply
  while (left.length > 0) {
    const next = left.pop()!;
    if (next.isString) found.push(next.text);
    else for (const inner of [...next.items(), ...next.members().map(({ value }) => value)].reverse()) left.push(inner);
  }
  return found;
}

function plainText(part: ContentPart): string[] {
  return part.type === 'text' ? [textOf(part.text)] : [];
}

/**
 * Removes the removed texts from a string; the same node if it contains none. `inside`: also as a substring, plain or
 * as escaped JSON.
 */
export function withoutRemovedTexts(node: JsonNode, removed: ReadonlyMap<string, string>, inside: boolean): Json {
  const whole = removed.get(node.text);
  if (whole !== undefined) return whole;
  if (!inside || node.byteLength < MIN_LENGTH) return node;
  let text = node.text;
  for (const [old, left] of removed) {
    if (text.includes(old)) text = text.replaceAll(old, () => left);
    const quoted = escaped(old);
    if (quoted !== old && text.includes(quoted)) text = text.replaceAll(quoted, () => escaped(left));
  }
  return text === node.text ? node : text;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
