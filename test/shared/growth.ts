/**
 * How much more work four times as much is: the least that either took in up to so many runs, since what else the
 * machine does only adds. The first answer that a linear way would give is taken.
 */
export function growth(size: number, work: (size: number) => unknown, tries = 12): number {
  work(size); // what is made at the first time is no matter
  let [one, four] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  do {
    one = Math.min(
      one,
      cpuOf(() => work(size)),
    );
    four = Math.min(
      four,
      cpuOf(() => work(4 * size)),
    );
  } while (--tries > 0 && four >= LINEAR * Math.max(one, LEAST));
  return four / Math.max(one, LEAST);
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
