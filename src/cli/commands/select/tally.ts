/** How many records stay, and what drops the others. */
import type { Reason } from '../../../engine/select/select.js';
import type { FileUnread } from '../../../omissions.js';
import { kebab } from '../../../options/parse.js';
import { grouped, plural } from '../../../text/words.js';

export interface Tally {
  readonly file: string;
  records: number;
  kept: number;
  badLines: number;
  readonly dropped: Map<Reason, number>;
  /** Of the part that was searched. */
  readonly unread: FileUnread[];
}

export function createTally(file: string): Tally {
  return { file, records: 0, kept: 0, badLines: 0, dropped: new Map(), unread: [] };
}

/** Adds what a worker thread counted of its lines. */
export function addTally(tally: Tally, { records, kept, badLines, dropped }: Tally): void {
  tally.records += records;
  tally.kept += kept;
  tally.badLines += badLines;
  for (const [reason, count] of dropped) tally.dropped.set(reason, (tally.dropped.get(reason) ?? 0) + count);
}

/** `drops`: whether bad lines are dropped, too. */
export function changes({ records, kept, badLines }: Tally, drops: boolean): boolean {
  return kept < records || (drops && badLines > 0);
}

/** `runs.jsonl: kept 812 of 1,000 records; dropped 100 by --min-messages, 88 by --valid`. */
export function tallyText({ file, records, kept, badLines, dropped }: Tally, drops: boolean): string {
  const causes = [...dropped].map(([reason, count], index) => {
    return `${index === 0 ? 'dropped ' : ''}${grouped(count)} by --${kebab(reason)}`;
  });
  const bad = badLines === 0 ? [] : [`${plural(badLines, 'bad line')} ${drops ? 'dropped' : 'copied'}`];
  const parts = [
    `kept ${grouped(kept)} of ${plural(records, 'record')}`,
    ...(causes.length > 0 ? [causes.join(', ')] : []),
    ...bad,
  ];
  return `${file}: ${parts.join('; ')}`;
}

/** All files together. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = createTally('all');
  for (const { records, kept, badLines, dropped, unread } of tallies) {
    sum.records += records;
    sum.kept += kept;
    sum.badLines += badLines;
    for (const one of unread) sum.unread.push(one);
    for (const [reason, count] of dropped) sum.dropped.set(reason, (sum.dropped.get(reason) ?? 0) + count);
  }
  return sum;
}
