/** What a command line prints. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** On stdout and stderr, 80 columns wide, in the folder of the repository. */
export function outputOf(line: string, env: Readonly<Record<string, string>> = { NO_COLOR: '1' }): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-bin-'));
  symlinkSync(resolve('bin/ctx-trim.js'), join(folder, 'ctx-trim'));
  const { stdout } = spawnSync('sh', ['-c', `{ ${line}\n} 2>&1`], {
    encoding: 'utf8',
    env: { PATH: folder + delimiter + process.env['PATH'], HOME: folder, COLUMNS: '80', ...env },
  });
  rmSync(folder, { recursive: true });
  return stdout;
}
