/** A worker thread of cli/inputs/threads.ts: runs the same command, and takes parts in place of its inputs. */
import { createRequire } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import type { Sink } from '../json/print.js';
import { runIn } from './cli.js';
import { endedAt, type GivenPart, givenAt, type PartResult, RESULTS, type WorkerData } from './inputs/threads.js';
import { type Stream, type Terminal, USUAL_WIDTH } from './terminal/terminal.js';

export async function work({ argv, areTerminals, index, signals, port }: WorkerData): Promise<void> {
  const tell = (at: number) => {
    Atomics.add(signals, at, 1);
    Atomics.notify(signals, RESULTS);
  };
  process.once('exit', () => {
    Atomics.store(signals, endedAt(index), 1);
    tell(RESULTS);
  });
  let hasSpoken = false;
  const stream = (isTerminal: boolean): Stream => ({
    isTerminal,
    columns: USUAL_WIDTH,
    write() {
      hasSpoken = true;
    },
    data() {
      hasSpoken = true;
    },
  });
  const terminal: Terminal = {
    env: process.env,
    cwd: process.cwd(),
    stdin: () => 0,
    stdinIsTerminal: false,
    stdout: stream(areTerminals.stdout),
    stderr: stream(areTerminals.stderr),
    serve(take) {
      for (const part of partsFrom(port, signals, givenAt(index))) {
        hasSpoken = false;
        const sink = new PartSink(Buffer.from(part.room.buffer, part.room.byteOffset, part.room.byteLength));
        let result: PartResult | undefined;
        try {
          const { records, data } = take(part, sink);
          sink.settle();
          if (!hasSpoken) result = { records, data, ...sink.written() };
        } catch {
          // whatever is wrong, it happens again in the thread that can tell
        }
        port.postMessage(result);
        tell(RESULTS);
      }
      return 0;
    },
  };
  await runIn(terminal, argv);
  port.close();
}

/** Waits for one part after the other. */
function* partsFrom(port: MessagePort, signals: Int32Array, at: number): Generator<GivenPart, void, void> {
  const { receiveMessageOnPort } = createRequire(import.meta.url)(
    'node:worker_threads',
  ) as typeof import('node:worker_threads');
  for (;;) {
    const seen = Atomics.load(signals, at);
    const got = receiveMessageOnPort(port);
    if (got === undefined) Atomics.wait(signals, at, seen);
    else if (got.message === undefined) return;
    else yield got.message as GivenPart;
  }
}

/** Writes into the memory that was given, or into more if that does not suffice. */
class PartSink implements Sink {
  private used = 0;
  private isOwn = false;
  private run: Buffer | undefined;
  private start = 0;
  private end = 0;

  constructor(private out: Buffer) {}

  slice(bytes: Buffer, start: number, end: number): void {
    if (bytes === this.run && start === this.end) {
      this.end = end;
      return;
    }
    this.settle();
    this.run = bytes;
    this.start = start;
    this.end = end;
  }

  text(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text);
    this.slice(bytes, 0, bytes.length);
  }

  settle(): void {
    const { run, start, end } = this;
    this.run = undefined;
    if (run === undefined) return;
    this.makeRoom(end - start);
    this.used += run.copy(this.out, this.used, start, end);
  }

  written(): Pick<PartResult, 'length' | 'output'> {
    return { length: this.used, ...(this.isOwn ? { output: this.out.subarray(0, this.used) } : {}) };
  }

  private makeRoom(length: number): void {
    if (this.used + length <= this.out.length) return;
    const more = Buffer.allocUnsafeSlow(2 * (this.used + length));
    this.out.copy(more, 0, 0, this.used);
    this.out = more;
    this.isOwn = true;
  }
}
