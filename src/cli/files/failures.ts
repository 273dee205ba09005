/** Errors of output. */
import { fstatSync } from 'node:fs';
import { isClosedPipe, writeAll } from './output.js';

/** The output of the whole run cannot be written, so the run ends. The message is the whole line to print. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

export function isOutputFailure(error: unknown): error is OutputFailure {
  return error instanceof Error && error.name === 'OutputFailure';
}

const REASONS = new Map<string, string>([
  ['ENOENT', 'there is no such folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EACCES', 'permission to write there is denied'],
  ['EPERM', 'permission to write there is denied'],
  ['EROFS', 'the file system is read-only'],
  ['EISDIR', 'it is a directory'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'it would be larger than a file may be'],
  ['EBADF', 'it is not open for writing'],
  ['ENXIO', 'there is no such device'],
  ['EINVAL', 'it is not open for writing'],
  ['EIO', 'the device has failed'],
]);

/** The reason of a failed write. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? '') ?? message;
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
