/** What worker threads do for `check`: they find out which lines have nothing to report. */
import { budgetsIn } from '../../../engine/check/budgets.js';
import type { Check } from '../../../engine/check/check.js';
import type { Config } from '../../config/config.js';
import { policiesIn } from '../../config/paths.js';
import { shownName } from '../../files/input.js';
import { serveParts } from '../../inputs/threads.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type Run, transformInput } from '../rewrite/transform-input.js';
import { limitsIn } from './limits.js';
import type { CheckOptions } from './options.js';

/** In a worker thread: checks lines. A finding is found again by the main thread. */
export function checkParts(terminal: Terminal, check: Check, runOf: (apply: Run['apply']) => Run): true {
  serveParts(terminal, (input) => {
    check.handOver(); // of lines that were given back
    transformInput(input, runOf(check.examining(shownName(input.name))), undefined);
    const part = check.handOver();
    if (part === undefined) throw new Error('the main thread reports findings');
    return part;
  });
  return true;
}

/** What needs all transcripts in one thread, if anything does. */
export function whyAlone(options: Omit<CheckOptions, 'fix'> & { fix?: unknown }, config: Config): string | undefined {
  if (options.fix !== undefined) return '--fix';
  if (options.secrets === true) return '--secrets';
  if (options.policy.length > 0 || policiesIn(config).length > 0) return 'policies';
  return budgetsIn(limitsIn(options, config)).length > 0 ? 'budgets' : undefined;
}
