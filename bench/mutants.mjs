// `npm run mutants`: puts small faults into the sources and counts how many of them a test notices.
// All faults of a sample are compiled into the sources at once, each behind a switch (bench/mutants/instrument.mjs).
// One run of the tests notes which files meet which fault. Then each fault is tried: by its likeliest files, many
// faults in one thread; by all files that meet it, as a group with all that are left (bench/mutants/group.mjs); and so
// by the tests that run the built program (bench/mutants/program.mjs).
// `-- --seed 2` takes another sample, `--seed 1,2` both, `--count 50` or `--count 50,20` smaller ones, `--jobs 2` tries
// two at a time, `--again` tries again what survived. Words choose files, and `--line 12` those of one line; `--tests
// laws/,edit` tries by these test files alone. `--minutes 10` stops after that time: the next run goes on from there.
// `--seed 13,14 --only 13` compiles and records both, and tries the first.
// Exit 1: the score of a sample is below the least one.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import { triedInside } from './mutants/inside.mjs';
import { writeSources } from './mutants/instrument.mjs';
import { mutantsOf } from './mutants/mutate.mjs';
import { triedInProgram } from './mutants/program.mjs';
import { recorded, testFilesInside } from './mutants/tests.mjs';
import { triedTogether } from './mutants/together.mjs';
import { rejected } from './mutants/types.mjs';

const FOLDERS = [
  'json',
  'transcript',
  'transforms',
  'formats',
  'source',
  'rules',
  'secrets',
  'conversion',
  'measure/stats',
];
const SOURCES = FOLDERS.map((folder) => `src/${folder}/**/*.ts`);
/** Code for another compiler, and data that a script makes. */
const ASIDE = ['src/json/assembly/**', '**/*.static.ts', 'src/json/code.ts'];
/** The share of the valid mutants that has to be noticed. */
const LEAST = 0.85;
const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '400' },
    jobs: { type: 'string', default: '1' },
    only: { type: 'string' },
    line: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    tests: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const seeds = values.seed.split(',');
const counts = values.count.split(',');
const equivalents = JSON.parse(readFileSync('bench/mutants/equivalent.json', 'utf8'));

/** What became of mutants in this run and earlier ones, one a line. */
const KEPT = 'mutants.tmp';
const deadline = Date.now() + Number(values.minutes) * 60_000;

await main();

async function main() {
  const files = globSync(positionals.length > 0 ? positionals : SOURCES, { ignore: ASIDE });
  const samples = sampled(files.map((file) => file.replaceAll('\\', '/')).sort());
  const outcomes = kept();
  const keep = (mutant, answer) => {
    outcomes.set(mutant.key, answer);
    appendFileSync(KEPT, `${JSON.stringify({ key: mutant.key, ...answer })}\n`);
  };
  const unchecked = samples.flat().filter(({ key }) => !outcomes.has(key));
  const wrong = rejected(unchecked);
  for (const mutant of unchecked) keep(mutant, { outcome: wrong.has(mutant) ? 'invalid' : 'open' });
  const valid = samples.flat().filter(({ key }) => outcomes.get(key).outcome !== 'invalid');
  for (const [index, mutant] of valid.entries()) mutant.id = index + 1;
  const isTried = (index) => values.only?.split(',').includes(seeds[index]) ?? true;
  const chosen = new Set(samples.filter((_, index) => isTried(index)).flat());
  await tried(valid, { outcomes, keep, chosen });
  for (const [index, sample] of samples.entries()) if (isTried(index)) report(seeds[index], sample, outcomes);
}

