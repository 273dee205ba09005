/** The bundled prices: those of @pydantic/genai-prices, with corrections and additions. */
import type { ModelPrice } from '@pydantic/genai-prices';
import { decimal, divideRounded } from '../../decimals.js';
import { type NamedPrice, type OwnPrice, PRICED_ELSEWHERE, REPLACED_PRICES } from './corrections.js';
import { guessOf } from './guess.js';
import {
  findModel,
  type Listed,
  type ListedProvider,
  listedProviders,
  priceAt,
  providerNamed,
  timeOf,
} from './lookup.js';
import { withMediaPrices } from './media.js';
import { NAMED_PRICES } from './named-prices.js';
import { type Reading, readings } from './names.js';
import { type Price, type PriceSource, type Quote, type Rates, rateOf, ratesOfTable, withOneHour } from './rates.js';

/** The date for prices if the time is unknown: the package's release, at an hour without time-of-day prices. */
export const PRICES_AS_OF = new Date('2026-09-23T12:00:00Z');

const DATE = PRICES_AS_OF.toISOString().slice(0, 10);
const PACKAGE_NAME = '@pydantic/genai-prices 0.1.8';
const PACKAGE = `${PACKAGE_NAME} of ${DATE}`;

/** Called once for a name that has the price of another one: it contains it, but may be another model. */
export type OnGuess = (name: string, matched: string) => void;

/** Looks up each name once. Quotes are the same object as long as the price is the same. */
export async function bundledPrices(onGuess?: OnGuess): Promise<PriceSource> {
  const { modelsJson, providersJson } = await import('./price-package.static.js');
  let providers: readonly ListedProvider[] | undefined;
  const priceList = () => {
    providers ??= listedProviders(providersJson, modelsJson);
    return providers;
  };
  const known = new Map<string, Candidates | undefined>();
  return {
    quote(model, at) {
      let candidates = known.get(model);
      if (candidates === undefined && !known.has(model)) {
        candidates = lookUp(priceList(), model);
        known.set(model, candidates);
        if (candidates?.guess !== undefined) onGuess?.(model, candidates.guess);
      }
      return candidates && (candidates.always ?? quoteAt(candidates, at));
    },
    names: async () => priceList().flatMap(({ models }) => models.map(({ id }) => id)),
    snapshot: { source: PACKAGE_NAME, date: DATE },
  };
}

/** Where the price of a name comes from; at a given time, the first row that holds then. */
interface Candidates {
  readonly name: string;
  readonly named: readonly NamedPrice[];
  readonly listed: Listed | undefined;
  readonly replaced: readonly OwnPrice[];
  /** The model whose price it is, if only the beginning of the name is the same. */
  readonly guess: string | undefined;
  /** By row of our own, or price of the package. */
  readonly quotes: Map<OwnPrice | ModelPrice, Quote>;
  /** The only quote, if no price depends on the time. */
  readonly always: Quote | undefined;
}

function lookUp(providers: readonly ListedProvider[], recorded: string): Candidates | undefined {
  for (const reading of readings(recorded)) {
    const name = reading.model.trim().toLowerCase();
    const named = NAMED_PRICES.filter((row) => isNamed(row, name, reading, providers));
    const found = findModel(providers, reading);
    const id = found && `${found.provider.id}/${found.model.id}`;
    const listed = id === undefined || PRICED_ELSEWHERE.includes(id) ? undefined : found;
    const replaced = REPLACED_PRICES.filter(({ models }) => id !== undefined && models.includes(id));
    const guess = named.length === 0 && listed !== undefined ? guessOf(listed) : undefined;
    if (named.length > 0 || listed !== undefined) return withAlways({ name, named, listed, replaced, guess });
  }
  return undefined;
}

function withAlways(rows: Pick<Candidates, 'name' | 'named' | 'listed' | 'replaced' | 'guess'>): Candidates {
  const candidates = { ...rows, quotes: new Map(), always: undefined };
  const { named, listed, replaced } = rows;
  const isDated = [...named, ...replaced].some(({ from, until, hours }) => (from ?? until ?? hours) !== undefined);
  if (isDated || Array.isArray(listed?.model.prices)) return candidates;
  return { ...candidates, always: quoteAt(candidates, PRICES_AS_OF) };
}

