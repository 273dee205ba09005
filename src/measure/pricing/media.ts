/** The cost of tokens that are no text: audio, images and video. */
import { divideRounded } from '../../decimals.js';
import type { MediaKind, MediaTokens, Usage } from '../../transcript/types.js';
import { MEDIA_PRICES, type MediaRule } from './media-prices.js';
import { bareName } from './names.js';
import { type MediaRates, type Price, type Quote, type Rates, rateOf, scaled } from './rates.js';
import { type Cost, costOf, PER_TOKEN, promptOf, rateFor, UNPRICED } from './token-cost.js';

type TextOf = 'input' | 'cacheRead' | 'output';

/** The cost of a usage with such tokens; unpriced if the provider prices a kind apart, and its price is unknown. */
export function mediaCost(usage: Usage, media: MediaTokens, quote: Quote, requests: number): Cost {
  const prompt = promptOf(usage, requests);
  const text = { ...usage };
  let sum = 0n;
  for (const [kind, stated] of Object.entries(media) as [MediaKind, number][]) {
    const of = textOf(kind);
    const count = Math.min(Math.round(stated), text[of]);
    const price = count <= 0 ? 'as text' : priceOf(kind, quote);
    if (price === undefined) return UNPRICED;
    if (price === 'as text') continue;
    text[of] -= count;
    sum += BigInt(Math.floor(count)) * rateFor(price, prompt);
  }
  const rest = costOf(text, quote.rates, requests, prompt);
  return rest.usd === undefined ? rest : { usd: rest.usd + divideRounded(sum, PER_TOKEN), source: 'computed' };
}

function textOf(kind: MediaKind): TextOf {
  return kind.replace(/[A-Z][a-z]+$/, '') as TextOf;
}

/** Undefined if it has another price than text, which is unknown. */
function priceOf(kind: MediaKind, quote: Quote): Price | 'as text' | undefined {
  const { media, cacheRead } = quote.rates;
  const own = media?.[kind];
  if (own !== undefined) return own;
  if (kind.startsWith('cacheRead')) {
    const uncached = priceOf(kind.replace('cacheRead', 'input') as MediaKind, quote);
    return uncached === 'as text' || cacheRead === undefined ? uncached : undefined;
  }
  const rule = ruleFor(kind, quote.provider, quote.matched);
  return rule === undefined || rule.price === 'as text' ? 'as text' : undefined;
}

function ruleFor(kind: MediaKind, provider: string | undefined, matched: string): MediaRule | undefined {
  const name = bareName(matched.toLowerCase());
  return MEDIA_PRICES.find(
    ({ providers, kinds, model }) =>
      provider !== undefined && providers.includes(provider) && kinds.includes(kind) && model.test(name),
  );
}

/** With the prices of our own table for what the price package prices as text. */
export function withMediaPrices(quote: Quote, model: string): Quote {
  const own: MediaRates[] = [];
  const notes = new Set<string>();
  for (const kind of KINDS) {
    const rule = quote.rates.media?.[kind] === undefined ? ruleFor(kind, quote.provider, model) : undefined;
    if (typeof rule?.price !== 'object') continue;
    own.push({ [kind]: { base: rateOf(rule.price.usd), steps: [] } });
    notes.add(`audio and images: ${rule.source}, read ${rule.date}`);
  }
  if (own.length === 0) return quote;
  const media = Object.assign({}, quote.rates.media, ...own);
  return { ...quote, rates: { ...quote.rates, media }, notes: [...quote.notes, ...notes] };
}

const KINDS: readonly MediaKind[] = ['inputAudio', 'outputAudio', 'outputImage'];

/** The prices in a tier: its own, else changed as much as that of text. */
export function mediaInTier(standard: Rates, tier: Rates, own: MediaRates = {}): MediaRates | undefined {
  if (standard.media === undefined) return Object.keys(own).length === 0 ? undefined : own;
  const changed = Object.entries(standard.media).flatMap(([kind, price]): [string, Price][] => {
    const [before, after] = [standard[textOf(kind as MediaKind)], tier[textOf(kind as MediaKind)]];
    if (before === undefined || before.base === 0n) return [[kind, price]];
    return after === undefined ? [] : [[kind, scaled(price, after.base, before.base)]];
  });
  return { ...Object.fromEntries(changed), ...own };
}
