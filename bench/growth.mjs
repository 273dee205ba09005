// `npm run growth`: CPU at 4 N over that at N, for each command over each shape and format. More than 5 is a fault
// (exit 1). Words, as patterns, choose rows: `npm run growth ': filter' 'no ids' '^openai-chat'`. CTX_TRIM_GROWTH: N.
//
// The program runs again and again in one process (test/shared/program-server.cjs), so that a row costs what the
// command does, not what Node does to start, and keeps no output. A command runs over all shapes of a format in turn,
// so that its code stays warm; files are written once. Every command over every shape of one format comes first, then
// a few shapes in every format, then the rest, and then recordings of all formats that are made longer
// (bench/grown.mjs: `npm run growth '^[^:]*: hand'`). Rows are kept in growth.tmp: a run that was stopped goes on
// where it stood. Without words, all rows are then written as a table to bench/GROWTH.md; `--table` writes those that
// there are.
import { fork } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordings } from './grown.mjs';
import { growthTable } from './growth-table.mjs';
import { runs, shapes, writers } from './shapes.mjs';

const SIZE = Number(process.env.CTX_TRIM_GROWTH ?? 1000);
const MOST = 5;
/** Bytes of a recording that stand for one call. */
const CALL = 150;
/** Seconds. Below it the warming up of code and collections of garbage are most of what is measured. */
const LEAST = 0.02;
/** Seconds on the clock, after which a run is given up. */
const LONGEST = Number(process.env.CTX_TRIM_GROWTH_SECONDS ?? 300);
/** A row that seems a fault is measured once more, the least counts, and then with 16 N: see `measure`. */
const AGAIN = 1;
/** A ratio below it says that the small file took long by chance: that is run once more, so as to hide no fault. */
const LITTLE = 3;
const TINY = 2;
const ROWS = 'growth.tmp';
const NOTHING = { seconds: 0, work: 0 };
const NEVER = { seconds: Number.POSITIVE_INFINITY, work: Number.POSITIVE_INFINITY };
const words = process.argv.slice(2).filter((word) => word !== '--table');
const isTable = process.argv.includes('--table');

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-growth-'));
const at = (name) => join(folder, name);
/** Nobody's sessions, no code that is kept. */
const ENVIRONMENT = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, CTX_TRIM_CACHE: 'off' };
const rules = at('rules.txt');
const policy = at('policy.yaml');
writeFileSync(rules, 'Answer briefly.');
writeFileSync(
  policy,
  `version: 1
rules:
  - { id: a, type: no_repeat, tool: "*", severity: warning }
  - { id: b, type: max_calls, tool: tool1, max: 2, per: turn }
  - { id: c, type: never_after, trigger: tool1, forbidden: tool2 }
  - { id: d, type: sequence, tools: [tool1, tool2, tool3] }
  - { id: e, type: exclusive, tools: [tool1, tool2] }
`,
);

