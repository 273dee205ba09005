import type { ContentPart, Part, Text } from './types.js';

/** The characters of a text. */
export function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.text;
}

/** An upper bound of the text's length, without decoding it. */
export function longest(text: Text): number {
  return typeof text === 'string' ? text.length : text.byteLength;
}

/** A whole number with thousands separators: `12,345`. `toLocaleString` would load locale data first. */
export function grouped(count: number): string {
  return Number.isSafeInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString('en-US');
}

/** The concatenated texts of content. */
export function joinTexts(content: readonly ContentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : [])).join('');
}

/** Whether a part is non-empty text, media or an unknown part. */
export function hasContent(part: Part): boolean {
  if (part.type === 'text') return longest(part.text) > 0;
  return part.type === 'media' || part.type === 'opaque';
}
