/** The redactor that the options of a command ask for. */

import { createFinder } from '../../secrets/find.js';
import { createPersonalFinder } from '../../secrets/personal.js';
import { createRedactor, type Redactor } from '../../secrets/redact.js';
import { secretRules } from '../../secrets/rules/index.js';
import { globOf } from '../../text/glob.js';
import { localNames } from '../terminal/local-names.js';
import type { Terminal } from '../terminal/terminal.js';

export interface RedactorOptions {
  /** Patterns of texts that are no secrets. */
  readonly allow?: readonly string[] | undefined;
  readonly personal?: boolean | undefined;
}

export function redactorFor({ allow, personal }: RedactorOptions, { env }: Pick<Terminal, 'env'>): Redactor {
  const globs = (allow ?? []).map(globOf);
  const isAllowed = (text: string) => globs.some((glob) => glob.test(text));
  const finders = [createFinder(secretRules, isAllowed)];
  if (personal === true) finders.push(createPersonalFinder(localNames(env), isAllowed));
  return createRedactor(finders);
}
