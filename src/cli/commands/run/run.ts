import { TranscriptError } from '../../../errors.js';
import type { Values } from '../../../options/option.js';
import type { everyForSteps } from '../../../transforms/every.js';
import type { Config } from '../../config/config.js';
import type { ExitCode } from '../../options/command.js';
import type { RewriteOptions } from '../../options/options.js';
import type { Terminal } from '../../terminal/terminal.js';
import { rewrite } from '../rewrite/run.js';
import { rejectIdleEvery, stepNames, stepsFirst } from './steps.js';

export async function runSteps(
  words: readonly string[],
  options: RewriteOptions & Values<typeof everyForSteps>,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const { steps, rest } = await stepsFirst(words, config, terminal, { every: options.every });
  if (steps.length === 0)
    throw new TranscriptError('usage', `unknown step or pipeline \`${words[0]}\`; ${stepNames(config)}`);
  rejectIdleEvery(options.every, steps);
  return rewrite(rest, steps, options, terminal);
}
