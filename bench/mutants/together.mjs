// The first tries of many mutants in one thread: another mutant in each test file, which spares loading the sources
// for each. Only tests that met the mutant while they ran, not while something was loaded. Files without a mutant run
// among them: where one fails, what mutants left behind has changed the sources' state, and the answers do not count.
import { largestLimitOf, testsOf, versionOf } from './order.mjs';
import { Runner } from './runner.mjs';

const ROUNDS = 2;
/** Of the likeliest tests of a mutant, how many may come first; and how many milliseconds they may take. */
const WIDE = 5;
const LONG = 6000;
/** Mutants of one thread, and one file without a mutant for so many of them. */
const SIZE = 24;
const CONTROLLED = 6;

/** Tries each mutant by its likeliest tests. `answer` is told what each test file found, if anything. */
export async function triedTogether(mutants, tests, { count, jobs, deadline, answer }) {
  const dead = new Set();
  const tried = new Map(mutants.map(({ key, passed = [] }) => [key, new Set(passed)]));
  const controls = { ran: 0, failed: 0 };
  const told = (mutant, found) => {
    if (found.by !== undefined) dead.add(mutant.key);
    answer(mutant, found);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const open = mutants.filter(({ key }) => !dead.has(key));
    const groups = groupsOf(open, { tests, tried });
    const work = async () => {
      const runner = new Runner({}, ['together']);
      for (let group = groups.shift(); group !== undefined && Date.now() < deadline; group = groups.shift())
        await tryGroup(group, { runner, tests, count, controls, told });
      runner.end();
    };
    await Promise.all(Array.from({ length: jobs }, work));
  }
  console.log(`Files without a mutant: ${controls.ran} among the others, ${controls.failed} of them failed`);
}

/** Each group: a map from test files to the mutants that they are to notice. Whose files are all taken, waits. */
function groupsOf(mutants, { tests, tried }) {
  const groups = Array.from({ length: Math.ceil(mutants.length / SIZE) }, () => new Map());
  for (const mutant of mutants) {
    const known = tried.get(mutant.key);
    const sees = (test) => test.met[mutant.key] !== undefined && !test.loaded.includes(mutant.key);
    const isNext = (test) => sees(test) && test.ms <= LONG && !known.has(versionOf(test));
    const free = testsOf(mutant, tests.filter(isNext))
      .slice(0, WIDE)
      .map((test) => ({
        test,
        group: groups.find((one) => one.size < SIZE && !one.has(test)),
      }));
    const found = free.find(({ group }) => group !== undefined);
    found?.group.set(found.test, mutant);
    if (found !== undefined) known.add(versionOf(found.test));
  }
  return groups.filter(({ size }) => size > 0);
}

async function tryGroup(group, { runner, tests, count, controls, told }) {
  const trials = [...group].map(([test, mutant]) => ({
    ...bare(test),
    id: mutant.id,
    limit: largestLimitOf(mutant, tests),
  }));
  const others = tests.filter((test) => !group.has(test) && test.ms < 1000);
  const list = trials.flatMap((trial, index) => {
    const control = index % CONTROLLED === CONTROLLED - 1 ? others[(index * 7 + trial.id) % others.length] : undefined;
    return control === undefined ? [trial] : [trial, { ...bare(control), id: 0, limit: 0 }];
  });
  const unique = list.filter((one, index) => list.findIndex(({ path }) => path === one.path) === index);
  const { ended, failures, cpu } = await runner.run({ on: [], count, tests: unique });
  if (ended) return console.log('a thread never ended: its mutants are tried one at a time');
  const failedAt = (path) => failures.find((failure) => failure.startsWith(`${path}: `));
  const withoutMutant = unique.filter(({ id }) => id === 0);
  const failed = withoutMutant.filter(({ path }) => failedAt(path));
  controls.ran += withoutMutant.length;
  controls.failed += failed.length;
  for (const { path } of failed) console.log(`Without a mutant, behind others: ${failedAt(path)}`);
  if (failed.length > 0) return;
  for (const [test, mutant] of group)
    told(mutant, { test: versionOf(test), by: failedAt(test.path), cpu: Math.round((10 * cpu) / unique.length) / 10 });
  console.log(
    `${group.size} together, ${cpu} CPU s, ${[...group].filter(([{ path }]) => failedAt(path)).length} noticed`,
  );
}

const bare = ({ path, ms }) => ({ path, ms });
