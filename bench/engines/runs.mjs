// How each engine is asked to do the parts. `during` is called while it works, and takes a worker away.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONTROLLER, HOSTS, kill, killHost, startOn } from './hosts.mjs';

export const WORK = resolve('bench/engines/work.sh');
const [, second] = HOSTS;

/** By title: what is killed, and how it runs. `run` fulfills once the engine says that all parts are done. */
export const ENGINES = [
  {
    title: 'GNU parallel, two jobs on this machine',
    killed: 'a job',
    output: 'parallel',
    command: 'parallel --retries 3 --jobs 2 work.sh {} :::: manifest',
    run: (all, during) => waited(parallel(all, ['--jobs', '2']), all, during),
    strike: ({ out }) => killJob(out),
  },
  {
    title: 'GNU parallel over ssh, two hosts',
    killed: 'a host',
    output: 'ssh',
    command: 'parallel --retries 3 --sshlogin host1,host2 work.sh {} :::: manifest',
    async run(all, during) {
      const login = sshHosts(all.folder);
      await waited(
        parallel(all, ['--sshlogin', HOSTS.map(({ address }) => `1/${login} root@${address}`).join(',')]),
        all,
        during,
      );
    },
    strike: () => killHost(second.name),
  },
  {
    title: 'Slurm, a controller and two nodes',
    killed: 'a node',
    output: 'slurm',
    command: 'sbatch --array --requeue, then a wait for the queue',
    async run(all, during) {
      const slurm = startSlurm(all.folder);
      try {
        await slurm.done(all, during);
      } finally {
        slurm.stop();
      }
    },
    strike: () => killHost(second.name),
  },
  {
    title: 'Dask distributed, a scheduler and two workers',
    killed: 'a worker',
    output: 'dask',
    command: 'client.map(work, parts, retries=3)',
    async run(all, during) {
      const python = '/usr/bin/python3'; // Debian's, which has python3-distributed
      const scheduler = `tcp://${CONTROLLER}:8786`;
      const own = spawnLogged(all.folder, 'dask-scheduler', [
        '/usr/bin/dask-scheduler',
        '--host',
        CONTROLLER,
        '--no-dashboard',
      ]);
      const worker = ['/usr/bin/dask-worker', scheduler, '--nthreads', '1', '--no-nanny', '--no-dashboard'];
      for (const { name } of HOSTS) startOn(name, all.folder, worker, { cwd: all.folder });
      try {
        const client = spawnLogged(
          all.folder,
          'dask-client',
          [python, resolve('bench/engines/parts_dask.py'), scheduler, WORK, all.folder, all.output],
          all.parts.join('\n'),
        );
        await waited(client, all, during);
      } finally {
        kill(own.pid);
        for (const { name } of HOSTS) killHost(name);
      }
    },
    strike: () => killHost(second.name),
  },
];

/** Resolves when the program ends well. */
async function waited(child, all, during) {
  const ended = new Promise((done, fail) => {
    child.on('exit', (code) =>
      code === 0 ? done() : fail(new Error(`${child.spawnfile} ended with ${code}: ${all.folder}`)),
    );
  });
  await Promise.all([ended, during()]);
}

function spawnLogged(folder, name, [command, ...words], input) {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(command, words, { stdio: [input === undefined ? 'ignore' : 'pipe', log, log], cwd: folder });
  child.stdin?.end(input);
  return child;
}

function parallel({ folder, output, parts }, where) {
  const words = ['--will-cite', '--retries', '3', ...where, WORK, folder, output, '{}'];
  return spawnLogged(folder, 'parallel', ['parallel', ...words], parts.join('\n'));
}

/** A part that is being done, with all that its shell started. */
function killJob(out) {
  const [running] = readdirSync(join(out, 'running'));
  const shell = Number(readFileSync(join(out, 'running', running), 'utf8'));
  const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ').filter(Boolean);
  for (const pid of [shell, ...children.map(Number)]) kill(pid);
}

