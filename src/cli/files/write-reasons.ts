/** Why a write failed, in words. */

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
