import { type Picodollars, picodollarsOf } from '../decimals.js';
import { TranscriptError } from '../errors.js';

/** The amount that a flag or a key of the config names: `1.50`, `$1.50`. */
export function dollarsIn(text: string, name: string): Picodollars {
  const amount = picodollarsOf(text.replace(/^\$/, ''));
  if (amount === undefined || amount < 0n)
    throw new TranscriptError('usage', `${name} takes US dollars such as 1.50, not \`${text}\``);
  return amount;
}