const BEFORE = at('before');
/** Words of a run; the file comes last. */
const commands = {
  filter: ['filter', '--max-tool-calls', '2'],
  'filter half': ['filter', '--max-tool-calls', String(SIZE >> 1)],
  'filter rounds': ['filter', '--max-tool-calls', '2', '--unit', 'round', '--drop-user', '--pending', 'drop'],
  'filter --diff': ['filter', '--max-tool-calls', '2', '--diff', '-q'],
  'filter --side-by-side': ['filter', '--max-tool-calls', '2', '--diff', '--side-by-side', '-q'],
  'filter --summary': ['filter', '--max-tool-calls', '2', '--summary'],
  patch: ['patch'],
  'patch otherwise': ['patch', '--orphan', 'text', '--duplicate', 'last', '--placeholder', 'auto'],
  'patch --late keep': ['patch', '--late', 'keep', '--orphan', 'keep', '--duplicate', 'keep'],
  'patch --diff': ['patch', '--diff', '-q'],
  truncate: ['truncate', '--max-length', '30'],
  strip: ['strip'],
  'strip otherwise': ['strip', '--keep-text', '--keep-tool-names', '--retry-prompt'],
  clear: ['clear', '--trigger', '10', '--text', 'gone', '--clear-inputs'],
  fit: ['fit', '--max-tokens', '2000'],
  'fit rounds': ['fit', '--max-tokens', '2000', '--unit', 'round', '--strategy', 'first'],
  dedupe: ['dedupe'],
  stale: ['stale'],
  retries: ['retries'],
  'retries --drop': ['retries', '--drop'],
  offload: ['offload', '--over', '2000', '--dir', at('offloaded')],
  'strip-noise': ['strip-noise'],
  guard: ['guard', '--policy', policy],
  run: ['run', 'stale', 'retries', 'dedupe', 'filter:max-tool-calls=2'],
  redact: ['redact', '-q'],
  'redact --personal': ['redact', '--personal', '-q'],
  prune: ['prune', '--reasoning', '--images', '--empty', '--records'],
  inject: ['inject', '--system', rules, '--user', 'Go on.'],
  check: ['check'],
  'check --provider mistral': ['check', '--provider', 'mistral'],
  'check --provider anthropic': ['check', '--provider', 'anthropic'],
  'check --format json': ['check', '--format', 'json'],
  'check --reporter sarif': ['check', '--format', 'sarif'],
  'check --fix': ['check', '--fix=synthetic', '--provider', 'anthropic', '-o', at('out')],
  stats: ['stats'],
  'stats --format json': ['stats', '--format', 'json'],
  'stats --tools': ['stats', '--tools'],
  'stats --by turn': ['stats', '--by', 'turn'],
  'stats --by request': ['stats', '--by', 'request'],
  'stats --by message': ['stats', '--by', 'message'],
  'stats --by tool': ['stats', '--by', 'tool'],
  'stats --cache': ['stats', '--cache'],
  'stats --recorded': ['stats', '--recorded'],
  overview: ['overview'],
  formats: ['formats'],
  show: ['show', '--no-pager'],
  'show --full': ['show', '--full', '--no-pager'],
  'show --format json': ['show', '--format', 'json'],
  'show --findings': ['show', '--findings', '--no-pager'],
  report: ['report'],
  'report --policy': ['report', '--policy', 'filter:max-tool-calls=3'],
  select: ['select', '--min-calls', '1', '--max-tokens', '100000', '--unique'],
  'select --valid --near': ['select', '--valid', '--near', '0.8'],
  dataset: ['dataset'],
  'dataset --near': ['dataset', '--near', '0.8', '--max-tokens', '4000', '--over', 'cut'],
  fork: ['fork', '--dry-run'],
  'fork --steps': ['fork', '--dry-run', '--steps', 'stale, retries, filter:max-tool-calls=3'],
  'handover to claude-code': ['handover', '--to', 'claude-code', '--dry-run'],
  'handover to codex': ['handover', '--to', 'codex', '--dry-run'],
  'handover to pi': ['handover', '--to', 'pi', '--dry-run'],
  'handover to opencode': ['handover', '--to', 'opencode', '--dry-run'],
  'handover to gemini-cli': ['handover', '--to', 'gemini-cli', '--dry-run'],
  'handover to atif': ['handover', '--to', 'atif', '--dry-run'],
  simulate: ['simulate'],
  'simulate filter': ['simulate', '--scope', 'all', 'filter:max-tool-calls=3'],
  'simulate filter, history': ['simulate', 'filter:max-tool-calls=3'],
  'simulate truncate': ['simulate', '--scope', 'all', 'truncate:max-length=30'],
  'simulate stale': ['simulate', '--scope', 'all', 'stale'],
  'simulate dedupe': ['simulate', '--scope', 'all', 'dedupe'],
  'simulate strip': ['simulate', '--scope', 'all', 'strip'],
  'simulate retries': ['simulate', '--scope', 'all', 'retries'],
  'simulate --carry': ['simulate', '--carry', '--scope', 'all', 'clear:trigger=2000'],
  'simulate --retries': ['simulate', '--retries', '3'],
  audit: ['audit', '--policy', policy],
  'policy init': ['policy', 'init'],
  diff: ['diff', BEFORE],
  'convert to openai-chat': ['convert', '--to', 'openai-chat'],
  'convert to anthropic-messages': ['convert', '--to', 'anthropic-messages'],
  'convert to gemini-contents': ['convert', '--to', 'gemini-contents'],
  'convert to openai-responses': ['convert', '--to', 'openai-responses'],
  'convert to bedrock-converse': ['convert', '--to', 'bedrock-converse'],
};

