/**
 * The output of a shell: a list with a block for each command, of what it wrote to stdout and to stderr. The model gets
 * both. https://platform.openai.com/docs/api-reference/responses/create (shell_call_output), 2026-01
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart } from '../../transcript/types.js';
import { json } from '../shared/json-fields.js';

const STREAMS = ['stdout', 'stderr'];

/** The texts of a block as parts, each with its string as `raw`; the part itself if it is no block of a shell. */
export function readStreams(part: ContentPart): ContentPart[] {
  const texts = part.type === 'opaque' && part.raw instanceof JsonNode ? textsIn(part.raw) : [];
  return texts.length === 0 ? [part] : texts.map((text) => ({ type: 'text', text, raw: text }));
}

/** Writes parts as blocks. Both texts of a block of `old` are one block again; the one that is gone is empty. */
export function writeStreams(
  parts: readonly ContentPart[],
  old: JsonNode,
  writeBlock: (part: ContentPart) => Json,
): Json[] {
  const blocks = old.isArray ? old.items() : [old];
  const holders = new Map(blocks.flatMap((block) => textsIn(block).map(({ at }) => [at, block])));
  const placeOf = ({ raw }: ContentPart) => (raw instanceof JsonNode && raw.source === old.source ? raw.at : -1);
  const left = new Map(parts.map((part) => [placeOf(part), part]));
  const written = new Set(parts.map((part) => holders.get(placeOf(part)) ?? part));
  return [...written].map((item) => (item instanceof JsonNode ? writeTexts(item, left) : writeBlock(item)));
}

function writeTexts(block: JsonNode, left: ReadonlyMap<number, ContentPart>): Json {
  const written = keysIn(block).map((key) => {
    const part = left.get(block.get(key)!.at);
    return [key, part?.type === 'text' ? json(part.text) : ''];
  });
  return patch(block, Object.fromEntries(written));
}

function textsIn(block: JsonNode): JsonNode[] {
  return keysIn(block).map((key) => block.get(key)!);
}

/** The keys of the texts of a block; none if it is no block of a shell. */
function keysIn(block: JsonNode): readonly string[] {
  return block.get('type') === undefined ? STREAMS.filter((key) => block.get(key)?.string) : [];
}
