/** A text among blocks. Adapters load this without the rest of what reads and writes content. */
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';

/** A text that was the whole content becomes one block of several. */
export function asBlock(part: Part): Part {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString
    ? { type: 'text', text: part.text }
    : part;
}
