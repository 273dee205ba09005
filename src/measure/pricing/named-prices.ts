/**
 * Prices of models that the price package lacks or has only from another provider, by their names without provider, in
 * USD per million tokens. A name recorded without provider has the price of its maker's own list in US dollars; where
 * the maker sells none, that of a host, with a note.
 */
import { type NamedPrice, type RateTable, type Sourced, sourced } from './corrections.js';
import { NEWER_PRICES } from './newer-prices.js';

const LITELLM: Sourced = sourced(
  'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  '2026-11-20',
);
const ZAI = {
  provider: 'zai',
  ...sourced('https://docs.z.ai/guides/overview/pricing', '2026-11-22'),
} as const;
/** International deployment. A cache read is an implicit one; a cache write an explicit one. */
const QWEN = {
  provider: 'alibaba',
  ...sourced('https://www.alibabacloud.com/help/en/model-studio/model-pricing', '2026-11-22'),
} as const;
const BEDROCK = {
  provider: 'aws',
  ...sourced('https://aws.amazon.com/bedrock/pricing/', '2026-11-22'),
  note: 'open weights without a provider: the price at Amazon Bedrock; other hosts have other prices',
} as const;

/** The prices of prompts above a length: `[above, input, output, cache read, cache write]`. */
type Step = readonly [number, string, string, string?, string?];

function steps(...rows: readonly Step[]) {
  return rows.map(([above, input, output, cacheRead, cacheWrite5m]) => {
    const rates: RateTable = {
      input,
      output,
      ...(cacheRead === undefined ? {} : { cacheRead }),
      ...(cacheWrite5m === undefined ? {} : { cacheWrite5m }),
    };
    return { above, rates };
  });
}

const FREE: RateTable = { input: '0', cacheRead: '0', output: '0' };
const QWEN_PLUS_LONG = steps([256_000, '1.2', '3.6', '0.24', '1.5']).map(({ above, rates }) => ({
  above,
  rates: { ...rates, reasoning: '12' },
}));

