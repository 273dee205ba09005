/**
 * How much more work four times as much is: by the CPU, the least of up to so many tries, so that what else the machine
 * does hardly counts. The first answer that a linear way would give is taken.
 */
export function growth(size: number, work: (size: number) => unknown, tries = 24): number {
  work(size); // what is made at the first time is no matter
  let [one, four] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let left = tries; left > 0 && !(four / Math.max(one, LEAST) < LINEAR); left--) {
    one = Math.min(
      one,
      cpuOf(() => work(size)),
    );
    four = Math.min(
      four,
      cpuOf(() => work(4 * size)),
    );
  }
  return four / Math.max(one, LEAST);
}

/** What `npm run growth` allows. */
const LINEAR = 5;

/** Microseconds; below it, clocks and collections of garbage are most of what is measured. */
const LEAST = 3000;

function cpuOf(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
