/** What else of a record repeats its messages, in the same shape: what is known of their fates (fates.ts). */
import { type Json, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { ContentPart, Message } from '../../transcript/types.js';
import type { Echoed } from '../format.js';
import { type Fate, REMOVED } from './map-values.js';

/** What happened to a message, done to a value that repeats it. */
export function sameEdit({ before, after, json }: Echoed, echo: JsonNode): Fate {
  if (after === undefined) return REMOVED;
  if (after === before) return echo;
  return json instanceof ObjectEdit ? new ObjectEdit(echo, json.fields) : json!;
}

/** The changes by what their messages are told by: of those that are told by the same, what is kept once is kept. */
export function changesByKey(
  changes: readonly Echoed[],
  keyOf: (message: JsonNode) => string,
): ReadonlyMap<string, Echoed> {
  const byKey = new Map<string, Echoed>();
  for (const change of changes) {
    const key = keyOf(change.before.raw as JsonNode);
    const known = byKey.get(key);
    if (known === undefined || known.after !== known.before) byKey.set(key, change);
  }
  return byKey;
}

/** Shorter texts may stand somewhere by chance: a status, a name, a number. */
const TELLING = 24;

/** Texts that stand in no message any more, and what is left of each: of a result that was cut its new text, else nothing. */
export function trimmedTexts(changes: readonly Echoed[]): ReadonlyMap<string, string> {
  const kept = new Set(changes.flatMap(({ after }) => (after === undefined ? [] : textsOf(after))));
  const trimmed = new Map<string, string>();
  for (const { before, after } of changes) {
    if (after === before) continue;
    const left = after?.role === 'tool' ? (textsOf(after)[0] ?? '') : '';
    for (const text of textsOf(before)) if (text.length >= TELLING && !kept.has(text)) trimmed.set(text, left);
  }
  return trimmed;
}

/** The texts of a message, each by itself; those of a result also together; those in a call without its names. */
function textsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'result') return [joinTexts(part.content), ...part.content.flatMap(plainText)];
    if (part.type === 'call')
      return part.raw instanceof JsonNode && part.input instanceof JsonNode
        ? stringsIn(part.raw).filter((text) => text !== part.callId && text !== part.tool)
        : []; // one that was cleared says nothing
    return part.type === 'text' || part.type === 'thinking' ? [textOf(part.text)] : [];
  });
}

function stringsIn(node: JsonNode): string[] {
  const found: string[] = [];
  const left = [node]; // no recursion: it may be deep
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

/** A string without the texts that were trimmed: itself where it is none of them and, if `inside`, holds none, as it is or as JSON. */
export function withoutTrimmed(node: JsonNode, trimmed: ReadonlyMap<string, string>, inside: boolean): Json {
  const whole = trimmed.get(node.text);
  if (whole !== undefined) return whole;
  if (!inside || node.byteLength < TELLING) return node;
  let text = node.text;
  for (const [old, left] of trimmed) {
    if (text.includes(old)) text = text.replaceAll(old, () => left);
    const quoted = escaped(old);
    if (quoted !== old && text.includes(quoted)) text = text.replaceAll(quoted, () => escaped(left));
  }
  return text === node.text ? node : text;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
