/** What a command line prints. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { plainWords, printedByProgram, runProgram } from '../shared/program.js';

type Environment = Readonly<Record<string, string>>;

/** On stdout and stderr, 80 columns wide, in the folder of the repository. */
export function outputOf(line: string, env: Environment = { NO_COLOR: '1' }): string {
  const [command = '', ...filters] = line.replaceAll(/\\\n/g, ' ').split(/ (?=\| (?:head|tail) -\d+$)/);
  const words = plainWords(command);
  if (words === undefined) return within(env, (all, folder) => printedBySh(line, folder, all));
  if (filters.length === 0) return within(env, (all) => printedByProgram(words, { env: all }));
  const { stdout, stderr } = within(env, (all) => runProgram(words, { env: all }));
  return stderr + linesOf(stdout, filters[0]!);
}

/** Of a text, what `| head -n` or `| tail -n` leaves. */
function linesOf(text: string, filter: string): string {
  const lines = text.match(/[^\n]*\n/g) ?? [];
  const count = Number(/\d+$/.exec(filter)![0]);
  return (filter.startsWith('| head') ? lines.slice(0, count) : lines.slice(-count)).join('');
}

/** On stdout alone. */
export function stdoutOf(line: string): string {
  const words = plainWords(line);
  if (words === undefined) return outputOf(`{ ${line}; } 2>/dev/null`);
  return within({ NO_COLOR: '1' }, (env) => runProgram(words, { env }).stdout);
}

function within<Printed>(env: Environment, run: (env: Environment, folder: string) => Printed): Printed {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-bin-'));
  const printed = run({ PATH: folder + delimiter + process.env['PATH'], HOME: folder, COLUMNS: '80', ...env }, folder);
  rmSync(folder, { recursive: true });
  return printed;
}

function printedBySh(line: string, folder: string, env: Environment): string {
  symlinkSync(resolve('bin/ctx-trim.js'), join(folder, 'ctx-trim'));
  return spawnSync('sh', ['-c', `{ ${line}\n} 2>&1`], { encoding: 'utf8', env }).stdout;
}
