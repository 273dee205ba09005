/** The exact cost of tokens at the prices of a model. */
import { divideRounded, type Picodollars } from '../../decimals.js';
import type { Usage } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Price, Rate, Rates } from './rates.js';

export type Cost =
  | { readonly usd: Picodollars; readonly source: 'computed' }
  | { readonly usd: undefined; readonly source: 'unpriced' };

export const UNPRICED: Cost = { usd: undefined, source: 'unpriced' };

/** The tokens' cost of one request, or of the sum of several, at these prices; unpriced if a price is missing. */
export function costOf(usage: Usage, rates: Rates, requests = 1, prompt = promptOf(usage, requests)): Cost {
  const tokens = wholeCost(usage, rates, prompt) ?? anyCost(usage, rates, prompt);
  if (tokens === undefined) return UNPRICED;
  const { request } = rates;
  return { usd: request === undefined ? tokens : tokens + request * BigInt(Math.round(requests)), source: 'computed' };
}

/** The length of the prompt of each request. */
export function promptOf(usage: Usage, requests: number): number {
  return promptTokens(usage) / Math.max(requests, 1);
}

/** The kinds of tokens with the prices that apply to them. */
type KindPrices = Readonly<Record<Kind, Price | undefined>>;

function kindPrices({ input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning }: Rates): KindPrices {
  const write = cacheWrite5m ?? input;
  return {
    input,
    cacheRead: cacheRead ?? input,
    cacheWrite5m: write,
    cacheWrite1h: cacheWrite1h ?? write,
    output,
    reasoning,
  };
}

/** The tokens of each kind of price: reasoning counts as output unless it has its own. */
function tokensOf(usage: Usage, rates: Rates): Usage {
  const reasoning = rates.reasoning === undefined ? 0 : Math.min(usage.reasoning, usage.output);
  return reasoning === 0 && usage.reasoning === 0 ? usage : { ...usage, output: usage.output - reasoning, reasoning };
}

const KINDS = ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;
type Kind = (typeof KINDS)[number];

function anyCost(usage: Usage, rates: Rates, prompt: number): Picodollars | undefined {
  const prices = kindPrices(rates);
  const tokens = tokensOf(usage, rates);
  let sum = 0n;
  for (const kind of KINDS) {
    const price = prices[kind];
    if (tokens[kind] === 0) continue;
    if (price === undefined) return undefined;
    sum += BigInt(Math.round(tokens[kind])) * rateFor(price, prompt);
  }
  return divideRounded(sum, PER_TOKEN);
}

export function rateFor(price: Price, prompt: number): Rate {
  return price.steps.findLast(({ above }) => prompt > above)?.rate ?? price.base;
}

// --- nearly all prices are whole picodollars per token: then plain numbers are exact, and much faster

/** A rate of 1 picodollar per token. */
export const PER_TOKEN = 10n ** 12n;

/** Picodollars per token, by kind, for prompts above a length. */
interface WholePrices {
  readonly above: number;
  readonly perToken: Readonly<Record<Kind, number | undefined>>;
}

/** In descending order of length; undefined if a price is not whole. */
const wholePrices = new WeakMap<Rates, readonly WholePrices[] | null>();

/** Undefined if a price is missing or the sum might not be exact. */
function wholeCost(usage: Usage, rates: Rates, prompt: number): Picodollars | undefined {
  let known = wholePrices.get(rates);
  if (known === undefined) {
    known = wholePricesOf(rates);
    wholePrices.set(rates, known);
  }
  const prices = known?.find(({ above }) => prompt > above || above === 0)?.perToken;
  if (prices === undefined) return undefined;
  const tokens = tokensOf(usage, rates);
  const sum = // member by member: a loop over names takes several times as long
    kindCost(tokens.input, prices.input) +
    kindCost(tokens.cacheRead, prices.cacheRead) +
    kindCost(tokens.cacheWrite5m, prices.cacheWrite5m) +
    kindCost(tokens.cacheWrite1h, prices.cacheWrite1h) +
    kindCost(tokens.output, prices.output) +
    kindCost(tokens.reasoning, prices.reasoning);
  return Number.isSafeInteger(sum) ? BigInt(sum) : undefined;
}

function kindCost(tokens: number, price = Number.NaN): number {
  return tokens === 0 ? 0 : Math.round(tokens) * price;
}

function wholePricesOf(rates: Rates): readonly WholePrices[] | null {
  const prices = kindPrices(rates);
  const lengths = new Set([0, ...KINDS.flatMap((kind) => prices[kind]?.steps.map(({ above }) => above) ?? [])]);
  const all = [...lengths]
    .sort((a, b) => b - a)
    .map((above) => ({ above, perToken: wholeRates(prices, above === 0 ? 0 : above + 1) }));
  return all.some(({ perToken }) => Object.values(perToken).includes(Number.NaN)) ? null : all;
}

function wholeRates(prices: KindPrices, prompt: number): WholePrices['perToken'] {
  const whole = KINDS.map((kind) => [kind, prices[kind] && wholeRate(rateFor(prices[kind], prompt))] as const);
  return Object.fromEntries(whole) as WholePrices['perToken'];
}

function wholeRate(rate: Rate): number {
  const whole = Number(rate / PER_TOKEN);
  return rate % PER_TOKEN === 0n && Number.isSafeInteger(whole) ? whole : Number.NaN;
}
