/** What counting and pricing need, resolved once for a command or a call: the model, the counter, the prices. */
import type { PriceBook } from '../pricing/cost.js';
import type { Counting, Tokenizer } from '../stats/counting.js';

export interface Context {
  /** Count and price as this model, whatever the recording says. */
  readonly model: string | undefined;
  readonly tokenizer: Tokenizer;
  /** Counts with the encoding of a model, and remembers messages that it has counted. */
  countingFor(model: string | undefined): Counting;
  /** Undefined where nothing is priced. */
  readonly prices: PriceBook | undefined;
  /** Prices as of then; undefined means the time of each request, else today. */
  readonly at: Date | undefined;
}
