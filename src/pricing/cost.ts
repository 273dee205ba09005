/**
 * What tokens cost, exactly. Prices are decimals and tokens are whole, so every amount is kept as an integer and rounded
 * only when it is shown. The prices come from a package that carries them; nothing is fetched.
 */

import { divideRounded, type Picodollars } from '../decimals.js';
import { nearest } from '../text/nearest.js';
import type { Usage } from '../transcript/types.js';
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
   * The cost of one request. Its long-context price, if the model has one, goes by the request's whole prompt, so usage
   * of several requests must not be added up before. Prices are those of `at`; without it, of PRICES_AS_OF.
   */
  cost(model: string, usage: Usage, at?: Date): Cost;
}

/** A price book that can also be looked into. */
export interface PriceList extends PriceBook {
  /** The prices themselves, and where they are from; undefined where nobody says one. */
  quote(model: string, at?: Date): Quote | undefined;
  /** Known names that are much like this one, the likest first. */
  near(model: string): Promise<readonly string[]>;
}

/**
 * The prices of the package, corrected. What a source of `over` knows counts before them, the first of `over` first. With `batch`
 * they are those of requests handed in as a batch, and a model without a known batch price is unpriced.
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

/** The cost of one request at these prices; unpriced where one that is needed is missing. */
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
