/** Secrets in texts that stand in base64: a `.env` file, a key of a cluster. The whole base64 is the secret. */
import type { FindSecrets, FoundSecret } from './found.js';

/** So many characters of base64 in a row are looked at; words and names are shorter. */
const SHORTEST = 56;
const ALPHABET = /[A-Za-z0-9+/]/;
const isBase64 = Uint8Array.from({ length: 256 }, (_, code) => (ALPHABET.test(String.fromCharCode(code)) ? 1 : 0));
const BACKSLASH = 0x5c;
/** The next line, of base64 that is wrapped. */
const NEXT_LINE = /(?:\r?\n|(?:\\+r)?\\+n)[ \t]{0,16}(?=[A-Za-z0-9+/]{4})/y;
const LINE_BREAKS = /\\+[nr]|\s/g;
const SHORTEST_LINE = 60;

export function findEncoded(bytes: Buffer, find: FindSecrets): FoundSecret[] {
  const found: FoundSecret[] = [];
  let last = 0;
  for (const { start, end: first, head } of runsOfBase64(bytes)) {
    if (start < last || textIn(head) === undefined) continue;
    const end = wrappedEnd(bytes, start, first);
    const secret = secretIn(bytes.latin1Slice(start, end), find);
    if (secret !== undefined) found.push({ ...secret, start, end });
    last = end;
  }
  return found;
}

/** Lines of base64 with their first characters. */
export function* runsOfBase64(bytes: Buffer): Generator<Readonly<{ start: number; end: number; head: string }>> {
  for (let at = SHORTEST - 1; at < bytes.length; at += SHORTEST) {
    if (isBase64[bytes[at]!] === 0) continue;
    const start = startOf(bytes, at);
    const end = endOf(bytes, at);
    at = end;
    if (end - start >= SHORTEST) yield { start, end, head: bytes.latin1Slice(start, start + SHORTEST) };
  }
}

function secretIn(encoded: string, find: FindSecrets): FoundSecret | undefined {
  const text = textIn(encoded.replace(LINE_BREAKS, ''));
  const first = text === undefined ? undefined : find(text)[0];
  return first === undefined ? undefined : { ...first, text: encoded };
}

/** The letter of an escape before is no part of it. */
function startOf(bytes: Buffer, within: number): number {
  let start = within;
  while (start > 0 && isBase64[bytes[start - 1]!] === 1) start--;
  return bytes[start - 1] === BACKSLASH ? start + 1 : start;
}

function endOf(bytes: Buffer, from: number): number {
  let end = from;
  while (end < bytes.length && isBase64[bytes[end]!] === 1) end++;
  return end;
}

function wrappedEnd(bytes: Buffer, start: number, head: number): number {
  let end = head;
  for (let from = start; end - from >= SHORTEST_LINE; ) {
    NEXT_LINE.lastIndex = 0;
    const gap = NEXT_LINE.exec(bytes.latin1Slice(end, Math.min(bytes.length, end + 40)))?.[0].length;
    if (gap === undefined) break;
    from = end + gap;
    end = endOf(bytes, from);
  }
  for (let signs = 0; signs < 2 && bytes[end] === 0x3d; signs++) end++;
  return end;
}

/** Undefined where it does not begin as a text in ASCII, or as one in the UTF-16 of PowerShell. */
function textIn(encoded: string): Buffer | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  const head = bytes.latin1Slice(0, 30);
  if (/^[\t\n\r -~]*$/.test(head)) return bytes;
  return /^(?:[\t\n\r -~]\0)*$/.test(head) ? Buffer.from(bytes.toString('utf16le')) : undefined;
}
