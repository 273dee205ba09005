/** Bodies in base64: browsers and proxies write so what they do not take for text, and cassettes what is compressed. */

/** The beginnings of `{"`, `{ ` and `[{`, of `data:` and `event:`, and of gzip and Zstandard. */
const ENCODED = /^(?:e[wy]|W3|ZGF0YT|ZXZlbnQ6|H4sI|KLUv)[A-Za-z0-9+/\s]*=*\s*$/;
const COMPRESSED = /^(?:H4sI|KLUv)/;

/** Whether a text is a body in base64. */
export function isEncoded(text: string): boolean {
  return ENCODED.test(text);
}

/** The body; the text itself if it is none in base64, or one that is compressed. */
export function bodyIn(text: string): string {
  return isEncoded(text) && !COMPRESSED.test(text) ? Buffer.from(text, 'base64').toString() : text;
}
