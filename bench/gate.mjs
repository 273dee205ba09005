// `npm run bench:gate`: whether this commit is slower than a fixed one (gate.json), on this machine, in one run: CPU
// time of whole processes, in pairs, by command and format, and of short runs. Names what is more than 5 % slower and
// exits with 1.
// CTX_TRIM_GATE_COMMIT compares with another commit, CTX_TRIM_BENCH_MB sets the size of the inputs (24), the words
// behind it choose rows: `npm run bench:gate filter`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cpuSecondsOf, medianOf } from './measure.mjs';
import { writeOneMessage } from './short-runs.mjs';

const { commit, tolerance, pairs, commands, shortCommands, shortRuns, inputs } = JSON.parse(
  readFileSync('bench/gate.json', 'utf8'),
);
const BASE = process.env.CTX_TRIM_GATE_COMMIT ?? commit;
const MEGABYTES = Number(process.env.CTX_TRIM_BENCH_MB ?? 24);
const CHOSEN = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-gate-'));
const base = join(folder, 'base');

try {
  buildBase();
  const slower = [...Object.entries(inputs).flatMap(([format, sources]) => rowsOf(format, sources)), ...shortRows()];
  process.stdout.write(slower.length === 0 ? `nothing is slower than ${BASE}\n` : `slower: ${slower.join(', ')}\n`);
  process.exitCode = slower.length === 0 ? 0 : 1;
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', base]);
  rmSync(folder, { recursive: true, force: true });
}

/** The fixed commit with the same packages, so that only our own code differs. */
function buildBase() {
  const quiet = { cwd: base, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('git', ['worktree', 'add', '--detach', '--force', base, BASE], { stdio: 'ignore' });
  symlinkSync(resolve('node_modules'), join(base, 'node_modules'));
  execFileSync(process.execPath, ['build/build.mjs'], quiet);
}

function rowsOf(format, sources) {
  const source = sources.find((path) => existsSync(path));
  if (source === undefined) return [];
  const input = repeated(source, join(folder, `${format}.jsonl`));
  return commands
    .filter(isChosen)
    .filter((words) => isSlower(`${words.join(' ')}, ${format}`, [...words, input]))
    .map(([command]) => `${command} of ${format}`);
}

/** One message, many times: a single run is over too soon to be timed. `shortCommands` says how often each takes it. */
function shortRows() {
  const input = join(folder, 'one.json');
  writeOneMessage(input);
  return Object.entries(shortCommands)
    .filter(([command]) => isChosen([command]))
    .filter(([command, files]) =>
      isSlower(`${command} of one message`, [command, ...Array.from({ length: files }, () => input)], shortRuns),
    )
    .map(([command]) => `${command} of one message`);
}

function isChosen([command]) {
  return CHOSEN.length === 0 || CHOSEN.includes(command);
}

/** `runs`: so many are one measurement, and keep their compiled code before it. */
function isSlower(name, words, runs = 1) {
  const second = (root) => cpuSecondsOf([process.execPath, join(root, 'bin/ctx-trim.js'), ...words], folder);
  const seconds = (root) => Array.from({ length: runs }, () => second(root)).reduce((sum, one) => sum + one);
  for (const root of [base, '.']) seconds(root); // caches of the disk are warm from here on
  const { median, low, high } = medianOf(pairs, () => {
    const before = seconds(base);
    return seconds('.') / before;
  });
  const verdict = median <= 1 + tolerance ? '' : low > 1 ? 'slower' : 'slower, but within the noise';
  const figures = [median, low, high].map((figure) => figure.toFixed(2));
  process.stdout.write(`${name.padEnd(44)} ${figures[0]} (${figures[1]} to ${figures[2]}) ${verdict}\n`);
  return verdict === 'slower';
}

/** The recording so often that it fills the size; a single document is written on one line. */
function repeated(source, path) {
  const text = readFileSync(source, 'utf8');
  const lines = source.endsWith('.jsonl') ? text.trimEnd() : JSON.stringify(JSON.parse(text));
  const times = Math.max(1, Math.round((MEGABYTES * 2 ** 20) / Buffer.byteLength(lines)));
  writeFileSync(path, `${lines}\n`.repeat(times));
  return path;
}
