/** Files of Parquet: read as lines of JSON, and written from them. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { decompressLz4, decompressLz4Raw, decompressSnappy, decompressZstd } from 'hyparquet-compressors';
import type { Read } from '../../json/rows.js';
import { safe, shown } from '../../safe/text.js';
import type { Bytes } from '../../source/parquet/pages.js';
import { openParquet, type ParquetForm } from '../../source/parquet/read.js';
import { fits, inferredForm, type Packers, parquetOf, type Writing } from '../../source/parquet/write.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ParquetPacking } from './packing.js';
import { Spool } from './spool.js';

/** An open file, or a pipe. */
interface Packed {
  readonly name: string;
  readonly read: Read;
  /** Of a file. */
  readonly bytes: Bytes | undefined;
  close(): void;
}

interface Rows {
  /** The rows as lines. */
  readonly read: Read;
  readonly packing: ParquetPacking;
  close(): void;
}

/** What is no regular file is copied to a temporary one that has no name. */
export function openRows(input: Packed, { parquet }: Pick<Terminal, 'parquet'>): Rows {
  const spool = input.bytes === undefined ? spooled(input) : undefined;
  const file = openParquet(input.bytes ?? spool!, DECOMPRESSORS);
  parquet?.forms.push(file.form);
  return {
    read: readerOf(file.lines()),
    packing: { kind: 'parquet', form: file.form },
    close() {
      spool?.close();
      input.close();
    },
  };
}

function spooled({ read, name }: Packed): Spool {
  const spool = new Spool(join(tmpdir(), 'parquet'), name);
  const buffer = Buffer.alloc(1 << 16);
  for (let got = -1; got !== 0; ) {
    got = read(buffer, 0, buffer.length);
    spool.write(buffer, 0, got);
  }
  return spool;
}

function readerOf(texts: Iterator<string, void, void>): Read {
  let piece: Buffer = Buffer.alloc(0);
  return (buffer, at, length) => {
    while (piece.length === 0) {
      const next = texts.next();
      if (next.done) return 0;
      piece = Buffer.from(next.value);
    }
    const taken = piece.copy(buffer, at, 0, length);
    piece = piece.subarray(taken);
    return taken;
  };
}

/** The lines of a spool as a file in pieces. */
export function parquetIn(
  spool: Spool,
  { form, template }: ParquetPacking,
  { stderr, parquet }: Pick<Terminal, 'stderr' | 'parquet'>,
): Iterable<Uint8Array> {
  const writing: Writing = { lines: () => spoolReader(spool), packers: PACKERS };
  const before = template === undefined ? parquet?.forms.find((one) => fits(writing, one)) : undefined;
  const known = form ?? before ?? inferredForm(writing, template);
  for (const text of lostCodecs(known, parquet?.told ?? new Set())) stderr.write(safe`ctx-trim: ${shown(text)}\n`);
  return parquetOf(writing, known);
}

/** What a written file does not keep, and was not told yet. */
function* lostCodecs({ codecs }: ParquetForm, told: Set<string>): Generator<string, void, void> {
  for (const codec of new Set(codecs.values())) {
    if (told.has(codec) || ['UNCOMPRESSED', 'SNAPPY'].includes(codec) || PACKERS[codec] !== undefined) continue;
    told.add(codec);
    const why = codec === 'ZSTD' ? 'zstd needs Node 22.15 or later' : `${codec} is only read`;
    yield `${why}: the columns are compressed with Snappy`;
  }
}

function spoolReader(spool: Spool): Read {
  let position = 0;
  return (buffer, at, length) => {
    const got = spool.at(position, length).copy(buffer, at);
    position += got;
    return got;
  };
}

const DECOMPRESSORS = {
  SNAPPY: decompressSnappy,
  GZIP: (bytes: Uint8Array, length: number) => zlib.gunzipSync(bytes, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (bytes: Uint8Array, length: number) =>
    zlib.brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (bytes: Uint8Array, length: number) => decompressZstd(bytes, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

/** Node has zstd from version 22.15 on: https://nodejs.org/api/zlib.html#zlibzstdcompresssyncbuffer-options */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };
const PACKERS: Packers = {
  GZIP: (bytes) => zlib.gzipSync(bytes),
  BROTLI: (bytes) => zlib.brotliCompressSync(bytes),
  ...(zstdCompressSync && { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) }),
};
