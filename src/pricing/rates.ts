/** The prices of models as exact whole numbers, whatever their source. */
import { decimal, divideRounded, type Picodollars } from '../decimals.js';
import { ONE_HOUR_CACHE_WRITE } from './corrections.js';

/** A price that may rise with the length of the prompt. One price applies to the whole request. */
export interface Price {
  readonly base: Rate;
  /** In ascending order. A prompt of exactly `above` tokens still has the price before. */
  readonly steps: readonly { readonly above: number; readonly rate: Rate }[];
}

/** An exact price in 1e-18 US dollars per million tokens. */
export type Rate = bigint;

export interface Rates {
  readonly input?: Price;
  /** Cache prices default to the price of input. */
  readonly cacheRead?: Price;
  readonly cacheWrite5m?: Price;
  /** Defaults to `cacheWrite5m`. */
  readonly cacheWrite1h?: Price;
  readonly output?: Price;
  /** Only if reasoning has another price than other output. */
  readonly reasoning?: Price;
  /** Per request. */
  readonly request?: Picodollars;
}

/** The prices of a model, and their source. */
export interface Quote {
  readonly rates: Rates;
  /** The price package's name of the provider. */
  readonly provider: string | undefined;
  /** The model as the source spells it. */
  readonly matched: string;
  /** The name of the source, with version and date if it has them. */
  readonly source: string;
  readonly url: string | undefined;
  /** Remarks on these prices, a line each. */
  readonly notes: readonly string[];
  /** The source's own batch prices, if any. */
  readonly batch?: { readonly input?: Rate; readonly output?: Rate };
}

/** A source of prices: the package, or a file of the user. */
export interface PriceSource {
  /** The prices of a model at a time; undefined if the source lacks it. */
  quote(model: string, at: Date): Quote | undefined;
  /** The names of all its models. */
  names(): Promise<readonly string[]>;
}

/** Adds the price of Claude's 1-hour cache writes, if the source lacks it or its long-context price. */
export function withOneHour(rates: Rates, model: string): Rates {
  const { input, cacheWrite5m, cacheWrite1h } = rates;
  const isMissing =
    input !== undefined &&
    cacheWrite5m !== undefined &&
    (cacheWrite1h === undefined || cacheWrite1h.steps.length < input.steps.length);
  return isMissing && ONE_HOUR_CACHE_WRITE.model.test(model)
    ? { ...rates, cacheWrite1h: scaled(input, ONE_HOUR_CACHE_WRITE.timesInput) }
    : rates;
}

/** The price times `times / by`. Rates are fine enough for half of any known price. */
export function scaled({ base, steps }: Price, times: bigint, by = 1n): Price {
  return {
    base: divideRounded(base * times, by),
    steps: steps.map(({ above, rate }) => ({ above, rate: divideRounded(rate * times, by) })),
  };
}

/** The rate of a price in USD per million tokens. A number stands for its shortest decimal. */
export function rateOf(usdPerMillion: number | string): Rate {
  return decimal(usdPerMillion, 18);
}

/** The rate of a price in USD per token. */
export function rateOfToken(usdPerToken: number): Rate {
  return decimal(usdPerToken, 24);
}
