// `npm run growth`: CPU at 4 N over that at N, for each command over each shape and format, start-up aside. More than 5
// is a fault (exit 1). The words behind it choose rows, by what they hold: `npm run growth filter 'no ids'
// openai-chat`. CTX_TRIM_GROWTH: N (8,000).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runs, shapes, writers } from './shapes.mjs';

const SIZE = Number(process.env.CTX_TRIM_GROWTH ?? 8000);
const MOST = 5;
/** Seconds. Below it start-up and the warming up of code are most of what is measured. */
const LEAST = 0.03;
/** Seconds, after which a run is given up. */
const LONGEST = Number(process.env.CTX_TRIM_GROWTH_SECONDS ?? 60);
const words = process.argv.slice(2);
const startUps = new Map();

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-growth-'));
const at = (name) => join(folder, name);
const rules = at('rules.txt');
const policy = at('policy.yaml');
const spy = at('spy.cjs');
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
writeFileSync(
  spy,
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); ` +
    `require('fs').writeFileSync(${JSON.stringify(at('cpu'))}, String(user + system)); });`,
);

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
  prune: ['prune', '--reasoning', '--images', '--empty', '--records'],
  inject: ['inject', '--system', rules, '--user', 'Go on.'],
  check: ['check'],
  'check --provider mistral': ['check', '--provider', 'mistral'],
  'check --provider anthropic': ['check', '--provider', 'anthropic'],
  'check --format json': ['check', '--format', 'json'],
  'check --fix': ['check', '--fix=synthetic', '--provider', 'anthropic', '-o', at('out')],
  stats: ['stats'],
  'stats --format json': ['stats', '--format', 'json'],
  'stats --tools': ['stats', '--tools'],
  'stats --by turn': ['stats', '--by', 'turn'],
  'stats --by request': ['stats', '--by', 'request'],
  simulate: ['simulate'],
  'simulate filter': ['simulate', '--scope', 'all', 'filter:max-tool-calls=3'],
  'simulate filter, history': ['simulate', 'filter:max-tool-calls=3'],
  'simulate truncate': ['simulate', '--scope', 'all', 'truncate:max-length=30'],
  'simulate --carry': ['simulate', '--carry', '--scope', 'all', 'clear:trigger=2000'],
  'simulate --retries': ['simulate', '--retries', '3'],
  audit: ['audit', '--policy', policy],
  'policy init': ['policy', 'init'],
  diff: ['diff', at('before')],
  'convert to openai-chat': ['convert', '--to', 'openai-chat'],
  'convert to anthropic-messages': ['convert', '--to', 'anthropic-messages'],
  'convert to gemini-contents': ['convert', '--to', 'gemini-contents'],
  'convert to openai-responses': ['convert', '--to', 'openai-responses'],
  'convert to bedrock-converse': ['convert', '--to', 'bedrock-converse'],
};

let faults = 0;
try {
  for (const [format, write] of Object.entries(writers))
    for (const [shape, make] of Object.entries(shapes)) measureAll(format, shape, (size) => write(make(size)));
  measureAll('openai-chat', 'many transcripts in one record', runs);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = faults > 0 ? 1 : 0;

function measureAll(format, shape, make) {
  const chosen = Object.entries(commands).filter(([name]) =>
    words.every((word) => `${format}: ${shape}: ${name}.`.includes(word)),
  );
  if (chosen.length === 0) return;
  for (const [name, size] of [
    ['tiny', 2],
    ['small', SIZE],
    ['large', 4 * SIZE],
  ])
    writeFileSync(at(name), make(size));
  for (const [name, command] of chosen) measure(`${format}: ${shape}: ${name}`, command);
}

/** Where the large file takes less than MOST times LEAST, the small one need not be run. */
function measure(what, command) {
  const least = (file, times) => {
    let seconds = Number.POSITIVE_INFINITY;
    for (let time = 0; time < times; time++) seconds = Math.min(seconds, cpuOf([...command, at(file)]));
    return seconds;
  };
  let ratio = 0;
  let figures = [];
  for (const times of [1, 3]) {
    const before = times > 1 ? least('tiny', times) : startUpOf(what, command);
    const large = least('large', times) - before;
    const small = large <= MOST * LEAST ? Number.NaN : least('small', times) - before;
    figures = [small, large];
    ratio = large / (small > LEAST ? small : LEAST);
    if (ratio <= MOST || !Number.isFinite(ratio)) break;
  }
  const isFault = !(ratio <= MOST);
  if (isFault) faults++;
  const [small, large] = figures.map((seconds) => seconds.toFixed(2).padStart(6));
  process.stdout.write(`${isFault ? '!' : ' '} ${ratio.toFixed(1).padStart(5)} ${small} ${large}  ${what}\n`);
}

/** Measured once for a command and a format: the shapes hardly differ where they are small. */
function startUpOf(what, command) {
  const key = [what.split(':')[0], ...command].join(' ');
  if (!startUps.has(key)) startUps.set(key, cpuOf([...command, at('tiny')]));
  return startUps.get(key);
}

/** Seconds of CPU, of all threads. NaN where the run fails. */
function cpuOf([command, ...rest]) {
  const file = rest.at(-1);
  if (command === 'diff') writeFileSync(at('before'), readFileSync(file, 'utf8').replaceAll('a little', 'no'));
  const { status, signal, stderr } = spawnSync(process.execPath, ['-r', spy, 'bin/ctx-trim.js', command, ...rest], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: LONGEST * 1000,
    maxBuffer: 1 << 30,
  });
  if (signal !== null) return Number.POSITIVE_INFINITY;
  if (status === 0 || status === 1) return Number(readFileSync(at('cpu'), 'utf8')) / 1e6;
  process.stdout.write(
    `  ${command} failed: ${stderr.split('\n').find((line) => !line.includes('warning')) ?? status}\n`,
  );
  return Number.NaN;
}
