/**
 * Corrections and additions to the prices of @pydantic/genai-prices 0.1.8, in USD per million tokens, as exact
 * decimals. A row applies to the package's provider and model ids, unless it has a name pattern.
 */

export interface RateTable {
  readonly input: string;
  readonly cacheRead?: string;
  readonly cacheWrite5m?: string;
  readonly cacheWrite1h?: string;
  readonly output: string;
}

export interface Sourced {
  readonly source: string;
  /** The day the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** Other prices for all tokens of a request whose prompt has more than `above` tokens. */
export interface LongContextPrice extends Sourced {
  /** `provider/model`, ids of the package. */
  readonly models: readonly string[];
  readonly rates: RateTable;
  readonly above: number;
  readonly longRates: RateTable;
}

const ONE_MILLION_CONTEXT: Sourced = { source: 'https://www.anthropic.com/news/1m-context', date: '2026-11-20' };
const LITELLM: Sourced = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  date: '2026-11-20',
};

export const LONG_CONTEXT_PRICES: readonly LongContextPrice[] = [
  {
    models: [
      'anthropic/claude-sonnet-4-0',
      'anthropic/claude-sonnet-4-5',
      'azure/claude-sonnet-4-0',
      'azure/claude-sonnet-4-5',
      'google/claude-4-sonnet',
      'google/claude-sonnet-4-5',
      'openrouter/anthropic/claude-sonnet-4',
      'openrouter/anthropic/claude-sonnet-4.5',
      'aws/global.anthropic.claude-sonnet-4-20250514-v1:0',
      'aws/regional.anthropic.claude-sonnet-4-20250514-v1:0',
      'aws/global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    rates: { input: '3', cacheRead: '0.3', cacheWrite5m: '3.75', cacheWrite1h: '6', output: '15' },
    above: 200_000,
    longRates: { input: '6', cacheRead: '0.6', cacheWrite5m: '7.5', cacheWrite1h: '12', output: '22.5' },
    ...ONE_MILLION_CONTEXT,
  },
  {
    models: ['aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    rates: { input: '3.3', cacheRead: '0.33', cacheWrite5m: '4.125', cacheWrite1h: '6.6', output: '16.5' },
    above: 200_000,
    longRates: { input: '6.6', cacheRead: '0.66', cacheWrite5m: '8.25', cacheWrite1h: '13.2', output: '24.75' },
    ...LITELLM,
  },
];

/** A price that replaces the package's, for a time. */
export interface ReplacedPrice extends Sourced {
  /** `provider/model`, ids of the package. */
  readonly models: readonly string[];
  /** Start (inclusive) and end (exclusive), ISO 8601; open-ended if absent. */
  readonly from?: string;
  readonly until?: string;
  readonly rates: RateTable;
}

const DEEPSEEK_ALIASES = ['deepseek/deepseek-chat', 'deepseek/deepseek-reasoner'];

export const REPLACED_PRICES: readonly ReplacedPrice[] = [
  // From here on, one price for both, and no night discount.
  {
    models: DEEPSEEK_ALIASES,
    from: '2025-09-05T16:00:00Z',
    until: '2025-09-29T00:00:00Z',
    rates: { input: '0.56', cacheRead: '0.07', output: '1.68' },
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    date: '2026-11-20',
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
    source: 'https://models.dev/api.json',
    date: '2026-11-20',
  },
  // The package has no cache price for fine-tuned models.
  { models: ['openai/ft:gpt-4o'], rates: { input: '3.75', cacheRead: '1.875', output: '15' }, ...LITELLM },
  { models: ['openai/ft:gpt-4o-mini'], rates: { input: '0.3', cacheRead: '0.15', output: '1.2' }, ...LITELLM },
];

/** A price for a model that the package lacks, by its name without provider. */
export interface MissingPrice extends Sourced {
  readonly name: RegExp;
  readonly provider: string;
  readonly rates: RateTable;
}

export const MISSING_PRICES: readonly MissingPrice[] = [
  { name: /^ft:gpt-4\.1-2/, provider: 'openai', rates: { input: '3', cacheRead: '0.75', output: '12' }, ...LITELLM },
  {
    name: /^ft:gpt-4\.1-mini-2/,
    provider: 'openai',
    rates: { input: '0.8', cacheRead: '0.2', output: '3.2' },
    ...LITELLM,
  },
  {
    name: /^ft:gpt-4\.1-nano-2/,
    provider: 'openai',
    rates: { input: '0.2', cacheRead: '0.05', output: '0.8' },
    ...LITELLM,
  },
  { name: /^ft:o4-mini-2/, provider: 'openai', rates: { input: '4', cacheRead: '1', output: '16' }, ...LITELLM },
  { name: /^glm-4\.6$/, provider: 'zai', rates: { input: '0.6', cacheRead: '0.11', output: '2.2' }, ...LITELLM },
  { name: /^glm-4\.5$/, provider: 'zai', rates: { input: '0.6', output: '2.2' }, ...LITELLM },
];

/** If the package has no price for Claude's 1-hour cache writes: this multiple of the input price. */
export const ONE_HOUR_CACHE_WRITE = {
  model: /claude/,
  timesInput: 2n,
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  date: '2026-11-20',
} as const;
