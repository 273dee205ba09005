/** The redactor that the options of a command ask for. */

import { redactorOf } from '../../engine/redact/redact.js';
import type { Redactor } from '../../secrets/redact.js';
import { localNames } from '../terminal/local-names.js';
import type { Terminal } from '../terminal/terminal.js';

export interface RedactorOptions {
  /** Patterns of texts that are no secrets. */
  readonly allow?: readonly string[] | undefined;
  readonly personal?: boolean | undefined;
  /** The marks of earlier runs, with their secrets. */
  readonly known?: ReadonlyMap<string, string> | undefined;
}

export function redactorFor(
  { allow = [], personal, known }: RedactorOptions,
  { env }: Pick<Terminal, 'env'>,
): Redactor {
  return redactorOf(allow, personal === true ? localNames(env) : undefined, known);
}