/** Starts sshd on both hosts. Returns the command to log in. */
function sshHosts(folder) {
  const key = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  mkdirSync('/run/sshd', { recursive: true });
  for (const { name, address } of HOSTS) {
    const config = join(folder, `${name}.sshd`);
    const lines = [
      ...[`ListenAddress ${address}`, `HostKey ${key}`, `AuthorizedKeysFile ${key}.pub`, `PidFile ${config}.pid`],
      ...['PermitRootLogin prohibit-password', 'StrictModes no', 'UsePAM no', 'MaxStartups 100'],
    ];
    writeFileSync(config, `${lines.join('\n')}\n`);
    startOn(name, folder, ['/usr/sbin/sshd', '-D', '-f', config]);
  }
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'ConnectTimeout=5'];
  const path = join(folder, 'login');
  writeFileSync(path, `#!/bin/sh\nexec ssh -i ${key} ${options.map((option) => `-o ${option}`).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
  execFileSync('sleep', ['1']);
  return path;
}

function startSlurm(folder) {
  const at = (name) => join(folder, name);
  const env = { ...process.env, SLURM_CONF: at('slurm.conf') };
  writeFileSync(at('munge.key'), Buffer.from(crypto.getRandomValues(new Uint8Array(128))), { mode: 0o600 });
  const munge = ['socket', 'key-file', 'pid-file', 'log-file', 'seed-file'].map(
    (name) => `--${name}=${at(`munge.${name === 'key-file' ? 'key' : name}`)}`,
  );
  const own = [spawnLogged(folder, 'munged', ['munged', '--foreground', '--force', ...munge])];
  const lines = [
    ...[
      'ClusterName=engines',
      `SlurmctldHost=${execFileSync('hostname', ['-s'], { encoding: 'utf8' }).trim()}(${CONTROLLER})`,
    ],
    ...['SlurmUser=root', 'AuthType=auth/munge', `AuthInfo=socket=${at('munge.socket')}`, 'MpiDefault=none'],
    ...[
      `StateSaveLocation=${at('slurm.state')}`,
      `SlurmdSpoolDir=${at('slurm.%n')}`,
      `SlurmdPidFile=${at('slurmd.%n.pid')}`,
    ],
    ...[`SlurmctldPidFile=${at('slurmctld.pid')}`, 'ProctrackType=proctrack/linuxproc', 'TaskPlugin=task/none'],
    ...[
      'SelectType=select/cons_tres',
      'SelectTypeParameters=CR_Core',
      'SlurmdTimeout=10',
      'ReturnToService=0',
      'JobRequeue=1',
    ],
    ...['KillWait=1', 'MinJobAge=2', 'JobCompType=jobcomp/none', 'AccountingStorageType=accounting_storage/none'],
    ...HOSTS.map(({ name, address }) => `NodeName=${name} NodeAddr=${address} CPUs=1 State=UNKNOWN`),
    `PartitionName=all Nodes=${HOSTS.map(({ name }) => name).join(',')} Default=YES MaxTime=INFINITE State=UP`,
  ];
  writeFileSync(at('slurm.conf'), `${lines.join('\n')}\n`);
  for (const name of ['state', ...HOSTS.map((host) => host.name)]) mkdirSync(at(`slurm.${name}`));
  execFileSync('sleep', ['1']);
  const log = openSync(at('slurmctld.log'), 'a');
  own.push(spawn('slurmctld', ['-D'], { env, stdio: ['ignore', log, log] }));
  for (const { name } of HOSTS) startOn(name, folder, ['slurmd', '-D', '-N', name], { env });
  execFileSync('sleep', ['3']);
  return {
    async done({ parts, output }, during) {
      writeFileSync(at('manifest'), parts.join('\n'));
      const job = `${WORK} ${folder} ${output} "$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" ${at('manifest')})"`;
      const words = [`--array=0-${parts.length - 1}`, '--requeue', `--output=${at('slurm-%a.out')}`, `--wrap=${job}`];
      execFileSync('sbatch', words, { env, cwd: folder });
      await during();
      while (execFileSync('squeue', ['--noheader'], { env, encoding: 'utf8' }).trim() !== '')
        await new Promise((done) => setTimeout(done, 500));
    },
    stop() {
      for (const { pid } of own) kill(pid);
      for (const { name } of HOSTS) killHost(name);
    },
  };
}
