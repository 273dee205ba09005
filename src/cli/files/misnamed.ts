/** Whether Node lists what is at a path, and cannot find it: bytes of its name are not UTF-8. */
export function isMisnamed(path: string, error: unknown): boolean {
  return path.includes('\ufffd') && (error as NodeJS.ErrnoException).code === 'ENOENT';
}
