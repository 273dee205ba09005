import type { ContentPart, LazyText, Part, ResultPart, Text } from './types.js';

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
  const first = content[0];
  if (first !== undefined && content.length === 1) return first.type === 'text' ? textOf(first.text) : '';
  return content.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : [])).join('');
}

/** Asks a text something of its ends. */
export interface Saying {
  /** So many bytes of each end spell what is asked. A `\\u`, which takes more of them, may say anything. */
  readonly bytes: number;
  /** It is said in so many characters of each end. */
  readonly characters: number;
  /** Whether a text that begins and ends so, as JSON spells it, may say it. */
  may(ends: string): boolean;
  says(text: string): boolean;
}

/** Whether a text says something: mostly its ends tell that it does not, so it is not decoded. */
export function textSays(text: LazyText, { bytes, characters, may, says }: Saying): boolean {
  const ends = text.ends?.(bytes);
  return (ends === undefined || may(ends)) && says(text.excerpt?.(characters) ?? text.text);
}

/** Whether a text needs no decoding. */
function isAtHand(text: Text & { readonly isAtHand?: boolean }): boolean {
  return typeof text === 'string' || text.isAtHand === true;
}

/** Whether the text of a result says something. To decode it takes longer than to remember that. */
export function remembered(saying: Saying): (result: ResultPart) => boolean {
  const known = new WeakMap<ResultPart, boolean>();
  return (result) => {
    const { content } = result;
    const text = content[0]?.type === 'text' && content.length === 1 ? content[0].text : undefined;
    if (text !== undefined && isAtHand(text)) return saying.says(textOf(text));
    const before = known.get(result);
    if (before !== undefined) return before;
    const now = typeof text === 'object' ? textSays(text, saying) : saying.says(joinTexts(content));
    known.set(result, now);
    return now;
  };
}

/** Whether a part is non-empty text, media or an unknown part. */
export function hasContent(part: Part): boolean {
  if (part.type === 'text') return longest(part.text) > 0;
  return part.type === 'media' || part.type === 'opaque';
}
