/** What became of each row, counted and written. */
import type { Made } from '../../../engine/dataset/dataset.js';
import type { Sink } from '../../../json/print.js';
import type { FileUnread } from '../../../omissions.js';
import { grouped, plural } from '../../../text/words.js';

export interface Entry extends Omit<Made, 'text'> {
  readonly file: string;
  readonly row: number;
  readonly agent?: string | undefined;
  readonly split?: string | undefined;
}

export class Ledger {
  rows = 0;
  kept = 0;
  changed = 0;
  dropped = 0;
  unchecked = 0;
  /** Why rows were changed: one may have several reasons. */
  readonly changes = new Map<string, number>();
  /** Why rows were dropped: one each. */
  readonly drops = new Map<string, number>();

  /** What no message holds, of the part of each file that was searched. */
  readonly unread: FileUnread[] = [];

  constructor(private readonly sink: Sink | undefined) {}

  add({ outcome, reasons, isUnchecked, file, row, agent, split, detail }: Entry): void {
    this.rows++;
    this[outcome]++;
    if (isUnchecked) this.unchecked++;
    const counts = outcome === 'dropped' ? this.drops : this.changes;
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const entry = { file, row, agent, outcome, reasons, detail, split };
    this.sink?.text(`${JSON.stringify(entry)}\n`);
  }

  /** Internal errors: rows that are neither here nor there. */
  assertWhole(): void {
    const dropped = [...this.drops.values()].reduce((sum, count) => sum + count, 0);
    if (this.kept + this.changed + this.dropped !== this.rows || dropped !== this.dropped)
      throw new Error(`the ledger of ${this.rows} rows does not add up`);
  }

  text(): string[] {
    const named = (counts: ReadonlyMap<string, number>) => {
      const all = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} ${grouped(count)}`);
      return all.length === 0 ? '' : ` (${all.join(', ')})`;
    };
    const unchecked =
      this.unchecked === 1
        ? '1 row calls tools but defines none: its calls were not checked'
        : `${grouped(this.unchecked)} rows call tools but define none: their calls were not checked`;
    return [
      `ctx-trim: ${plural(this.rows, 'row')}: ${grouped(this.kept)} kept, ` +
        `${grouped(this.changed)} changed${named(this.changes)}, ${grouped(this.dropped)} dropped${named(this.drops)}`,
      ...(this.unchecked > 0 ? [`ctx-trim: ${unchecked}`] : []),
    ];
  }
}
