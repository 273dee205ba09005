/** The part of an input that is in memory, the values in it, and their lines. */
import { TranscriptError } from '../errors.js';
import { JsonNode } from './node.js';
import type { Read, Reuse, Span } from './read.js';
import { LEAST, LONG, roomBehind } from './room.js';
import { createSharingScan, INCOMPLETE, type InPlaceScan, LARGEST_COPY, NOT_UTF8, scanInPlace, Tape } from './scan.js';
import { skipSpace } from './space.js';
import type { JsonSource } from './strings.js';
import { unitsIn } from './units.js';

/** The size of a read of Node. */
const MOST = 2 ** 31 - 1;

/** A pair of surrogates. */
const LONGEST_ESCAPE = 12;
/** A longer line (such as a hole of zeros) is an error even if bad lines are skipped. */
const LONGEST_BAD_LINE = 1 << 26;

const scan = createSharingScan();

export class Window {
  bytes: Buffer = Buffer.alloc(1);
  /** The end of the filled part of `bytes`; a zero byte follows it. */
  limit = 0;
  pos = 0;
  atEnd = false;
  /** Whether the invalid value was cut off by the end of the input or of its line. */
  isCut = false;
  /** Where `bytes` are, if they are those of one long value. */
  private inPlace: InPlaceScan | undefined = undefined;
  /** The last value, if its consumer is done with it when the next one comes. V8 may keep its texts long after that. */
  private previous: JsonSource | undefined = undefined;
  private spare: Buffer | undefined = undefined;
  private settled = false;
  private taken = 0;
  /** How much was read in all. */
  private got = 0;
  ended = false;
  private readonly tape = new Tape();
  private linesBefore = 0;
  private countedTo = 0;
  private lineStart = 0;
  /** The UTF-16 units of the current line before the window. */
  columnsBefore = 0;
  private newline = -1;

  constructor(
    private readonly read: Read,
    private readonly chunk: number,
    private readonly reuse: Reuse | undefined,
    /** The bytes of the whole input; 0 if nobody knows. */
    private readonly size = 0,
  ) {}

  /** Reads at least one more byte, unless the input has ended. */
  fill(): void {
    if (this.ended) return;
    if (this.bytes.length - 1 - this.limit < Math.min(LEAST, this.chunk)) this.makeRoom();
    const got = this.read(this.bytes, this.limit, Math.min(this.bytes.length - 1 - this.limit, MOST));
    scan.forget(); // the buffer may be a reused one
    this.newline = -1;
    this.ended = got === 0;
    this.limit += got;
    this.got += got;
    this.bytes[this.limit] = 0;
  }

  /** Moves the bytes that were not taken yet to the front of another buffer. */
  private makeRoom(): void {
    this.countLines(this.taken);
    if (this.lineStart < this.taken) {
      this.columnsBefore += unitsIn(this.bytes, this.lineStart, this.taken);
      this.lineStart = this.taken;
    }
    const kept = this.limit - this.taken;
    if (kept > MOST) throw new TranscriptError('json', 'more than 2 GB stand between two values', { line: this.line });
    const rest = this.size - this.got;
    const size = kept + roomBehind(kept, rest, this.bytes.length > 1, this.chunk) + 1;
    this.inPlace = kept > LONG && size > LARGEST_COPY ? scanInPlace(size) : undefined;
    const bytes = this.inPlace?.bytes ?? this.emptyBuffer(size);
    this.bytes.copy(bytes, 0, this.taken, this.limit);
    this.lineStart -= this.taken;
    this.countedTo -= this.taken;
    this.pos -= this.taken;
    this.taken = 0;
    this.bytes = bytes;
    this.limit = kept;
  }

  /**
   * Reads more of an incomplete value. Each scan starts over, so a long one needs half of its size more, or a line end.
   */
  private readOn(): void {
    const seen = this.limit - this.pos;
    do this.fill();
    while (!this.ended && seen > LONG && this.limit - this.pos < 1.5 * seen && this.bytes[this.limit - 1] !== 0x0a);
  }