/** The first row that holds at the time of the request applies. */
export const NAMED_PRICES: readonly NamedPrice[] = [
  ...NEWER_PRICES,

  // OpenAI's fine-tuned models
  { provider: 'openai', names: /^ft:gpt-4\.1-2.*/, rates: { input: '3', cacheRead: '0.75', output: '12' }, ...LITELLM },
  {
    provider: 'openai',
    names: /^ft:gpt-4\.1-mini-2.*/,
    rates: { input: '0.8', cacheRead: '0.2', output: '3.2' },
    ...LITELLM,
  },
  {
    provider: 'openai',
    names: /^ft:gpt-4\.1-nano-2.*/,
    rates: { input: '0.2', cacheRead: '0.05', output: '0.8' },
    ...LITELLM,
  },
  { provider: 'openai', names: /^ft:o4-mini-2.*/, rates: { input: '4', cacheRead: '1', output: '16' }, ...LITELLM },

  // Its audio was dearer than that of later snapshots.
  {
    provider: 'openai',
    names: /^gpt-4o-audio-preview-2024-10-01$/,
    rates: { input: '2.5', output: '10' },
    ...sourced('https://huggingface.co/spaces/noumanjavaid/pricing/blob/main/app.py', '2026-11-29'),
  },

  // Z.ai. The price package has the prices of bigmodel.cn, in yuan, under the same names.
  { names: /^glm-4\.[567]$/, rates: { input: '0.6', cacheRead: '0.11', output: '2.2' }, ...ZAI },
  { names: /^glm-4\.5-x$/, rates: { input: '2.2', cacheRead: '0.45', output: '8.9' }, ...ZAI },
  { names: /^glm-4\.5-air$/, rates: { input: '0.2', cacheRead: '0.03', output: '1.1' }, ...ZAI },
  { names: /^glm-4\.5-airx$/, rates: { input: '1.1', cacheRead: '0.22', output: '4.5' }, ...ZAI },
  { names: /^glm-4\.(?:5|7|6v)-flash$/, rates: FREE, ...ZAI },
  { names: /^glm-4\.7-flashx$/, rates: { input: '0.07', cacheRead: '0.01', output: '0.4' }, ...ZAI },
  { names: /^glm-4\.5v$/, rates: { input: '0.6', cacheRead: '0.11', output: '1.8' }, ...ZAI },
  { names: /^glm-4\.6v$/, rates: { input: '0.3', cacheRead: '0.05', output: '0.9' }, ...ZAI },
  { names: /^glm-4-32b-0414-128k$/, rates: { input: '0.1', output: '0.1' }, ...ZAI },
  { names: /^glm-5$/, rates: { input: '1', cacheRead: '0.2', output: '3.2' }, ...ZAI },
  { names: /^glm-5-turbo$/, rates: { input: '1.2', cacheRead: '0.24', output: '4' }, ...ZAI },
  { names: /^glm-5-code$/, rates: { input: '1.2', cacheRead: '0.3', output: '5' }, ...ZAI },
  { names: /^glm-5\.1$/, rates: { input: '1.4', cacheRead: '0.26', output: '4.4' }, ...ZAI },

  // Qwen
  { names: /^qwen-max(?:-latest|-2025-01-25)?$/, rates: { input: '1.6', cacheRead: '0.32', output: '6.4' }, ...QWEN },
  {
    names: /^qwen-plus(?:-latest|-2025-\d\d-\d\d)?$/,
    rates: { input: '0.4', cacheRead: '0.08', cacheWrite5m: '0.5', output: '1.2', reasoning: '4' },
    long: QWEN_PLUS_LONG,
    ...QWEN,
  },
  {
    names: /^qwen-turbo(?:-latest|-20\d\d-\d\d-\d\d)?$/,
    rates: { input: '0.05', cacheRead: '0.01', output: '0.2', reasoning: '0.5' },
    ...QWEN,
  },
  {
    names: /^qwen-flash(?:-2025-07-28)?$/,
    rates: { input: '0.05', cacheRead: '0.01', cacheWrite5m: '0.0625', output: '0.4' },
    long: steps([256_000, '0.25', '2', '0.05', '0.3125']),
    ...QWEN,
  },
  {
    names: /^qwen3-max(?:-preview|-2025-09-23|-2026-01-23)?$/,
    rates: { input: '1.2', cacheRead: '0.24', cacheWrite5m: '1.5', output: '6' },
    long: steps([32_000, '2.4', '12', '0.48', '3'], [128_000, '3', '15', '0.6', '3.75']),
    ...QWEN,
  },
  {
    names: /^qwen3-coder-plus(?:-2025-\d\d-\d\d)?$/,
    rates: { input: '1', cacheRead: '0.2', cacheWrite5m: '1.25', output: '5' },
    long: steps(
      [32_000, '1.8', '9', '0.36', '2.25'],
      [128_000, '3', '15', '0.6', '3.75'],
      [256_000, '6', '60', '1.2', '7.5'],
    ),
    ...QWEN,
  },
  {
    names: /^qwen3-coder-flash(?:-2025-07-28)?$/,
    rates: { input: '0.3', cacheRead: '0.06', cacheWrite5m: '0.375', output: '1.5' },
    long: steps(
      [32_000, '0.5', '2.5', '0.1', '0.625'],
      [128_000, '0.8', '4', '0.16', '1'],
      [256_000, '1.6', '9.6', '0.32', '2'],
    ),
    ...QWEN,
  },
  {
    names: /^qwen3-coder(?:-480b-a35b-instruct)?$/,
    rates: { input: '1.5', output: '7.5' },
    long: steps([32_000, '2.7', '13.5'], [128_000, '4.5', '22.5'], [256_000, '9', '90']),
    ...QWEN,
    note: 'open weights: the price at Alibaba Cloud; other hosts have other prices',
  },
  {
    names: /^qwen3-coder-30b-a3b-instruct$/,
    rates: { input: '0.45', output: '2.25' },
    long: steps([32_000, '0.75', '3.75'], [128_000, '1.2', '6'], [256_000, '2.4', '14.4']),
    ...QWEN,
    note: 'open weights: the price at Alibaba Cloud; other hosts have other prices',
  },
  { names: /^qwen3-235b-a22b$/, rates: { input: '0.7', output: '2.8', reasoning: '8.4' }, ...QWEN },
  { names: /^qwen3-235b-a22b-instruct-2507$/, rates: { input: '0.23', output: '0.92' }, ...QWEN },
  { names: /^qwen3-235b-a22b-thinking-2507$/, rates: { input: '0.23', output: '2.3' }, ...QWEN },
  { names: /^qwen3-30b-a3b$/, rates: { input: '0.2', output: '0.8', reasoning: '2.4' }, ...QWEN },
  { names: /^qwen3-30b-a3b-instruct-2507$/, rates: { input: '0.2', output: '0.8' }, ...QWEN },
  { names: /^qwen3-32b$/, rates: { input: '0.16', output: '0.64' }, ...QWEN },
  { names: /^qwen3-next-80b-a3b-(?:instruct|thinking)$/, rates: { input: '0.15', output: '1.2' }, ...QWEN },
  { names: /^qwen3-vl-235b-a22b-instruct$/, rates: { input: '0.4', output: '1.6' }, ...QWEN },
  { names: /^qwen3-vl-235b-a22b-thinking$/, rates: { input: '0.4', output: '4' }, ...QWEN },
  {
    names: /^qwen3-vl-plus$/,
    rates: { input: '0.2', output: '1.6' },
    long: steps([32_000, '0.3', '2.4'], [128_000, '0.6', '4.8']),
    ...QWEN,
  },
  { names: /^qwen3\.5-plus$/, rates: { input: '0.4', output: '2.4' }, long: steps([256_000, '0.5', '3']), ...QWEN },
  { names: /^qwen3\.7-max$/, rates: { input: '2.5', cacheRead: '0.5', output: '7.5' }, ...QWEN },
  {
    names: /^qwen3\.7-plus$/,
    rates: { input: '0.4', cacheRead: '0.08', output: '1.6' },
    long: steps([256_000, '1.2', '4.8', '0.24']),
    ...QWEN,
  },
  { names: /^qwq-plus$/, rates: { input: '0.8', output: '2.4' }, ...QWEN },
  { names: /^qwen2\.5-72b-instruct$/, rates: { input: '1.4', output: '5.6' }, ...QWEN },
  { names: /^qwen2\.5-32b-instruct$/, rates: { input: '0.7', output: '2.8' }, ...QWEN },
  { names: /^qwen2\.5-7b-instruct$/, rates: { input: '0.175', output: '0.7' }, ...QWEN },
  { names: /^qwen2\.5-vl-72b-instruct$/, rates: { input: '2.8', output: '8.4' }, ...QWEN },

  // Mistral: the alias stands for Mistral Large 3 from its release on; the package has the price of Large 2.
  {
    provider: 'mistral',
    names: /^mistral-large(?:-latest)?$/,
    from: '2025-12-02T00:00:00Z',
    rates: { input: '0.5', cacheRead: '0.05', output: '1.5' },
    ...sourced('https://docs.mistral.ai/models/mistral-large-3-25-12', '2026-11-22'),
  },

  // xAI: the spelling with a dot
  {
    provider: 'x-ai',
    names: /^grok-4\.1-fast(?:-(?:non-)?reasoning)?$/,
    rates: { input: '0.2', cacheRead: '0.05', output: '0.5' },
    long: steps([128_000, '0.4', '1']),
    ...sourced('https://docs.x.ai/docs/models', '2026-11-22'),
  },

  // Microsoft, with its own cloud's price
  {
    provider: 'azure',
    names: /^phi-4$/,
    rates: { input: '0.125', output: '0.5' },
    ...sourced('https://azure.microsoft.com/en-us/pricing/details/ai-foundry-models/microsoft/', '2026-11-22'),
    note: 'open weights: the price at Azure; other hosts have other prices',
  },

  // Open weights whose makers sell no tokens. Groq's own name of a model has Groq's price.
  {
    provider: 'groq',
    names: /^llama-3\.3-70b-versatile$/,
    rates: { input: '0.59', output: '0.79' },
    ...sourced('https://groq.com/pricing', '2026-11-22'),
  },
  { names: /^(?:meta-)?llama-?3[.-]3-70b(?:-instruct)?$/, rates: { input: '0.72', output: '0.72' }, ...BEDROCK },
  { names: /^gemma-3-27b(?:-it)?$/, rates: { input: '0.23', output: '0.38' }, ...BEDROCK },
  { names: /^gemma-3-12b(?:-it)?$/, rates: { input: '0.09', output: '0.29' }, ...BEDROCK },
  { names: /^gemma-3-4b(?:-it)?$/, rates: { input: '0.04', output: '0.08' }, ...BEDROCK },
  // Google's own API has Gemma only in its free tier.
  {
    provider: 'gemini',
    names: /^gemma-[34]-.*/,
    onlyAt: true,
    rates: FREE,
    ...sourced('https://ai.google.dev/gemini-api/docs/pricing', '2026-11-22'),
  },
  // The user's own machine. Ollama's names of models in its cloud end in -cloud.
  {
    provider: 'ollama',
    names: /^(?!.*-cloud$).*/,
    onlyAt: true,
    rates: FREE,
    ...LITELLM,
    note: 'on your own machine: no provider charges for it',
  },
];
