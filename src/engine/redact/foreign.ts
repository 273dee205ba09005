/** Bytes that hold text, but not as UTF-8: no secret would be found in them. */
import { TranscriptError } from '../../errors.js';

/** Throws TranscriptError. `isFirst`: the input begins here. */
export function rejectForeign(bytes: Buffer, isFirst: boolean): void {
  const head = isFirst ? bytes.latin1Slice(0, Math.min(16, bytes.length)) : '';
  const known = PACKED.find(([mark]) => head.startsWith(mark))?.[1];
  const what = known ?? (bytes.includes(0) && WIDE.test(bytes.latin1Slice()) ? UTF_16 : undefined);
  if (what !== undefined) throw new TranscriptError('file', `${what}; it was not searched`);
}

const UTF_16 = 'it holds UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)';
const PACKED: readonly (readonly [mark: string, name: string])[] = [
  ['\x1f\x8b', 'it is compressed with gzip, perhaps twice: unpack it first'],
  ['\x28\xb5\x2f\xfd', 'it is compressed with zstd, perhaps twice: unpack it first'],
  ['BZh', 'it is compressed with bzip2: unpack it first'],
  ['\xfd7zXZ', 'it is compressed with xz: unpack it first'],
  ['7z\xbc\xaf', 'it is a 7z archive: unpack it first'],
  ['PK\x03\x04', 'it is a ZIP archive: unpack it first'],
  ['SQLite format 3\0', 'it is a database of SQLite: export it first'],
  ['\xff\xfe', UTF_16],
  ['\xfe\xff', UTF_16],
];
/** Letters with a zero between each other, wherever they begin: a shell may append them to UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const WIDE = /(?:[\x09\x0a\x0d\x20-\x7e]\0){8}|(?:\0[\x09\x0a\x0d\x20-\x7e]){8}/;
