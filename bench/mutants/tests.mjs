// Which test files meet which mutants, from one run of all of them.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { globSync } from 'tinyglobby';
import { Runner } from './runner.mjs';

const KEPT = 'mutants-met.tmp';
/** Test files that run the built program, or read sources and documents: no mutant reaches them. */
const BLIND = [
  'test/{package,docs,bench,attack}/**',
  'test/{architecture,style,completeness,contributing,documents}.test.ts',
  'test/adapters/{types,examples}.test.ts',
  'test/cli/{code-cache,files/*}.test.ts',
  'test/cli/commands/{action,check-ci,completion*,config-found,handover,help-examples,sessions*}.test.ts',
  'test/reports/report-chromium.test.ts',
  'test/tokens/{bpe,vocabularies}.test.ts',
  'test/adapters/node_modules/**',
];
/** Files of one run, in one thread. */
const TOGETHER = 12;

/** All test files that may meet a mutant. */
export const testFiles = () => globSync('test/**/*.test.ts', { ignore: BLIND }).sort();

/** Those of them that do not run the built program. */
export const testFilesInside = () => testFiles().filter((path) => !runsProgram({ path }));

const runsProgram = ({ path }) => readFileSync(path, 'utf8').includes('shared/program');

/** The recorded test files: `{ path, ms, loaded, met }`, mutants by their keys. What is new or changed is run. */
export async function recorded(mutants, jobs) {
  const files = testFiles();
  const known = kept();
  const sample = sampleOf(mutants);
  const isKnown = (path) => known.get(path)?.hash === hashOf(path) && known.get(path).sample === sample;
  const open = files.filter((path) => !isKnown(path));
  const queue = Array.from({ length: Math.ceil(open.length / TOGETHER) }, (_, index) =>
    open.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
  await Promise.all(Array.from({ length: jobs }, (_, job) => recordAll(queue, mutants, `mutants-met-${job}.tmp`)));
  const all = kept();
  const canSee = (one) => !one.failed && Object.keys(one.met).length > 0 && !runsProgram(one);
  return files.flatMap((path) => all.get(path) ?? []).filter(canSee);
}

function kept() {
  const lines = existsSync(KEPT) ? readFileSync(KEPT, 'utf8').trim().split('\n') : [];
  return new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.path, one]));
}

/** What was recorded of other mutants says nothing of these. */
const sampleOf = (mutants) =>
  createHash('sha1')
    .update(mutants.map(({ key }) => key).join())
    .digest('hex');
const hashOf = (path) => createHash('sha1').update(readFileSync(path)).digest('hex');

async function recordAll(queue, mutants, into) {
  const runner = new Runner({ MUTANTS_MET: into }, ['record']);
  for (let paths = queue.shift(); paths !== undefined; paths = queue.shift()) {
    rmSync(into, { force: true });
    const tests = paths.map((path) => ({ path, ms: 0 }));
    const { failures } = await runner.run({ on: [], count: mutants.length, tests });
    for (const failure of failures) console.log(`Without a mutant: ${failure}`);
    const lines = existsSync(into) ? readFileSync(into, 'utf8').trim().split('\n') : [];
    const met = new Map(lines.map((line) => JSON.parse(line)).map((one) => [relative('.', one.path), one]));
    for (const path of paths) keep(path, met.get(path), { failures, mutants });
    console.log(`${queue.length} groups of test files are left to record`);
  }
  runner.end();
  rmSync(into, { force: true });
}

function keep(path, { ms = 0, loaded = [], met = [] } = {}, { failures, mutants }) {
  const failed = failures.some((failure) => failure.startsWith(`${path}: `));
  const keyOf = (id) => mutants[id - 1].key;
  const counts = Object.fromEntries(met.map(([id, count]) => [keyOf(id), count]));
  const line = {
    path,
    hash: hashOf(path),
    sample: sampleOf(mutants),
    failed,
    ms,
    loaded: loaded.map(keyOf),
    met: counts,
  };
  appendFileSync(KEPT, `${JSON.stringify(line)}\n`);
}
