import { TranscriptError } from '../../../errors.js';
import type { ExitCode } from '../../options/command.js';
import type { Terminal } from '../../terminal/terminal.js';
import { SCRIPTS } from './scripts.js';

/** Prints the script of a shell. The manual page names all commands, so the program itself prints it. */
export async function runCompletion([shell = '']: readonly string[], { stdout }: Terminal): Promise<ExitCode> {
  const script = SCRIPTS.get(shell);
  if (script === undefined)
    throw new TranscriptError('usage', `name a shell: ctx-trim completion ${[...SCRIPTS.keys()].join('|')} (or man)`);
  stdout.write(script);
  return 0;
}
