/** What keeps us from writing, in words. */
import { fstatSync } from 'node:fs';
import { isClosedPipe, writeAll } from './output.js';

/** What all output goes to cannot take it: no other input would fare better, so the run ends. Its message is the whole line. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

export function isOutputFailure(error: unknown): error is OutputFailure {
  return error instanceof Error && error.name === 'OutputFailure';
}

const REASONS = new Map<string, string>([
  ['ENOENT', 'there is no such folder'],
  ['ENOTDIR', 'a part of its path is no folder'],
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

/** Why nothing can be written, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? '') ?? message;
}

/** Writes to a descriptor that somebody else opened. Throws OutputFailure where it takes no more, ClosedPipe where nobody reads it. */
export function writeToStream(fd: number, name: string, bytes: Uint8Array, [start, end] = [0, bytes.length]): void {
  try {
    writeAll(fd, bytes, start, end);
  } catch (error) {
    if (isClosedPipe(error)) throw error;
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC' && !fstatSync(fd).isFile();
    throw new OutputFailure(`${name}: cannot write it: ${isFull ? 'the device is full' : reasonOf(error)}`);
  }
}
