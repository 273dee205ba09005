/** Parts that move to another message. Adapters load this without the rest of what reads and writes content. */
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';

/** A text that was the whole content becomes one block of several. */
export function asBlock(part: Part): Part {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString
    ? { type: 'text', text: part.text }
    : part;
}

/** A part that is a field of its message cannot move to another message. */
export function isField({ type, raw }: Part): boolean {
  return type !== 'text' && raw instanceof JsonNode && raw.isString;
}
