/** What parts of messages were read from: tape indices in ascending order. */

export function isIn(cover: readonly number[], at: number): boolean {
  return cover[firstFrom(cover, at)] === at;
}

/** The index of the first number that is at least `at`. */
export function firstFrom(sorted: readonly number[], at: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < at) from = middle + 1;
    else to = middle;
  }
  return from;
}
