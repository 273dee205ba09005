/** Texts that a format finds in rows that are no messages, and that the model reads. */
import type { Format } from '../../formats/format.js';
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { Sign } from './signs.js';

/** Of a row that is no message for the format. */
export function wordsBeside(row: JsonNode, { beside }: Format): Sign[] {
  const texts = beside?.(row) ?? [];
  return texts.filter((node) => node?.isString && node.byteLength > 0).map((node) => ({ kind: 'text', node: node! }));
}

/** Of a value, and of the rows in it. */
export function wordsIn(root: JsonNode, messages: readonly Message[], format: Format): Sign[] {
  const rows = messages.flatMap(({ raw, role }) => (role === 'meta' && raw instanceof JsonNode ? [raw] : []));
  const inside = rows.filter((row) => root.encloses(row) && !row.is(root));
  return [root, ...inside].flatMap((row) => wordsBeside(row, format));
}