async function tried(valid, { outcomes, keep, chosen }) {
  writeSources(valid);
  const isNamed = ({ path }) => values.tests?.split(',').some((word) => path.includes(word)) ?? true;
  const tests = (await recorded(valid, Number(values.jobs))).filter(isNamed);
  const isOpen = ({ outcome }) => outcome === 'open' || (values.again && outcome === 'survived');
  const open = valid.filter((mutant) => chosen.has(mutant) && isOpen(outcomes.get(mutant.key)));
  console.log(`${valid.length} valid mutants, ${open.length} to try`);
  const common = { count: valid.length, jobs: Number(values.jobs), deadline };
  const change = (mutant, what) => keep(mutant, { ...outcomes.get(mutant.key), ...what });
  const told = (mutant, { ended, by }, step) => {
    const answer = ended ? { outcome: 'timed out' } : by ? { outcome: 'killed', by } : { outcome: 'survived', step };
    if (answer.outcome !== 'survived' || values.tests === undefined) change(mutant, answer);
    console.log(wordsOf(mutant, answer));
  };
  for (const mutant of open) mutant.passed = outcomes.get(mutant.key).passed ?? [];
  const isNew = ({ passed }) => passed.length === 0;
  await triedTogether(open.filter(isNew), tests, {
    ...common,
    answer: (mutant, { test, by }) => {
      mutant.passed = [...mutant.passed, test];
      change(mutant, by === undefined ? { passed: mutant.passed } : { outcome: 'killed', by });
    },
  });
  const stillOpen = open.filter(({ key }) => isOpen(outcomes.get(key)));
  await triedInside(stillOpen, tests, { ...common, answer: (mutant, found) => told(mutant, found, 'inside') });
  if (values.tests !== undefined) return;
  const isLeft = ({ outcome, step }) => outcome === 'survived' && step !== 'program';
  await triedInProgram(
    valid.filter((mutant) => chosen.has(mutant) && isLeft(outcomes.get(mutant.key))),
    { all: valid, seen: testFilesInside(), deadline, answer: (mutant, found) => told(mutant, found, 'program') },
  );
}

/** The outcomes of earlier runs, by the keys of mutants: where a line changed, its mutants are new. */
function kept() {
  const lines = existsSync(KEPT) ? readFileSync(KEPT, 'utf8').trim().split('\n') : [];
  return new Map(lines.map((line) => JSON.parse(line)).map(({ key, ...answer }) => [key, answer]));
}

/**
 * The mutants of each seed: each has a place in a row of its own, so that a change elsewhere leaves the sample
 * as it is.
 */
function sampled(files) {
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  const chosen = values.line === undefined ? all : all.filter(({ line }) => line === Number(values.line));
  const keyOf = ({ file, before, after, same }, seed) =>
    createHash('sha1')
      .update(JSON.stringify([seed, file, before, after, same]))
      .digest('hex');
  return seeds.map((seed, index) =>
    chosen
      .map((mutant) => ({ ...mutant, key: keyOf(mutant, seed) }))
      .sort((x, y) => (x.key < y.key ? -1 : 1))
      .slice(0, Number(counts[index] ?? counts[0]))
      .filter((one) => !isEquivalent(one)),
  );
}

/** Listed with the reason why no test can notice it; of a long line, its beginning. */
function isEquivalent({ file, before, after }) {
  return equivalents.some(
    (known) => known.file === file && before.startsWith(known.before) && after.startsWith(known.after),
  );
}

function wordsOf({ file, line, before, after }, { outcome, by = '' }) {
  return `${outcome} ${file}:${line} ${by}\n    ${before}\n    ${after}`;
}

function report(seed, sample, outcomes) {
  const of = (outcome) => sample.filter(({ key }) => outcomes.get(key).outcome === outcome);
  const survivors = of('survived').sort((x, y) => x.file.localeCompare(y.file) || x.line - y.line);
  const [killed, ended, open, invalid] = ['killed', 'timed out', 'open', 'invalid'].map(
    (outcome) => of(outcome).length,
  );
  const count = killed + ended + survivors.length;
  const score = (killed + ended) / Math.max(1, count);
  console.log(`\nSurvivors:\n${survivors.map((one) => wordsOf(one, outcomes.get(one.key))).join('\n')}\n`);
  for (const folder of FOLDERS) byFolder(folder, sample, outcomes);
  console.log(`Seed ${seed}: ${sample.length} mutants, ${invalid} rejected by the compiler, ${open} not yet tried.`);
  const halfway = survivors.filter(({ key }) => outcomes.get(key).step !== 'program').length;
  console.log(`Of ${count} ${killed} killed, ${ended} timed out, ${survivors.length} survived,`);
  console.log(`${halfway} of which the built program has not tried.`);
  const least = (killed + ended) / Math.max(1, count + open);
  console.log(`Score: ${(100 * score).toFixed(1)} % of those, ${(100 * least).toFixed(1)} % where all others survive;`);
  console.log(`asked are ${100 * LEAST} %.`);
  if (score < LEAST) process.exitCode = 1;
}

function byFolder(folder, sample, outcomes) {
  const within = sample.filter(({ file }) => file.startsWith(`src/${folder}/`)).map(({ key }) => outcomes.get(key));
  const survived = within.filter(({ outcome }) => outcome === 'survived').length;
  const count = survived + within.filter(({ outcome }) => outcome === 'killed' || outcome === 'timed out').length;
  console.log(`${folder}: ${count - survived} of ${count}`);
}