  /**
   * A buffer to read into: the one before the last if the consumer is done with it, because new memory costs page
   * faults.
   */
  private emptyBuffer(size: number): Buffer {
    const isFree = this.settled && this.reuse?.isOn() === true;
    if (isFree) this.reuse!.settle();
    const spare = isFree ? this.spare : undefined;
    const empty = spare !== undefined && spare.length >= size ? spare : this.reuse?.buffers?.pop();
    this.spare = this.isUsual(this.bytes) ? this.bytes : undefined; // one for a long value would double the memory
    this.settled = false; // the spare buffer may still hold spans until a later event is yielded
    return empty !== undefined && empty.length >= size ? empty : Buffer.allocUnsafeSlow(size);
  }

  private isUsual({ length }: Buffer): boolean {
    return length <= 2 * this.chunk;
  }

  /** Hands buffers of the usual size over to the next input. */
  release(): void {
    for (const buffer of [this.bytes, this.spare])
      if (buffer !== undefined && buffer.length > this.chunk && this.isUsual(buffer)) this.reuse?.buffers?.push(buffer);
  }

  /** Moves to the next byte that is not white space, or to the end. */
  toValue(): void {
    for (;;) {
      this.pos = skipSpace(this.bytes, this.pos);
      if (this.pos < this.limit) return;
      if (this.ended) {
        this.atEnd = true;
        return;
      }
      this.fill();
    }
  }

  /** Whether all that was read is whole lines, and used up. */
  get isSpent(): boolean {
    const { bytes, limit } = this;
    return limit > 0 && bytes[limit - 1] === 0x0a && skipSpace(bytes, this.pos) >= limit;
  }

  /** The number of the line behind all that was read, if that is whole lines. */
  get lineBehind(): number {
    this.countLines(this.limit);
    return this.linesBefore + 1;
  }

  /** What is left of what was read. */
  takeRest(): Span {
    this.pos = this.limit;
    return this.take();
  }

  /** Goes on behind lines that were read elsewhere; nothing may be left of what was read here. */
  skipLines(lines: number): void {
    this.countLines(this.limit);
    this.linesBefore += lines;
  }

  /** The bytes since the last `take`. */
  take(): Span {
    const span = { bytes: this.bytes, start: this.taken, end: this.pos };
    this.taken = this.pos;
    this.inPlace = undefined; // `bytes` must stay where they are from here on
    return span;
  }

  /** Scans the value at `pos` and moves past it; undefined if it is invalid: then see `error`. */
  value(): JsonNode | undefined {
    this.settled = true;
    for (;;) {
      const end = this.scan();
      if (end >= 0) {
        this.pos = end;
        this.taken = end;
        const isTransient = this.reuse?.isOn() === true;
        const source: JsonSource = { bytes: this.bytes, tape: isTransient ? this.tape.ints : this.tape.keep() };
        if (this.previous !== undefined) this.previous.texts = undefined;
        this.previous = isTransient ? source : undefined;
        return new JsonNode(source, 0);
      }
      if (end === INCOMPLETE && !this.ended) {
        this.readOn();
        continue;
      }
      this.isCut = end === INCOMPLETE;
      if (this.isCut) {
        this.tape.errorAt = this.limit;
        this.tape.error = 'the input ends in the middle of a value';
      }
      return undefined;
    }
  }

  private scan(): number {
    const { inPlace } = this;
    if (inPlace === undefined) return scan(this.bytes, this.pos, this.limit, this.ended, this.tape);
    const end = inPlace.scan(this.pos, this.limit, this.ended, this.tape);
    this.bytes = inPlace.bytes;
    if (end !== INCOMPLETE) this.inPlace = undefined; // as in `take`
    return end;
  }

