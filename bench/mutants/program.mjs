// The last tries of what survived: by the tests that run the built program, or that read the documents, as a group and
// alone (see group.mjs). In a copy of the repository all mutants of the sample are built into the program, and a file
// says which are on.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { failingOf, triedAsGroup } from './group.mjs';
import { codeOf } from './instrument.mjs';

const COPY = 'mutants-program.tmp';
/** Which mutants are on. A file, as many tests give the program an environment of their own. */
const ON = resolve(COPY, 'mutants-on.tmp');
/** Read once in each process and thread. */
const READ = `process.getBuiltinModule('node:fs').readFileSync(${JSON.stringify(ON)}, 'utf8')`;
const SWITCH = `const __mutant = (id) => (globalThis.__mutantsOn ??= JSON.parse(${READ}))[id] === 1;`;
/** What takes long and says nothing of these sources: types, terminals, signals, the limits of a machine, a browser. */
const ASIDE = [
  'test/{architecture,style,contributing}.test.ts',
  'test/cli/commands/{action,check-ci}.test.ts',
  'test/docs/readme-ci.test.ts',
  'test/{adapters,package}/types.test.ts',
  'test/package/{adapters,limited,start-up,v8-flags}.test.ts',
  'test/cli/{code-cache,threads,files/{atomic,ignored,signals,staged}}.test.ts',
  'test/reports/report-chromium.test.ts',
  'test/tokens/**',
  'test/adapters/node_modules/**',
];
/** Milliseconds after which the program is said never to end. */
const MOST = 400_000;

/** Tells `answer` what came of each mutant: the first test that failed, or nothing. `all`: the sample. */
export async function triedInProgram(mutants, { all, seen, deadline, answer }) {
  if (mutants.length === 0) return;
  const tests = globSync('test/**/*.test.ts', { ignore: [...ASIDE, ...seen] });
  writeCopy(all);
  const { failures, ms } = await run([], tests);
  const broken = new Set(failures.map(({ path }) => path));
  for (const { path, name } of failures) console.log(`Without a mutant: ${path}: ${name}`);
  const trusted = tests.filter((path) => !broken.has(path));
  console.log(`${trusted.length} test files run the program or read documents, ${mutants.length} mutants to try`);
  const failing = (group, files) =>
    failingOf(group, files, async (some, paths) => {
      const { ended, failures } = await run(some, paths);
      return { ended, failed: [...new Set(failures.map(({ path }) => path))] };
    });
  const alone = async (mutant, files) => {
    const { ended, failures } = await run([mutant], files, ['--bail=1']);
    if (ended || failures.length === 0) return { ended };
    const [{ path }] = failures;
    const [first] = (await run([mutant], [path])).failures;
    if (first !== undefined) return { by: `${path}: ${first.name}` };
    const others = files.filter((one) => one !== path); // it failed by chance
    return others.length === 0 ? {} : alone(mutant, others);
  };
  const suspected = (mutant) => nearFirst(trusted, mutant, ms);
  await triedAsGroup(mutants, { suspected, failing, alone, jobs: 1, deadline, answer });
}

/** All files of the repository, in a repository of their own, as some tests ask what it has. */
function writeCopy(mutants) {
  rmSync(COPY, { recursive: true, force: true });
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).trim().split('\n');
  for (const file of files) {
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    cpSync(file, join(COPY, file), { verbatimSymlinks: true });
  }
  for (const file of new Set(mutants.map(({ file }) => file)))
    writeFileSync(join(COPY, file), `${SWITCH}\n${readFileSync(codeOf(file), 'utf8')}`);
  symlinkSync(resolve('node_modules'), join(COPY, 'node_modules'));
  writeFileSync(ON, '[]'); // the build runs the program, too
  for (const line of ['git init -q', 'git add -A', 'node build/build.mjs'])
    execFileSync('sh', ['-c', line], { cwd: COPY, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Those whose name is that of the mutant's file or folder, then the short ones. */
function nearFirst(tests, { file }, ms) {
  const words = [basename(file, '.ts'), ...dirname(file).split('/').slice(1)];
  const costOf = (path) => (ms.get(path) ?? 0) * (words.some((word) => path.includes(word)) ? 0.1 : 1);
  return [...tests].sort((x, y) => costOf(x) - costOf(y));
}

/** A run of the tests: `{ ended, failures: [{ path, name }], ms }`. */
async function run(on, tests, options = []) {
  const into = resolve(COPY, 'report.tmp.json');
  rmSync(into, { force: true });
  const words = ['vitest', 'run', '--reporter=json', `--outputFile=${into}`, ...options, ...tests];
  writeFileSync(ON, JSON.stringify(Object.assign([], ...on.map(({ id }) => ({ [id]: 1 })))));
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const child = spawn('npx', words, { cwd: COPY, env, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), MOST);
  const signal = await new Promise((done) => child.once('exit', (_, by) => done(by)));
  clearTimeout(timer);
  if (signal !== null) return { ended: true, failures: [], ms: new Map() };
  const { testResults } = JSON.parse(readFileSync(into, 'utf8'));
  const pathOf = ({ name }) => relative(resolve(COPY), name);
  const failures = testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    const names = failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
    if (names.length === 0 && file.status === 'failed') names.push(`is not loaded: ${file.message.split('\n')[0]}`);
    return names.map((name) => ({ path: pathOf(file), name }));
  });
  const ms = new Map(testResults.map((one) => [pathOf(one), one.endTime - one.startTime]));
  return { ended: false, failures, ms };
}