const rows = new Map();
if (existsSync(ROWS))
  for (const line of readFileSync(ROWS, 'utf8').trim().split('\n').filter(Boolean)) {
    const row = JSON.parse(line);
    if (row.size === SIZE) rows.set(row.what, row);
  }
/** The format whose rows come first, over all shapes; then come these shapes in all formats, and the rest. */
const FIRST = 'openai-chat';
const EARLY = new Set(['one id again and again', 'no ids, one by one', 'rounds']);
const turnOf = ({ format, shape }) => (format === FIRST ? 0 : EARLY.has(shape) ? 1 : 2);

const formats = Object.keys(writers);
const makers = new Map(Object.entries(shapes));
const pairs = formats.flatMap((format) => [...makers.keys()].map((shape) => ({ format, shape })));
/** A record that many transcripts share is a thing of this format. */
pairs.push({ format: FIRST, shape: 'many transcripts in one record' });
const names = Object.keys(commands);
const plan = [
  ...[0, 1, 2].flatMap((turn) =>
    formats.flatMap((format) => {
      const here = pairs.filter((pair) => pair.format === format && turnOf(pair) === turn);
      return names.flatMap((name) => here.map((pair) => ({ ...pair, name })));
    }),
  ),
  ...recordings().flatMap((recording) =>
    names.map((name) => ({ format: recording.format, shape: recording.name, name, recording })),
  ),
];

let server;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    server?.kill('SIGKILL'); // it may be in the middle of a run
    process.exit(1);
  });
const leasts = new Map();
const written = new Set();
try {
  if (!isTable) for (const row of plan) await measureRow(row);
} finally {
  server?.kill();
  rmSync(folder, { recursive: true });
}
const measured = [...rows.values()];
if (words.length === 0) {
  const possible = plan.length;
  writeFileSync('bench/GROWTH.md', growthTable(measured, { size: SIZE, most: MOST, possible }));
}
process.exitCode = measured.some(({ ratio }) => ratio > MOST) ? 1 : 0;

async function measureRow({ format, shape, name, recording }) {
  const what = `${format}: ${shape}: ${name}`;
  if (rows.has(what) || !words.every((word) => new RegExp(word).test(`${what}.`))) return;
  const fileOf = (size) => (recording === undefined ? fileWith(format, shape, size) : longer(recording, size));
  const row = { size: SIZE, what, ...(await measure(`${format}: ${name}`, commands[name], fileOf)) };
  rows.set(what, row);
  appendFileSync(ROWS, `${JSON.stringify(row)}\n`);
  process.stdout.write(`${row.ratio > MOST ? '!' : ' '} ${JSON.stringify(row)}\n`);
}

/** A shape of so many calls in a format, written once. */
function fileWith(format, shape, size) {
  const path = at(`${format}-${[...makers.keys()].indexOf(shape)}-${size}`);
  if (written.has(path)) return path;
  written.add(path);
  writeFileSync(path, makers.has(shape) ? writers[format](makers.get(shape)(size)) : runs(size));
  return path;
}

function longer({ format, name, ending, grow }, size) {
  const path = at(`${format}-${name}-${size}${ending}`);
  if (!written.has(path)) writeFileSync(path, grow(size * CALL));
  written.add(path);
  return path;
}

