import { TranscriptError } from '../../errors.js';
import type { Terminal } from '../../io/terminal.js';
import type { ExitCode } from '../command.js';
import { SCRIPTS } from './scripts.js';

/** Prints the script of a shell. */
export async function runCompletion([shell = '']: readonly string[], { stdout }: Terminal): Promise<ExitCode> {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined)
    throw new TranscriptError('usage', `name a shell: ctx-trim completion ${Object.keys(SCRIPTS).join('|')}`);
  stdout.write(script);
  return 0;
}
