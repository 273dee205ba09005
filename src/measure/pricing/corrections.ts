/**
 * Corrections of the prices of @pydantic/genai-prices 0.1.8, in USD per million tokens, as exact decimals. A row
 * applies to ids of the package; prices of models that the package lacks are in named-prices.ts.
 */
import { commaList } from '../../lists.js';

export interface RateTable {
  readonly input: string;
  readonly cacheRead?: string;
  readonly cacheWrite5m?: string;
  readonly cacheWrite1h?: string;
  readonly output: string;
  /** Only if reasoning has another price than other output. */
  readonly reasoning?: string;
}

export interface Sourced {
  readonly source: string;
  /** The day the source was read, YYYY-MM-DD. */
  readonly date: string;
}

export function sourced(source: string, date: string): Sourced {
  return { source, date };
}

/** A price of our own, for a time. */
export interface OwnPrice extends Sourced {
  /** Start (inclusive) and end (exclusive), ISO 8601; open-ended if absent. */
  readonly from?: string;
  readonly until?: string;
  /** Only in these hours (UTC) of Mondays to Fridays: start (inclusive) and end (exclusive). */
  readonly hours?: readonly (readonly [start: number, end: number])[];
  readonly rates: RateTable;
  /** Other prices for all tokens of a request whose prompt has more than `above` tokens, in ascending order. */
  readonly long?: readonly { readonly above: number; readonly rates: RateTable }[];
  /** What the user must know about this price. */
  readonly note?: string;
}

/** A price by a model's name without provider. */
export interface NamedPrice extends OwnPrice {
  /** As the price package names it, or as the recorded name begins. */
  readonly provider: string;
  /** Matches the whole name without provider, in lower case. */
  readonly names: RegExp;
  /** Whether only names that begin with the provider have this price. */
  readonly onlyAt?: boolean;
}

/** A price that replaces the package's. */
export interface ReplacedPrice extends OwnPrice {
  /** `provider/model`, ids of the package. */
  readonly models: readonly string[];
}

const ONE_MILLION_CONTEXT: Sourced = { source: 'https://www.anthropic.com/news/1m-context', date: '2026-11-20' };
const LITELLM: Sourced = sourced(
  'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  '2026-11-20',
);
const XAI: Sourced = { source: 'https://docs.x.ai/docs/models', date: '2026-11-22' };
/** As @earendil-works/pi-ai 1.5.2 publishes them. */
const MODELS_DEV: Sourced = { source: 'https://models.dev', date: '2026-11-10' };
const PHI: Sourced = sourced(
  'https://azure.microsoft.com/en-us/pricing/details/ai-foundry-models/microsoft/',
  '2026-11-22',
);

/** Since V4.1 Flash, prices double in its peak hours. The older name of Flash stands for it. */
const SINCE_FLASH_4_1 = {
  from: '2026-09-10T04:00:00Z',
  ...sourced('https://api-docs.deepseek.com/quick_start/pricing', '2026-11-26'),
  note: 'by the hour: twice as much on Mondays to Fridays from 1 to 4 and 6 to 10 UTC, but for holidays in China',
} as const;
const PEAK_HOURS = [
  [1, 4],
  [6, 10],
] as const;
type DeepSeekPrice = Pick<OwnPrice, 'from' | 'hours' | 'rates' | 'source' | 'date' | 'note'>;
const deepSeekPrices = (peak: RateTable, other: RateTable): readonly DeepSeekPrice[] => [
  { ...SINCE_FLASH_4_1, hours: PEAK_HOURS, rates: peak },
  { ...SINCE_FLASH_4_1, rates: other },
];
export const DEEPSEEK_FLASH = deepSeekPrices(
  { input: '0.3', cacheRead: '0.006', output: '1.2' },
  { input: '0.15', cacheRead: '0.003', output: '0.6' },
);
const DEEPSEEK_PRO = deepSeekPrices(
  { input: '1.32', cacheRead: '0.044', output: '3.96' },
  { input: '0.66', cacheRead: '0.022', output: '1.98' },
);

const DEEPSEEK_ALIASES = ['deepseek/deepseek-chat', 'deepseek/deepseek-reasoner'];

