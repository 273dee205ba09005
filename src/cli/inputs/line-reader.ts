/** Reads an input of which worker threads take lines. */
import type { Elsewhere, Read } from '../../json/rows.js';
import type { Detection } from '../../source/detect/detection.js';
import type { Input } from '../files/input.js';
import { bufferOf, type DonePart, type Slot, type Threads } from './threads.js';

/** The bytes of a part, about: a message between threads takes 0.05 ms, and a part 1 to 10 (2026-11-26). */
const PART = 1 << 20;
/** Parts that were given back, if they are the most of all, after which the rest is read by one thread. */
const GIVEN_UP = 4;

/** Reads an input: its beginning as it is, then part by part, of which threads take what they can. */
export class LineReader implements Elsewhere {
  private detection: Detection | undefined;
  private phase: 'direct' | 'parts' | 'alone' = 'direct';
  private hasEnded = false;
  /** What was read behind the last whole line. */
  private rest: Buffer = Buffer.alloc(0);
  /** What must be read here. */
  private fed: Buffer = Buffer.alloc(0);
  private fedSlot: Slot | undefined;
  private readonly queue: Slot[] = [];
  private last: Slot | undefined;
  /** The number of the line behind all that was given to threads. */
  private given = 0;
  private helped = 0;
  private returned = 0;

  constructor(
    private readonly input: Input,
    private readonly threads: Threads,
    private readonly isSettled: () => boolean,
  ) {}

  begin(detection: Detection): void {
    this.detection = detection;
  }

  isOn(): boolean {
    return this.phase === 'parts';
  }

  whyAlone({ container }: Detection): string | undefined {
    if (!this.threads.isAsked || this.helped > 0 || this.threads.hasLost) return undefined;
    if (container === 'rows') return 'one transcript in the file';
    if (container === 'bundle') return 'its lines belong together';
    return this.returned > 0 ? 'its lines cannot be read one by one' : 'it is short, or one JSON array';
  }

  readonly read: Read = (buffer, at, length) => {
    const mayBegin = this.phase === 'direct' && this.detection !== undefined && this.threads.isAlive;
    if (mayBegin && this.isSettled()) this.phase = 'parts'; // the first of them is read here
    if (this.phase === 'direct') return this.input.read(buffer, at, length);
    if (this.fed.length === 0) this.feed();
    const got = this.fed.copy(buffer, at, 0, length);
    this.fed = this.fed.subarray(got);
    if (this.fed.length === 0 && this.fedSlot !== undefined) this.release(this.fedSlot);
    if (this.fed.length === 0) this.fedSlot = undefined;
    return got;
  };

  next(line: number): DonePart | undefined {
    if (this.fed.length > 0 || this.phase !== 'parts') return undefined;
    if (this.last !== undefined) this.release(this.last);
    this.last = undefined;
    if (this.queue.length === 0) this.given = line;
    this.giveParts();
    const slot = this.queue[0];
    if (slot === undefined) return undefined;
    const result = this.threads.resultOf(slot);
    if (result === undefined) {
      this.returned++;
      if (!this.threads.isAlive || (this.returned >= GIVEN_UP && this.returned > this.helped)) this.phase = 'alone';
      return undefined; // the next read gives it
    }
    this.queue.shift();
    this.last = slot;
    this.helped++;
    const { output, length, records, data } = result;
    const bytes = output === undefined ? slot.room.subarray(0, length) : bufferOf(output);
    return { lines: slot.lines, records, data, output: bytes };
  }

  /** What must be read here next: a part that a thread got, or none. */
  private feed(): void {
    const slot = this.queue.shift() ?? this.fill();
    if (slot === undefined) return;
    this.threads.resultOf(slot); // nobody else may use it any more
    this.fedSlot = slot;
    this.fed = slot.bytes.subarray(0, slot.length);
  }

  private giveParts(): void {
    const { format, container } = this.detection!;
    const path = typeof container === 'string' ? undefined : ([container.path, container.label] as const);
    while (this.queue.length < this.threads.ahead) {
      const slot = this.fill();
      if (slot === undefined) return;
      slot.lines = lineBreaksIn(slot.bytes, slot.length);
      this.threads.give(slot, { line: this.given, format: format.id, path }, this.input.name);
      this.given += slot.lines;
      this.queue.push(slot);
    }
  }

  /** The next whole lines, or what is left of the input; undefined at its end. */
  private fill(): Slot | undefined {
    if (this.hasEnded && this.rest.length === 0) return undefined;
    const slot = this.threads.free.pop() ?? newSlot();
    slot.thread = undefined;
    if (slot.bytes.length < 2 * this.rest.length) slot.bytes = shared(2 * this.rest.length);
    slot.length = this.rest.copy(slot.bytes);
    let end = 0;
    while (end === 0 && !this.hasEnded) {
      if (slot.length === slot.bytes.length) {
        const more = shared(2 * slot.length);
        slot.bytes.copy(more);
        slot.bytes = more;
      }
      const from = slot.length;
      while (slot.length < slot.bytes.length && !this.hasEnded) {
        const got = this.input.read(slot.bytes, slot.length, slot.bytes.length - slot.length);
        slot.length += got;
        this.hasEnded = got === 0;
      }
      end = slot.bytes.subarray(from, slot.length).lastIndexOf(0x0a) + 1;
      if (end > 0) end += from;
    }
    if (this.hasEnded) end = slot.length;
    this.rest = Buffer.from(slot.bytes.subarray(end, slot.length));
    slot.length = end;
    if (end > 0) return slot;
    this.release(slot);
    return undefined;
  }

  /** Long parts are rare, and their memory is not kept; a thread that was given up may still write into its own. */
  private release(slot: Slot): void {
    if (slot.bytes.length === PART && slot.thread?.isLost !== true) this.threads.free.push(slot);
  }
}

function newSlot(): Slot {
  return { bytes: shared(PART), room: shared(PART + PART / 8), length: 0, lines: 0, thread: undefined, isBack: true };
}

/** What threads share is not copied from one to the other. */
function shared(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}

function lineBreaksIn(bytes: Buffer, length: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < length; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}
