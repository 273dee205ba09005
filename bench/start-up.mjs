// `npm run start-up [node ...]`: CPU time (user + system) of short runs over that of bare Node, pair by pair, for this
// Node and for others whose programs are named. Writes bench/START-UP.md. Needs bash, which says how much CPU time a
// program took. CTX_TRIM_BENCH_RUNS: how many pairs (25).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { overBareNode, writeOneMessage } from './short-runs.mjs';

const RUNS = Number(process.env.CTX_TRIM_BENCH_RUNS ?? 25);
const NODES = [process.execPath, ...process.argv.slice(2)];
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-start-up-'));
const one = join(folder, 'one.json');
/** Command lines, each with the ratio to reach. */
const LINES = [
  ['--version', 1.4],
  ['--help', 1.4],
  [`filter --max-tool-calls 1 ${one}`, 1.5],
  [`truncate --unit tokens ${one}`, 1.8],
  [`check ${one}`, 2],
  [`diff ${one} ${one}`, 2],
  [`audit --policy query-history ${one}`, 2],
  [`stats ${one}`, 2],
];

try {
  writeOneMessage(one);
  const rows = LINES.map(([line, reach]) => [
    line.replaceAll(one, 'one.json'),
    reach,
    ...NODES.map((node) => ratio(node, line)),
  ]);
  const versions = NODES.map((node) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim());
  writeFileSync('bench/START-UP.md', report(versions, rows));
} finally {
  rmSync(folder, { recursive: true });
}

/** The median; each command line has its own cache. */
function ratio(node, line) {
  const cache = join(folder, node.replaceAll(/\W/g, '-'), line.replaceAll(/\W/g, '-'));
  const { median } = overBareNode(node, line.split(' '), cache, RUNS);
  process.stdout.write(`${node} ${line.replaceAll(one, 'one.json')}: ${median.toFixed(2)}\n`);
  return median;
}

function report(versions, rows) {
  const date = new Date().toISOString().slice(0, 10);
  return [
    '# Start-up',
    '',
    `Written by \`npm run start-up\` on ${date}: ${cpus().length} × ${cpus()[0]?.model.trim()}.`,
    `CPU time (user + system) of whole processes over that of bare Node, medians of ${RUNS} pairs.`,
    'Compiled code is kept (src/cli/code-cache.ts): the figures are with that cache filled by the same command line.',
    '',
    `| command line | to reach | ${versions.join(' | ')} |`,
    `| --- | --: | ${versions.map(() => '--: |').join(' ')}`,
    ...rows.map(
      ([line, reach, ...ratios]) => `| \`${line}\` | ${reach} | ${ratios.map((x) => x.toFixed(2)).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}
