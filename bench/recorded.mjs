// CPU time of `stats --by day --recorded` on 200 MB of Claude Code logs over that of ccusage's native binary, pair by
// pair: read anew, with what an earlier run kept of the files, and with 1 % of the files changed since. A part of
// `npm run bench`; `npm run bench:recorded` is this part alone. CTX_TRIM_BENCH_NODES: programs of other Nodes, with
// blanks between them, which are measured too. CTX_TRIM_BENCH_RUNS: how many pairs (15).
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSecondsOf, medianOf } from './measure.mjs';
import { CCUSAGE, installCcusage } from './peers.mjs';

const MEGABYTES = 200;
const RUNS = Number(process.env.CTX_TRIM_BENCH_RUNS ?? 15);
const OTHERS = process.env.CTX_TRIM_BENCH_NODES?.split(' ') ?? [];
const LOGS = ['../shared/transcripts/claude-code', 'fixtures/formats/claude-code'].find((path) => existsSync(path));
/** Younger files are not kept, as a further change might not show. */
const SETTLED_MS = 2500;

/** A row for each state of the files, on each Node. */
export function recorded({ row, folder }) {
  const work = join(folder, 'recorded');
  const peer = peerIn(join(work, 'peer'));
  if (peer === undefined) return;
  const logs = writeLogs(work);
  for (const [index, node] of [process.execPath, ...OTHERS].entries()) {
    const scratch = join(work, `scratch-${index}`);
    mkdirSync(scratch);
    const environment = { CLAUDE_CONFIG_DIR: work, XDG_CACHE_HOME: join(work, `cache-${index}`) };
    const over = (options, prepare) => {
      const command = [node, 'bin/ctx-trim.js', 'stats', '--by', 'day', '--recorded', ...options];
      const once = () => {
        prepare?.();
        const ours = cpuSecondsOf([...command, join(work, 'projects')], scratch, environment);
        return ours / cpuSecondsOf([peer, 'claude', 'daily', '--json', '--offline'], scratch, environment);
      };
      once();
      once();
      return medianOf(RUNS, once);
    };
    const version = index === 0 ? '' : `, Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`;
    const what = `\`stats --by day --recorded\`${version}, ${MEGABYTES} MB`;
    pause();
    row(`${what}, CPU over ccusage`, over(['--no-cache']), 1.5);
    row('the same, known files', over([]), 0.5);
    row(
      'the same, 1 % of the files changed',
      over([], () => changeSome(logs)),
      0.5,
    );
  }
}

/** Undefined, and a line on stderr, where it cannot be installed. */
function peerIn(folder) {
  try {
    return installCcusage(folder);
  } catch (error) {
    process.stderr.write(`${CCUSAGE} is left out: ${error.message}\n`);
    return undefined;
  }
}

/** Copies with ids of their own: else they would be taken for repeats of one another. Returns their paths. */
function writeLogs(work) {
  const names = readdirSync(LOGS).filter((name) => name.endsWith('.jsonl') && statSync(join(LOGS, name)).size > 20_000);
  const size = names.reduce((sum, name) => sum + statSync(join(LOGS, name)).size, 0);
  if (size === 0) throw new Error(`${LOGS} has no logs of 20 KB or more`);
  const written = [];
  for (let copy = 0; copy * size < MEGABYTES * 1e6; copy++) {
    const folder = join(work, 'projects', `p${copy}`);
    mkdirSync(folder, { recursive: true });
    for (const name of names) {
      const text = readFileSync(join(LOGS, name), 'utf8')
        .replaceAll('"id":"msg_', `"id":"msg_${copy}x`)
        .replaceAll('"requestId":"req_', `"requestId":"req_${copy}x`);
      writeFileSync(join(folder, name), text);
      written.push(join(folder, name));
    }
  }
  return written;
}

function changeSome(logs) {
  for (let index = 0; index < logs.length / 100; index++)
    appendFileSync(logs[Math.floor(Math.random() * logs.length)], '{"type":"summary","summary":"x","leafUuid":"y"}\n');
  pause();
}

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS);
}
