// Runs test files in a process that ends itself where a mutant never does. Each run has a thread of its own, which
// loads the sources anew: what one mutant left behind is nothing to the next. In: `{ on: [{ id, limit }], count,
// tests: [{ path, ms }] }`, the mutants that are on. Out: `{ failures, cpu }`, the first of each file. With the
// argument `record`, what the tests meet is written to a file. With `together`, each test has an `id` and a `limit` of
// its own: another mutant in each file of a thread.
import { relative, resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { CODE } from './instrument.mjs';

const isRecording = process.argv.includes('record');
const isTogether = process.argv.includes('together');
/** Seconds of processor time for a test file of no length; the longer it usually takes, the longer it may. */
const PATIENCE = 15;
/** All tests, except those that cannot see a mutant (they read files, or run the built program) or take seconds. */
const ASIDE = ['on the command line', 'compiled from its source', 'spread no list', '150,000 calls'];
const local = (name) => new URL(name, import.meta.url).href;
const native = ['--import', local('../../test/shared/native/defined.mjs'), '--import', local('switches.mjs')];
let running; // the test file that runs: since when, and how long it usually takes
let lengths = new Map();

const watching = {
  onTestModuleQueued: ({ moduleId }) => {
    running = { since: process.cpuUsage(), ms: lengths.get(moduleId) ?? 0 };
  },
};
process.env.CTX_TRIM_SOURCES = CODE; // for vitest.config.ts
const vitest = await createVitest('test', {
  watch: false,
  pool: 'threads', // a thread ends with its process
  maxWorkers: 1,
  isolate: false,
  execArgv: native,
  setupFiles: [resolve('bench/mutants/setup.mjs')],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  testNamePattern: new RegExp(`^(?!.*(${ASIDE.join('|')}))`),
  reporters: [watching],
  sequence: {
    sequencer: class {
      shard = (specs) => specs;
      sort = (specs) => specs;
    },
  },
});
await vitest.standalone();

process.on('message', async ({ on, count, tests }) => {
  Object.assign(process.env, { MUTANTS_ON: JSON.stringify(on), MUTANT_COUNT: count });
  const byFile = Object.fromEntries(tests.map((test) => [resolve(test.path), { id: test.id, limit: test.limit }]));
  process.env.MUTANT_BY_FILE = isTogether ? JSON.stringify(byFile) : '';
  lengths = new Map(tests.map(({ path, ms }) => [resolve(path), ms]));
  const before = process.cpuUsage();
  const specs = tests.map(({ path }) => vitest.projects[0].createSpecification(resolve(path)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs, true);
  running = undefined;
  const { user, system } = process.cpuUsage(before);
  const ran = testModules.filter(({ moduleId }) => lengths.has(moduleId)); // it also tells of those that ran before
  const failures = [...ran.flatMap(failureOf), ...unhandledErrors.map(String)];
  process.send({ failures, cpu: Math.round((user + system) / 1e5) / 10 });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
setInterval(() => {
  if (isRecording || running === undefined) return;
  const { user, system } = process.cpuUsage(running.since);
  if (user + system > PATIENCE * 1e6 + 4000 * running.ms) process.exit(1);
}, 250);

/** The first failure of a test file, in a list, or none. */
function failureOf(module) {
  const path = relative('.', module.moduleId);
  for (const test of module.children.allTests('failed')) {
    const [error] = test.result().errors;
    return [`${path}: ${test.fullName}: ${error.message.split('\n')[0]}`];
  }
  const error = module.errors().find(({ message }) => !message.startsWith('mutants: '));
  if (error !== undefined) return [`${path}: ${error.message.split('\n')[0]}`];
  const suite = [...module.children.allSuites()].find((one) => one.errors().length > 0);
  return suite === undefined ? [] : [`${path}: ${suite.fullName}: ${suite.errors()[0].message.split('\n')[0]}`];
}