/**
 * Where the large file takes less than MOST times LEAST, the small one need not be run. The large one comes first: what
 * is compiled in the meantime makes the ratio larger, not smaller. What grows faster than its input grows faster still
 * from 4 N to 16 N, but a first collection of garbage does not come twice: the smaller of both ratios counts.
 * `work`: the same without the collection of garbage, whose share grows with the size of the heap.
 */
async function measure(key, command, fileOf) {
  // the first run compiles and loads what the others have
  if (!leasts.has(key)) {
    await cpuOf(command, fileOf(TINY));
    leasts.set(key, { ...NOTHING, ...(await cpuOf(command, fileOf(TINY))) });
  }
  const least = leasts.get(key);
  let [small, large] = [NEVER, NEVER];
  for (let left = 1 + AGAIN; left > 0; left--) {
    const run = await cpuOf(command, fileOf(4 * SIZE));
    if (run.refusal !== undefined) return run;
    large = lesser(large, run);
    if (large.seconds === NEVER.seconds) return { ratio: 99, large: LONGEST };
    if (large.seconds <= MOST * LEAST) return { ratio: 0, large: large.seconds };
    const ratio = () => (large.seconds - least.seconds) / Math.max(small.seconds - least.seconds, LEAST);
    for (let runs = 0; runs === 0 || (runs === 1 && ratio() < LITTLE); runs++)
      small = lesser(small, await cpuOf(command, fileOf(SIZE)));
    const row = () => ({ ratio: ratio(), small: small.seconds, large: large.seconds });
    if (ratio() <= MOST) return row();
    if (left > 1) continue;
    const huge = await cpuOf(command, fileOf(16 * SIZE));
    if (huge === NEVER) return row();
    const growth = (by) => Math.min(...[growthOf(least, small, large), growthOf(least, large, huge)].map(by));
    return { ...row(), ratio: growth((g) => g.seconds), work: growth((g) => g.work), huge: huge.seconds };
  }
}

function lesser(a, b) {
  return { seconds: Math.min(a.seconds, b.seconds), work: Math.min(a.work, b.work) };
}

function growthOf(least, before, after) {
  const grown = (what) => (after[what] - least[what]) / Math.max(before[what] - least[what], LEAST);
  return { seconds: grown('seconds'), work: grown('work') };
}

/** Seconds of CPU, of all threads, with garbage and without; what it says where the command refuses the file. */
async function cpuOf(command, file) {
  const said = await run([...command, file].map((word) => (word === BEFORE ? beforeOf(file) : word)));
  if (said === undefined) return NEVER;
  if (said.status === 0 || said.status === 1) return { seconds: said.cpu / 1e6, work: (said.cpu - said.garbage) / 1e6 };
  return {
    refusal: said.stderr.split('\n').find((line) => line && !line.includes('warning')) ?? `status ${said.status}`,
  };
}

/** What `diff` compares with. */
function beforeOf(file) {
  const path = `${file}-before`;
  if (!written.has(path)) writeFileSync(path, readFileSync(file, 'utf8').replaceAll('a little', 'no'));
  written.add(path);
  return path;
}

/** Undefined where it takes too long. */
function run(argv) {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  const execArgv = ['--single-threaded-gc']; // so that the time of each collection is known
  server ??= fork('test/shared/program-server.cjs', ['.'], { serialization: 'advanced', stdio, execArgv });
  const mine = server;
  return new Promise((done) => {
    const end = (said) => {
      clearTimeout(timer);
      mine.removeAllListeners();
      done(said);
    };
    const giveUp = () => {
      mine.kill('SIGKILL');
      server = undefined;
      end(undefined);
    };
    const timer = setTimeout(giveUp, LONGEST * 1000);
    mine.on('message', end).on('exit', giveUp);
    mine.send({ words: argv, cwd: process.cwd(), env: ENVIRONMENT, input: '', isQuiet: true });
  });
}
