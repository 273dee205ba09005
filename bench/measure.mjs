// Whole processes, timed from outside, two in turn (A B A B …): on a machine whose speed drifts only ratios hold.
import { execFileSync, spawnSync } from 'node:child_process';

/** NODE_EXTRA_CA_CERTS adds some 30 ms to every start of Node 20 and would flatter every ratio. */
function environment() {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return env;
}

/** Seconds that a command takes, its output thrown away. Findings are no failure. */
export function secondsOf([command, ...args]) {
  const start = process.hrtime.bigint();
  const { status, error, stderr } = spawnSync(command, args, {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (error || (status !== 0 && status !== 1))
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}: ${stderr}`}`);
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/**
 * CPU time of a program and its threads. `folder`: for temporary files, where Node keeps compiled code too. Output goes
 * to files, as in CI.
 */
export function cpuSecondsOf(command, folder, more = {}) {
  const script = 'TIMEFORMAT="%3U %3S"; { time "$@" </dev/null >"$TMPDIR/stdout" 2>"$TMPDIR/stderr"; } 2>&1';
  const options = { encoding: 'utf8', env: { ...environment(), TMPDIR: folder, ...more } };
  const [user, system] = execFileSync('bash', ['-c', `${script}; true`, 'bash', ...command], options).split(' ');
  return Number(user) + Number(system);
}

/** The median and the quartiles of so many measurements. */
export function medianOf(runs, measure) {
  const values = Array.from({ length: runs }, measure).sort((x, y) => x - y);
  const at = (share) => values[Math.min(runs - 1, Math.floor(runs * share))];
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** `time of a / time of b` over `runs` pairs, each run once before. */
export function ratio(a, b, runs) {
  secondsOf(a);
  secondsOf(b);
  return medianOf(runs, () => secondsOf(a) / secondsOf(b));
}

/** Peak memory of a command in MB, by the kernel's own account. */
export function peakMegabytes([command, ...args]) {
  const { stderr } = spawnSync('/usr/bin/env', ['time', '-f', '%M', command, ...args], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  return Number(stderr.trim().split('\n').pop()) / 1024;
}

export function has(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}
