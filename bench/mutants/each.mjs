// One run of the tests with another mutant in each test: tries hundreds of tests on each mutant at the price of one
// run. A test file in which a test failed without its mutant, or with one that it did not meet, does not count.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { limitOf } from './order.mjs';
import { Runner } from './runner.mjs';

/** Test files of one thread. */
const TOGETHER = 10;

/** Tells `answer` of the mutants that a test noticed, and of those that were tried. */
export async function triedInEach(mutants, tests, { count, jobs, deadline, answer }) {
  const open = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const seeing = tests.filter(({ met }) => mutants.some(({ key }) => met[key] !== undefined));
  const isFar = ({ path }) => ['adapters', 'cli', 'library', 'policy', 'reports'].includes(path.split('/')[1]);
  seeing.sort((x, y) => Number(isFar(x)) - Number(isFar(y)));
  const controls = { ran: 0, failed: new Set() };
  const work = async (job) => {
    const into = `mutants-each-${job}.tmp`;
    const runner = new Runner({ MUTANTS_EACH: into }, ['each']);
    while (seeing.length > 0 && Date.now() < deadline) {
      const files = seeing.splice(0, TOGETHER);
      rmSync(into, { force: true });
      writeFileSync(`${into}.plan`, JSON.stringify(planOf(files, [...open.values()], tests)));
      const list = files.map(({ path, ms }) => ({ path, ms }));
      const { ended, cpu } = await runner.run({ id: 0, limit: 0, count, seconds: 0, tests: list });
      const lines = existsSync(into)
        ? readFileSync(into, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
      const at = ended ? lines.findLast(({ began }) => began !== undefined) : undefined;
      if (at?.began > 0) answer(open.get(at.began), { ended: true, test: relative('.', at.path) });
      if (ended) seeing.push(...files.slice(files.findIndex(({ path }) => resolve(path) === at?.path) + 1));
      take(lines, { open, controls, answer });
      console.log(
        `${files.length} files with a mutant in each test, ${cpu} CPU s; ${seeing.length} left, ${open.size} mutants`,
      );
    }
    runner.end();
    for (const path of [into, `${into}.plan`]) rmSync(path, { force: true });
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
  console.log(`Tests without a mutant: ${controls.ran} among the others; files of which one failed:`, [
    ...controls.failed,
  ]);
}

function planOf(files, mutants, tests) {
  const plan = mutants.map((mutant) => ({
    key: mutant.key,
    id: mutant.id,
    limit: limitOf(mutant, tests),
    words: [basename(mutant.file, '.ts'), basename(dirname(mutant.file))].filter((word) => word !== 'shared'),
  }));
  return Object.fromEntries(
    files.map(({ path, met, loaded }) => [
      resolve(path),
      plan.filter(({ key }) => met[key] !== undefined).map((one) => ({ ...one, isLoaded: loaded.includes(one.key) })),
    ]),
  );
}

function take(lines, { open, controls, answer }) {
  const ran = lines.filter(({ id }) => id !== undefined);
  const wrong = new Set(ran.filter(({ by, isMet }) => by !== undefined && !isMet).map(({ path }) => path));
  controls.ran += ran.filter(({ isMet }) => !isMet).length;
  for (const path of wrong) controls.failed.add(relative('.', path));
  for (const { id, path, isMet, by } of ran) {
    const mutant = open.get(id);
    if (!isMet || wrong.has(path) || mutant === undefined) continue;
    if (by !== undefined) open.delete(id);
    answer(mutant, { test: relative('.', path), by: by && `${relative('.', path)}: ${by}` });
  }
}
