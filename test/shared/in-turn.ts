/** Command lines, run one after the other by the built program, 80 columns wide. */
import { runProgram, type Told } from './program.js';

/** What each of the command lines says, in a folder. A word has no blanks in it. */
export function inTurn(cwd: string, lines: readonly string[]): Told[] {
  return inFolders(lines.map((line) => [cwd, line]));
}

/** The same, each in a folder of its own. */
export function inFolders(runs: readonly (readonly [cwd: string, line: string])[]): Told[] {
  const env = {
    ...process.env,
    COLUMNS: '80',
    NO_COLOR: '1',
    FORCE_COLOR: '',
    GITHUB_ACTIONS: '',
    HOME: '/nonexistent',
  };
  return runs.map(([cwd, line]) => runProgram(line.split(' '), { cwd, env }));
}
