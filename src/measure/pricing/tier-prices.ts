/**
 * Prices of tiers (batch, flex, priority, fast) and of regions, from the standard prices of a model. Data; each row has
 * its source and the day it was read.
 */
import type { Tier } from '../../transcript/types.js';
import { type RateTable, type Sourced, sourced } from './corrections.js';

/** Factors of the standard prices, as decimals. `as-input`: cached tokens have the tier's price of input. */
export interface Factors {
  readonly input: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly output: string;
}

export interface PriceRule<On extends string = string> extends Sourced {
  /** As the price package names it. */
  readonly provider: string;
  /** The tiers or regions. */
  readonly on: readonly On[];
  /** Matches names of models without their provider, in lower case. */
  readonly model: RegExp;
  /**
   * `times`: the standard prices times this, for all tokens or by kind. `rates`: USD per million tokens for prompts of
   * usual length. `standard`: no other price. `unknown`: another price, which is not published or depends on more.
   */
  readonly price: { readonly times: string | Factors } | { readonly rates: RateTable } | 'standard' | 'unknown';
}

const HALF = { times: '0.5' } as const;
/** Cached tokens of batches have the batch price of input. */
const HALF_WITHOUT_CACHE = {
  times: { input: '0.5', cacheRead: 'as-input', cacheWrite: 'as-input', output: '0.5' },
} as const;
/** Cached tokens have their usual price. */
const HALF_BUT_CACHE = { times: { input: '0.5', cacheRead: '1', cacheWrite: '0.5', output: '0.5' } } as const;

const ANTHROPIC_PRICES = {
  provider: 'anthropic',
  ...sourced('https://platform.claude.com/docs/en/about-claude/pricing', '2026-11-22'),
} as const;
const FAST_MODE = {
  provider: 'anthropic',
  on: ['fast'],
  ...sourced('https://platform.claude.com/docs/en/build-with-claude/fast-mode', '2026-11-22'),
} as const;
const OPENAI_PRICES = {
  provider: 'openai',
  ...sourced('https://developers.openai.com/api/docs/pricing', '2026-11-22'),
} as const;
const OPENAI_PRIORITY = {
  provider: 'openai',
  on: ['priority'],
  ...sourced('https://openai.com/api-priority-processing/', '2026-11-22'),
} as const;
const BEDROCK_TIERS = { provider: 'aws', date: '2026-11-22' } as const;