export const REPLACED_PRICES: readonly ReplacedPrice[] = [
  {
    models: commaList(`
      anthropic/claude-sonnet-4-0, anthropic/claude-sonnet-4-5, azure/claude-sonnet-4-0, azure/claude-sonnet-4-5,
      google/claude-4-sonnet, google/claude-sonnet-4-5, openrouter/anthropic/claude-sonnet-4,
      openrouter/anthropic/claude-sonnet-4.5, aws/global.anthropic.claude-sonnet-4-20250514-v1:0,
      aws/regional.anthropic.claude-sonnet-4-20250514-v1:0, aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0
    `),
    rates: { input: '3', cacheRead: '0.3', cacheWrite5m: '3.75', cacheWrite1h: '6', output: '15' },
    long: [
      {
        above: 200_000,
        rates: { input: '6', cacheRead: '0.6', cacheWrite5m: '7.5', cacheWrite1h: '12', output: '22.5' },
      },
    ],
    ...ONE_MILLION_CONTEXT,
  },
  {
    models: ['aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    rates: { input: '3.3', cacheRead: '0.33', cacheWrite5m: '4.125', cacheWrite1h: '6.6', output: '16.5' },
    long: [
      {
        above: 200_000,
        rates: { input: '6.6', cacheRead: '0.66', cacheWrite5m: '8.25', cacheWrite1h: '13.2', output: '24.75' },
      },
    ],
    ...LITELLM,
  },
  // The package lacks the prices of prompts above 128,000 tokens.
  {
    models: [
      'x-ai/grok-4-fast-reasoning',
      'x-ai/grok-4-fast-non-reasoning',
      'x-ai/grok-4-1-fast-reasoning',
      'x-ai/grok-4-1-fast-non-reasoning',
    ],
    rates: { input: '0.2', cacheRead: '0.05', output: '0.5' },
    long: [{ above: 128_000, rates: { input: '0.4', output: '1' } }],
    ...XAI,
  },
  {
    models: ['x-ai/grok-4-0709'],
    rates: { input: '3', cacheRead: '0.75', output: '15' },
    long: [{ above: 128_000, rates: { input: '6', output: '30' } }],
    ...XAI,
  },
  // From here on, one price for both, and no night discount.
  {
    models: DEEPSEEK_ALIASES,
    from: '2025-09-05T16:00:00Z',
    until: '2025-09-29T00:00:00Z',
    rates: { input: '0.56', cacheRead: '0.07', output: '1.68' },
    ...sourced('https://api-docs.deepseek.com/quick_start/pricing', '2026-11-20'),
  },
  // DeepSeek-V3.2-Exp, released on this day.
  {
    models: DEEPSEEK_ALIASES,
    from: '2025-09-29T00:00:00Z',
    until: '2026-04-26T00:00:00Z',
    rates: { input: '0.28', cacheRead: '0.028', output: '0.42' },
    ...LITELLM,
  },
  // Both names stand for deepseek-v4-flash; cache reads became ten times cheaper on this day.
  {
    models: DEEPSEEK_ALIASES,
    from: '2026-04-26T00:00:00Z',
    rates: { input: '0.14', cacheRead: '0.0028', output: '0.28' },
    ...sourced('https://models.dev/api.json', '2026-11-20'),
  },
  ...DEEPSEEK_FLASH.map((price) => ({ ...price, models: ['deepseek/deepseek-v4-flash'] })),
  ...DEEPSEEK_PRO.map((price) => ({ ...price, models: ['deepseek/deepseek-v4-pro'] })),
  // The package keeps the launch promotion, which ended on this day.
  {
    models: ['zai/GLM-5.3-Flash'],
    from: '2026-09-09T16:00:00Z',
    rates: { input: '0.15', cacheRead: '0.03', output: '0.5' },
    ...sourced('https://docs.z.ai/guides/overview/pricing', '2026-11-26'),
  },
  // Since then the alias stands for Mistral Small 4.
  {
    models: ['mistral/mistral-small-latest'],
    from: '2026-03-16T00:00:00Z',
    rates: { input: '0.15', cacheRead: '0.015', output: '0.6' },
    ...MODELS_DEV,
  },
  // The package has no cache price for these.
  ...(
    [
      ['codestral', '0.3', '0.03', '0.9'],
      ['magistral-medium', '2', '0.2', '5'],
      ['mistral-nemo', '0.15', '0.015', '0.15'],
      ['pixtral-12b', '0.15', '0.015', '0.15'],
    ] as const
  ).map(([id, input, cacheRead, output]) => ({
    models: [`mistral/${id}`],
    rates: { input, cacheRead, output },
    ...MODELS_DEV,
  })),
  // The package has prices of another host for Microsoft's models.
  { models: ['azure/phi-4'], rates: { input: '0.125', output: '0.5' }, ...PHI },
  { models: ['azure/phi-4-mini-instruct'], rates: { input: '0.075', output: '0.3' }, ...PHI },
  { models: ['azure/phi-4-multimodal-instruct'], rates: { input: '0.08', output: '0.32' }, ...PHI },
  // The package has no cache price for fine-tuned models.
  { models: ['openai/ft:gpt-4o'], rates: { input: '3.75', cacheRead: '1.875', output: '15' }, ...LITELLM },
  { models: ['openai/ft:gpt-4o-mini'], rates: { input: '0.3', cacheRead: '0.15', output: '1.2' }, ...LITELLM },
];

/** Models that the package lists without a price, and that other providers have under the same name. */
export const PRICED_ELSEWHERE: readonly string[] = ['google/gemma-3', 'google/gemma-3n'];

/** If the package has no price for Claude's 1-hour cache writes: this multiple of the input price. */
export const ONE_HOUR_CACHE_WRITE = {
  model: /claude/,
  timesInput: 2n,
  ...sourced('https://platform.claude.com/docs/en/about-claude/pricing', '2026-11-20'),
} as const;
