/**
 * The exact cost of tokens. Prices are decimals and tokens are whole numbers, so amounts are integers, and are rounded
 * only when they are shown. The prices come from a package; nothing is fetched.
 */

import { divideRounded, type Picodollars } from '../decimals.js';
import { nearest } from '../text/nearest.js';
import type { Billing, Usage } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import { batchQuote } from './batch.js';
import { bundledPrices, PRICES_AS_OF } from './bundled.js';
import { bareName } from './names.js';
import type { Price, PriceSource, Quote, Rate, Rates } from './rates.js';

export { PRICES_AS_OF } from './bundled.js';
export { rateOf } from './rates.js';

export type Cost =
  | { readonly usd: Picodollars; readonly source: 'computed' }
  | { readonly usd: undefined; readonly source: 'unpriced' };

export interface PriceBook {
  /**
   * The cost of one request at the prices of `at` (default: PRICES_AS_OF). Long-context prices depend on the prompt of
   * each request, so for the sum of several requests `billing.requests` says how many there are.
   */
  cost(model: string, usage: Usage, at?: Date, billing?: Billing): Cost;
}

/** A price book that also shows its prices. */
export interface PriceList extends PriceBook {
  /** The prices of a model and their source; undefined if unknown. */
  quote(model: string, at?: Date): Quote | undefined;
  /** Known names similar to this one, most similar first. */
  near(model: string): Promise<readonly string[]>;
}

/**
 * The bundled prices. The sources of `over` win over them, the first one first. `batch`: the prices of batch requests;
 * a model without a known batch price is unpriced.
 */
export async function loadPrices(over: readonly PriceSource[] = [], batch = false): Promise<PriceList> {
  const sources = [...over, await bundledPrices()];
  const batches = new WeakMap<Quote, { readonly quote: Quote | undefined }>();
  const inBatch = (quote: Quote): Quote | undefined => {
    const known = batches.get(quote) ?? { quote: batchQuote(quote) };
    batches.set(quote, known);
    return known.quote;
  };
  const quoteOf = (model: string, at = PRICES_AS_OF): Quote | undefined => {
    const time = Number.isNaN(at.getTime()) ? PRICES_AS_OF : at;
    for (const source of sources) {
      const quote = source.quote(model, time);
      if (quote !== undefined) return batch ? inBatch(quote) : quote;
    }
    return undefined;
  };
  return {
    cost(model, usage, at) {
      const quote = quoteOf(model, at);
      return quote === undefined ? UNPRICED : costOf(usage, quote.rates);
    },
    quote(model, at) {
      const quote = quoteOf(model, at);
      return quote === undefined || (quote.rates.input === undefined && quote.rates.output === undefined)
        ? undefined
        : quote;
    },
    async near(model) {
      const names = await Promise.all(sources.map((source) => source.names()));
      return nearest(bareName(model), names.flat().map(bareName));
    },
  };
}

const UNPRICED: Cost = { usd: undefined, source: 'unpriced' };

/** The cost of one request at these prices; unpriced if a required price is missing. */
export function costOf(usage: Usage, rates: Rates): Cost {
  const { input, output } = rates;
  const write5m = rates.cacheWrite5m ?? input;
  const reasoning = rates.reasoning === undefined ? 0 : Math.min(usage.reasoning, usage.output);
  const items: readonly (readonly [tokens: number, price: Price | undefined])[] = [
    [usage.input, input],
    [usage.cacheRead, rates.cacheRead ?? input],
    [usage.cacheWrite5m, write5m],
    [usage.cacheWrite1h, rates.cacheWrite1h ?? write5m],
    [usage.output - reasoning, output],
    [reasoning, rates.reasoning],
  ];
  const prompt = promptTokens(usage);
  let sum = 0n;
  for (const [tokens, price] of items) {
    if (tokens === 0) continue;
    if (price === undefined) return UNPRICED;
    sum += BigInt(Math.round(tokens)) * rateFor(price, prompt);
  }
  return { usd: divideRounded(sum, 10n ** 12n) + (rates.request ?? 0n), source: 'computed' };
}

function rateFor(price: Price, prompt: number): Rate {
  return price.steps.findLast(({ above }) => prompt > above)?.rate ?? price.base;
}
