/** A terminal in memory, for commands that run in the process of a test. */
import type { Stream, Terminal } from '../../src/cli/terminal/terminal.js';

export interface MemoryTerminal {
  readonly terminal: Terminal;
  out(): string;
  err(): string;
}

/** Nobody types: standard input is a terminal and ends at once. */
export function memoryTerminal(given: Pick<Terminal, 'cwd'> & Partial<Terminal>): MemoryTerminal {
  const [out, err]: [string[], string[]] = [[], []];
  const stream = (to: string[]): Stream => ({
    isTerminal: false,
    columns: 80,
    write: (text) => void to.push(text),
    data: (bytes) => void to.push(Buffer.from(bytes).toString()),
  });
  const terminal = {
    env: {},
    stdin: () => 0,
    stdinIsTerminal: true,
    stdout: stream(out),
    stderr: stream(err),
    ...given,
  };
  return { terminal, out: () => out.join(''), err: () => err.join('') };
}
