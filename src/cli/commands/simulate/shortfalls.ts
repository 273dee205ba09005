/** What steps could not do in a simulation, said as the steps themselves say it. */
import type { SweepFacts, TranscriptOrigin } from '../../../measure/simulation/facts.js';
import { shortPoliciesText } from '../../../reports/simulation/advice.js';
import { say } from '../../inputs/reading.js';
import { createWarnings } from '../../inputs/repeated.js';
import type { ExitCode } from '../../options/command.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { SimulateOptions } from './options.js';

/** Warns of them, and returns the exit code that the steps have when they rewrite a file. */
export function saySteps<T extends TranscriptOrigin>(
  transcripts: readonly T[],
  shortfallsOf: (transcript: T) => readonly string[],
  { verbose }: Pick<SimulateOptions, 'verbose'>,
  terminal: Terminal,
): ExitCode {
  const short = transcripts.filter((transcript) => shortfallsOf(transcript).length > 0);
  for (const name of new Set(short.map(({ file }) => file))) {
    const warnings = createWarnings(name, verbose === true, terminal);
    for (const one of short) if (one.file === name) for (const text of shortfallsOf(one)) warnings.warn(one.line, text);
    warnings.close();
  }
  return short.length > 0 ? 1 : 0;
}

/** Warns of policies of a sweep that fall short. Returns whether all do: where one does not, it can be chosen. */
export function saySweep({ outcomes }: SweepFacts, terminal: Terminal): boolean {
  const text = shortPoliciesText(outcomes);
  if (text !== undefined) say(terminal, `ctx-trim: warning: ${text}`);
  const [, ...policies] = outcomes; // the first is none
  return policies.every(({ shortfalls }) => shortfalls.length > 0);
}
