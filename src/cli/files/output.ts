import { writeSync } from 'node:fs';
import type { Sink } from '../../json/print.js';
import { patiently } from './retry-eagain.js';

/** The reader closed the pipe, which is not an error. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && error.name === 'ClosedPipe';
}

/** Writes all bytes to a descriptor. Throws ClosedPipe if the pipe is closed. */
export function writeAll(fd: number, bytes: Uint8Array, start = 0, end = bytes.length): void {
  for (let at = start; at < end; ) {
    try {
      at += patiently(() => writeSync(fd, bytes, at, end - at));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EPIPE' ? new ClosedPipe() : error;
    }
  }
}

const SMALL = 1 << 16;
const BUFFER = 1 << 18;

/** A sink that collects small pieces, and writes long slices without a copy. */
export class BufferedSink implements Sink {
  private readonly buffer = Buffer.allocUnsafeSlow(BUFFER);
  private used = 0;
  private run: Buffer | undefined = undefined;
  private runStart = 0;
  private runEnd = 0;
  /** The last byte written, to detect an incomplete line. */
  lastByte = -1;

  constructor(private readonly write: (bytes: Uint8Array, start: number, end: number) => void) {}

  slice(bytes: Buffer, start: number, end: number): void {
    if (start === end) return;
    this.lastByte = bytes[end - 1]!;
    if (bytes === this.run && start === this.runEnd) {
      this.runEnd = end;
      return;
    }
    this.endRun();
    this.run = bytes;
    this.runStart = start;
    this.runEnd = end;
  }

  text(text: string): void {
    if (text === '') return;
    this.endRun();
    const bytes = Buffer.from(text);
    this.lastByte = bytes[bytes.length - 1]!;
    this.gather(bytes, 0, bytes.length);
  }

  flush(): void {
    this.endRun();
    this.empty();
  }

  /** Writes or copies all slices, so that their buffers can be reused. */
  settle(): void {
    this.endRun();
  }

  private endRun(): void {
    if (this.run !== undefined) this.gather(this.run, this.runStart, this.runEnd);
    this.run = undefined;
  }

  private gather(bytes: Buffer, start: number, end: number): void {
    if (end - start > SMALL || this.used + end - start > BUFFER) this.empty();
    if (end - start > SMALL) this.write(bytes, start, end);
    else this.used += bytes.copy(this.buffer, this.used, start, end);
  }

  private empty(): void {
    if (this.used > 0) this.write(this.buffer, 0, this.used);
    this.used = 0;
  }
}
