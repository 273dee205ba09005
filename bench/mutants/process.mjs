// Runs the tests on one mutant at a time, in a process of its own: the bench kills it where a mutant never ends.
// In: a mutant. Out: `{ done }` after each test file, then `{ failed }` with the name of the first failure, if there is one.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { applied } from './mutate.mjs';

const files = process.argv.slice(2).map((path) => resolve(path));
let mutated;

const vitest = await createVitest(
  'test',
  {
    config: false,
    watch: false,
    bail: 1,
    pool: 'threads', // a thread ends with its process
    maxWorkers: 1,
    isolate: false,
    testTimeout: 20_000,
    reporters: [{ onTestModuleEnd: ({ relativeModuleId }) => process.send({ done: relativeModuleId }) }],
    sequence: {
      sequencer: class {
        shard = (specs) => specs;
        sort = (specs) => specs;
      },
    },
  },
  {
    define: { __VERSION__: JSON.stringify('0.0.0') },
    plugins: [
      { name: 'mutant', enforce: 'pre', transform: (_, id) => (id === mutated?.path ? mutated.code : undefined) },
    ],
  },
);
await vitest.standalone();
const specs = files.map((path) => vitest.projects[0].createSpecification(path));

process.on('message', async (mutant) => {
  if (mutated) vitest.invalidateFile(mutated.path);
  mutated = mutant && { path: resolve(mutant.file), code: applied(readFileSync(mutant.file, 'utf8'), mutant) };
  if (mutated) vitest.invalidateFile(mutated.path);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs, true);
  process.send({ failed: failureIn(testModules) ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : null) });
});
process.send({ ready: true });

function failureIn(modules) {
  for (const module of modules) {
    for (const test of module.children.allTests('failed')) return `${module.relativeModuleId}: ${test.fullName}`;
    if (module.errors().length > 0) return `${module.relativeModuleId}: ${module.errors()[0].message}`;
  }
  return undefined;
}