  /** Skips the complete lines in the window before the first one with a mark. Returns whether there are any. */
  passLines(marks: readonly Buffer[]): boolean {
    for (;;) {
      let end = this.limit;
      for (let i = 0; i < marks.length; i += 2)
        end = scan.find(this.bytes, this.pos, end, marks[i]!, marks[i + 1] ?? marks[i]!);
      const lineBreak = this.bytes.lastIndexOf(0x0a, end - 1);
      if (lineBreak > this.pos) {
        this.pos = lineBreak;
        this.settled = true;
        return true;
      }
      if (end < this.limit || this.ended || this.limit - this.pos > LONGEST_BAD_LINE) return false;
      this.readOn();
    }
  }

  /** The line of `pos`, from 1. */
  get line(): number {
    this.countLines(this.pos);
    return this.linesBefore + 1;
  }

  /** The error of the last scan, or one at `pos`; call it before `pos` moves. */
  error(atPos?: string): TranscriptError {
    const [what, at] = atPos === undefined ? [this.tape.error, this.tape.errorAt] : [atPos, this.pos];
    const { linesBefore, columnsBefore, lineStart, countedTo } = this;
    this.countLines(at);
    const column = this.columnsBefore + unitsIn(this.bytes, this.lineStart, at) + 1;
    const place = { line: this.linesBefore + 1, column };
    // the value may fail lines further down, from where only its first line is skipped
    Object.assign(this, { linesBefore, columnsBefore, lineStart, countedTo, newline: -1 });
    if (what === NOT_UTF8)
      return new TranscriptError('encoding', `${what}; convert the file to UTF-8 first (iconv -t UTF-8)`, place);
    return new TranscriptError('json', `not JSON: ${what}`, place);
  }

  /**
   * Whether the invalid value may be cut off by the end of its line: it fails there, or in a character or escape just
   * before.
   */
  mayBeCut(): boolean {
    const length = this.tape.errorAt + LONGEST_ESCAPE - this.pos;
    while (!this.ended && this.limit - this.pos <= length) this.fill();
    const end = this.pos + length;
    return this.isCut || end >= this.limit || this.bytes.subarray(this.pos, end).includes(0x0a);
  }

  /** Skips the rest of the line with this error. Returns whether only white space follows it. */
  restOfLine(error: TranscriptError): boolean {
    let end = this.bytes.indexOf(0x0a, this.pos);
    while ((end < 0 || end >= this.limit) && !this.ended) {
      if (this.limit - this.pos > LONGEST_BAD_LINE)
        throw new TranscriptError(
          error.code,
          `${error.message}; the line is longer than 64 MB and is not passed through`,
          error.place,
        );
      this.readOn();
      end = this.bytes.indexOf(0x0a, this.pos);
    }
    if (end < 0 || end >= this.limit) end = this.limit;
    while (!this.ended && skipSpace(this.bytes, end) >= this.limit) {
      const ahead = end - this.taken;
      this.fill();
      end = this.taken + ahead;
    }
    if (!this.isCut) this.isCut = isPrefix(this.bytes.subarray(this.pos, end), this.tape);
    const isLast = skipSpace(this.bytes, end) >= this.limit;
    this.pos = end > this.pos && this.bytes[end - 1] === 0x0d ? end - 1 : end;
    return isLast;
  }

  private countLines(to: number): void {
    if (this.newline < this.countedTo) this.newline = this.nextLineBreak(this.countedTo);
    while (this.newline < to) {
      this.linesBefore++;
      this.columnsBefore = 0;
      this.lineStart = this.newline + 1;
      this.newline = this.nextLineBreak(this.newline + 1);
    }
    this.countedTo = Math.max(this.countedTo, to);
  }

  private nextLineBreak(from: number): number {
    const found = this.bytes.indexOf(0x0a, from);
    return found < 0 || found > this.limit ? this.limit : found;
  }
}

/** Whether the bytes could start a JSON value. */
function isPrefix(bytes: Buffer, tape: Tape): boolean {
  const padded = Buffer.alloc(bytes.length + 1);
  bytes.copy(padded);
  return scan(padded, 0, bytes.length, true, tape) === INCOMPLETE;
}
