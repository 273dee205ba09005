// One more run of the tests, in which each test tries the mutants that it meets, one after the other: the price of a
// try is that of a test. A test file in which a test failed without its mutant, or with one that it did not meet, does
// not count.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { Runner } from './runner.mjs';

/** Test files of one thread: what they found is kept when the last of them has ended. */
const TOGETHER = 10;
/** Milliseconds of processor time for a file of no length: its tests run again and again. */
const LONG = 100_000;

/** Tells `answer` of the mutants that a test noticed, and of those that were tried. */
export async function triedInEach(mutants, tests, { count, jobs, deadline, answer }) {
  const open = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const isFar = ({ path }) => ['adapters', 'cli', 'library', 'policy', 'reports'].includes(path.split('/')[1]);
  const queue = [...tests].sort((x, y) => Number(isFar(x)) - Number(isFar(y)));
  const controls = { ran: 0, failed: new Set() };
  const work = async (job) => {
    const into = `mutants-each-${job}.tmp`;
    const runner = new Runner({ MUTANTS_EACH: into }, ['each']);
    while (queue.length > 0 && open.size > 0 && Date.now() < deadline) {
      const files = queue.splice(0, TOGETHER);
      rmSync(into, { force: true });
      writeFileSync(`${into}.plan`, JSON.stringify([...open.values()].map(planOf)));
      const list = files.map(({ path, ms }) => ({ path, ms: LONG + 40 * ms }));
      const { ended, cpu } = await runner.run({ id: 0, limit: 0, count, seconds: 0, tests: list });
      const lines = existsSync(into)
        ? readFileSync(into, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
      take(lines, { open, controls, answer });
      if (ended) {
        const at = lines.findLast(({ began }) => began !== undefined);
        open.delete(at?.began); // it may have been the mutant, or the file is long: it is tried alone
        queue.push(...files.slice(files.findIndex(({ path }) => resolve(path) === at?.path) + 1));
      }
      console.log(
        `${files.length} files, one mutant after the other, ${cpu} CPU s; ${queue.length} left, ${open.size} mutants`,
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

/** `words`: a test whose name has one of these is near. */
function planOf({ id, file }) {
  return { id, words: [basename(file, '.ts'), basename(dirname(file))].filter((word) => word !== 'shared') };
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
