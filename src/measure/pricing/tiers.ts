/** Prices that depend on the tier and the region of a request, from the standard prices of its model. */
import type { Tier } from '../../transcript/types.js';
import { mediaInTier } from './media.js';
import { bareName } from './names.js';
import { multiplied, type Price, type Quote, type Rates, ratesOfTable, scaled, type TextKind } from './rates.js';
import { type Factors, type PriceRule, REGION_PRICES, TIER_PRICES } from './tier-prices.js';

/**
 * The prices of a model in a tier and a region. Prices of the quote's own source win over TIER_PRICES. If neither has
 * one, the result is undefined (unpriced) if the provider is known to have other prices for this tier, and else the
 * standard price. A region without a rule has the standard price.
 */
export function priceFor(quote: Quote, tier: Tier | undefined, region: string | undefined): Quote | undefined {
  const tiered = tier === undefined ? quote : inTier(quote, tier);
  return tiered === undefined || region === undefined ? tiered : inRegion(tiered, region);
}

function inTier(quote: Quote, tier: Tier): Quote | undefined {
  const own = quote.tiers?.[tier];
  const rules = TIER_PRICES.filter(({ provider, on }) => provider === quote.provider && on.includes(tier));
  const rule = ruleFor(quote, rules);
  if (own !== undefined) return changed(quote, tier, rule, own);
  if (rule?.price === 'unknown' || (rule === undefined && rules.length > 0)) return undefined;
  if (rule === undefined) return { ...quote, notes: [...quote.notes, `${tier}: no other price than the usual known`] };
  return changed(quote, tier, rule);
}

function inRegion(quote: Quote, region: string): Quote {
  const own = quote.regions?.[region];
  if (own !== undefined) return { ...quote, rates: combined(quote.rates, {}, evenly(own)) };
  const rules = REGION_PRICES.filter(({ provider, on }) => provider === quote.provider && on.includes(region));
  const rule = ruleFor(quote, rules);
  return rule === undefined ? quote : changed(quote, region, rule);
}

function ruleFor({ matched }: Quote, rules: readonly PriceRule[]): PriceRule | undefined {
  const name = bareName(matched.toLowerCase());
  return rules.find(({ model }) => model.test(name));
}

/** The quote with the prices of a rule, and over them the source's own. */
function changed(quote: Quote, what: string, rule: PriceRule | undefined, own: Rates = {}): Quote {
  const { rates, factors } = partsOf(rule);
  const kinds = (['input', 'output'] as const).filter((kind) => isUsualBelow(own[kind], quote.rates[kind]));
  return {
    ...quote,
    rates: combined(quote.rates, { ...rates, ...own }, factors),
    notes: [
      ...quote.notes,
      ...(rule === undefined ? [] : [`${what}: ${rule.source}, read ${rule.date}`]),
      ...(kinds.length === 0 ? [] : [`${what}: ${kinds.join(', ')} of shorter prompts at the usual price`]),
    ],
  };
}

/** Whether a price of a tier differs for long prompts only. */
function isUsualBelow(own: Price | undefined, usual: Price | undefined): boolean {
  return own !== undefined && own.steps.length > 0 && own.base === usual?.base;
}

function partsOf(rule: PriceRule | undefined): { readonly rates: Rates; readonly factors: Factors | undefined } {
  if (rule === undefined || rule.price === 'standard' || rule.price === 'unknown')
    return { rates: {}, factors: undefined };
  if ('rates' in rule.price) return { rates: defined(ratesOfTable(rule.price.rates)), factors: undefined };
  const { times } = rule.price;
  return { rates: {}, factors: typeof times === 'string' ? evenly(times) : times };
}

function evenly(times: string): Factors {
  return { input: times, cacheRead: times, cacheWrite: times, output: times };
}

function defined(rates: Rates): Rates {
  return Object.fromEntries(Object.entries(rates).filter(([, price]) => price !== undefined));
}

/** The fixed prices, with the long-context steps of the standard ones in proportion; the other kinds by factor. */
function combined(standard: Rates, fixed: Rates, factors: Factors | undefined): Rates {
  const price = (kind: TextKind, factor: string | undefined): Price | undefined => {
    const usual = standard[kind];
    const own = fixed[kind];
    if (own !== undefined) return inProportion(own, usual);
    if (factor === 'as-input') return undefined;
    return usual === undefined || factor === undefined ? usual : multiplied(usual, factor);
  };
  const tier: Rates = {
    ...standard,
    input: price('input', factors?.input),
    cacheRead: price('cacheRead', factors?.cacheRead),
    cacheWrite5m: price('cacheWrite5m', factors?.cacheWrite),
    cacheWrite1h: price('cacheWrite1h', factors?.cacheWrite),
    output: price('output', factors?.output),
    reasoning: price('reasoning', factors?.output),
  };
  return standard.media === undefined && fixed.media === undefined
    ? tier
    : { ...tier, media: mediaInTier(standard, tier, fixed.media) };
}

function inProportion(own: Price, usual: Price | undefined): Price {
  if (own.steps.length > 0 || usual === undefined || usual.base === 0n) return own;
  return scaled(usual, own.base, usual.base);
}
