// What survived, by all test files that meet it: as a group, and alone by those that fail (see group.mjs). Whatever
// stands in data that is read once in a thread is tried here for the first time.
import { failingOf, inTurn, triedAsGroup } from './group.mjs';
import { largestLimitOf, testsOf } from './order.mjs';
import { Runner } from './runner.mjs';

/** Test files of one thread. */
const TOGETHER = 30;

/** Tells `answer` what came of each mutant: what noticed it, that it never ends, or nothing. */
export async function triedInside(mutants, tests, { count, jobs, deadline, answer }) {
  const runners = Array.from({ length: jobs }, () => new Runner());
  const lengths = new Map(tests.map(({ path, ms }) => [path, ms]));
  const onOf = (mutant) => ({ id: mutant.id, limit: largestLimitOf(mutant, tests) });
  const run = (some, paths, job) =>
    runners[job].run({ on: some.map(onOf), count, tests: paths.map((path) => ({ path, ms: lengths.get(path) })) });
  /** Test files by whether they pass without a mutant: where one fails, it says nothing of a mutant. */
  const passes = new Map();
  const isTrusted = (path) => passes.get(path) !== false;
  const failedOf = async (some, paths, job) => {
    const { ended, failures } = await run(some, paths, job);
    const failed = paths.filter((path) => failures.some((failure) => failure.startsWith(`${path}: `)));
    return { ended, failed: failed.length < failures.length ? paths : failed }; // an error of no file
  };
  const failing = async (group, files) => {
    const trusted = files.filter(isTrusted);
    const chunks = trusted.flatMap((_, at) => (at % TOGETHER === 0 ? [trusted.slice(at, at + TOGETHER)] : []));
    const failed = [];
    await inTurn(chunks, jobs, async (chunk, job) => {
      if (Date.now() < deadline)
        failed.push(...(await failingOf(group, chunk, (some, paths) => failedOf(some, paths, job))));
    });
    return failed;
  };
  const alone = async (mutant, files, job) => {
    const trusted = files.filter(isTrusted);
    if (trusted.length === 0) return {};
    const { ended, failures } = await run([mutant], trusted, job);
    const [by] = failures;
    const path = files.find((one) => by?.startsWith(`${one}: `));
    if (path === undefined) return { ended, by };
    if (!passes.has(path)) {
      const without = await run([], [path], job);
      passes.set(path, !without.ended && without.failures.length === 0);
      if (!passes.get(path)) console.log(`Without a mutant: ${without.failures[0] ?? path}`);
    }
    return passes.get(path) ? { by } : alone(mutant, files, job);
  };
  const suspects = new Map(mutants.map((mutant) => [mutant, testsOf(mutant, tests).map(({ path }) => path)]));
  const suspected = (mutant) => suspects.get(mutant);
  await triedAsGroup(mutants, { suspected, failing, alone, jobs, deadline, answer });
  for (const runner of runners) runner.end();
}
