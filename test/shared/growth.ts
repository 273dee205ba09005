/**
 * How much more work four times as much is: by the CPU, the least of several tries, so that what else the machine does
 * hardly counts.
 */
export function growth(size: number, work: (size: number) => unknown, tries = 4): number {
  work(size); // what is made at the first time is no matter
  const least = (times: number) => Math.min(...Array.from({ length: tries }, () => cpuOf(() => work(times * size))));
  return least(4) / Math.max(least(1), LEAST);
}

/** Microseconds; below it, clocks and collections of garbage are most of what is measured. */
const LEAST = 3000;

function cpuOf(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
