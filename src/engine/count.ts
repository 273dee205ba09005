/** `count`: the tokens of a text, or of messages as one request. */

import { createCounting } from '../measure/stats/counting.js';
import { countedOf, totalsOf } from '../measure/stats/facts.js';
import { rejectWrongOptions } from '../options/arguments.js';
import { modelOf } from './context.js';
import { transcriptsIn } from './input.js';
import { COUNTING, type CountOptions, contextOf } from './settings.js';

/**
 * A string: its tokens in the model's encoding. A list of plain messages of any supported format: its tokens as one
 * request, with what each message and the request add. Exact for models whose encoding is public; else estimated.
 */
export function count(input: string | readonly object[], options: CountOptions = {}): number {
  rejectWrongOptions(options, COUNTING);
  const { tokenizer } = contextOf(options);
  if (typeof input === 'string') return createCounting(modelOf(options, undefined), tokenizer).text(input);
  return transcriptsIn(input, {}).reduce((sum, { transcript }) => {
    const counting = createCounting(modelOf(options, transcript.model), tokenizer);
    return sum + totalsOf(transcript, countedOf(transcript, counting), undefined, undefined).tokens;
  }, 0);
}
