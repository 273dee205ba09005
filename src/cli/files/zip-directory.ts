/**
 * Compares the entries of a ZIP archive, which come in a stream, with its directory, which stands at the end: names and
 * CRC-32. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, section 4.3
 */

const END_MARK = 'PK\x05\x06';
const END_BYTES = 22;
/** The record at the end, and the longest comment after it. */
const END_ROOM = END_BYTES + 0xffff;
/** The end record of ZIP64 and its locator stand before the other. */
const END64 = 0x06064b50;
const END64_BYTES = 76;
const RECORD = 0x02014b50;
const RECORD_BYTES = 46;
/** The extra fields and comment of a record: more than any known writer needs. */
const RECORD_ROOM = 256;

export interface ZipDirectory {
  /** Bytes of the archive, in order. */
  read(chunk: Uint8Array): void;
  /** An entry is met. */
  meet(name: string): void;
  /** An entry's content is complete. */
  take(name: string, crc: number): void;
  /** What is wrong, once all was read; undefined if nothing is. */
  fault(counts: (name: string) => boolean): string | undefined;
}

export function createZipDirectory(): ZipDirectory {
  const taken: string[] = [];
  let tail: Uint8Array[] = [];
  let held = 0;
  let room = END_ROOM + END64_BYTES;
  return {
    read(chunk) {
      tail.push(chunk);
      held += chunk.length;
      while (held - tail[0]!.length >= room) held -= tail.shift()!.length;
    },
    meet(name) {
      room += RECORD_BYTES + Buffer.byteLength(name) + RECORD_ROOM;
    },
    take: (name, crc) => void taken.push(keyOf(name, crc)),
    fault(counts) {
      const bytes = Buffer.concat(tail);
      tail = [];
      const end = bytes.lastIndexOf(END_MARK, undefined, 'latin1');
      if (end < 0 || end + END_BYTES > bytes.length) return 'it ends in the middle';
      const listed = recordsBefore(bytes, end);
      if (listed === undefined) return 'its directory cannot be read';
      return differing(
        taken,
        listed.filter(({ name }) => counts(name)).map(({ name, crc }) => keyOf(name, crc)),
      );
    },
  };
}

interface Listed {
  readonly name: string;
  readonly crc: number;
}

function keyOf(name: string, crc: number): string {
  return `${crc} ${name}`;
}

function recordsBefore(bytes: Buffer, end: number): Listed[] | undefined {
  const is64 = end >= END64_BYTES && bytes.readUInt32LE(end - END64_BYTES) === END64;
  const stop = is64 ? end - END64_BYTES : end;
  const size = is64 ? Number(bytes.readBigUInt64LE(stop + 40)) : bytes.readUInt32LE(end + 12);
  const listed: Listed[] = [];
  let at = stop - size;
  if (at < 0) return undefined;
  for (; at + RECORD_BYTES <= stop; ) {
    if (bytes.readUInt32LE(at) !== RECORD) return undefined;
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const isUtf8 = (bytes.readUInt16LE(at + 8) & 0x800) !== 0;
    const start = at + RECORD_BYTES;
    const name = bytes.toString(isUtf8 ? 'utf8' : 'latin1', start, start + nameBytes!);
    listed.push({ name, crc: bytes.readUInt32LE(at + 16) });
    at = start + nameBytes! + extra! + comment!;
  }
  return at === stop ? listed : undefined;
}

function differing(taken: readonly string[], listed: readonly string[]): string | undefined {
  const known = new Set(listed);
  const found = new Set(taken);
  const odd = taken.find((key) => !known.has(key)) ?? listed.find((key) => !found.has(key));
  return odd === undefined ? undefined : `\`${odd.slice(odd.indexOf(' ') + 1)}\` does not match its checksum`;
}

// --- CRC-32

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
