/** `dataset --format json`. */
import type { z } from 'zod';
import type { Omissions } from '../omissions.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { datasetSchema } from './schemas/dataset.js';

interface Counts {
  readonly rows: number;
  readonly kept: number;
  readonly changed: number;
  readonly dropped: number;
  readonly unchecked: number;
  readonly changes: ReadonlyMap<string, number>;
  readonly drops: ReadonlyMap<string, number>;
  readonly unread: Omissions['unread'];
}

export function datasetDocument(counts: Counts): Exact<z.output<typeof datasetSchema>> {
  const { rows, kept, changed, dropped, unchecked, changes, drops } = counts;
  const listed = (reasons: ReadonlyMap<string, number>) =>
    [...reasons].map(([reason, amount]) => ({ reason, rows: amount }));
  const left = { unread: omissionsJson({ ...counts, badLines: [] }).unread };
  return {
    version: 1,
    rows,
    kept,
    changed,
    dropped,
    unchecked,
    changes: listed(changes),
    drops: listed(drops),
    ...left,
  };
}
