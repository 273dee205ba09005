/**
 * Prices as whole numbers, so that nothing is lost: what a source of prices gives for a model, whichever source it is.
 */
import { decimal, divideRounded, type Picodollars } from '../decimals.js';
import { ONE_HOUR_CACHE_WRITE } from './corrections.js';

/** A price that may rise above one or several lengths of the prompt (tokens). All of a request has the same one. */
export interface Price {
  readonly base: Rate;
  /** In rising order. `above` itself still has the price before. */
  readonly steps: readonly { readonly above: number; readonly rate: Rate }[];
}

/** An exact price: 1e-18 US dollars for a million tokens. */
export type Rate = bigint;

export interface Rates {
  readonly input?: Price;
  /** Where a cache price is missing, these tokens cost what input does. */
  readonly cacheRead?: Price;
  readonly cacheWrite5m?: Price;
  /** Where it is missing, as `cacheWrite5m`. */
  readonly cacheWrite1h?: Price;
  readonly output?: Price;
  /** Where reasoning costs other than the rest of the output. */
  readonly reasoning?: Price;
  /** For the request itself. */
  readonly request?: Picodollars;
}

/** The prices of a model, and where they are from. */
export interface Quote {
  readonly rates: Rates;
  /** By the price package's name for it. */
  readonly provider: string | undefined;
  /** The model as the source spells it. */
  readonly matched: string;
  /** Who says so, with version and date where there are any. */
  readonly source: string;
  readonly url: string | undefined;
  /** What else to know of these prices, a line each. */
  readonly notes: readonly string[];
  /** The source's own prices for batches, where it has some. */
  readonly batch?: { readonly input?: Rate; readonly output?: Rate };
}

/** Where prices are from: the package, or a file of the user. */
export interface PriceSource {
  /** The prices of a model at a time, undefined where this source does not know it. */
  quote(model: string, at: Date): Quote | undefined;
  /** Every model that it knows. */
  names(): Promise<readonly string[]>;
}

/** Claude's cache that holds an hour, where a source has no price for it, or none for long prompts: so many times the input. */
export function withOneHour(rates: Rates, model: string): Rates {
  const { input, cacheWrite5m, cacheWrite1h } = rates;
  const isSilent =
    input !== undefined &&
    cacheWrite5m !== undefined &&
    (cacheWrite1h === undefined || cacheWrite1h.steps.length < input.steps.length);
  return isSilent && ONE_HOUR_CACHE_WRITE.model.test(model)
    ? { ...rates, cacheWrite1h: scaled(input, ONE_HOUR_CACHE_WRITE.timesInput) }
    : rates;
}

/** A price that many times as high. Rates are fine enough for halves of any price there is. */
export function scaled({ base, steps }: Price, times: bigint, by = 1n): Price {
  return {
    base: divideRounded(base * times, by),
    steps: steps.map(({ above, rate }) => ({ above, rate: divideRounded(rate * times, by) })),
  };
}

/** A price in USD for a million tokens, as a decimal or as a number, which stands for its shortest decimal. */
export function rateOf(usdPerMillion: number | string): Rate {
  return decimal(usdPerMillion, 18);
}

/** The same of a price in USD for one token. */
export function rateOfToken(usdPerToken: number): Rate {
  return decimal(usdPerToken, 24);
}
