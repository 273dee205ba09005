/** `select --format json`. */
import type { z } from 'zod';
import type { Omissions } from '../omissions.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { selectSchema } from './schemas/select.js';

interface Counts {
  readonly file: string;
  readonly records: number;
  readonly kept: number;
  readonly badLines: number;
  readonly dropped: ReadonlyMap<string, number>;
  readonly unread: Omissions['unread'];
}

export function selectDocument(
  files: readonly Counts[],
  total: Counts,
  splits: readonly { readonly name: string; readonly records: number }[],
): Exact<z.output<typeof selectSchema>> {
  return {
    version: 1,
    files: files.map((one) => ({ file: one.file, ...countsOf(one) })),
    splits: splits.map(({ name, records }) => ({ name, records })),
    total: { files: files.length, ...countsOf(total) },
    unread: omissionsJson({ ...total, badLines: [] }).unread,
  };
}

function countsOf({ records, kept, badLines, dropped }: Counts) {
  const causes = [...dropped].map(([by, count]) => ({
    by: by.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    records: count,
  }));
  return { records, kept, dropped: causes, bad_lines: badLines };
}
