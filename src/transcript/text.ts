import type { ContentPart, Part, Text } from './types.js';

/** The characters of a text. */
export function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.text;
}

/** No fewer than the text has characters, without decoding it. */
export function longest(text: Text): number {
  return typeof text === 'string' ? text.length : text.byteLength;
}

/** A whole number with its thousands apart: `12,345`. It is what `toLocaleString` gives, which loads the tables of a language first. */
export function grouped(count: number): string {
  return Number.isSafeInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString('en-US');
}

/** The texts of a result or of a message's content, one after the other. */
export function joinTexts(content: readonly ContentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : [])).join('');
}

/** Whether a part says or shows something by itself: text that is not empty, media, or what nobody here knows. */
export function hasContent(part: Part): boolean {
  if (part.type === 'text') return longest(part.text) > 0;
  return part.type === 'media' || part.type === 'opaque';
}