/** The first row of a provider and tier that matches the model applies. */
export const TIER_PRICES: readonly PriceRule<Tier>[] = [
  // "The pricing discounts from prompt caching and Message Batches can stack."
  {
    provider: 'anthropic',
    on: ['batch'],
    model: /^claude/,
    price: HALF,
    ...sourced('https://platform.claude.com/docs/en/build-with-claude/batch-processing', '2026-11-21'),
  },
  // Priority Tier is capacity that was paid for in advance; its tokens count at the standard rates.
  {
    provider: 'anthropic',
    on: ['priority'],
    model: /./,
    price: 'standard',
    ...sourced('https://platform.claude.com/docs/en/api/service-tiers', '2026-11-22'),
  },
  // A multiple of the standard price, whatever it is for the prompt's length on that day: Opus 4.6 cost $60 above
  // 200,000 tokens until 2026-03-13, and $30 since.
  { model: /^claude-opus-4[-.][67](?!\d)/, price: { times: '6' }, ...FAST_MODE },
  { model: /^claude-opus-(?:4[-.]8(?!\d)|5(?![-.]\d(?!\d))|5[-.]0(?!\d))/, price: { times: '2' }, ...FAST_MODE },
  // The table lists one cached price that is not half of the usual one.
  {
    on: ['batch', 'flex'],
    model: /^gpt-5\.4(?:-\d{4}-\d\d-\d\d)?$/,
    price: { rates: { input: '1.25', cacheRead: '0.13', output: '7.5' } },
    ...OPENAI_PRICES,
  },
  // The tables of batch and flex prices list cached input from GPT-5 on, at half price.
  { on: ['batch'], model: /^(?:ft:)?gpt-(?:[5-9]|\d\d)/, price: HALF, ...OPENAI_PRICES },
  {
    on: ['flex'],
    model: /^(?:gpt-5(?:\.\d+)?(?:-(?:mini|nano|pro|sol|terra|luna))?|o3|o4-mini)(?:-\d{4}-\d\d-\d\d)?$/,
    price: HALF,
    ...OPENAI_PRICES,
  },
  // Models before GPT-5 have no prompt cache in batches.
  {
    provider: 'openai',
    on: ['batch'],
    model: /./,
    price: HALF_WITHOUT_CACHE,
    ...sourced('https://github.com/openai/openai-cookbook/blob/main/examples/Prompt_Caching_201.ipynb', '2026-11-21'),
  },
  { model: /^gpt-5\.6/, price: { times: '2' }, ...OPENAI_PRIORITY, source: OPENAI_PRICES.source },
  { model: /^gpt-5\.5(?!-pro)/, price: { times: '2.5' }, ...OPENAI_PRIORITY },
  { model: /^gpt-5(?:\.1-codex|-codex)?-mini/, price: { times: '1.8' }, ...OPENAI_PRIORITY },
  { model: /^gpt-5(?:\.[1-4])?(?!\.|-(?:pro|nano)|\.4-nano)(?:-|$)/, price: { times: '2' }, ...OPENAI_PRIORITY },
  { model: /^gpt-4\.1-nano/, price: { times: '2' }, ...OPENAI_PRIORITY },
  { model: /^gpt-4\.1/, price: { times: '1.75' }, ...OPENAI_PRIORITY },
  { model: /^gpt-4o-2024-05-13$/, price: { times: '1.75' }, ...OPENAI_PRIORITY },
  {
    model: /^gpt-4o-mini(?:-2024-07-18)?$/,
    price: { rates: { input: '0.25', cacheRead: '0.125', output: '1' } },
    ...OPENAI_PRIORITY,
  },
  { model: /^gpt-4o(?:-2024-(?:08-06|11-20))?$/, price: { times: '1.7' }, ...OPENAI_PRIORITY },
  { model: /^o3(?:-2025-04-16)?$/, price: { times: '1.75' }, ...OPENAI_PRIORITY },
  {
    model: /^o4-mini(?:-2025-04-16)?$/,
    price: { rates: { input: '2', cacheRead: '0.5', output: '8' } },
    ...OPENAI_PRIORITY,
  },
  {
    provider: 'azure',
    on: ['batch'],
    model: /^(?:gpt|o\d)/,
    price: HALF_WITHOUT_CACHE,
    ...sourced('https://azure.microsoft.com/en-us/pricing/details/azure-openai/', '2026-11-22'),
  },
  {
    provider: 'azure',
    on: ['flex'],
    model: /^(?:gpt|o\d)/,
    price: HALF,
    ...sourced('https://learn.microsoft.com/en-us/azure/foundry/openai/how-to/flex-processing', '2026-11-22'),
  },
  {
    provider: 'azure',
    on: ['priority'],
    model: /./,
    price: 'unknown',
    ...sourced('https://azure.microsoft.com/en-us/pricing/details/azure-openai/', '2026-11-22'),
  },
  // Cached tokens of a batch "are priced the same as for non-batch API traffic".
  {
    provider: 'google',
    on: ['batch'],
    model: /^gemini/,
    price: HALF_BUT_CACHE,
    ...sourced('https://ai.google.dev/gemini-api/docs/batch-api', '2026-11-21'),
  },
  {
    provider: 'google',
    on: ['flex'],
    model: /^gemini/,
    price: HALF_BUT_CACHE,
    ...sourced('https://ai.google.dev/gemini-api/docs/flex-inference', '2026-11-22'),
  },
  // "75% to 100% more than standard"
  {
    provider: 'google',
    on: ['priority'],
    model: /^gemini/,
    price: 'unknown',
    ...sourced('https://ai.google.dev/gemini-api/docs/optimization', '2026-11-22'),
  },
  {
    provider: 'x-ai',
    on: ['batch'],
    model: /^grok/,
    price: HALF,
    ...sourced('https://docs.x.ai/developers/advanced-api-usage/batch-api', '2026-11-22'),
  },
  {
    provider: 'x-ai',
    on: ['priority'],
    model: /^grok/,
    price: 'unknown',
    ...sourced('https://docs.x.ai/developers/advanced-api-usage/priority-processing', '2026-11-22'),
  },
  {
    provider: 'mistral',
    on: ['batch'],
    model: /./,
    price: HALF,
    ...sourced('https://docs.mistral.ai/capabilities/batch', '2026-11-22'),
  },
  // DeepSeek has no batch API.
  {
    provider: 'deepseek',
    on: ['batch'],
    model: /./,
    price: 'standard',
    ...sourced('https://api-docs.deepseek.com/quick_start/pricing', '2026-11-22'),
  },
  // Discounts of batches and of the cache do not add up.
  {
    provider: 'alibaba',
    on: ['batch'],
    model: /^qw/,
    price: HALF_WITHOUT_CACHE,
    ...sourced('https://www.alibabacloud.com/help/en/model-studio/model-pricing', '2026-11-22'),
  },
  {
    on: ['batch'],
    model: /./,
    price: HALF,
    ...BEDROCK_TIERS,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/capacity-limits-cost-optimization.html',
  },
  {
    on: ['flex', 'priority'],
    model: /./,
    price: 'unknown',
    ...BEDROCK_TIERS,
    source: 'https://aws.amazon.com/bedrock/service-tiers',
  },
];

/** The first row of a provider and region that matches the model applies. */
export const REGION_PRICES: readonly PriceRule[] = [
  // `inference_geo: us` costs a tenth more from Claude Opus 4.6 on, for all kinds of tokens.
  {
    on: ['us'],
    model: /^claude-(?!\d|instant|v\d|(?:opus|sonnet|haiku)-(?:3|4(?![-.][6-9])))/,
    price: { times: '1.1' },
    ...ANTHROPIC_PRICES,
  },
];
