// Whole processes, timed from outside, two in turn (A B A B …): on a machine whose speed drifts only ratios hold.
import { spawnSync } from 'node:child_process';

/** NODE_EXTRA_CA_CERTS adds some 30 ms to every start of Node 20 and would flatter every ratio. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** Seconds that a command takes, its output thrown away. */
function seconds([command, ...args]) {
  const start = process.hrtime.bigint();
  const { status, error } = spawnSync(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** The median of `time of a / time of b` over `runs` pairs, with the quartiles. */
export function ratio(a, b, runs) {
  seconds(a);
  seconds(b);
  const ratios = Array.from({ length: runs }, () => seconds(a) / seconds(b)).sort((x, y) => x - y);
  const at = (share) => ratios[Math.min(runs - 1, Math.floor(runs * share))];
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Peak memory of a command in MB, by the kernel's own account. */
export function peakMegabytes([command, ...args]) {
  const { stderr } = spawnSync('/usr/bin/env', ['time', '-f', '%M', command, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  return Number(stderr.trim().split('\n').pop()) / 1024;
}

export function has(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}
