/**
 * The validating scan: one pass over UTF-8 bytes that accepts exactly what JSON.parse accepts, and records the position
 * of each value on a flat tape of integers (an idea of simdjson). It builds no values, so it is faster than JSON.parse.
 * The pass itself is assembly/scan.ts, compiled to WebAssembly. A tape entry is four integers: kind and flags, start,
 * end (offsets into the bytes), and the index of the entry after this value's subtree. An object's members follow it as
 * key, value, key, value; an array's elements follow it in order.
 */
import { TranscriptError } from '../errors.js';
import { CODE } from './code.js';
import { type Code, plainCode } from './plain-code.js';

export const ENTRY = 4;

export const NULL = 0;
export const TRUE = 1;
export const FALSE = 2;
export const NUMBER = 3;
export const STRING = 4;
export const OBJECT = 5;
export const ARRAY = 6;
export const KIND = 7;
/** A string with at least one escape. */
export const ESCAPED = 8;
/** A string with at least one byte above 0x7f. */
export const WIDE = 16;

/** The input ends before the value does: more bytes may complete it. */
export const INCOMPLETE = -1;
/** Not JSON: see `tape.errorAt` and `tape.error`. */
export const INVALID = -2;

/** The only problem of the bytes, not of the JSON. */
export const NOT_UTF8 = 'these bytes are not UTF-8';

const TOO_LARGE = 'this value is too large to be read: with its structure it takes more than 4 GB';

/** The problems, in the order of their numbers in assembly/scan.ts. */
const PROBLEMS = [
  'expected a key in double quotes or a closing brace',
  'expected a value',
  'expected a key in double quotes after the comma',
  'expected a comma or a closing brace',
  'expected a comma or a closing bracket',
  'expected a colon after the key',
  'a string is not closed on its line',
  'a control character stands unescaped in a string',
  'no such escape in JSON',
  'a \\u escape needs four hexadecimal digits',
  NOT_UTF8,
  'a number needs a digit here',
  TOO_LARGE,
];

const SMALLEST = 1 << 12;
/** Longer tapes are not copied. */
const HANDED_OVER = 1 << 20;

/** The positions of a scan. The next scan into the same tape overwrites them; `keep` returns a copy. */
export class Tape {
  ints: Int32Array = new Int32Array(SMALLEST);
  length = 0;
  errorAt = 0;
  error = '';
  private isLent = false;

  /** Copies the entries from the memory of the scan, or takes them where they are: nothing else is written there. */
  fill(memory: ArrayBuffer, at: number, length: number, isLent = false): void {
    const entries = new Int32Array(memory, at, length);
    if (isLent) this.ints = entries;
    else {
      if (this.isLent || length > this.ints.length) this.ints = new Int32Array(Math.max(length, 2 * this.ints.length));
      this.ints.set(entries);
    }
    this.length = length;
    this.isLent = isLent;
  }

  keep(): Int32Array {
    const { ints, length } = this;
    if (!this.isLent && length < HANDED_OVER) return ints.slice(0, length);
    this.ints = new Int32Array(SMALLEST);
    this.isLent = false;
    return ints;
  }
}

export interface Scan {
  /**
   * Scans the value at or after `pos` into `tape`. `last`: no bytes follow `limit`.
   * @returns the offset after the value, `INCOMPLETE` or `INVALID`.
   */
  (bytes: Buffer, pos: number, limit: number, last: boolean, tape: Tape): number;
  /** The first offset from `pos` on of one of two ASCII texts of at least four characters; `limit` if there is none. */
  find(bytes: Buffer, pos: number, limit: number, one: Buffer, other: Buffer): number;
  /** Must be called when scanned bytes are overwritten, because the scan holds a copy of the last bytes. */
  forget(): void;
}

/** The address of the bytes in the scan's memory; lower addresses are reserved. */
const BYTES = 1 << 10;
/** Bytes after them: the zero that ends them, and those read together with the last of them. */
const PADDING = 64;

/**
 * Longer values are scanned where they are read into. Up to this size the C library of Linux gives freed memory out
 * again, and new memory for each value takes longer than a copy:
 * https://man7.org/linux/man-pages/man3/mallopt.3.html (M_MMAP_THRESHOLD)
 */
export const LARGEST_COPY = 1 << 25;

/** Offsets are signed integers of 32 bits; so are addresses here. */
const LARGEST = 2 ** 31 - (1 << 16);

