/**
 * Unpacks zstd frame by frame, because `fzstd` compares no checksums. A frame without one cannot be checked.
 * https://www.rfc-editor.org/rfc/rfc8878.html, section 3.1.1
 */
import type { Read } from '../../json/rows.js';
import { createXxh64 } from './xxh64.js';

/** Skippable frames begin with this, but for its lowest four bits. */
const SKIPPABLE = 0x184d2a50;
const RUN = 1;
/** The bytes of a dictionary's id, by the lowest two bits of the descriptor. */
const ID_BYTES = [0, 1, 2, 4];

type Take = (length: number) => Buffer;

/** The content in pieces; throws Error for what is broken or incomplete. */
export async function unzstd(read: Read): Promise<Iterator<Uint8Array>> {
  const { Decompress } = await import('fzstd');
  return (function* () {
    for (let mark = taken(read, 4); mark.length > 0; mark = taken(read, 4)) {
      const take: Take = (length) => whole(taken(read, length), length);
      const isSkippable = (whole(mark, 4).readUInt32LE() & ~0xf) === SKIPPABLE;
      if (isSkippable) skip(take, take(4).readUInt32LE());
      else yield* frame(take, mark, Decompress);
    }
  })();
}

/** As many bytes as there are, at most `length`. */
function taken(read: Read, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (let got = -1; at < length && got !== 0; at += got) got = read(bytes, at, length - at);
  return bytes.subarray(0, at);
}

function whole(bytes: Buffer, length: number): Buffer {
  if (bytes.length < length) throw new Error('unexpected EOF');
  return bytes;
}

function skip(take: Take, length: number): void {
  for (let left = length; left > 0; left -= take(Math.min(left, 1 << 16)).length);
}

function* frame(take: Take, mark: Buffer, Decompress: typeof import('fzstd').Decompress): Generator<Uint8Array> {
  const made: Uint8Array[] = [];
  const stream = new Decompress((bytes) => bytes.length > 0 && made.push(bytes));
  const [descriptor = 0] = take(1);
  const hash = descriptor & 4 ? createXxh64() : undefined;
  stream.push(Buffer.concat([mark, Buffer.from([descriptor]), take(headBytes(descriptor))]));
  for (let isLast = false; !isLast; ) {
    const { isLast: ends, bytes } = block(take);
    isLast = ends;
    const sum = isLast && hash !== undefined ? take(4) : Buffer.alloc(0);
    stream.push(Buffer.concat([bytes, sum]), isLast);
    for (const piece of made) hash?.update(piece);
    if (sum.length > 0 && hash!.low() !== sum.readUInt32LE()) throw new Error('its checksum does not match');
    yield* made.splice(0);
  }
}

/** What follows the descriptor in a frame's head: window, dictionary and size. */
function headBytes(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0;
  const size = descriptor >> 6;
  return (isSingle ? 0 : 1) + ID_BYTES[descriptor & 3]! + (size === 0 ? Number(isSingle) : 1 << size);
}

function block(take: Take): { readonly isLast: boolean; readonly bytes: Buffer } {
  const head = take(3);
  const bits = head.readUIntLE(0, 3);
  const content = take(((bits >> 1) & 3) === RUN ? 1 : bits >> 3);
  return { isLast: (bits & 1) === 1, bytes: Buffer.concat([head, content]) };
}
