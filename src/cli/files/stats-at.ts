import { type Stats, statSync } from 'node:fs';

/** Undefined if nothing is there. Only Node 20 throws for a path below a file, as sessions in databases have. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