/** A scan with its own memory, as large as its largest value and its tape. */
export function createScan(create: () => Code = instantiate): Scan {
  let code: Code | undefined;
  let held: Buffer | undefined; // the bytes from `from` to `to` are in memory
  let from = 0;
  let to = 0;
  const hold = (bytes: Buffer, pos: number, limit: number): Code => {
    code ??= create();
    if (bytes === held && limit <= to && pos >= from) return code;
    const length = limit - pos;
    if (length > LARGEST || !code.reserve(BYTES + length + 2 * PADDING)) throw new TranscriptError('json', TOO_LARGE);
    const memory = new Uint8Array(code.memory.buffer);
    memory.set(bytes.subarray(pos, limit), BYTES);
    memory.fill(0, BYTES + length, BYTES + length + PADDING);
    [held, from, to] = [bytes, pos, limit];
    return code;
  };
  const scan = (bytes: Buffer, pos: number, limit: number, last: boolean, tape: Tape): number => {
    if (limit < to) held = undefined; // the zero overwrote a byte
    const code = hold(bytes, pos, limit);
    const origin = BYTES - from;
    const tapeAt = (origin + limit + 2 * PADDING) & ~15;
    const end = run(code, pos, limit, last, tapeAt, origin, tape);
    if (end >= 0) tape.fill(code.memory.buffer, tapeAt, code.tapeLength.value);
    return end;
  };
  const find = (bytes: Buffer, pos: number, limit: number, one: Buffer, other: Buffer): number => {
    const { find: search } = hold(bytes, pos, limit);
    const origin = BYTES - from;
    const [oneBegins, otherBegins] = [one.readInt32LE(), other.readInt32LE()];
    const stands = (text: Buffer, at: number) =>
      at + text.length <= limit && text.compare(bytes, at, at + text.length) === 0;
    for (let at = pos; ; at++) {
      at = (search(origin + at, origin + limit, oneBegins, otherBegins) >>> 0) - origin;
      if (at >= limit || stands(one, at) || stands(other, at)) return Math.min(at, limit);
    }
  };
  const forget = () => {
    held = undefined;
  };
  return Object.assign(scan, { find, forget });
}

/** A scan of one long value, which is read into its memory: nothing is copied. */
export interface InPlaceScan {
  /** Becomes another object when the memory grows, in a scan: then the one before is of no use. */
  readonly bytes: Buffer;
  /** As of `Scan`, over `bytes`. After a value that is complete or invalid, nothing more is scanned here. */
  scan(pos: number, limit: number, last: boolean, tape: Tape): number;
}

/** With room for so many bytes; undefined if they are too many. */
export function scanInPlace(length: number, create: () => Code = instantiate): InPlaceScan | undefined {
  const code = create();
  const tapeAt = (BYTES + length + 2 * PADDING) & ~15;
  if (length > LARGEST || !code.reserve(tapeAt + (length >> 2))) return undefined;
  const bytesNow = () => Buffer.from(code.memory.buffer, BYTES, length);
  const inPlace = {
    bytes: bytesNow(),
    scan(pos: number, limit: number, last: boolean, tape: Tape): number {
      const end = run(code, pos, limit, last, tapeAt, BYTES, tape);
      if (inPlace.bytes.buffer !== code.memory.buffer) inPlace.bytes = bytesNow();
      if (end >= 0) tape.fill(code.memory.buffer, tapeAt, code.tapeLength.value, true);
      return end;
    },
  };
  return inPlace;
}

/** Scans bytes of which offset 0 is at the address `origin`. */
function run(
  code: Code,
  pos: number,
  limit: number,
  last: boolean,
  tapeAt: number,
  origin: number,
  tape: Tape,
): number {
  const end = code.scan(origin, origin + pos, origin + limit, last ? 1 : 0, tapeAt) >>> 0;
  if (end > 0) return end - origin;
  tape.errorAt = (code.problemAt.value >>> 0) - origin;
  tape.error = PROBLEMS[code.problem.value]!;
  return tape.errorAt < limit ? INVALID : INCOMPLETE;
}

/** Longer values are scanned in a memory that all scans share: it stays as large as the largest of them. */
const LONG = 1 << 23;
let shared: Scan | undefined;

/** A scan with a memory of its own for what is not long. */
export function createSharingScan(): Scan {
  const own = createScan();
  const scanOf = (length: number) => {
    if (length <= LONG) return own;
    shared ??= createScan();
    return shared;
  };
  const scan = (bytes: Buffer, pos: number, limit: number, last: boolean, tape: Tape) =>
    scanOf(limit - pos)(bytes, pos, limit, last, tape);
  const find = (bytes: Buffer, pos: number, limit: number, one: Buffer, other: Buffer) =>
    scanOf(limit - pos).find(bytes, pos, limit, one, other);
  const forget = () => {
    own.forget();
    shared?.forget();
  };
  return Object.assign(scan, { find, forget });
}

declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

/**
 * Without WebAssembly where none is there (`node --jitless`, Cloudflare Workers), or no address space: V8 reserves
 * several GB of addresses for each memory, more than `ulimit -v` may leave.
 */
function instantiate(): Code {
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(CODE, 'base64'));
    return new WebAssembly.Instance(compiled).exports as Code;
  } catch {
    return plainCode();
  }
}
