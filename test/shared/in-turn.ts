/** The built program, run many times in one process: a process for each would take most of the time of a test. */
import { spawnSync } from 'node:child_process';

export interface Told {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** What each of the command lines says, run one after the other in a folder. A word has no blanks in it. */
export function inTurn(cwd: string, lines: readonly string[]): Told[] {
  return inFolders(lines.map((line) => [cwd, line]));
}

/** The same, each in a folder of its own. */
export function inFolders(runs: readonly (readonly [cwd: string, line: string])[]): Told[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['test/shared/in-turn.cjs', 'dist/cli.cjs'], {
    encoding: 'utf8',
    input: JSON.stringify(runs.map(([cwd, line]) => ({ cwd, args: line.split(' ') }))),
    env: { ...process.env, COLUMNS: '80', NO_COLOR: '1', FORCE_COLOR: '', GITHUB_ACTIONS: '', HOME: '/nonexistent' },
    maxBuffer: 1 << 28,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Told[];
}