function isNamed(row: NamedPrice, name: string, { provider }: Reading, providers: readonly ListedProvider[]): boolean {
  if (!row.names.test(name)) return false;
  if (provider === undefined) return row.onlyAt !== true;
  return provider === row.provider || (row.onlyAt !== true && providerNamed(providers, provider)?.id === row.provider);
}

function quoteAt(candidates: Candidates, at: Date): Quote | undefined {
  const { name, named, listed, replaced, quotes, guess } = candidates;
  const row = named.find((row) => isWithin(at, row));
  if (row !== undefined) return kept(quotes, row, () => ownQuote(row, row.provider, name));
  if (listed === undefined) return undefined;
  const { provider, model } = listed;
  const own = replaced.find((row) => isWithin(at, row));
  const notes =
    guess === undefined ? [] : [`a guess: no price of ${name} is known, and its name is like that of ${guess}`];
  if (own !== undefined) {
    const quote = () => ownQuote(own, provider.id, `${provider.id}/${model.id}`);
    return kept(quotes, own, () => ({ ...quote(), notes: [...notes, ...quote().notes] }));
  }
  const price = priceAt(model.prices, at);
  const quote = () => ({
    rates: packageRates(price, model.id),
    provider: provider.id,
    matched: `${provider.id}/${model.id}`,
    source: PACKAGE,
    url: provider.pricing_urls?.[0],
    notes,
  });
  return kept(quotes, price, () => withMediaPrices(quote(), model.id));
}

function kept(quotes: Candidates['quotes'], key: OwnPrice | ModelPrice, make: () => Quote): Quote {
  const quote = quotes.get(key) ?? make();
  quotes.set(key, quote);
  return quote;
}

function ownQuote({ rates, long, source, date, note }: OwnPrice, provider: string, matched: string): Quote {
  return {
    rates: ratesOfTable(rates, long),
    provider,
    matched,
    source: `ctx-trim's own table, read ${date}`,
    url: source,
    notes: note === undefined ? [] : [note],
  };
}

function isWithin(at: Date, { from, until, hours }: OwnPrice): boolean {
  if (from !== undefined && at.getTime() < timeOf(from)) return false;
  if (until !== undefined && at.getTime() >= timeOf(until)) return false;
  const [day, hour] = [at.getUTCDay(), at.getUTCHours()];
  return hours === undefined || (day % 6 !== 0 && hours.some(([start, end]) => hour >= start && hour < end));
}

function packageRates(price: ModelPrice, model: string): Rates {
  if (Object.keys(price).length === 0) return model.endsWith(':free') ? FREE : {};
  return withOneHour(fromPackage(price), model);
}

const FREE: Rates = { input: { base: 0n, steps: [] }, output: { base: 0n, steps: [] } };

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
  const media = MEDIA_KEYS.flatMap(([kind, key]) => (prices[key] === undefined ? [] : [[kind, price(key)!] as const]));
  return {
    input: price('input_mtok'),
    cacheRead: price('cache_read_mtok'),
    cacheWrite5m: price('cache_write_mtok'),
    cacheWrite1h: price('cache_write_1h_mtok'),
    output: price('output_mtok'),
    reasoning: price('output_reasoning_mtok'),
    ...(typeof requests === 'number' ? { request: divideRounded(decimal(requests, 12), 1000n) } : {}),
    ...(media.length === 0 ? {} : { media: Object.fromEntries(media) }),
  };
}

const MEDIA_KEYS = (['audio', 'image', 'video'] as const).flatMap((what) => {
  const name = `${what[0]!.toUpperCase()}${what.slice(1)}` as Capitalize<typeof what>;
  return [
    [`input${name}`, `input_${what}_mtok`],
    [`cacheRead${name}`, `cache_${what}_read_mtok`],
    [`output${name}`, `output_${what}_mtok`],
  ] as const;
});
