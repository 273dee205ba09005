/** Resolves model, counter and prices of a command from flags, config and price files. */
import { type Context, contextWith, type Models } from '../../engine/context.js';
import { priceDate } from '../../engine/period.js';
import { loadTokenizer } from '../../node/tokenizer.js';
import type { Config } from '../config/config.js';
import type { PriceOptions } from '../options/options.js';
import type { Terminal } from '../terminal/terminal.js';
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
  return contextWith({ model, asModel, tokenizer, prices, at });
}
