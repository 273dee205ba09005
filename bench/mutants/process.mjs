// Runs the tests on one mutant at a time, in a process that ends itself where a mutant never does.
// In: a mutant, or null for none, and the test files. Out: `{ failed }` with the name of the first failure, or null.
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { applied } from './mutate.mjs';

/**
 * Seconds of processor time for one test file and what it loads: several times what the slowest takes, however busy the
 * machine is.
 */
const PATIENCE = 60;
/** All tests, except those that cannot see a mutant (they read files, or run the built program) or take seconds. */
const ASIDE = ['on the command line', 'compiled from its source', 'spread no list', '150,000 calls'];
let mutated;
let started = process.cpuUsage();

const vitest = await createVitest(
  'test',
  {
    watch: false,
    bail: 1,
    pool: 'threads', // a thread ends with its process
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    testNamePattern: new RegExp(`^(?!.*(${ASIDE.join('|')}))`),
    reporters: [
      {
        onTestModuleEnd: () => {
          started = process.cpuUsage();
        },
      },
    ],
    sequence: {
      sequencer: class {
        shard = (specs) => specs;
        sort = (specs) => specs;
      },
    },
  },
  {
    plugins: [
      { name: 'mutant', enforce: 'pre', transform: (_, id) => (id === mutated?.path ? mutated.code : undefined) },
    ],
  },
);
await vitest.standalone();

process.on('message', async ({ mutant, tests }) => {
  started = process.cpuUsage();
  forget(mutated?.path);
  mutated = mutant && { path: resolve(mutant.file), code: applied(mutant) };
  forget(mutated?.path);
  process.send({ failed: await firstFailure(groupsOf(tests)) });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
setInterval(() => {
  if (mutated && process.cpuUsage(started).user > PATIENCE * 1e6) process.exit(1);
}, 500);

/** That file alone is to be transformed again: `invalidateFile` would take all files along that import it. */
function forget(path) {
  for (const { moduleGraph } of Object.values(vitest.projects[0].vite.environments))
    for (const module of moduleGraph.getModulesByFile(path) ?? []) module.transformResult = null;
}

/** A thread that ran tests before is used again, and has loaded what the last mutant was. */
function forgetLoaded() {
  for (const { moduleGraph } of Object.values(vitest.projects[0].vite.environments))
    for (const path of moduleGraph.fileToModulesMap.keys())
      if (!path.includes('/node_modules/')) vitest.watcher.invalidates.add(path);
}

/** Vitest loads all files of a run, also behind a failure: most mutants fall to the first two. */
function groupsOf(tests) {
  const specs = tests.map((path) => vitest.projects[0].createSpecification(resolve(path)));
  return [specs.slice(0, 2), specs.slice(2, 14), specs.slice(14)].filter((group) => group.length > 0);
}

async function firstFailure(groups) {
  forgetLoaded();
  for (const group of groups) {
    const failed = await failureOf(group);
    if (failed !== null) return failed;
  }
  return null;
}

/** The end of a run behind a failure may reach the next run, whose files then seem to have no tests: one by one. */
async function failureOf(group) {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(group, true);
  const modules = testModules.filter(({ moduleId }) => group.some((spec) => spec.moduleId === moduleId));
  if (!modules.some(hasFailed) && !modules.every(hasPassed) && group.length > 1)
    return firstFailure(group.map((spec) => [spec]));
  return failureIn(modules) ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : null);
}

const hasFailed = (module) => !module.children.allTests('failed').next().done;
const hasPassed = (module) => !module.children.allTests('passed').next().done;

function failureIn(modules) {
  for (const module of modules) {
    for (const test of module.children.allTests('failed')) {
      const [error] = test.result().errors;
      return `${module.relativeModuleId}: ${test.fullName}: ${error.message.split('\n')[0]}`;
    }
    if (module.errors().length > 0) return `${module.relativeModuleId}: ${module.errors()[0].message}`;
  }
  return undefined;
}
