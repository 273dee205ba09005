/**
 * Reads Inspect's `.eval` archives, ZIP files with a file for each sample, as a row of samples, one in memory at a
 * time. https://github.com/UKGovernmentBEIS/inspect_ai/blob/main/src/inspect_ai/log/_recorders/chunked/format.py
 */
import { kMaxLength } from 'node:buffer';
import type { AsyncFlateStreamHandler, FlateStreamHandler, UnzipDecoder } from 'fflate';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import type { Read } from '../../json/rows.js';
import { type Allowance, createAllowance } from './unpacking.js';
import { crc32, createZipDirectory } from './zip-directory.js';

export const READ_ONLY_ARCHIVE =
  'an .eval archive is read only and nothing was written; ' +
  'make JSON of it first, with `inspect log dump` or by unzipping its samples/';

export { createAllowance };

/** A sample in one file. */
const SAMPLE = /^samples\/.*_epoch_\d+\.json$/;
/** A part of a sample in several files: its kind, and for a list the index of its first item. */
const PART = /^(samples\/.*_epoch_\d+)\/(?:(sample)|(messages|events|attachments)\/(\d+))\.json$/;
const CHUNK = 1 << 16;
const ZSTD = 93;

/** The samples of an archive as JSON Lines. Throws TranscriptError if the archive is broken, no log, or too large. */
export async function openArchive(read: Read, allowance: Allowance = createAllowance()): Promise<Read> {
  const { Unzip, UnzipInflate } = await import('fflate');
  // loaded only here, because it is slow
  const { zstdDecompressSync: zstd } = (await import('node:zlib')) as { zstdDecompressSync?: Decompress };
  const samples = samplesIn(read, zstd !== undefined, allowance, (onEntry) => {
    const unzip = new Unzip(onEntry);
    unzip.register(UnzipInflate);
    if (zstd !== undefined) unzip.register(zstdDecoder(zstd, allowance));
    return unzip;
  });
  let rest: Buffer = Buffer.alloc(0);
  return (buffer, at, length) => {
    while (rest.length === 0) {
      const next = samples.next();
      if (next.done) return 0;
      rest = next.value;
    }
    const taken = rest.copy(buffer, at, 0, length);
    rest = rest.subarray(taken);
    return taken;
  };
}

interface Entry {
  readonly name: string;
  readonly compression: number;
  ondata: AsyncFlateStreamHandler;
  start(): void;
}

interface Unzipper {
  push(chunk: Uint8Array, final?: boolean): void;
}

const NEWLINE = Buffer.from('\n');

function* samplesIn(
  read: Read,
  knowsZstd: boolean,
  allowance: Allowance,
  create: (onEntry: (entry: Entry) => void) => Unzipper,
): Generator<Buffer, void, void> {
  let ready: Buffer[] = [];
  let parts: Parts | undefined;
  let found = false;
  let unpacking: string | undefined; // the sample whose parts are read
  const finish = (name: string, content: Buffer) => {
    const part = PART.exec(name);
    const home = part?.[1];
    if (parts !== undefined && home !== parts.home) {
      ready.push(joined(parts, allowance), NEWLINE);
      parts = undefined;
    }
    if (home === undefined) ready.push(content, NEWLINE);
    else {
      parts ??= { home, byName: new Map() };
      parts.byName.set(part![2] ?? `${part![3]}/${part![4]}`, content);
    }
  };
  const directory = createZipDirectory();
  const unzip = create((entry) => {
    directory.meet(entry.name);
    if (!isOfSample(entry.name)) return;
    found = true;
    const home = PART.exec(entry.name)?.[1];
    if (home === undefined || home !== unpacking) allowance.begin();
    unpacking = home;
    allowance.takeEntry();
    const chunks: Uint8Array[] = [];
    entry.ondata = (error, chunk, final) => {
      if (error !== null) throw error;
      allowance.take(chunk.length);
      chunks.push(chunk);
      if (!final) return;
      const content = Buffer.concat(chunks);
      directory.take(entry.name, crc32(content));
      finish(entry.name, content);
    };
    if (entry.compression === ZSTD && !knowsZstd)
      throw new TranscriptError('file', 'the archive is compressed with zstd, which Node reads from version 22.15 on');
    entry.start();
  });
  for (;;) {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const got = read(buffer, 0, CHUNK);
    const chunk = buffer.subarray(0, got);
    allowance.read(got);
    directory.read(chunk);
    sound(() => unzip.push(chunk, got === 0));
    yield* ready;
    ready = [];
    if (got === 0) break;
  }
  const fault = directory.fault(isOfSample);
  if (fault !== undefined) throw broken(fault);
  if (parts !== undefined) yield* [joined(parts, allowance), NEWLINE];
  if (!found)
    throw new TranscriptError('format', 'the ZIP archive holds no samples/ as an Inspect log does; unpack it first');
}

