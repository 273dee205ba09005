import { TranscriptError } from '../../../errors.js';
import type { ExitCode } from '../../options/command.js';
import type { Terminal } from '../../terminal/terminal.js';
import { manPage } from './man.js';
import { SCRIPTS } from './scripts.js';

/** Prints the script of a shell, or the manual page. */
export async function runCompletion([shell = '']: readonly string[], { stdout }: Terminal): Promise<ExitCode> {
  const script = shell === 'man' ? await manPage() : SCRIPTS.get(shell);
  if (script === undefined)
    throw new TranscriptError('usage', `name a shell: ctx-trim completion ${[...SCRIPTS.keys()].join('|')} (or man)`);
  stdout.write(script);
  return 0;
}
