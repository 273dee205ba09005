/** Files that gzip or zstd compressed: read as if they were not, and written back in the same way. */
import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { TranscriptError } from '../../errors.js';
import type { Read } from '../../json/rows.js';
import type { Packing } from './packing.js';

type Compression = Extract<Packing, string>;

/** Bytes that are unpacked at once. */
const CHUNK = 1 << 14;

const UNKNOWN_DATABASE =
  'it is a database of SQLite; those of agents are read, by their names: ' +
  'opencode.db, sessions.db (goose), state.vscdb (Cursor)';

/** What is known by the first bytes, and a reader of the unpacked content. */
export async function unpacked(
  read: Read,
  head: string,
): Promise<{ readonly packing: Compression; readonly read: Read }> {
  if (head === 'SQLi') throw new TranscriptError('file', UNKNOWN_DATABASE);
  const packing = head.startsWith('\x1f') ? 'gzip' : 'zstd';
  return { packing, read: await unpacking(read, packing) };
}

/** Memory stays flat. Reading throws TranscriptError for a broken or incomplete file. */
async function unpacking(read: Read, packing: Compression): Promise<Read> {
  const pieces = packing === 'gzip' ? await gunzip(read) : await (await import('./zstd.js')).unzstd(read);
  let rest: Uint8Array = Buffer.alloc(0);
  return (target, at, length) => {
    while (rest.length === 0) {
      const next = sound(packing, () => pieces.next());
      if (next.done) return 0;
      rest = next.value;
    }
    const taken = rest.subarray(0, length);
    target.set(taken, at);
    rest = rest.subarray(taken.length);
    return taken.length;
  };
}

async function gunzip(read: Read): Promise<Iterator<Uint8Array>> {
  const { Gunzip } = await import('minizlib');
  const stream = new Gunzip({});
  const made: Uint8Array[] = [];
  let failure: Error | undefined;
  stream.on('data', (bytes: Buffer) => made.push(bytes));
  stream.on('error', (error) => {
    failure = error as Error;
  });
  return (function* () {
    const buffer = Buffer.alloc(CHUNK);
    for (let got = -1; got !== 0; ) {
      got = read(buffer, 0, CHUNK);
      if (got === 0) stream.end();
      else stream.write(Buffer.from(buffer.subarray(0, got)));
      if (failure !== undefined) throw failure;
      yield* made.splice(0);
    }
  })();
}

function sound<T>(packing: Compression, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const why = /end|eof/i.test((error as Error).message) ? 'it is incomplete' : (error as Error).message;
    throw new TranscriptError('file', `the ${packing} file cannot be unpacked: ${why}; get it again`);
  }
}

/** Compressed pieces. */
export async function* packed(pieces: Iterable<Uint8Array>, packing: Compression): AsyncGenerator<Uint8Array> {
  const stream = packing === 'gzip' ? zlib.createGzip() : createZstd();
  const source = Readable.from(copies(pieces), { objectMode: false });
  source.on('error', (error) => (stream as NodeJS.EventEmitter).emit('error', error));
  yield* source.pipe(stream) as unknown as AsyncIterable<Uint8Array>;
}

/** Copies, because pieces may share a buffer. */
function* copies(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** Node has it from version 22.15 on; `rejectUnwritablePacking` was asked before. */
function createZstd(): NodeJS.ReadWriteStream {
  return (zlib as unknown as { createZstdCompress(): NodeJS.ReadWriteStream }).createZstdCompress();
}
