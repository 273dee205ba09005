/** The prices of models as exact whole numbers, whatever their source. */
import { decimal, divideRounded, type Picodollars } from '../../decimals.js';
import type { MediaKind, ServerTool, Tier } from '../../transcript/types.js';
import { ONE_HOUR_CACHE_WRITE, type RateTable } from './corrections.js';

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
  /** Of tokens that are no text, if it has other prices for them. */
  readonly media?: MediaRates;
}

export type MediaRates = Readonly<Partial<Record<MediaKind, Price>>>;

/** The kinds of tokens of text. */
export type TextKind = Exclude<keyof Rates, 'request' | 'media'>;

/** The price of a tool that the provider runs. */
export interface ToolPrice {
  readonly usd: Picodollars;
  /** What is charged: each use, or each request with at least one use. */
  readonly per: 'use' | 'request';
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
  /** The source's own prices of other tiers, if any. */
  readonly tiers?: Readonly<Partial<Record<Tier, Rates>>>;
  /** The source's own factors for regions, as decimals, if any. */
  readonly regions?: Readonly<Record<string, string>>;
  /** The source's own prices of tools, if any. */
  readonly tools?: Readonly<Partial<Record<ServerTool, ToolPrice>>>;
}

/** Where a price list is from, and how old it is. */
export interface PriceSnapshot {
  readonly source: string;
  /** The day it was made, YYYY-MM-DD. */
  readonly date: string;
  /** Price files that win over it, the first one last. */
  readonly files?: readonly string[] | undefined;
}

/** `LiteLLM's list of 2026-11-22`, after the files that win over it: `mine.json, then …` */
export function snapshotText({ source, date, files = [] }: PriceSnapshot): string {
  return [...[...files].reverse(), `${source} of ${date}`].join(', then ');
}

/** A source of prices: the package, or a file of the user. */
export interface PriceSource {
  /** The prices of a model at a time; undefined if the source lacks it. */
  quote(model: string, at: Date): Quote | undefined;
  /** The names of all its models. */
  names(): Promise<readonly string[]>;
  /** Undefined for files without a date. */
  readonly snapshot?: PriceSnapshot | undefined;
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

/** The price times a decimal such as `1.1`. */
export function multiplied(price: Price, factor: string): Price {
  return scaled(price, decimal(factor, 6), 1_000_000n);
}

/** The rate of a price in USD per million tokens. A number stands for its shortest decimal. */
export function rateOf(usdPerMillion: number | string): Rate {
  return decimal(usdPerMillion, 18);
}

/** The rate of a price in USD per token. */
export function rateOfToken(usdPerToken: number): Rate {
  return decimal(usdPerToken, 24);
}

/** Prices of our own tables. `long`: the prices above that many prompt tokens, in ascending order. */
export function ratesOfTable(table: RateTable, long: readonly { above: number; rates: RateTable }[] = []): Rates {
  const price = (key: keyof RateTable): Price | undefined => {
    const base = table[key];
    if (base === undefined) return undefined;
    const steps = long.flatMap(({ above, rates }) => {
      const usd = rates[key];
      return usd === undefined ? [] : [{ above, rate: rateOf(usd) }];
    });
    return { base: rateOf(base), steps };
  };
  return {
    input: price('input'),
    cacheRead: price('cacheRead'),
    cacheWrite5m: price('cacheWrite5m'),
    cacheWrite1h: price('cacheWrite1h'),
    output: price('output'),
    reasoning: price('reasoning'),
  };
}
