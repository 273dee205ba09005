/**
 * Worker threads that read lines of an input, part by part. Each runs the same command as this thread, up to where that
 * would open its inputs, and takes parts from there (cli/worker.ts). What a thread cannot deal with in silence, it
 * gives back: this thread then reads that part itself. So all messages, errors and their places are those of one
 * thread.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import type { Sink } from '../../json/print.js';
import type { Elsewhere, Read, ReadPart } from '../../json/rows.js';
import { keepYoungSpaceSmall } from '../../node/engine.js';
import type { Detection } from '../../source/detect/detection.js';
import type { Part } from '../../source/piece.js';
import type { Input } from '../files/input.js';
import type { Terminal } from '../terminal/terminal.js';

/** The bytes of a part, about: a message between threads takes 0.05 ms, and a part 1 to 10 (2026-11-26). */
const PART = 1 << 20;
/** Parts that are read or wait for a thread, for each: so none waits for this thread. */
const AHEAD = 2;
/** A thread that does not answer for so long is given up. */
const PATIENCE = 60_000;
/** Parts that were given back, if they are the most of all, after which the rest is read by one thread. */
const GIVEN_UP = 4;

/** What threads share: how many results there are, and by thread how many parts it was given, and whether it ended. */
export const RESULTS = 0;
export const givenAt = (index: number) => 1 + 2 * index;
export const endedAt = (index: number) => 2 + 2 * index;

/** What a thread starts with. */
export interface WorkerData {
  readonly argv: readonly string[];
  /** What is printed depends on it. */
  readonly areTerminals: { readonly stdout: boolean; readonly stderr: boolean };
  readonly index: number;
  readonly signals: Int32Array;
  readonly port: MessagePort;
}

/** A part for a thread, which writes its output into `room`. */
export interface GivenPart extends Part {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly room: Uint8Array;
}

/** What a thread made of a part; undefined if it could not deal with it. */
export interface PartResult {
  readonly records: number;
  /** What the command made of it, besides its output. */
  readonly data: unknown;
  /** The length of the output in the room that was given. */
  readonly length: number;
  /** The output if there was too little room. */
  readonly output?: Uint8Array;
}

/** A part that was read elsewhere, with its output. Valid until the next one. */
export interface DonePart extends ReadPart {
  readonly data: unknown;
  readonly output: Buffer;
}

interface Slot {
  bytes: Buffer;
  readonly room: Buffer;
  length: number;
  lines: number;
  thread: Thread | undefined;
  /** Whether its thread is done with it. */
  isBack: boolean;
}

interface Thread {
  readonly index: number;
  readonly port: MessagePort;
  waiting: number;
  isLost: boolean;
}

export interface LineReader extends Elsewhere {
  readonly read: Read;
  begin(detection: Detection): void;
  /** Why threads that were asked for did not help, if so. */
  whyAlone(detection: Detection): string | undefined;
}

interface ThreadOptions {
  readonly count: number;
  /** Whether they were asked for. */
  readonly isAsked: boolean;
  /** Called when the first of them has ended. */
  onLoss(): void;
}

export class Threads {
  hasLost = false;
  private readonly all: Thread[] = [];
  private readonly signals: Int32Array;
  readonly free: Slot[] = [];

  constructor(
    private readonly options: ThreadOptions,
    private readonly terminal: Terminal,
  ) {
    this.signals = new Int32Array(new SharedArrayBuffer(4 * (1 + 2 * options.count)));
  }

  get isAsked(): boolean {
    return this.options.isAsked;
  }

  /** Whether threads can be started: the program in one piece cannot. */
  static readonly areThere = fileURLToPath(import.meta.url).endsWith('.cjs');

  /** The reader of an input; `isSettled` says whether nothing more must be learned from its beginning. */
  reader(input: Input, isSettled: () => boolean): LineReader {
    return new SharedReader(input, this, isSettled);
  }

  get isAlive(): boolean {
    return this.all.length === 0 || this.all.some(({ isLost }) => !isLost);
  }

