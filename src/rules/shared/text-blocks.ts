/** Empty and blank texts. */
import { JsonNode } from '../../json/node.js';
import { longest, textOf } from '../../transcript/text.js';
import type { Part, TextPart } from '../../transcript/types.js';

/** Whether a part is an empty text block (`{type: 'text', text: ''}`), not an empty content string. */
export function isEmptyBlock(part: Part): part is TextPart {
  return isEmptyText(part) && part.raw instanceof JsonNode && part.raw.get('text') !== undefined;
}

export function isEmptyText(part: Part): part is TextPart {
  return part.type === 'text' && longest(part.text) === 0;
}

/** Longer texts count as not blank, so that they need not be decoded. */
const LONGEST_BLANK = 256;

/** Whether a text consists of white space only, and is not empty. */
export function isBlank(part: Part): part is TextPart {
  if (part.type !== 'text') return false;
  const length = longest(part.text);
  return length > 0 && length <= LONGEST_BLANK && textOf(part.text).trim() === '';
}
