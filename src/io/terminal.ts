/** The world as commands see it. cli.ts makes the real one; tests and programs make their own. */
import type { Read } from '../json/rows.js';
import type { SafeText } from '../safe/text.js';

/** The width of what is no terminal. */
export const USUAL_WIDTH = 80;

export interface Stream {
  readonly isTerminal: boolean;
  /** Width in columns, for what is laid out. */
  readonly columns: number;
  /** For people, and reports. */
  write(text: SafeText): void;
  /** What was read and rewritten, as it is. */
  data(bytes: Uint8Array): void;
}

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Read;
  readonly stdinIsTerminal: boolean;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** Whether a stream takes colour: as the flag says, else FORCE_COLOR, NO_COLOR, TERM=dumb, else whether it is a terminal. */
export function takesColor(stream: Stream, env: Terminal['env'], flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return stream.isTerminal;
}
