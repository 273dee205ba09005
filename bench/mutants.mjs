// `npm run mutants`: puts small faults into the sources and counts how many of them a test notices.
// All faults of a sample are compiled into the sources at once, each behind a switch (bench/mutants/instrument.mjs).
// One run of the tests notes which files meet which fault. Then each fault is tried: by its likeliest files, many
// faults in one thread; in one more run of the tests, each of which tries one fault after the other; alone, by the
// files that meet it; and by the tests that run the built program (bench/mutants/program.mjs). `-- --seed 2` takes
// another sample, `--seed 1,2` both, `--count 50` or `--count 50,20` smaller ones, `--jobs 2` tries two at a time,
// `--seconds 100` gives each more time, `--again` tries again what survived.
// Words choose files, and `--line 12` those of one line; `--tests laws/,edit` runs these test files alone, in this
// order; each of their tests tries one fault after the other. `--minutes 10` stops after that time: the next run goes
// on from there. `--seed 13,14 --only 13` compiles and records both, and tries the first.
// Exit 1: the score of a sample is below the least one.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import { triedInEach } from './mutants/each.mjs';
import { writeSources } from './mutants/instrument.mjs';
import { mutantsOf } from './mutants/mutate.mjs';
import { triedInProgram } from './mutants/program.mjs';
import { Runner } from './mutants/runner.mjs';
import { recorded, testFiles, testFilesInside } from './mutants/tests.mjs';
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
    seconds: { type: 'string', default: '40' },
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
  const isTried = (index) => values.only === undefined || values.only === seeds[index];
  const chosen = new Set(samples.filter((_, index) => isTried(index)).flat());
  await tried(valid, { outcomes, keep, chosen });
  for (const [index, sample] of samples.entries()) if (isTried(index)) report(seeds[index], sample, outcomes);
}

async function tried(valid, { outcomes, keep, chosen }) {
  writeSources(valid);
  const tests = values.tests
    ? [...new Set(values.tests.split(',').flatMap(filesNamed))].map((path) => ({ path, ms: 0 }))
    : await recorded(valid, Number(values.jobs));
  const isOpen = ({ outcome }) => outcome === 'open' || (values.again && outcome === 'survived');
  const open = valid.filter((mutant) => chosen.has(mutant) && isOpen(outcomes.get(mutant.key)));
  console.log(`${valid.length} valid mutants, ${open.length} to try`);
  const common = { count: valid.length, jobs: Number(values.jobs), deadline };
  const change = (mutant, what) => keep(mutant, { ...outcomes.get(mutant.key), ...what });
  const stillOpen = () => open.filter(({ key }) => isOpen(outcomes.get(key)));
  for (const mutant of open) mutant.passed = outcomes.get(mutant.key).passed ?? [];
  if (values.tests === undefined)
    await triedTogether(open, tests, {
      ...common,
      answer: (mutant, { test, by }) => {
        mutant.passed = [...mutant.passed, test];
        change(mutant, by === undefined ? { passed: mutant.passed } : { outcome: 'killed', by });
      },
    });
  const tries = new Map();
  await triedInEach(stillOpen(), tests, {
    ...common,
    answer: (mutant, { by }) => {
      tries.set(mutant, (tries.get(mutant) ?? 0) + 1);
      if (by !== undefined) change(mutant, { outcome: 'killed', by });
    },
  });
  for (const [mutant, count] of tries) change(mutant, { tries: (outcomes.get(mutant.key).tries ?? 0) + count });
  const queue = values.tests === undefined ? stillOpen() : [];
  const work = async () => {
    const runner = new Runner();
    for (let mutant = queue.shift(); mutant && Date.now() < deadline; mutant = queue.shift()) {
      const answer = await runner.tried(mutant, { tests, count: valid.length, seconds: values.seconds });
      keep(mutant, { ...outcomeOf(answer), passed: mutant.passed });
      console.log(`${queue.length} left, ${wordsOf(mutant, outcomes.get(mutant.key))}`);
    }
    runner.end();
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  const isLeft = ({ outcome, program }) => outcome === 'survived' && (values.again || !program);
  await triedInProgram(
    values.tests ? [] : valid.filter((mutant) => chosen.has(mutant) && isLeft(outcomes.get(mutant.key))),
    {
      all: valid,
      seen: testFilesInside(),
      deadline,
      answer: (mutant, { ended, by }) =>
        change(mutant, ended ? { outcome: 'timed out' } : by ? { outcome: 'killed', by } : { program: true }),
    },
  );
}

function filesNamed(word) {
  return testFiles().filter((path) => path.includes(word));
}

function outcomeOf({ ended, failures: [by], untried, cpu }) {
  if (ended) return { outcome: 'timed out', cpu };
  return by === undefined ? { outcome: 'survived', untried, cpu } : { outcome: 'killed', by, cpu };
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

function wordsOf(mutant, { outcome, by = '', untried, cpu }) {
  const rest = untried > 0 ? `, ${untried} test files not tried` : '';
  return [
    `${outcome} ${mutant.file}:${mutant.line} (${cpu} CPU s${rest}) ${by}`,
    `    ${mutant.before}`,
    `    ${mutant.after}`,
  ].join('\n');
}

function report(seed, sample, outcomes) {
  const of = (outcome) => sample.filter(({ key }) => outcomes.get(key).outcome === outcome);
  const survivors = of('survived').sort((x, y) => x.file.localeCompare(y.file) || x.line - y.line);
  const [killed, ended, open, invalid] = ['killed', 'timed out', 'open', 'invalid'].map(
    (outcome) => of(outcome).length,
  );
  const count = killed + ended + survivors.length;
  const score = (killed + ended) / Math.max(1, count);
  const seconds = sample.reduce((sum, { key }) => sum + (outcomes.get(key).cpu ?? 0), 0);
  console.log(`\nSurvivors:\n${survivors.map((one) => wordsOf(one, outcomes.get(one.key))).join('\n')}\n`);
  for (const folder of FOLDERS) byFolder(folder, sample, outcomes);
  console.log(`Seed ${seed}: ${sample.length} mutants, ${invalid} rejected by the compiler, ${open} not yet tried.`);
  console.log(
    `Of ${count} ${killed} killed, ${ended} timed out, ${survivors.length} survived; ${Math.round(seconds)} CPU s.`,
  );
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
