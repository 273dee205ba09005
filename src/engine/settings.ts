/** What functions of the library count and price with: by default what the command line uses. */

import { loadPrices as loadPriceList, type PriceBook } from '../measure/pricing/cost.js';
import type { Tokenizer } from '../measure/stats/counting.js';
import { exactTokenizer } from '../node/tokenizer.js';
import type { Shape } from '../options/arguments.js';
import type { CountTokens } from '../transforms/transform.js';
import { type Context, contextWith, type Models } from './context.js';

export interface CountOptions extends Models {
  /** Count and price as this model where the recording names none. */
  readonly model?: string;
  /** Count and price as this model, whatever the recording names. */
  readonly asModel?: string;
  /** Counts the tokens of a text, in place of the built-in exact counter. */
  readonly countTokens?: CountTokens;
}

export interface PriceOptions extends CountOptions {
  /** Prices in place of the bundled ones. */
  readonly prices?: PriceBook;
  /** Prices as of this day, whatever the recording says. */
  readonly at?: Date;
  /** Prices of requests that are sent as a batch. */
  readonly batch?: boolean;
}

export const COUNTING: Shape = { model: 'text', asModel: 'text', countTokens: 'function' };
export const PRICING: Shape = { ...COUNTING, prices: 'prices', at: 'date', batch: 'flag' };

/** Counts, and prices with what is given: nothing is loaded. */
export function contextOf({ model, asModel, countTokens, prices, at }: PriceOptions): Context {
  const tokenizer: Tokenizer = countTokens === undefined ? exactTokenizer() : () => countTokens;
  return contextWith({ model, asModel, tokenizer, prices, at });
}

/** The same with the bundled prices where none are given. */
export async function loadContext(options: PriceOptions): Promise<Context> {
  const prices = options.prices ?? (await loadPrices(options.batch));
  return contextOf({ ...options, prices });
}

/** The bundled prices. `batch`: those of requests that are sent as a batch. */
export function loadPrices(batch = false): Promise<PriceBook> {
  return loadPriceList([], batch);
}
