/** Files in base64 in which no secrets are looked for: images, sound, PDF files and archives. */
import { runsOfBase64 } from './encoded.js';

export const UNSEARCHED = ['image', 'audio or video file', 'PDF file', 'archive'] as const;
export type UnsearchedKind = (typeof UNSEARCHED)[number];

/** How they begin, in hexadecimal digits: https://en.wikipedia.org/wiki/List_of_file_signatures (2026-12-01) */
const BEGINNINGS: Readonly<Record<UnsearchedKind, RegExp>> = {
  image: /^(?:89504e47|ffd8ff|474946383[79]61|52494646.{8}57454250|49492a00|4d4d002a|.{8}66747970(?:686569|617669))/,
  'audio or video file':
    /^(?:52494646.{8}(?:57415645|41564920)|494433|fff[b32]|4f676753|664c6143|1a45dfa3|.{8}66747970(?!686569|617669))/,
  'PDF file': /^255044462d/,
  archive: /^(?:504b0304|1f8b08|425a68|fd377a585a00|377abcaf271c|28b52ffd)/,
};

/** How many stand in the bytes from `start` to `end`, by kind. */
export function countUnsearched(
  counts: Map<UnsearchedKind, number>,
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  for (const run of runsOfBase64(bytes.subarray(start, end))) {
    const head = Buffer.from(run.head, 'base64').toString('hex');
    const kind = UNSEARCHED.find((one) => BEGINNINGS[one].test(head));
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
}
