// Two hosts on this machine: network namespaces on a bridge, each with its own programs. They share the file system.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';

/** Another number lets two runs go on at a time. */
const NETWORK = Number(process.env.NETWORK ?? 99);
export const CONTROLLER = `10.${NETWORK}.0.1`;
export const HOSTS = [
  { name: `engine${NETWORK}a`, address: `10.${NETWORK}.0.2` },
  { name: `engine${NETWORK}b`, address: `10.${NETWORK}.0.3` },
];
const BRIDGE = `engines${NETWORK}`;

const ip = (...words) => execFileSync('ip', words);

export function makeHosts() {
  removeHosts();
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${CONTROLLER}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  for (const { name, address } of HOSTS) {
    ip('netns', 'add', name);
    ip('link', 'add', `${name}v`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', `${name}v`, 'master', BRIDGE, 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }
}

export function removeHosts() {
  for (const { name } of HOSTS) {
    killHost(name);
    spawnSync('ip', ['netns', 'del', name]);
  }
  spawnSync('ip', ['link', 'del', BRIDGE]);
}

/** Starts a program on a host, whose output goes to a file. */
export function startOn(name, folder, command, options = {}) {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn('nsenter', [`--net=/var/run/netns/${name}`, ...command], {
    stdio: ['ignore', log, log],
    ...options,
  });
  child.unref();
  return child;
}

/** Ends everything that runs on a host, as a loss of power would. */
export function killHost(name) {
  for (const pid of pidsOn(name)) kill(pid);
}

export function pidsOn(name) {
  const { stdout } = spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').filter(Boolean).map(Number);
}

export function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
