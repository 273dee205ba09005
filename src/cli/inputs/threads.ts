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
import type { Read, ReadPart } from '../../json/rows.js';
import { keepYoungSpaceSmall, startYoung } from '../../node/engine.js';
import type { Part } from '../../source/piece.js';
import type { Input } from '../files/input.js';
import type { Terminal } from '../terminal/terminal.js';

/** Parts that are read or wait for a thread, for each: so none waits for this thread. */
const AHEAD = 2;
/** With it, a thread takes 40 to 60 MB in place of 75 to 95, and as much CPU (bench/NOTES.md, 2026-11-26). */
const LIMITS = { maxYoungGenerationSizeMb: 12 };
/** A thread that does not answer for so long is given up. */
const PATIENCE = 60_000;

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

/** What a worker thread tells of lines that it rewrote. */
export interface PartOfRewrite {
  readonly changed: boolean;
  readonly told: unknown;
}

export interface Slot {
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
  /** What it was given and has not answered, in its order. */
  readonly waiting: Slot[];
  isLost: boolean;
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

  get isAlive(): boolean {
    return this.all.length === 0 || this.all.some(({ isLost }) => !isLost);
  }

  get ahead(): number {
    return AHEAD * this.options.count;
  }

  give(slot: Slot, part: Part, name: string): void {
    if (this.all.length === 0) this.start();
    const [first, ...others] = this.all.filter(({ isLost }) => !isLost);
    const thread = others.reduce((best, other) => (other.waiting.length < best.waiting.length ? other : best), first!);
    slot.thread = thread;
    slot.isBack = false;
    thread.waiting.push(slot);
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
        const answered = thread.waiting.shift()!;
        answered.isBack = true;
        if (answered === slot) return got.message as PartResult | undefined;
        continue; // a part of an input that could not be read to its end
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
    startYoung();
    const { stdout, stderr } = this.terminal;
    const areTerminals = { stdout: stdout.isTerminal, stderr: stderr.isTerminal };
    for (let index = 0; index < this.options.count; index++) {
      const { port1, port2 } = new MessageChannel();
      const argv = process.argv.slice(2);
      const workerData: WorkerData = { argv, areTerminals, index, signals: this.signals, port: port2 };
      const given = `globalThis.ctxTrimWorker=require('node:worker_threads').workerData`;
      const code = `${given};require(${JSON.stringify(program)})`;
      const worker = new Worker(code, { eval: true, workerData, transferList: [port2], resourceLimits: LIMITS });
      worker.on('error', () => {}); // it is told where its part is awaited
      worker.unref();
      port1.unref();
      this.all.push({ index, port: port1, waiting: [], isLost: false });
    }
  }
}

function workers() {
  return createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
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

export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
