/** Prices of models that are newer than the price package, in USD per million tokens. */
import { DEEPSEEK_FLASH, type NamedPrice, type RateTable, type Sourced, sourced } from './corrections.js';

const ANTHROPIC = {
  provider: 'anthropic',
  ...sourced('https://platform.claude.com/docs/en/about-claude/pricing', '2026-11-26'),
} as const;
/** As @earendil-works/pi-ai 1.5.2 of 2026-11-10 publishes them. */
const MODELS_DEV: Sourced = { source: 'https://models.dev', date: '2026-11-10' };
const SONNET_5_5 = { input: '2', cacheWrite5m: '2.5', cacheWrite1h: '4', output: '10' };
const MYTHOS = { input: '10', cacheWrite5m: '12.5', cacheWrite1h: '20', output: '50' };
/** Since when Sonnet 5.5 reads its cache at half the price: https://github.com/kurofune/claudit/releases/tag/v1.9.2 */
const CACHE_READ_CUT = '2026-10-07T00:00:00Z';

const CLAUDE: readonly NamedPrice[] = [
  { ...ANTHROPIC, names: /^claude-sonnet-5[-.]5$/, until: CACHE_READ_CUT, rates: { ...SONNET_5_5, cacheRead: '0.2' } },
  { ...ANTHROPIC, names: /^claude-sonnet-5[-.]5$/, from: CACHE_READ_CUT, rates: { ...SONNET_5_5, cacheRead: '0.1' } },
  {
    ...ANTHROPIC,
    names: /^claude-haiku-5[-.]5$/,
    rates: { input: '0.1', cacheRead: '0.01', cacheWrite5m: '0.125', cacheWrite1h: '0.2', output: '0.5' },
    long: [
      {
        above: 100_000,
        rates: { input: '0.5', cacheRead: '0.05', cacheWrite5m: '0.625', cacheWrite1h: '1', output: '2.5' },
      },
    ],
  },
  { ...ANTHROPIC, names: /^claude-mythos-5$/, rates: { ...MYTHOS, cacheRead: '1' } },
  { ...ANTHROPIC, names: /^claude-mythos-5[-.]1$/, rates: { ...MYTHOS, cacheRead: '0.25' } },
  {
    ...ANTHROPIC,
    ...MODELS_DEV,
    names: /^claude-fable-5[-.]2$/,
    rates: { input: '8', cacheRead: '0.2', cacheWrite5m: '10', cacheWrite1h: '16', output: '40' },
  },
];

/** What aliases stood for on the day of the list; before, they stood for other models. */
const ALIASES_SINCE = '2026-11-10T00:00:00Z';

type Figures = readonly [input: string, output: string, cacheRead?: string, cacheWrite?: string];

/** Provider, name, prices, and those of prompts above a length. */
type NewerPrice = readonly [
  provider: string,
  name: string,
  prices: Figures,
  long?: readonly [above: number, prices: Figures],
];

