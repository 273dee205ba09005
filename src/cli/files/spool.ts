/** Output that may become a file later. Nothing of it is left behind, however the program ends. */
import { closeSync, readSync } from 'node:fs';
import { OutputFailure } from './failures.js';
import { writeAll } from './output.js';
import { openNameless } from './temporary.js';
import { reasonOf } from './write-reasons.js';

/** More than this is moved from memory to an unnamed file. */
const IN_MEMORY = 4 << 20;
const PIECE = 1 << 20;

export class Spool {
  private pieces: Buffer[] = [];
  private held = 0;
  private fd: number | undefined = undefined;

  constructor(
    private readonly target: string,
    private readonly name: string,
  ) {}

  /** Throws OutputFailure if the disk is full. */
  write(bytes: Uint8Array, start: number, end: number): void {
    try {
      if (this.fd === undefined && this.held + end - start > IN_MEMORY) this.moveToFile();
      if (this.fd !== undefined) writeAll(this.fd, bytes, start, end);
      else this.pieces.push(Buffer.from(bytes.subarray(start, end))); // the writer reuses its buffer
      this.held += end - start;
    } catch (error) {
      throw new OutputFailure(`${this.name}: cannot write it: ${reasonOf(error)}`);
    }
  }

  /** All bytes from the start. */
  *read(): Generator<Uint8Array, void, void> {
    yield* this.pieces;
    if (this.fd === undefined) return;
    const piece = Buffer.allocUnsafe(PIECE);
    for (let at = 0; at < this.held; ) {
      const got = readSync(this.fd, piece, 0, PIECE, at);
      if (got === 0) throw new Error('the temporary file is shorter than what was written to it');
      yield piece.subarray(0, got);
      at += got;
    }
  }

  get length(): number {
    return this.held;
  }

  /** Bytes from anywhere, as many as there are. */
  at(position: number, length: number): Buffer {
    if (this.fd === undefined) {
      this.pieces = [Buffer.concat(this.pieces)];
      return this.pieces[0]!.subarray(position, position + length);
    }
    const bytes = Buffer.alloc(Math.min(length, this.held - position));
    return bytes.subarray(0, readSync(this.fd, bytes, 0, bytes.length, position));
  }

  close(): void {
    this.pieces = [];
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }

  private moveToFile(): void {
    this.fd = openNameless(this.target);
    for (const piece of this.pieces) writeAll(this.fd, piece);
    this.pieces = [];
  }
}