function isOfSample(name: string): boolean {
  return SAMPLE.test(name) || PART.test(name);
}

function sound(action: () => void): void {
  try {
    action();
  } catch (error) {
    throw isTranscriptError(error) ? error : broken((error as Error).message);
  }
}

function broken(why: string): TranscriptError {
  return new TranscriptError('file', `the archive is broken or cut off: ${why}`);
}

// --- samples in parts

interface Parts {
  readonly home: string;
  readonly byName: Map<string, Buffer>;
}

/** The memory of a repeated message in addition to its text. */
const REFERENCE = 16;

/**
 * Joins the parts of a sample. Its messages are ranges `[start, end)` of one list, long texts are indices of another.
 */
function joined({ byName }: Parts, allowance: Allowance): Buffer {
  let sample: Record<string, unknown> = {};
  sound(() => {
    const listed = (name: string) => {
      const starts = [...byName.keys()]
        .filter((key) => key.startsWith(`${name}/`))
        .map((key) => Number(key.slice(name.length + 1)));
      return starts
        .sort((a, b) => a - b)
        .flatMap((start) => JSON.parse(byName.get(`${name}/${start}`)!.toString()) as unknown[]);
    };
    const texts = listed('attachments');
    const pool = listed('messages');
    const { message_refs: refs, ...rest } = JSON.parse(byName.get('sample')?.toString() ?? '{}') as {
      message_refs?: readonly (readonly [number, number])[];
    };
    const take = (length: number) => allowance.take(length);
    const known = resolved(pool, texts, take) as unknown[];
    const sizes = known.map((message) => JSON.stringify(message).length);
    const messages = (refs ?? []).flatMap(([start, end]) => {
      take(sizes.slice(start, end).reduce((sum, size) => sum + size + REFERENCE, 0));
      return known.slice(start, end);
    });
    const { events, ...others } = resolved({ ...rest, events: listed('events') }, texts, take) as Record<
      string,
      unknown
    >;
    sample = { ...others, messages, events, events_data: { messages: known, calls: [] } };
  });
  return Buffer.from(JSON.stringify(sample));
}

/** Inserts the referenced texts; each use counts toward the limit. */

function resolved(value: unknown, texts: readonly unknown[], take: (length: number) => void): unknown {
  if (typeof value === 'string') {
    const text = texts[Number(/^attachment:\/\/(\d+)$/.exec(value)?.[1] ?? -1)];
    if (typeof text === 'string') take(text.length);
    return typeof text === 'string' ? text : value;
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, texts, take));
  return value === null || typeof value !== 'object'
    ? value
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, texts, take)]));
}

// --- zstd

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array<ArrayBuffer>;

function zstdDecoder(zstd: Decompress, allowance: Allowance): { new (): UnzipDecoder; compression: number } {
  return class implements UnzipDecoder {
    static compression = ZSTD;
    ondata: AsyncFlateStreamHandler & FlateStreamHandler = () => {};
    private readonly chunks: Uint8Array[] = [];
    push(chunk: Uint8Array, final: boolean): void {
      this.chunks.push(chunk);
      if (!final) return;
      const maxOutputLength = Math.max(1, Math.min(allowance.left(), kMaxLength));
      try {
        this.ondata(null, zstd(Buffer.concat(this.chunks), { maxOutputLength }), true);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') allowance.take(maxOutputLength + 1);
        throw error;
      }
    }
  };
}
