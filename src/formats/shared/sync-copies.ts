/**
 * Applies the edits of a transcript to all copies of its messages. A trace repeats the history in every request, a
 * result in the span of its tool, a prompt and an answer in the spans around everything. Nothing that was removed
 * survives in a copy.
 */
import { TranscriptError } from '../../errors.js';
import type { Json } from '../../json/edit.js';
import { nested, renested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { withoutPartsOf } from '../../transcript/edit.js';
import { textOf } from '../../transcript/text.js';
import type { ContentPart, Message, Part, Text } from '../../transcript/types.js';
import type { Format } from '../format.js';
import { type ContentEdits, canonicalValue, MIN_DISTINCT, partKey } from './content-edits.js';
import { bestLens } from './embedded-messages.js';
import { mapChildren, REMOVED } from './map-values.js';

export { type ContentEdits, isUnchanged, mergeEdits } from './content-edits.js';

/** Returns the replacement of nodes that the format writes itself; undefined for all others. */
export type KnownValue = (node: JsonNode) => Json | undefined;

/** Applies edits to all copies in a value, also inside JSON strings. Returns the same node if there are none. */
export function syncCopies(node: JsonNode, edits: ContentEdits, known: KnownValue = () => undefined): Json {
  return syncValue(node, edits, known, false);
}

/** Like `syncCopies`, for a value that is a whole input or output: short texts count too. */
export function syncWholeCopy(node: JsonNode, edits: ContentEdits, known: KnownValue = () => undefined): Json {
  return syncValue(node, edits, known, true);
}

function syncValue(node: JsonNode, edits: ContentEdits, known: KnownValue, isWhole: boolean): Json {
  const own = known(node);
  if (own !== undefined) return own;
  if (node.isString) return syncString(node, edits, known, isWhole);
  if (!node.isObject && !node.isArray) return node;
  const now = isWhole || node.byteLength >= MIN_DISTINCT ? edits.values.get(valueKey(node, edits)) : undefined;
  if (now !== undefined) return now === '' ? null : now;
  if (bestLens(node) !== undefined) return syncIfMessage(node, edits, known) ?? null;
  return syncInside(node, edits, known);
}

/** Skips values that are too long to be in `values`. */
function valueKey(node: JsonNode, { longest }: ContentEdits): string {
  return node.byteLength > longest * 4 ? '' : canonicalValue(node.text);
}

function syncString(node: JsonNode, edits: ContentEdits, known: KnownValue, isWhole: boolean): Json {
  const { text } = node;
  const now = isWhole || text.length >= MIN_DISTINCT ? edits.texts.get(text) : undefined;
  if (now !== undefined) return now;
  const inner = nested(node);
  return inner.strings.length === 0 ? node : renested(inner, syncValue(inner.value, edits, known, isWhole));
}

function syncInside(node: JsonNode, edits: ContentEdits, known: KnownValue): Json {
  return mapChildren(node, (value, key, isItem) => {
    if (isItem) return syncIfMessage(value, edits, known) ?? REMOVED;
    return isNameKey(key) && value.isString ? value : syncValue(value, edits, known, WHOLE_KEYS.has(key));
  });
}

/** Whether a key holds an id or name: those stay, even if they equal a removed text. */
export function isNameKey(key: string): boolean {
  return /(?:^|[._])(?:id|name|type|role|model|kind)$|[a-z](?:Id|ID|Name|Type)$/.test(key);
}

/** Keys of a whole input or output. */
const WHOLE_KEYS = new Set(['input', 'output', 'input.value', 'output.value']);

/** Syncs a value that may be a message; undefined if all its content was removed. */
function syncIfMessage(node: JsonNode, edits: ContentEdits, known: KnownValue): Json | undefined {
  const lens = bestLens(node);
  return lens === undefined ? syncValue(node, edits, known, false) : syncMessage(node, lens, edits, known);
}

/** Syncs a message of a known format; undefined if all its content was removed. */
export function syncMessage(
  node: JsonNode,
  lens: Format,
  edits: ContentEdits,
  known: KnownValue = () => undefined,
): Json | undefined {
  const written = writeEdited(node, lens, edits);
  if (written === undefined || written === null) return undefined;
  if (written === node) return syncInside(node, edits, known);
  const again = reparsed(written);
  return again.isString ? again : syncInside(again, edits, known);
}

/** Applies edits to the parts of a message; undefined if no content is left. */
function writeEdited(node: JsonNode, lens: Format, { parts }: ContentEdits): Json | undefined {
  const message = tryRead(node, lens);
  if (message === undefined || message.role === 'meta' || !message.parts.some((part) => parts.has(partKey(part))))
    return node;
  const removed = new Set(message.parts.filter((part) => parts.get(partKey(part)) === null));
  const rest = withoutPartsOf(message, removed);
  if (rest === undefined) return undefined;
  return lens.write({ ...rest, parts: rest.parts.map((part) => withEdit(part, parts.get(partKey(part)))) });
}

/** Reads a message; undefined if the lens cannot read it. */
export function tryRead(node: JsonNode, lens = bestLens(node)): Message | undefined {
  try {
    return lens?.read(node);
  } catch (error) {
    if (error instanceof TranscriptError) return undefined;
    throw error;
  }
}

function withEdit(part: Part, now: Part | null | undefined): Part {
  if (now === null || now === undefined || now.type !== part.type) return part;
  if (now.type === 'text' || now.type === 'thinking') return { ...part, text: textOf(now.text) } as Part;
  if (now.type === 'call') return { ...part, callId: now.callId, input: textOf(now.input) } as Part;
  return now.type === 'result' && part.type === 'result'
    ? { ...part, callId: now.callId ?? part.callId, content: withContent(part.content, now.content) }
    : part;
}

/** Blocks keep their other fields if there are as many texts as before. */
function withContent(old: readonly ContentPart[], now: readonly ContentPart[]): readonly ContentPart[] {
  const texts: Text[] = now.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []));
  const textCount = old.filter(({ type }) => type === 'text').length;
  if (textCount !== texts.length)
    return [{ type: 'text', text: texts.map(textOf).join('') }, ...old.filter(({ type }) => type !== 'text')];
  let next = 0;
  return old.map((block) => (block.type === 'text' ? { ...block, text: texts[next++]! } : block));
}
