// `npm run bench:recorded [node ...]`: CPU time of `stats --by day --recorded` on 200 MB of Claude Code logs over that
// of ccusage's native binary, pair by pair, for this Node and for others whose programs are named: read anew, with what
// an earlier run kept of the files, and with 1 % of the files changed since. CTX_TRIM_BENCH_RUNS: how many pairs (15).
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSecondsOf, medianOf } from './measure.mjs';
import { installCcusage } from './peers.mjs';

const MEGABYTES = 200;
const RUNS = Number(process.env.CTX_TRIM_BENCH_RUNS ?? 15);
const NODES = [process.execPath, ...process.argv.slice(2)];
const LOGS = ['../shared/transcripts/claude-code', 'fixtures/formats/claude-code'].find((path) => existsSync(path));
/** Younger files are not kept, as a further change might not show. */
const SETTLED_MS = 2500;

const work = mkdtempSync(join(tmpdir(), 'ctx-trim-recorded-'));
try {
  const logs = writeLogs();
  const peer = [installCcusage(join(work, 'peer')), 'claude', 'daily', '--json', '--offline'];
  for (const node of NODES) {
    const stats = (...options) => [
      ...[node, 'bin/ctx-trim.js', 'stats', '--by', 'day', '--recorded', ...options],
      join(work, 'projects'),
    ];
    const environment = { CLAUDE_CONFIG_DIR: work, XDG_CACHE_HOME: join(work, `cache-${NODES.indexOf(node)}`) };
    const scratch = join(work, `scratch-${NODES.indexOf(node)}`);
    mkdirSync(scratch);
    const over = (command, prepare) => {
      const once = () => {
        prepare?.();
        return cpuSecondsOf(command, scratch, environment) / cpuSecondsOf(peer, scratch, environment);
      };
      once();
      once();
      return medianOf(RUNS, once);
    };
    pause();
    print(node, 'read anew', over(stats('--no-cache')), 1.5);
    print(node, 'known files', over(stats()), 0.5);
    print(node, '1 % of the files changed', over(stats(), changeSome), 0.5);
  }

  function changeSome() {
    for (let index = 0; index < logs.length / 100; index++)
      appendFileSync(
        logs[Math.floor(Math.random() * logs.length)],
        '{"type":"summary","summary":"x","leafUuid":"y"}\n',
      );
    pause();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Copies with ids of their own: else they would be taken for repeats of one another. Returns their paths. */
function writeLogs() {
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

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS);
}

function print(node, what, { median, low, high }, reach) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const figures = `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  process.stdout.write(`Node ${version}, ${what}: ${figures}, to reach ${reach}\n`);
}
