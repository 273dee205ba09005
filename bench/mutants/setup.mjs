// Before each test file, in its thread. While recording: which mutants the file meets. While trying one: nothing more
// runs behind the first failure, or where the time for this mutant is used up. While trying one in each file: the
// next.
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, vi } from 'vitest';
import { tryInEach } from './each-test.mjs';

const { MUTANTS_EACH, MUTANTS_MET, MUTANT_SECONDS, MUTANT_BY_FILE } = process.env;
const met = globalThis.__met;
globalThis.__trial ??= { started: process.cpuUsage(), failed: false, collecting: false };
const trial = globalThis.__trial;

if (MUTANTS_MET !== undefined) record();
else if (MUTANTS_EACH !== undefined) {
  vi.resetModules();
  tryInEach(globalThis.__vitest_worker__.filepath);
} else if (MUTANT_BY_FILE !== '') tryNext(JSON.parse(MUTANT_BY_FILE));
else stopEarly();

function stopEarly() {
  const { user, system } = process.cpuUsage(trial.started);
  if (trial.failed || trial.collecting) throw new Error('mutants: ended');
  if (user + system > Number(MUTANT_SECONDS) * 1e6) throw new Error('mutants: out of time');
  trial.collecting = true; // until the file is there to be run: where it cannot be loaded, the mutant is noticed
  beforeAll(() => {
    trial.collecting = false;
  });
  beforeEach(() =>
    onTestFailed(() => {
      trial.failed = true;
    }),
  );
}

/** The tests' own modules are loaded anew, with what they keep; the sources stay. */
function tryNext(byFile) {
  vi.resetModules();
  globalThis.__tryMutant(byFile[globalThis.__vitest_worker__.filepath]);
  trial.failed = false;
  beforeEach(() => {
    if (trial.failed) throw new Error('mutants: ended');
    onTestFailed(() => {
      trial.failed = true;
    });
  });
}

function record() {
  const begun = process.cpuUsage();
  let loaded = [];
  met.fill(0);
  beforeAll(() => {
    loaded = idsMet();
  });
  afterAll(() => {
    const ids = idsMet();
    const { user, system } = process.cpuUsage(begun);
    const ms = Math.round((user + system) / 1000);
    const line = { path: expect.getState().testPath, ms, loaded, met: ids.map((id) => [id, met[id]]) };
    appendFileSync(MUTANTS_MET, `${JSON.stringify(line)}\n`);
  });
}

function idsMet() {
  return Array.from(met.keys()).filter((id) => met[id] > 0);
}
