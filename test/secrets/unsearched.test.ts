/** Files in base64 that `redact` says it did not search. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { countUnsearched, type UnsearchedKind } from '../../src/secrets/unsearched.js';

function countsIn(text: string): Record<string, number> {
  const counts = new Map<UnsearchedKind, number>();
  const bytes = Buffer.from(`before ${text}`);
  countUnsearched(counts, bytes, { start: 7, end: bytes.length });
  return Object.fromEntries(counts);
}

const rest = Buffer.from(Array.from({ length: 120 }, (_, at) => (at * 89 + 7) % 256));
const fileOf = (head: string) => Buffer.concat([Buffer.from(head, 'latin1'), rest]).toString('base64');

it.each([
  ['image', '\x89PNG\r\n\x1a\n'],
  ['image', '\xff\xd8\xff\xe0'],
  ['image', 'GIF89a'],
  ['image', 'RIFF\x24\0\0\0WEBPVP8 '],
  ['image', '\0\0\0\x18ftypheic'],
  ['audio or video file', 'RIFF\x24\0\0\0WAVEfmt '],
  ['audio or video file', 'ID3\x04'],
  ['audio or video file', '\xff\xfb\x90'],
  ['audio or video file', '\0\0\0\x18ftypmp42'],
  ['audio or video file', 'OggS'],
  ['PDF file', '%PDF-1.7'],
  ['archive', 'PK\x03\x04'],
])('an %s that begins with %j is counted', (kind, head) => {
  const line = JSON.stringify({ url: `data:;base64,${fileOf(head)}`, data: fileOf(head) });
  expect(countsIn(line)).toEqual({ [kind]: 2 });
  expect(countsIn(JSON.stringify({ text: line }))).toEqual({ [kind]: 2 });
});

it('what Node packs is an archive, and a file that is cut off counts as well', () => {
  expect(countsIn(gzipSync(rest).toString('base64'))).toEqual({ archive: 1 });
  expect(countsIn(`"${fileOf('%PDF-1.7').slice(0, 60)}`)).toEqual({ 'PDF file': 1 });
});

it('texts in base64, signatures, paths and what nothing tells of are none', () => {
  const texts = [
    Buffer.from('A text of more than forty letters, which is searched as any other one.').toString('base64'),
    brotliCompressSync(rest).toString('base64'),
    `/home/me/${'source/'.repeat(20)}PNG`,
    `${'/'.repeat(200)} iVBORw0KGgo=`,
    readFileSync('fixtures/formats/claude-code/short.jsonl', 'utf8'),
  ];
  for (const text of texts) expect(countsIn(JSON.stringify(text))).toEqual({});
});
