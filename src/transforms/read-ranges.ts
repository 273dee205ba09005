/** Finds out whether later reads of a file show all that an earlier one shows. */
import type { Lines } from './file-calls.js';

export class ReadRanges {
  /** Ranges of which none is within another: sorted by start, and so by end too. */
  private readonly outermost: Lines[] = [];

  add(range: Lines): void {
    if (this.covers(range)) return;
    const at = this.countUpTo(range.start - 1);
    let within = 0;
    while (at + within < this.outermost.length && this.outermost[at + within]!.end <= range.end) within++;
    this.outermost.splice(at, within, range);
  }

  /** Whether one of the ranges has all these lines. */
  covers({ start, end }: Lines): boolean {
    const before = this.outermost[this.countUpTo(start) - 1];
    return before !== undefined && before.end >= end;
  }

  /** How many ranges start at this line or before. */
  private countUpTo(start: number): number {
    let low = 0;
    let high = this.outermost.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.outermost[middle]!.start <= start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
