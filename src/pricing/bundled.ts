/** The bundled prices: those of @pydantic/genai-prices, with corrections and additions. */
import type { ModelPrice } from '@pydantic/genai-prices';
import { decimal, divideRounded } from '../decimals.js';
import { LONG_CONTEXT_PRICES, MISSING_PRICES, type RateTable, REPLACED_PRICES, type Sourced } from './corrections.js';
import { type Listed, type ListedProvider, lookUpPrice } from './lookup.js';
import { bareName, readings } from './names.js';
import { type Price, type PriceSource, type Quote, type Rates, rateOf, withOneHour } from './rates.js';

/** The date for prices if the time is unknown: the package's release, at an hour without time-of-day prices. */
export const PRICES_AS_OF = new Date('2026-09-23T12:00:00Z');

const PACKAGE = `@pydantic/genai-prices 0.1.8 of ${PRICES_AS_OF.toISOString().slice(0, 10)}`;

/** Looks up each name once, and its price once if it does not change with time. */
export async function bundledPrices(): Promise<PriceSource> {
  const { priceList } = await import('./price-package.static.js');
  const known = new Map<string, { minute: number; quote: Quote | undefined }>();
  return {
    quote(model, at) {
      const minute = Math.floor(at.getTime() / 60_000);
      const last = known.get(model);
      if (last !== undefined && (Number.isNaN(last.minute) || last.minute === minute)) return last.quote;
      const found = lookUp(priceList, model, at);
      const quote = found === undefined ? missing(model) : corrected(found, at);
      known.set(model, { minute: found !== undefined && changes(found) ? minute : Number.NaN, quote });
      return quote;
    },
    names: async () => priceList.flatMap(({ models }) => models.map(({ id }) => id)),
  };
}

function changes({ model, provider }: Listed): boolean {
  return (
    Array.isArray(model.prices) || REPLACED_PRICES.some(({ models }) => models.includes(`${provider.id}/${model.id}`))
  );
}

function lookUp(providers: readonly ListedProvider[], recorded: string, at: Date): Listed | undefined {
  for (const reading of readings(recorded)) {
    const found = lookUpPrice(providers, reading, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function missing(recorded: string): Quote | undefined {
  const name = bareName(recorded.trim().toLowerCase());
  const row = MISSING_PRICES.find((row) => row.name.test(name));
  return row && { rates: fromTable(row.rates), provider: row.provider, matched: name, ...ownTable(row) };
}

function corrected({ provider, model, price }: Listed, at: Date): Quote {
  const matched = `${provider.id}/${model.id}`;
  const known = { provider: provider.id, matched };
  const long = LONG_CONTEXT_PRICES.find(({ models }) => models.includes(matched));
  if (long !== undefined)
    return { ...known, rates: fromTable(long.rates, long.above, long.longRates), ...ownTable(long) };
  const replaced = REPLACED_PRICES.find(
    ({ models, from, until }) => models.includes(matched) && isWithin(at, from, until),
  );
  if (replaced !== undefined) return { ...known, rates: fromTable(replaced.rates), ...ownTable(replaced) };
  return {
    ...known,
    rates: packageRates(price, model.id),
    source: PACKAGE,
    url: provider.pricing_urls?.[0],
    notes: [],
  };
}

function packageRates(price: ModelPrice, model: string): Rates {
  if (Object.keys(price).length === 0) return model.endsWith(':free') ? FREE : {};
  return withOneHour(fromPackage(price), model);
}

function ownTable({ source, date }: Sourced): Pick<Quote, 'source' | 'url' | 'notes'> {
  return { source: `ctx-trim's own table, read ${date}`, url: source, notes: [] };
}

function isWithin(at: Date, from: string | undefined, until: string | undefined): boolean {
  return (from === undefined || at >= new Date(from)) && (until === undefined || at < new Date(until));
}

const FREE: Rates = { input: { base: 0n, steps: [] }, output: { base: 0n, steps: [] } };

/** Prices of our own tables. `longTable`: the prices above that many prompt tokens. */
function fromTable(table: RateTable, above = 0, longTable?: RateTable): Rates {
  const price = (key: keyof RateTable): Price | undefined => {
    const base = table[key];
    if (base === undefined) return undefined;
    const long = longTable?.[key];
    return { base: rateOf(base), steps: long === undefined ? [] : [{ above, rate: rateOf(long) }] };
  };
  return {
    input: price('input'),
    cacheRead: price('cacheRead'),
    cacheWrite5m: price('cacheWrite5m'),
    cacheWrite1h: price('cacheWrite1h'),
    output: price('output'),
  };
}

/** The package's prices are USD per million tokens and per thousand requests. */
function fromPackage(prices: ModelPrice): Rates {
  const price = (key: string): Price | undefined => {
    const value = prices[key];
    if (value === undefined) return undefined;
    if (typeof value === 'number') return { base: rateOf(value), steps: [] };
    const steps = [...value.tiers].sort((a, b) => a.start - b.start);
    return { base: rateOf(value.base), steps: steps.map((tier) => ({ above: tier.start, rate: rateOf(tier.price) })) };
  };
  const requests = prices.requests_kcount;
  return {
    input: price('input_mtok'),
    cacheRead: price('cache_read_mtok'),
    cacheWrite5m: price('cache_write_mtok'),
    cacheWrite1h: price('cache_write_1h_mtok'),
    output: price('output_mtok'),
    reasoning: price('output_reasoning_mtok'),
    ...(typeof requests === 'number' ? { request: divideRounded(decimal(requests, 12), 1000n) } : {}),
  };
}
