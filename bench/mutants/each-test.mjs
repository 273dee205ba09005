// In the thread of the tests: each test runs without a mutant, which tells those that it meets, and then again with one
// of them after the other, first those that were tried least. Behind a failure it runs without one once more: where
// that fails too, what the mutant left behind has changed the test's state. What came of a run is written to a file,
// line by line.
import { appendFileSync, readFileSync } from 'node:fs';
import { beforeAll, beforeEach, onTestFinished } from 'vitest';
import { limitOf } from './order.mjs';

/** Mutants of one test: as many as it tries in so many microseconds, but some of a slow one, too. */
const [LEAST, MOST] = [1, 60];
const NONE = { id: 0, limit: 0 };
const { MUTANTS_EACH, MUTANTS_BUDGET = '1' } = process.env;
const BUDGET = 1e6 * Number(MUTANTS_BUDGET);

/** Of a file in this thread; the plan lists mutants as `{ id, words }`. */
export function tryInEach(path) {
  globalThis.__each ??= { plan: JSON.parse(readFileSync(`${MUTANTS_EACH}.plan`, 'utf8')), dead: new Set(), tries: {} };
  const { plan, dead, tries } = globalThis.__each;
  const states = new WeakMap();
  globalThis.__tryMutant(NONE);
  // biome-ignore lint/correctness/noEmptyPattern: vitest asks for a pattern
  beforeAll(({}, suite) => repeat(suite));
  beforeEach(({ task, skip }) => {
    const state = states.get(task) ?? { next: NONE, queue: undefined, errors: 0 };
    states.set(task, state);
    const { next } = state;
    if (next === undefined) return skip(); // all were tried: a failure would not end the repetitions
    const begun = process.cpuUsage();
    write({ began: next.id, path });
    globalThis.__tryMutant(next);
    onTestFinished(() => {
      const { errors = [] } = task.result;
      const by = errors.length > state.errors ? `${nameOf(task)}: ${errors.at(-1).message?.split('\n')[0]}` : undefined;
      const { user } = process.cpuUsage(begun);
      const met = globalThis.__met;
      const isMet = next.id > 0 && met[next.id] > 0;
      state.errors = errors.length;
      state.queue ??= by === undefined ? queueOf(met, nameOf(task), mostOf(user)) : [];
      globalThis.__tryMutant(NONE);
      write({ id: next.id, path, isMet, by });
      if (isMet) tries[next.id] = (tries[next.id] ?? 0) + 1;
      if (by !== undefined) dead.add(next.id);
      if (by !== undefined && next.id === 0) state.queue = [];
      state.next = by !== undefined && next.id > 0 ? NONE : state.queue.find(({ id }) => !dead.has(id));
      state.queue = state.queue.slice(state.queue.indexOf(state.next) + 1);
    });
  });

  /** The mutants that were met: one whose file the test names comes first. */
  function queueOf(met, name, most) {
    const costOf = ({ id, words }) => (tries[id] ?? 0) - (words.some((word) => name.includes(word)) ? 10 : 0);
    return plan
      .filter(({ id }) => met[id] > 0 && !dead.has(id))
      .map((mutant) => ({ ...mutant, limit: limitOf(met[mutant.id]) }))
      .sort((one, other) => costOf(one) - costOf(other))
      .slice(0, most);
  }
}

const mostOf = (time) => Math.min(MOST, Math.max(LEAST, Math.floor(BUDGET / time)));

/** A run without a mutant at first, and one behind each failure. */
function repeat(task) {
  if (task.type === 'test') task.repeats = 2 * MOST + 1;
  for (const inner of task.tasks ?? []) repeat(inner);
}

const nameOf = (task) => (task.suite?.name ? `${nameOf(task.suite)} > ${task.name}` : task.name);
const write = (line) => appendFileSync(MUTANTS_EACH, `${JSON.stringify(line)}\n`);
