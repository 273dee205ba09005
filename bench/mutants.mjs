// `npm run mutants`: puts small faults into the sources, one at a time, and counts how many of them a test notices.
// `-- --seed 2` takes another sample, `--count 50` a smaller one, `--jobs 2` two at a time, `--line 12` those of one
// line; words choose files: `npm run mutants -- --line 12 src/rules/run-rules.ts`. `--near` runs the tests of the
// folder alone: the next run without it tries what survived them by the other tests. `--unchecked` leaves out the
// compiler, which takes a minute. `--minutes 10` stops after that time; the next run with the same seed and count goes
// on from there. Exit 1: the score is below the least one.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import { mutantsOf } from './mutants/mutate.mjs';
import { near } from './mutants/near.mjs';
import { Runner } from './mutants/runner.mjs';
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
/** Quick test files that import many sources, behind those of a source's own folder: first those that notice most. */
const FAR = [
  ...['transforms/cases', 'laws/peers', 'json/*', 'transcript/*', 'transforms/*', 'laws/growth'],
  ...[
    'library/library',
    'formats/[!ds]*',
    'laws/chains',
    'rules/[!t]*',
    'tokens/counting',
    'laws/messages',
    'laws/trust',
    'laws/reading',
    'conversion/[!b]*',
    'show/show',
  ],
];
/** The share of the valid mutants that has to be noticed. */
const LEAST = 0.85;
const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '400' },
    jobs: { type: 'string', default: '1' },
    line: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    near: { type: 'boolean', default: false },
    unchecked: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const far = FAR.flatMap((name) => globSync(`test/${name}.test.ts`).sort());
/** The tests of a mutant: those of its folder, and, where they noticed nothing, those farther away. */
const testsOf = ({ file }, known) => {
  const own = near(file);
  if (values.near) return own;
  return known === undefined ? [...new Set([...own, ...far])] : far.filter((path) => !own.includes(path));
};
const equivalents = JSON.parse(readFileSync('bench/mutants/equivalent.json', 'utf8'));

/** What became of mutants in this run and earlier ones, one a line. */
const KEPT = `mutants-${values.seed}-${values.count}.tmp`;
const deadline = Date.now() + Number(values.minutes) * 60_000;

await main();

async function main() {
  const files = globSync(positionals.length > 0 ? positionals : SOURCES, { ignore: ASIDE });
  const mutants = sampled(files.map((file) => file.replaceAll('\\', '/')).sort()).filter((one) => !isEquivalent(one));
  const outcomes = keptOf(mutants);
  const keep = (mutant, answer) => {
    outcomes.set(mutant.key, { mutant, ...answer });
    appendFileSync(KEPT, `${JSON.stringify({ key: mutant.key, ...answer })}\n`);
  };
  const isOpen = ({ outcome, near } = {}) => outcome === undefined || (outcome === 'survived' && near && !values.near);
  const open = mutants.filter(({ key }) => isOpen(outcomes.get(key)));
  const fresh = open.filter(({ key }) => !outcomes.has(key));
  const runners = Array.from({ length: Number(values.jobs) }, () => new Runner());
  if (!values.unchecked) for (const mutant of rejected(fresh)) keep(mutant, { outcome: 'invalid' });
  const queue = open.filter(({ key }) => isOpen(outcomes.get(key)));
  console.log(`${mutants.length} mutants, ${queue.length} to try`);
  const work = async (runner) => {
    for (let mutant = queue.shift(); mutant && Date.now() < deadline; mutant = queue.shift()) {
      const tests = testsOf(mutant, outcomes.get(mutant.key));
      keep(mutant, { ...(await runner.tried(mutant, tests)), near: values.near });
      console.log(`${queue.length} left, ${wordsOf(outcomes.get(mutant.key))}`);
    }
    runner.end();
  };
  await Promise.all(runners.map(work));
  report([...outcomes.values()].filter(({ outcome }) => outcome !== 'invalid'));
}

/** The outcomes of earlier runs, by the keys of these mutants: where a source changed, they are tried again. */
function keptOf(mutants) {
  const lines = existsSync(KEPT) ? readFileSync(KEPT, 'utf8').trim().split('\n') : [];
  const answers = new Map(lines.map((line) => JSON.parse(line)).map(({ key, ...answer }) => [key, answer]));
  return new Map(
    mutants.flatMap((mutant) => {
      const answer = answers.get(mutant.key);
      return answer === undefined ? [] : [[mutant.key, { mutant, ...answer }]];
    }),
  );
}

/**
 * The mutants of a seed: each has a place in a row of its own, so that a change elsewhere leaves the sample as it is.
 */
function sampled(files) {
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  const chosen = values.line === undefined ? all : all.filter(({ line }) => line === Number(values.line));
  const keyOf = ({ file, before, after, same }) =>
    createHash('sha1')
      .update(JSON.stringify([values.seed, file, before, after, same]))
      .digest('hex');
  return chosen
    .map((mutant) => ({ ...mutant, key: keyOf(mutant) }))
    .sort((x, y) => (x.key < y.key ? -1 : 1))
    .slice(0, Number(values.count));
}

/** Listed with the reason why no test can notice it; of a long line, `before` is its beginning. */
function isEquivalent({ file, before, after }) {
  return equivalents.some((known) => known.file === file && before.startsWith(known.before) && known.after === after);
}

function wordsOf({ mutant, outcome, by = '' }) {
  return [`${outcome} ${mutant.file}:${mutant.line} ${by}`, `    ${mutant.before}`, `    ${mutant.after}`].join('\n');
}

function report(outcomes) {
  const of = (outcome) => outcomes.filter((one) => one.outcome === outcome);
  const survivors = of('survived').sort(
    ({ mutant: x }, { mutant: y }) => x.file.localeCompare(y.file) || x.line - y.line,
  );
  const score = 1 - survivors.length / Math.max(1, outcomes.length);
  console.log(`\nSurvivors:\n${survivors.map(wordsOf).join('\n')}\n`);
  const [killed, ended] = [of('killed').length, of('timed out').length];
  console.log(`Seed ${values.seed}: of ${outcomes.length} mutants ${killed} killed, ${ended} timed out,`);
  console.log(`${survivors.length} survived. Score: ${(100 * score).toFixed(1)} %, at least ${100 * LEAST} %.`);
  process.exitCode = score < LEAST ? 1 : 0;
}
