/**
 * The exact cost of tokens. Prices are decimals and tokens are whole numbers, so amounts are integers, and are rounded
 * only when they are shown. The prices come from a package; nothing is fetched.
 */

import { nearest } from '../../text/nearest.js';
import type { Billing, Usage } from '../../transcript/types.js';
import { bundledPrices, type OnGuess, PRICES_AS_OF } from './bundled.js';
import { mediaCost } from './media.js';
import { bareName, tierIn } from './names.js';
import type { PriceSnapshot, PriceSource, Quote } from './rates.js';
import { priceFor } from './tiers.js';
import { type Cost, costOf, UNPRICED } from './token-cost.js';
import { toolsCost } from './tools.js';

export { PRICES_AS_OF } from './bundled.js';
export { rateOf } from './rates.js';
export { type Cost, costOf } from './token-cost.js';

export interface PriceBook {
  /**
   * The cost of one request at the prices of `at` (default: PRICES_AS_OF). Long-context prices depend on the prompt of
   * each request, so for the sum of several requests `billing.requests` says how many there are.
   */
  cost(model: string, usage: Usage, at?: Date, billing?: Billing): Cost;
  /** Where the prices are from; undefined for a book of other making. */
  readonly snapshot?: PriceSnapshot;
}

/** A price book that also shows its prices. */
export interface PriceList extends PriceBook {
  /** The prices of a model and their source; undefined if unknown. */
  quote(model: string, at?: Date, billing?: Billing): Quote | undefined;
  /** Known names similar to this one, most similar first. */
  near(model: string): Promise<readonly string[]>;
  readonly snapshot: PriceSnapshot;
}

/**
 * The bundled prices. The sources of `over` win over them, the first one first. `batch`: requests without a recorded
 * tier have the prices of batch requests. `onGuess` hears of names that have the price of a similar one.
 */
export async function loadPrices(
  over: readonly PriceSource[] = [],
  batch = false,
  onGuess?: OnGuess,
): Promise<PriceList> {
  const sources = [...over, await bundledPrices(onGuess)];
  const tierless: Billing = batch ? { tier: 'batch' } : {};
  const known = new WeakMap<Quote, Map<string, Quote | undefined>>(); // by tier and region
  let last: LastQuote | undefined;
  const quoteOf = (model: string, at = PRICES_AS_OF, billing = tierless): Quote | undefined => {
    const time = Number.isNaN(at.getTime()) ? PRICES_AS_OF : at;
    for (const source of sources) {
      const quote = source.quote(model, time);
      if (quote === undefined) continue;
      if (last?.quote === quote && last.model === model && last.billing === billing) return last.found;
      const tier = billing.tier ?? tierIn(model, quote.matched) ?? tierless.tier;
      last = { quote, model, billing, found: adjusted(quote, tier, billing.region) };
      return last.found;
    }
    return undefined;
  };
  const adjusted = (quote: Quote, tier: Billing['tier'], region: string | undefined): Quote | undefined => {
    if (tier === undefined && region === undefined) return quote;
    const quotes = known.get(quote) ?? new Map<string, Quote | undefined>();
    known.set(quote, quotes);
    const key = `${tier} ${region}`;
    if (!quotes.has(key)) quotes.set(key, priceFor(quote, tier, region));
    return quotes.get(key);
  };
  return {
    cost(model, usage, at, billing) {
      const quote = quoteOf(model, at, billing);
      return quote === undefined ? UNPRICED : billedCost(usage, quote, billing);
    },
    quote(model, at, billing) {
      const quote = quoteOf(model, at, billing);
      return quote === undefined || (quote.rates.input === undefined && quote.rates.output === undefined)
        ? undefined
        : quote;
    },
    async near(model) {
      const names = await Promise.all(sources.map((source) => source.names()));
      return nearest(bareName(model), names.flat().map(bareName));
    },
    snapshot: sources.find(({ snapshot }) => snapshot !== undefined)!.snapshot!,
  };
}

/** The prices of the request before: most requests in a row have the same. */
interface LastQuote {
  readonly quote: Quote;
  readonly model: string;
  readonly billing: Billing;
  readonly found: Quote | undefined;
}

function billedCost(usage: Usage, quote: Quote, { requests = 1, toolUses }: Billing = {}): Cost {
  const tokens =
    usage.media === undefined ? costOf(usage, quote.rates, requests) : mediaCost(usage, usage.media, quote, requests);
  if (toolUses === undefined || tokens.usd === undefined) return tokens;
  const tools = toolsCost(quote, toolUses, requests);
  return tools === undefined ? UNPRICED : { usd: tokens.usd + tools, source: 'computed' };
}
