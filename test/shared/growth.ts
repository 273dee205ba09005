/**
 * How much more work four times as much is: the median of up to so many pairs, so that what else the machine does, or
 * one run without a collection of garbage, hardly counts. The first answer that a linear way would give is taken.
 */
export function growth(size: number, work: (size: number) => unknown, tries = 12): number {
  work(size); // what is made at the first time is no matter
  const pairs: number[] = [];
  do {
    const one = cpuOf(() => work(size));
    pairs.push(cpuOf(() => work(4 * size)) / Math.max(one, LEAST));
    pairs.sort((a, b) => a - b);
  } while (pairs.length < tries && !(pairs[pairs.length >> 1]! < LINEAR));
  return pairs[pairs.length >> 1]!;
}

/** What `npm run growth` allows. */
const LINEAR = 5;

/** Microseconds; below it, clocks and collections of garbage are most of what is measured. */
const LEAST = 3000;

/**
 * Microseconds of CPU, or of the clock where that went on less: the process's CPU counts the threads that compile and
 * collect garbage beside the action, the clock counts what else the machine does.
 */
function cpuOf(action: () => unknown): number {
  const [before, start] = [process.cpuUsage(), performance.now()];
  action();
  const clock = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(before);
  return Math.min(user + system, clock);
}
