/**
 * The exact cost of tokens. Prices are decimals and tokens are whole numbers, so amounts are integers, and are rounded
 * only when they are shown. The prices come from a package; nothing is fetched.
 */

import { divideRounded, type Picodollars } from '../decimals.js';
import { nearest } from '../text/nearest.js';
import type { Billing, Usage } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import { bundledPrices, PRICES_AS_OF } from './bundled.js';
import { bareName } from './names.js';
import type { Price, PriceSnapshot, PriceSource, Quote, Rate, Rates } from './rates.js';
import { priceFor } from './tiers.js';
import { toolsCost } from './tools.js';

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
 * tier have the prices of batch requests.
 */
export async function loadPrices(over: readonly PriceSource[] = [], batch = false): Promise<PriceList> {
  const sources = [...over, await bundledPrices()];
  const tierless: Billing = batch ? { tier: 'batch' } : {};
  const known = new WeakMap<Quote, Map<string, Quote | undefined>>(); // by tier and region
  const quoteOf = (model: string, at = PRICES_AS_OF, billing = tierless): Quote | undefined => {
    const time = Number.isNaN(at.getTime()) ? PRICES_AS_OF : at;
    for (const source of sources) {
      const quote = source.quote(model, time);
      if (quote !== undefined) return adjusted(quote, billing.tier ?? tierless.tier, billing.region);
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

function billedCost(usage: Usage, quote: Quote, { requests = 1, toolUses }: Billing = {}): Cost {
  const tokens = costOf(usage, quote.rates, requests);
  if (toolUses === undefined || tokens.usd === undefined) return tokens;
  const tools = toolsCost(quote, toolUses, requests);
  return tools === undefined ? UNPRICED : { usd: tokens.usd + tools, source: 'computed' };
}

const UNPRICED: Cost = { usd: undefined, source: 'unpriced' };

/** The tokens' cost of one request, or of the sum of several, at these prices; unpriced if a price is missing. */
export function costOf(usage: Usage, rates: Rates, requests = 1): Cost {
  const { input, output } = rates;
  const write5m = rates.cacheWrite5m ?? input;
  const reasoning = rates.reasoning === undefined ? 0 : Math.min(usage.reasoning, usage.output);
  const prompt = promptTokens(usage) / Math.max(requests, 1);
  let isPriced = true;
  let whole = 0; // picodollars of whole rates: most are whole, and numbers are faster
  let rest = 0n;
  const add = (tokens: number, price: Price | undefined) => {
    if (tokens === 0 || !isPriced) return;
    isPriced = price !== undefined;
    if (price === undefined) return;
    const rate = rateFor(price, prompt);
    const amount = whole + Math.round(tokens) * wholeRate(rate);
    if (Number.isSafeInteger(amount)) whole = amount;
    else rest += BigInt(Math.round(tokens)) * rate;
  };
  add(usage.input, input);
  add(usage.cacheRead, rates.cacheRead ?? input);
  add(usage.cacheWrite5m, write5m);
  add(usage.cacheWrite1h, rates.cacheWrite1h ?? write5m);
  add(usage.output - reasoning, output);
  add(reasoning, rates.reasoning);
  if (!isPriced) return UNPRICED;
  const tokens = rest === 0n ? BigInt(whole) : divideRounded(BigInt(whole) * PER_PICODOLLAR + rest, PER_PICODOLLAR);
  return {
    usd: rates.request === undefined ? tokens : tokens + rates.request * BigInt(Math.round(requests)),
    source: 'computed',
  };
}

/** Units of a rate for one token, 1e-24 US dollars, in a picodollar. */
const PER_PICODOLLAR = 10n ** 12n;

/** The picodollars of one token; NaN if they are not whole. */
function wholeRate(rate: Rate): number {
  let picodollars = wholeRates.get(rate);
  if (picodollars === undefined) {
    picodollars = rate % PER_PICODOLLAR === 0n ? Number(rate / PER_PICODOLLAR) : Number.NaN;
    wholeRates.set(rate, picodollars);
  }
  return picodollars;
}
const wholeRates = new Map<Rate, number>();

function rateFor(price: Price, prompt: number): Rate {
  return price.steps.length === 0
    ? price.base
    : (price.steps.findLast(({ above }) => prompt > above)?.rate ?? price.base);
}
