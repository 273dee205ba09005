// Before each test file, in its thread. While recording: which mutants the file meets. While trying some: nothing more
// of the file runs behind a failure, and where one is tried alone, no other file does. While trying another one in
// each file: the next.
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, vi } from 'vitest';

const { MUTANTS_MET, MUTANTS_ON, MUTANT_BY_FILE } = process.env;
const met = globalThis.__met;
globalThis.__trial ??= { failed: false, collecting: false };
const trial = globalThis.__trial;

if (MUTANTS_MET !== undefined) record();
else if (MUTANT_BY_FILE !== '') tryNext(JSON.parse(MUTANT_BY_FILE));
else tryAgain(JSON.parse(MUTANTS_ON));

/** The tests' own modules are loaded anew, with what they keep; the sources stay. */
function tryNext(byFile) {
  vi.resetModules();
  globalThis.__tryMutants([byFile[globalThis.__vitest_worker__.filepath]]);
  stopEarly();
}

function tryAgain(on) {
  if (on.length === 1 && (trial.failed || trial.collecting)) throw new Error('mutants: ended');
  met.fill(0);
  trial.collecting = true; // until the file is there to be run: where it cannot be loaded, the mutant is noticed
  beforeAll(() => {
    trial.collecting = false;
  });
  stopEarly();
}

function stopEarly() {
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
