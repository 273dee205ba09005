import { lstatSync, type Stats, statSync } from 'node:fs';

/** Undefined if nothing is there. Only Node 20 throws for a path below a file, as sessions in databases have. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether Node lists what is at a path, and cannot find it: bytes of its name are not UTF-8. */
export function isMisnamed(path: string, error: unknown): boolean {
  return path.includes('\ufffd') && (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Whether a file, a folder or a link is at the path; false where it may not be looked for. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
