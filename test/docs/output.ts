/** What a command line prints. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { plainWords, printedByProgram } from '../shared/program.js';

/** On stdout and stderr, 80 columns wide, in the folder of the repository. */
export function outputOf(line: string, env: Readonly<Record<string, string>> = { NO_COLOR: '1' }): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-bin-'));
  const all = { PATH: folder + delimiter + process.env['PATH'], HOME: folder, COLUMNS: '80', ...env };
  const words = plainWords(line);
  const printed = words === undefined ? printedBySh(line, folder, all) : printedByProgram(words, { env: all });
  rmSync(folder, { recursive: true });
  return printed;
}

function printedBySh(line: string, folder: string, env: Readonly<Record<string, string>>): string {
  symlinkSync(resolve('bin/ctx-trim.js'), join(folder, 'ctx-trim'));
  return spawnSync('sh', ['-c', `{ ${line}\n} 2>&1`], { encoding: 'utf8', env }).stdout;
}
