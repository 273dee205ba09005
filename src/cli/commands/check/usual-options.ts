/** The options of `check` for another command that reads the same files: those of its config, else the defaults. */

import type { Config } from '../../config/config.js';
import { pickValues } from '../../context/values.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { CheckScope } from './open.js';

type Shared = Pick<CheckScope, 'model' | 'asModel' | 'tokenizer' | 'from' | 'messages'>;

export async function usualCheckOptions(options: Shared, terminal: Terminal, config: Config): Promise<CheckScope> {
  const { default: check } = await import('./index.js'); // loads only data
  const { model, asModel, tokenizer, from, messages } = options;
  return { ...(await pickValues(check.options, {}, config, terminal)), model, asModel, tokenizer, from, messages };
}