  get ahead(): number {
    return AHEAD * this.options.count;
  }

  give(slot: Slot, part: Part, name: string): void {
    if (this.all.length === 0) this.start();
    const [first, ...others] = this.all.filter(({ isLost }) => !isLost);
    const thread = others.reduce((best, other) => (other.waiting < best.waiting ? other : best), first!);
    slot.thread = thread;
    slot.isBack = false;
    thread.waiting++;
    const bytes = slot.bytes.subarray(0, slot.length);
    thread.port.postMessage({ ...part, name, bytes, room: slot.room } satisfies GivenPart);
    Atomics.add(this.signals, givenAt(thread.index), 1);
    Atomics.notify(this.signals, givenAt(thread.index));
  }

  /** Waits for the result of a part; undefined if it must be read here. */
  resultOf(slot: Slot): PartResult | undefined {
    const { thread } = slot;
    if (thread === undefined || thread.isLost || slot.isBack) return undefined;
    const { receiveMessageOnPort } = workers();
    for (;;) {
      const seen = Atomics.load(this.signals, RESULTS);
      const hasEnded = Atomics.load(this.signals, endedAt(thread.index)) === 1;
      const got = receiveMessageOnPort(thread.port);
      if (got !== undefined) {
        thread.waiting--;
        slot.isBack = true;
        return got.message as PartResult | undefined;
      }
      if (hasEnded || Atomics.wait(this.signals, RESULTS, seen, PATIENCE) === 'timed-out') {
        if (!this.hasLost) this.options.onLoss();
        this.hasLost = true;
        thread.isLost = true;
        return undefined;
      }
    }
  }

  close(): void {
    for (const { index, port } of this.all) {
      port.postMessage(undefined);
      Atomics.add(this.signals, givenAt(index), 1);
      Atomics.notify(this.signals, givenAt(index));
      port.close();
    }
    this.all.length = 0;
  }

  private start(): void {
    const { MessageChannel, Worker } = workers();
    const program = join(dirname(fileURLToPath(import.meta.url)), 'cli.cjs');
    keepYoungSpaceSmall();
    const { stdout, stderr } = this.terminal;
    const areTerminals = { stdout: stdout.isTerminal, stderr: stderr.isTerminal };
    for (let index = 0; index < this.options.count; index++) {
      const { port1, port2 } = new MessageChannel();
      const argv = process.argv.slice(2);
      const workerData: WorkerData = { argv, areTerminals, index, signals: this.signals, port: port2 };
      const code = `globalThis.ctxTrimWorker=require('node:worker_threads').workerData;require(${JSON.stringify(program)})`;
      const worker = new Worker(code, { eval: true, workerData, transferList: [port2] });
      worker.on('error', () => {}); // it is told where its part is awaited
      worker.unref();
      port1.unref();
      this.all.push({ index, port: port1, waiting: 0, isLost: false });
    }
  }
}

function workers() {
  return createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
}

/** Reads an input: its beginning as it is, then part by part, of which threads take what they can. */
class SharedReader implements LineReader {
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

/** In a worker thread: takes parts in place of inputs. `take` returns what it made of one, besides its output. */
export function serveParts({ serve }: Terminal, take: (input: Input, sink: Sink) => unknown): 0 {
  return serve!(({ name, bytes, ...part }, sink) => {
    const all = bufferOf(bytes);
    let at = 0;
    const read: Read = (buffer, start, length) => {
      const got = all.copy(buffer, start, at, at + length);
      at += got;
      return got;
    };
    let records = 0;
    const ended = (count: number) => {
      records = count;
    };
    const data = take({ name, path: undefined, read, stats: undefined, part, ended, close() {} }, sink);
    return { records, data };
  });
}

function newSlot(): Slot {
  return { bytes: shared(PART), room: shared(PART + PART / 8), length: 0, lines: 0, thread: undefined, isBack: true };
}

/** What threads share is not copied from one to the other. */
function shared(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function lineBreaksIn(bytes: Buffer, length: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < length; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}