const ROWS: readonly NewerPrice[] = [
  ['openai', 'gpt-5.3-codex-spark', ['1.75', '14', '0.175']],
  ['openai', 'gpt-5.6-cyber', ['12.5', '75', '1.25', '15.625']],
  ['openai', 'gpt-6.1-sol', ['2', '10', '0.1', '2.5'], [272_000, ['4', '15', '0.2', '5']]],
  ['openai', 'gpt-6.1-terra', ['1', '5', '0.05', '1.25'], [272_000, ['2', '7.5', '0.1', '2.5']]],
  ['google', 'gemini-4-argon', ['2', '10', '0.1']],
  ['google', 'gemini-robotics-er-2-preview', ['1', '5', '0.1']],
  ['google', 'gemini-2.5-computer-use-preview-10-2025', ['1.25', '10'], [200_000, ['2.5', '15']]],
  ['google', 'deep-research-preview-04-2026', ['2', '12', '0.2'], [200_000, ['4', '18', '0.4']]],
  ['google', 'deep-research-max-preview-04-2026', ['2', '12', '0.2'], [200_000, ['4', '18', '0.4']]],
  ['x-ai', 'grok-4.7', ['2', '6', '0.5'], [200_000, ['4', '12', '1']]],
  ['mistral', 'deepseek-v4-1-flash-1017', ['0.3', '1.2', '0.007']],
  ['mistral', 'glm-5-2', ['1.4', '4.4', '0.14']],
  ['mistral', 'zai-glm-5-2', ['1.4', '4.4', '0.14']],
  ['mistral', 'zai-glm-5-3', ['1.4', '4.4', '0.14']],
  ['mistral', 'zai-glm-5-3-flash', ['0.15', '0.5', '0.03']],
  ['mistral', 'devstral-latest', ['0.4', '2', '0.04']],
  ['mistral', 'devstral-medium-latest', ['0.4', '2', '0.04']],
  ['mistral', 'ministral-3b-latest', ['0.1', '0.1', '0.01']],
  ['mistral', 'mistral-large-4', ['0.7', '2.1', '0.07']],
  ['mistral', 'mistral-large-4-0-8', ['0.7', '2.1', '0.07']],
  ['mistral', 'mistral-medium-2604', ['1.5', '7.5', '0.15']],
  ['mistral', 'mistral-small-2506', ['0.1', '0.3', '0.01']],
  ['moonshotai', 'kimi-k3.1-pro', ['2', '10', '0.2']],
  ['moonshotai', 'kimi-k3.1-pro-highspeed', ['4', '20', '0.2']],
  ['minimax', 'minimax-m3.1-flash', ['0.15', '0.6', '0.015']],
  ['xiaomi', 'mimo-v2.6-flash', ['0.14', '0.28', '0.0028']],
  ['xiaomi', 'mimo-v2.6-pro', ['0.435', '0.87', '0.0036']],
  ['xiaomi', 'mimo-v2.6-pro-ultraspeed', ['4.35', '8.7', '0.036']],
  ['meta', 'muse-ember-1.0', ['0.1', '0.5', '0.004'], [200_000, ['0.3', '1.5', '0.012']]],
  ['meta', 'muse-spark-1.1', ['1.25', '4.25', '0.15']],
  ['meta', 'muse-spark-1.2', ['1.25', '4.25', '0.15']],
  ['meta', 'muse-spark-1.2-contributor', ['0.1', '0.2', '0.002']],
  ['meta', 'muse-spark-1.3', ['1.25', '4.25', '0.15']],
  ['meta', 'muse-spark-1.3-contributor', ['0.1', '0.2', '0.002']],
  ['meta', 'muse-wonder-1.0', ['4', '20', '0.2']],
];

const ALIASES: readonly NewerPrice[] = [
  ['google', 'gemini-flash-latest', ['1.5', '9', '0.15']],
  ['google', 'gemini-flash-lite-latest', ['0.25', '1.5', '0.025']],
  ['google', 'gemini-pro-latest', ['2', '12', '0.2'], [200_000, ['4', '18', '0.4']]],
  ['openai', 'chat-latest', ['5', '30', '0.5']],
  ['openai', 'gpt-daybreak-blue-latest', ['4', '20', '0.4', '5']],
  ['openai', 'gpt-daybreak-red-latest', ['12.5', '75', '1.25', '15.625']],
];

function ratesOf([input, output, cacheRead, cacheWrite5m]: Figures): RateTable {
  return { input, output, ...(cacheRead && { cacheRead }), ...(cacheWrite5m && { cacheWrite5m }) };
}

function priceIn([provider, name, prices, long]: NewerPrice): NamedPrice {
  return {
    ...MODELS_DEV,
    provider,
    names: new RegExp(`^${name.replaceAll('.', '\\.')}$`),
    rates: ratesOf(prices),
    ...(long && { long: [{ above: long[0], rates: ratesOf(long[1]) }] }),
  };
}

export const NEWER_PRICES: readonly NamedPrice[] = [
  ...CLAUDE,
  ...ROWS.map(priceIn),
  ...DEEPSEEK_FLASH.map((price) => ({ ...price, provider: 'deepseek', names: /^deepseek-flash$/ })),
  ...ALIASES.map((row) => ({ ...priceIn(row), from: ALIASES_SINCE })),
];
