// In the thread of the tests: another mutant in each test. It is the one that was tried least of those that the test
// file meets; each fourth test runs without one, as a control. What came of a test is written to a file, line by
// line.
import { appendFileSync, readFileSync } from 'node:fs';
import { beforeEach, onTestFinished } from 'vitest';

const CONTROLLED = 4;
const { MUTANTS_EACH } = process.env;

/** `plan`: the mutants by file, as `{ id, limit, words }`. */
export function tryInEach(path) {
  globalThis.__each ??= {
    plan: JSON.parse(readFileSync(`${MUTANTS_EACH}.plan`, 'utf8')),
    dead: new Set(),
    tries: {},
    ran: 0,
  };
  const state = globalThis.__each;
  const mutants = state.plan[path] ?? [];
  const missed = new Map();
  globalThis.__tryMutant({ id: 0, limit: 0 });
  beforeEach(({ task }) => {
    const mutant = state.ran++ % CONTROLLED === 0 ? undefined : chosen({ mutants, missed, state }, nameOf(task));
    const id = mutant?.id ?? 0;
    write({ began: id, path });
    globalThis.__tryMutant(mutant ?? { id: 0, limit: 0 });
    onTestFinished(() => {
      const by = task.result?.state === 'fail' ? failureOf(task) : undefined;
      const isMet = globalThis.__met[id] > 0;
      globalThis.__tryMutant({ id: 0, limit: 0 });
      if (isMet) state.tries[id] = (state.tries[id] ?? 0) + 1;
      else missed.set(id, (missed.get(id) ?? 0) + 1);
      if (by !== undefined) state.dead.add(id);
      write({ id, path, isMet, by });
    });
  });
}

/** A mutant whose file the test names comes first; one that the file's tests seldom met comes late. */
function chosen({ mutants, missed, state }, name) {
  const alive = mutants.filter(({ id }) => !state.dead.has(id));
  const costOf = ({ id, words, isLoaded }) =>
    (isLoaded ? 5 : 0) +
    (state.tries[id] ?? 0) +
    3 * (missed.get(id) ?? 0) -
    (words.some((word) => name.includes(word)) ? 10 : 0);
  return alive.reduce((best, next) => (best === undefined || costOf(next) < costOf(best) ? next : best), undefined);
}

const failureOf = (task) => `${nameOf(task)}: ${task.result.errors?.[0]?.message?.split('\n')[0]}`;
const nameOf = (task) => (task.suite?.name ? `${nameOf(task.suite)} > ${task.name}` : task.name);
const write = (line) => appendFileSync(MUTANTS_EACH, `${JSON.stringify(line)}\n`);
