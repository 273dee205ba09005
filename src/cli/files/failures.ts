/** Errors of output. */
import { fstatSync } from 'node:fs';
import { isClosedPipe, writeAll } from './output.js';
import { reasonOf } from './write-reasons.js';

/** The output of the whole run cannot be written, so the run ends. The message is the whole line to print. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

export function isOutputFailure(error: unknown): error is OutputFailure {
  return error instanceof Error && error.name === 'OutputFailure';
}

/** Writes to an inherited descriptor. Throws OutputFailure if it is full, ClosedPipe if it has no reader. */
export function writeToStream(fd: number, name: string, bytes: Uint8Array, [start, end] = [0, bytes.length]): void {
  try {
    writeAll(fd, bytes, start, end);
  } catch (error) {
    if (isClosedPipe(error)) throw error;
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC' && !fstatSync(fd).isFile();
    throw new OutputFailure(`${name}: cannot write it: ${isFull ? 'the device is full' : reasonOf(error)}`);
  }
}
