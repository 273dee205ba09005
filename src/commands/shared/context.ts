/** Resolves model, counter and prices of a command from flags, config and price files. */
import type { Context, Models } from '../../app/context.js';
import { priceDate } from '../../app/period.js';
import type { Terminal } from '../../io/terminal.js';
import { loadTokenizer } from '../../io/tokenizer.js';
import { countings } from '../../stats/counting.js';
import type { Config } from './config.js';
import type { PriceOptions } from './options.js';
import { loadPriceList } from './price-list.js';

export interface ContextOptions extends PriceOptions, Models {
  readonly tokenizer: 'exact' | 'tiktoken';
  readonly priceDate?: string | undefined;
}

/** `priced`: load prices. Throws TranscriptError for an invalid date or price file. */
export async function loadContext(
  options: ContextOptions,
  { priced }: { readonly priced: boolean },
  config: Config,
  terminal: Terminal,
): Promise<Context> {
  const at = priceDate(options.priceDate, '--price-date');
  const [tokenizer, prices] = await Promise.all([
    loadTokenizer(options.tokenizer),
    priced ? loadPriceList(options, config, terminal) : undefined,
  ]);
  const { model, asModel } = options;
  return { model, asModel, tokenizer, countingFor: countings(tokenizer), prices, at };
}
