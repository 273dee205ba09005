import { readFileSync } from 'node:fs';
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { toNumber } from '../../../src/decimals.js';
import { REPLACED_PRICES } from '../../../src/measure/pricing/corrections.js';
import { costOf, loadPrices, PRICES_AS_OF, type PriceBook, rateOf } from '../../../src/measure/pricing/cost.js';
import { pricesIn } from '../../../src/measure/pricing/files.js';
import { NAMED_PRICES } from '../../../src/measure/pricing/named-prices.js';
import type { Quote, Rates } from '../../../src/measure/pricing/rates.js';
import { currencyOf, formatMoney, formatMoneyApart, formatMoneyInRow } from '../../../src/text/money.js';
import type { Usage } from '../../../src/transcript/types.js';
import { addUsage, NO_USAGE, promptTokens } from '../../../src/transcript/usage.js';

const book = await loadPrices();
const used = (usage: Partial<Usage>): Usage => ({ ...NO_USAGE, ...usage });

/** Dollars as a decimal, without a float in between. */
function dollars(model: string, usage: Partial<Usage>, at?: string): string | undefined {
  const { usd } = book.cost(model, used(usage), at === undefined ? undefined : new Date(at));
  return usd === undefined ? undefined : decimal(usd);
}

function decimal(picodollars: bigint): string {
  const digits = String(picodollars).padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}

describe('usage', () => {
  test('adds up', () => {
    const one: Usage = { input: 1, cacheRead: 2, cacheWrite5m: 3, cacheWrite1h: 4, output: 5, reasoning: 6 };
    expect(addUsage(one, addUsage(one, NO_USAGE))).toEqual({
      input: 2,
      cacheRead: 4,
      cacheWrite5m: 6,
      cacheWrite1h: 8,
      output: 10,
      reasoning: 12,
    });
    expect(promptTokens(one)).toBe(10);
  });
});

describe('a long-context price is chosen by the whole prompt and holds for the whole request', () => {
  const SONNET_4 = 'claude-sonnet-4-20250514';
  const DAY = '2026-01-09';

  test.each<[Partial<Usage>, string]>([
    [{ input: 250_000, output: 1000 }, '1.5225'],
    [{ input: 1000, cacheRead: 250_000, output: 1000 }, '0.1785'],
    [{ input: 200_000, output: 1000 }, '0.615'],
    [{ input: 200_001, output: 1000 }, '1.222506'],
    [{ input: 1, cacheWrite5m: 200_000 }, '1.500006'],
    [{ input: 1, cacheWrite1h: 200_000 }, '2.400006'],
    [{ cacheWrite1h: 200_000 }, '1.2'],
  ])('Claude Sonnet 4: %j is $%s', (usage, cost) => {
    expect(dollars(SONNET_4, usage, DAY)).toBe(cost);
    expect(dollars('claude-sonnet-4-5-20250929', usage, DAY)).toBe(cost);
    expect(dollars('global.anthropic.claude-sonnet-4-5-20250929-v1:0', usage, DAY)).toBe(cost);
    expect(dollars('openrouter/anthropic/claude-sonnet-4', usage, DAY)).toBe(cost);
  });

  test('a Bedrock region costs a tenth more', () => {
    expect(dollars('us.anthropic.claude-sonnet-4-5-20250929-v1:0', { input: 250_000, output: 1000 })).toBe('1.67475');
  });

  test.each<[string, Partial<Usage>, string]>([
    ['grok-4-fast', { input: 128_000, output: 1000 }, '0.0261'],
    ['grok-4-fast', { input: 128_001, output: 1000 }, '0.0522004'],
    ['grok-4.1-fast-reasoning', { input: 100_000, cacheRead: 100_000 }, '0.045'],
    ['grok-4', { input: 128_001 }, '0.768006'],
    ['qwen3-max', { input: 32_001 }, '0.0768024'],
    ['qwen3-max', { input: 128_001 }, '0.384003'],
    ['qwen3-coder-plus', { input: 1000, cacheRead: 300_000, output: 1000 }, '0.426'],
    ['qwen3-coder', { input: 32_000, output: 1000 }, '0.0555'],
    ['qwen-plus', { output: 1000, reasoning: 900 }, '0.00372'],
  ])('%s: %j is $%s', (model, usage, cost) => {
    expect(dollars(model, usage)).toBe(cost);
  });

  test.each([
    ['whole', 10n ** 12n, 100n, 202n],
    ['not whole', 15n * 10n ** 11n, 150n, 202n],
  ])('a price above a length, where picodollars for a token are %s', (_, base, at, above) => {
    const rates: Rates = { input: { base, steps: [{ above: 100, rate: 2n * 10n ** 12n }] } };
    const costAt = (input: number) => costOf({ ...NO_USAGE, input }, rates).usd;
    expect([costAt(100), costAt(101)]).toEqual([at, above]);
  });

  test('GPT-5.4 above 272,000 tokens', () => {
    expect(dollars('gpt-5.4', { input: 10_000, cacheRead: 290_000, output: 1000 })).toBe('0.2175');
  });

  test('Claude Opus 4.6 before and after its surcharge went', () => {
    expect(dollars('claude-opus-4-6', { input: 300_000, output: 1000 }, '2026-03-12T23:59:59Z')).toBe('3.0375');
    expect(dollars('claude-opus-4-6', { input: 300_000, output: 1000 }, '2026-03-13')).toBe('1.525');
    expect(dollars('claude-opus-4-6', { input: 300_000, output: 1000 }, '2026-01-01')).toBe('3.0375');
  });
});

describe('names as they are recorded', () => {
  test.each<[string, string, string]>([
    ['gpt-4o-2024-08-06', '2.5', '10'],
    ['gpt-4o-2024-05-13', '5', '15'],
    ['openai/gpt-4o', '2.5', '10'],
    ['openai:gpt-4o', '2.5', '10'],
    ['azure/gpt-4o', '2.5', '10'],
    ['gpt-5-mini-2025-08-07', '0.25', '2'],
    ['gpt-5-mini-2099-01-01', '0.25', '2'],
    ['codex-mini-latest', '1.5', '6'],
    ['chatgpt-4o-latest', '5', '15'],
    ['ft:gpt-4o-mini-2024-07-18:org::id', '0.3', '1.2'],
    ['ft:gpt-4.1-mini-2025-04-14:org::id', '0.8', '3.2'],
    ['claude-3-5-sonnet-20241022', '3', '15'],
    ['anthropic/claude-3-5-sonnet-20241022', '3', '15'],
    ['anthropic:claude-opus-4-5', '5', '25'],
    ['claude-sonnet-4-5[1m]', '3', '15'],
    ['anthropic.claude-3-5-sonnet-20240620-v1:0', '3', '15'],
    ['bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0', '3', '15'],
    ['jp.anthropic.claude-sonnet-4-20250514-v1:0', '3', '15'],
    ['vertex_ai/claude-sonnet-4-5@20250929', '3', '15'],
    ['google/gemini-2.5-flash', '0.3', '2.5'],
    ['gemini-2.5-pro', '1.25', '10'],
    ['models/gemini-2.5-pro', '1.25', '10'],
    ['groq/llama-3.3-70b-versatile', '0.59', '0.79'],
    ['qwen/qwen3-coder', '0.22', '1.8'],
    ['kimi-k2-0905-preview', '0.6', '2.5'],
    ['glm-4.6', '0.6', '2.2'],
    ['glm-4.5-air', '0.2', '1.1'], // Z.ai's list in dollars, not that of bigmodel.cn in yuan
    ['zai/glm-4.7', '0.6', '2.2'],
    ['glm-5.2', '1.4', '4.4'],
    ['zhipuai/glm-4.7', '0.276', '1.103'],
    ['openrouter/z-ai/glm-4.6', '0.43', '1.74'],
    ['dashscope/qwen-max', '1.6', '6.4'],
    ['nova-pro', '0.8', '3.2'],
    ['nova-lite-v1:0', '0.06', '0.24'],
    ['amazon.nova-premier-v1:0', '2.5', '12.5'],
    ['phi-4', '0.125', '0.5'],
    ['azure_ai/phi-4', '0.125', '0.5'],
    ['llama-3.3-70b-versatile', '0.59', '0.79'],
    ['meta-llama/Llama-3.3-70B-Instruct', '0.72', '0.72'],
    ['gemma-3-27b-it', '0.23', '0.38'],
    ['gemini/gemma-3-27b-it', '0', '0'],
    ['google/gemma-3-27b-it', '0.1', '0.2'],
    ['ollama/qwen3:8b', '0', '0'],
    ['mistral-large-latest', '0.5', '1.5'],
    ['openrouter/openai/gpt-oss-120b:free', '0', '0'],
  ])('%s: $%s in, $%s out', (model, input, output) => {
    expect(dollars(model, { input: 100_000 })).toBe(decimal(rateOf(input) / 10n ** 7n));
    expect(dollars(model, { output: 1_000_000 })).toBe(output);
  });

  test.each([
    '',
    'model',
    '<synthetic>',
    'sonnet',
    'aide-gpt-5',
    'qwen3-coder:30b',
    'ft:gpt-9:org::id',
    'gemma-3',
    'glm-4-plus', // sold in yuan only
    'ollama/qwen3-coder:480b-cloud',
    '/',
    ':',
  ])('%j is unpriced, not free', (model) => {
    expect(book.cost(model, used({ input: 1 }))).toEqual({ usd: undefined, source: 'unpriced' });
  });

  test('what a model has no price for is unpriced, what it was not used for does not matter', () => {
    expect(dollars('text-embedding-3-small', { input: 1_000_000 })).toBe('0.02');
    expect(dollars('text-embedding-3-small', { output: 1 })).toBeUndefined();
    expect(dollars('gpt-4o', {})).toBe('0');
  });
});

describe('dates', () => {
  const million = { input: 1_000_000 };

  test('the alias of Mistral Large', () => {
    expect(dollars('mistral-large-latest', million, '2025-12-01')).toBe('2');
    expect(dollars('mistral-large-latest', million, '2025-12-02')).toBe('0.5');
    expect(dollars('mistral-large-2411', million, '2026-01-01')).toBe('2');
  });

  test("DeepSeek's changes, night discount first", () => {
    expect(dollars('deepseek-chat', million, '2025-08-01T12:00:00Z')).toBe('0.27');
    expect(dollars('deepseek-chat', million, '2025-08-01T20:00:00Z')).toBe('0.135');
    expect(dollars('deepseek-chat', million, '2025-09-05T20:00:00Z')).toBe('0.56');
    expect(dollars('deepseek-reasoner', million, '2025-12-24T20:00:00Z')).toBe('0.28');
    expect(dollars('deepseek-chat', million, '2026-06-01T20:00:00Z')).toBe('0.14');
    expect(dollars('deepseek-v4-flash', million, '2026-09-01T02:00:00Z')).toBe('0.44');
    expect(dollars('deepseek-v4-flash', million, '2026-09-01T05:00:00Z')).toBe('0.22');
  });

  test('without a time, or with none that is one, it is the day of the price data', () => {
    expect(dollars('o3', million)).toBe('2');
    expect(dollars('o3', million, 'no time')).toBe('2');
    expect(dollars('o3', million, '2025-06-09')).toBe('10');
    const manifest = readFileSync(
      new URL('../../../node_modules/@pydantic/genai-prices/package.json', import.meta.url),
      'utf8',
    );
    // another version: set PRICES_AS_OF to its release
    expect(JSON.parse(manifest)).toMatchObject({ version: '0.1.8' });
    expect(PRICES_AS_OF.toISOString()).toBe('2026-09-23T12:00:00.000Z');
  });
});

describe('exactness', () => {
  test('a sum of many small costs is the cost of their sum', () => {
    const call = used({ input: 7, cacheRead: 3, output: 1 });
    let sum = 0n;
    let all = NO_USAGE;
    for (let i = 0; i < 10_000; i++) {
      sum += book.cost('gpt-5-nano', call).usd!;
      all = addUsage(all, call);
    }
    expect(book.cost('gpt-5-nano', all).usd).toBe(sum);
    expect(decimal(sum)).toBe('0.00765'); // 10,000 * (7 * 0.05 + 3 * 0.005 + 0.4) / 1,000,000
  });

  test('no float on the way, however large', () => {
    expect(dollars('gpt-4o-mini', { input: 9_007_199_254_740_991 })).toBe('1351079888.21114865');
    expect(toNumber(book.cost('gpt-4o', used({ input: 1 })).usd!)).toBe(0.0000025);
  });

  test('reasoning is part of the output', () => {
    expect(dollars('gpt-5', { output: 1000, reasoning: 900 })).toBe('0.01');
    expect(dollars('perplexity/sonar-deep-research', { output: 1000, reasoning: 900 })).toBe('0.0035');
  });

  test('missing cache prices: an hour costs Claude twice the input, others pay what is next to it', () => {
    expect(dollars('us.anthropic.claude-opus-4-5-20251101-v1:0', { cacheWrite1h: 1_000_000 })).toBe('11');
    const price = (usd: string) => ({ base: rateOf(usd), steps: [] });
    const rates = { input: price('1'), cacheWrite5m: price('2'), output: price('4') };
    const cost = (usage: Partial<Usage>) => decimal(costOf(used(usage), rates).usd!);
    expect(cost({ cacheRead: 1_000_000 })).toBe('1');
    expect(cost({ cacheWrite1h: 1_000_000 })).toBe('2');
  });

  test('prices as numbers and as decimals are the same', () => {
    expect(rateOf(0.1)).toBe(rateOf('0.1'));
    expect(rateOf(1.5e-7)).toBe(150_000_000_000n);
    expect(rateOf('1.50')).toBe(rateOf('15e-1'));
    expect(() => rateOf('1,5')).toThrow(RangeError);
  });

  test('other prices come first', async () => {
    const quote: Quote = {
      rates: { input: { base: rateOf('2'), steps: [] } },
      provider: undefined,
      matched: 'mine',
      source: 'me',
      url: undefined,
      notes: [],
    };
    const free = await loadPrices([
      { quote: (model) => (model === 'mine' ? quote : undefined), names: async () => ['mine'] },
    ]);
    expect(free.cost('mine', used({ input: 500_000 }))).toEqual({ usd: 10n ** 12n, source: 'computed' });
    expect(free.cost('gpt-4o', used({ input: 400_000 })).usd).toBe(10n ** 12n);
  });

  test('every model of the price package costs what the package says, but for floats and our corrections', async () => {
    const usage = used({ input: 1_000, cacheRead: 20_000, cacheWrite5m: 300_000, output: 4_000 });
    const theirs = {
      input_tokens: 321_000,
      cache_read_tokens: 20_000,
      cache_write_tokens: 300_000,
      output_tokens: 4_000,
    };
    const corrected = new Set(REPLACED_PRICES.flatMap(({ models }) => models));
    let compared = 0;
    for (const provider of (await waitForUpdate()) ?? []) {
      for (const { id } of provider.models) {
        const found = calcPrice(theirs, id, { providerId: provider.id, timestamp: PRICES_AS_OF });
        const ours = book.cost(`${provider.id}/${id}`, usage).usd;
        const isNamed = NAMED_PRICES.some((row) => row.provider === provider.id && row.names.test(id));
        const isOurs = isNamed || corrected.has(`${found?.provider.id}/${found?.model.id}`);
        if (found === null || ours === undefined || isOurs) continue;
        expect.soft(toNumber(ours), `${provider.id}/${id}`).toBeCloseTo(found.total_price, 9);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });
});

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/prices/${name}`, import.meta.url), 'utf8');
const sourceOf = (name: string) => pricesIn(JSON.parse(fixture(name)), name);
const DAY = new Date('2026-01-09T12:00:00Z');
const million = (kind: keyof Usage): Partial<Usage> => ({
  [kind]: 1_000_000,
  ...(kind === 'reasoning' ? { output: 1_000_000 } : {}),
});

/** What a book says a request costs, as a decimal. */
function costIn(prices: PriceBook, model: string, usage: Partial<Usage>): string | undefined {
  const { usd } = prices.cost(model, used(usage), DAY);
  return usd === undefined ? undefined : decimal(usd);
}

describe('price files', async () => {
  const liteLlm = await loadPrices([await sourceOf('litellm.json')]);
  const modelsDev = await loadPrices([await sourceOf('models-dev.json')]);

  test.each<[string, Partial<Usage>, string]>([
    ['claude-sonnet-4-20250514', { input: 250_000, output: 1000 }, '1.5225'],
    ['claude-sonnet-4-20250514', { input: 1000, cacheRead: 250_000, output: 1000 }, '0.1785'],
    ['claude-sonnet-4-20250514', { input: 200_000, output: 1000 }, '0.615'],
    ['claude-sonnet-4-20250514', { input: 200_001, output: 1000 }, '1.222506'],
    ['claude-sonnet-4-20250514', { input: 1, cacheWrite5m: 200_000 }, '1.500006'],
    ['claude-sonnet-4-20250514', { cacheWrite1h: 100_000 }, '0.6'],
    // the file has no price for that: twice the input
    ['claude-sonnet-4-20250514', { input: 1, cacheWrite1h: 200_000 }, '2.400006'],
    ['anthropic/claude-sonnet-4-20250514', { input: 250_000, output: 1000 }, '1.5225'],
    ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', { input: 100_000 }, '0.33'],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', { input: 100_000 }, '0.3'],
    ['openai/gpt-4o-2099-01-01', { input: 100_000, cacheRead: 100_000, output: 1000 }, '0.385'],
    ['GPT-4o', { output: 1000 }, '0.01'],
    ['gpt-5.4', { input: 10_000, cacheRead: 290_000, output: 1000 }, '0.2175'],
    ['gpt-5.4', { input: 272_000 }, '0.68'],
    ['gpt-5.4', { input: 272_001 }, '1.360005'],
    ['xai/grok-4-fast-reasoning', { input: 128_001 }, '0.0512004'],
    // has a write price above 200,000 only: below, writes are input
    ['gemini-2.5-pro', { cacheWrite5m: 100_000 }, '0.125'],
    ['perplexity/sonar-deep-research', { output: 1000, reasoning: 900 }, '0.0035'],
    ['perplexity/sonar-small-online', { input: 1000, output: 1000 }, '0.00528'],
    ['dashscope/qwen3-coder-plus', { input: 32_000 }, '0.032'],
    ['dashscope/qwen3-coder-plus', { input: 32_001, output: 1000 }, '0.0666018'],
  ])("LiteLLM's: %s, %j is $%s", (model, usage, cost) => {
    expect(costIn(liteLlm, model, usage)).toBe(cost);
  });

  test.each<[string, Partial<Usage>, string]>([
    ['claude-sonnet-4-20250514', { input: 250_000, output: 1000 }, '0.765'], // the file knows no long-context price
    ['claude-opus-4-6', { cacheRead: 100_000, cacheWrite5m: 100_000 }, '0.675'],
    ['claude-opus-4-6', { cacheWrite1h: 100_000 }, '1'],
    ['gpt-5.4', { input: 10_000, cacheRead: 290_000, output: 1000 }, '0.2175'],
    ['azure/gpt-4o', { input: 1000, output: 1000 }, '0.0125'],
    ['vertex_ai/gemini-2.5-pro', { input: 200_001 }, '0.5000025'],
  ])("models.dev's: %s, %j is $%s", (model, usage, cost) => {
    expect(costIn(modelsDev, model, usage)).toBe(cost);
  });

  test('what a file does not know is ours', () => {
    expect(costIn(modelsDev, 'gpt-4o-mini', { input: 1_000_000 })).toBe('0.15');
    // the file says output costs nothing
    expect(costIn(liteLlm, 'text-embedding-3-small', { output: 1 })).toBeDefined();
    expect(liteLlm.quote('aiml/dall-e-2')).toBeUndefined();
    expect(liteLlm.quote('sample_spec')).toBeUndefined();
  });

  test("models.dev's `context_over_200k`, other tiers, and a maker before a hub", async () => {
    const over = {
      input: 2,
      output: 4,
      context_over_200k: { input: 3 },
      tiers: [{ tier: { type: 'time', size: 5 }, input: 9 }],
    };
    const prices = await loadPrices([
      await pricesIn(
        {
          hub: { models: { 'mine/a': { cost: { input: 7 } }, b: { cost: { input: 8, reasoning: 1, output: 2 } } } },
          openai: { models: { a: { cost: over } } },
        },
        'mine.json',
      ),
    ]);
    expect(costIn(prices, 'a', { input: 200_000, output: 100_000 })).toBe('0.8');
    expect(costIn(prices, 'a', { input: 200_001 })).toBe('0.600003');
    expect(costIn(prices, 'hub/mine/a', { input: 100_000 })).toBe('0.7');
    expect(costIn(prices, 'b', { output: 300_000, reasoning: 200_000 })).toBe('0.4');
  });

  test('the first source that knows a model counts', async () => {
    const [first, second] = await Promise.all([
      pricesIn({ 'gpt-4o': { input_cost_per_token: 1e-6 } }, '1.json'),
      pricesIn({ 'gpt-4o': { input_cost_per_token: 2e-6 }, 'gpt-4': { input_cost_per_token: 3e-6 } }, '2.json'),
    ]);
    const prices = await loadPrices([first, second]);
    expect(costIn(prices, 'gpt-4o', { input: 1_000_000 })).toBe('1');
    expect(costIn(prices, 'gpt-4', { input: 1_000_000 })).toBe('3');
    expect(costIn(prices, 'gpt-4', { output: 1 })).toBeUndefined();
  });

  test.each<[unknown, string]>([
    [[], 'not a price file'],
    [{}, 'not a price file'],
    [{ 'gpt-4o': 3 }, 'not a price file'],
    [{ 'gpt-4o': { litellm_provider: 'openai' } }, 'no model in this price file has a price for tokens'],
    [{ a: { models: {} } }, 'no model in this price file has a price for tokens'],
    [
      { 'gpt-4o': { input_cost_per_token: '3' } },
      '`gpt-4o.input_cost_per_token`: Invalid input: expected number, received string',
    ],
    [{ 'gpt-5.4': { input_cost_per_token: -1 } }, '`["gpt-5.4"].input_cost_per_token`: Too small'],
    [
      { a: { input_cost_per_token: 1, input_cost_per_token_batches: true } },
      '`a.input_cost_per_token_batches`: Invalid input',
    ],
    [
      { a: { litellm_provider: 'x', tiered_pricing: [{ range: [0], output_cost_per_token: 'x' }] } },
      '`a.tiered_pricing[0].output_cost_per_token`: Invalid input',
    ],
    [{ a: { input_cost_per_token: 1 }, b: 3 }, '`b`: Invalid input: expected object'],
    [
      { openai: { models: { 'gpt-4o': { cost: { input: '3' } } } } },
      '`openai.models.gpt-4o.cost.input`: Invalid input',
    ],
    [{ openai: { models: [] } }, '`openai.models`: Invalid input: expected record'],
  ])('%j: %s', async (value, message) => {
    await expect(pricesIn(value, 'bad.json')).rejects.toMatchObject({
      name: 'TranscriptError',
      message: expect.stringContaining(message),
      place: { file: 'bad.json' },
    });
  });
});

describe('batches', async () => {
  const batch = await loadPrices([], true);

  test.each<[string, keyof Usage, string | undefined]>([
    ['gpt-5', 'input', '0.625'],
    ['gpt-5', 'cacheRead', '0.0625'],
    ['gpt-5', 'output', '5'],
    ['gpt-4o', 'input', '1.25'],
    ['gpt-4o', 'cacheRead', '1.25'], // batches of models before GPT-5 have no cache
    ['gpt-4o', 'output', '5'],
    ['ft:gpt-4.1-mini-2025-04-14:org::id', 'input', '0.4'],
    ['claude-opus-4-5', 'cacheRead', '0.25'],
    ['claude-opus-4-5', 'cacheWrite5m', '3.125'],
    ['claude-opus-4-5', 'cacheWrite1h', '5'],
    ['claude-opus-4-5', 'output', '12.5'],
    ['claude-sonnet-4-20250514', 'input', '3'], // above 200,000
    ['gemini-2.5-flash', 'input', '0.15'],
    ['gemini-2.5-flash', 'cacheRead', '0.03'],
    ['gemini-2.5-flash', 'reasoning', '1.25'],
    ['glm-4.6', 'input', '0.6'], // no other price known
    ['nobody', 'input', undefined],
  ])('%s, a million %s: $%s', (model, kind, cost) => {
    expect(costIn(batch, model, million(kind))).toBe(cost);
  });

  test("a file's own batch prices count first, and keep its long-context price in proportion", async () => {
    const file = await pricesIn(
      {
        a: {
          input_cost_per_token: 4e-6,
          input_cost_per_token_above_200k_tokens: 8e-6,
          input_cost_per_token_batches: 1e-6,
          output_cost_per_token: 4e-6,
          cache_read_input_token_cost: 5e-7,
        },
      },
      'mine.json',
    );
    const prices = await loadPrices([file], true);
    expect(costIn(prices, 'a', { input: 100_000, output: 100_000 })).toBe('0.5');
    expect(costIn(prices, 'a', { input: 300_000 })).toBe('0.6');
    expect(costIn(prices, 'a', { cacheRead: 100_000 })).toBe('0.05');
    const liteLlm = await loadPrices([await sourceOf('litellm.json')], true);
    expect(costIn(liteLlm, 'gpt-4o', { input: 100_000, cacheRead: 100_000, output: 100_000 })).toBe('0.75');
    expect(costIn(liteLlm, 'claude-sonnet-4-20250514', { input: 250_000, output: 1000 })).toBe('0.76125');
  });
});

describe('where a price is from', () => {
  test('the package, our own table, a file', async () => {
    const prices = await loadPrices([await sourceOf('models-dev.json')]);
    expect(book.quote('openai/gpt-4o')).toMatchObject({
      matched: 'openai/gpt-4o',
      source: '@pydantic/genai-prices 0.1.8 of 2026-09-23',
      url: 'https://developers.openai.com/api/docs/pricing',
    });
    expect(book.quote('claude-sonnet-4-20250514')).toMatchObject({
      matched: 'anthropic/claude-sonnet-4-0',
      source: "ctx-trim's own table, read 2026-11-20",
      url: 'https://www.anthropic.com/news/1m-context',
    });
    expect(prices.quote('gpt-4o')).toMatchObject({
      matched: 'openai/gpt-4o',
      source: 'models-dev.json',
      url: 'https://platform.openai.com/docs/models',
    });
    expect(book.quote('nobody')).toBeUndefined();
  });

  test('names that are near', async () => {
    expect(await book.near('gpt4o')).toContain('gpt-4o');
    expect(await book.near('claude-sonet-4-5')).toContain('claude-sonnet-4-5');
    expect(await book.near('zzz')).toEqual([]);
  });
});

describe('money to read', () => {
  test.each<[bigint, string]>([
    [0n, '$0.00'],
    [1n, '<$0.01'],
    [9_999_999_999n, '<$0.01'],
    [10_000_000_000n, '$0.01'],
    [14_999_999_999n, '$0.01'],
    [15_000_000_000n, '$0.02'],
    [1_234_000_000_000n, '$1.23'],
    [999_995_000_000_000n, '$1,000.00'],
    [-1_234_000_000_000n, '-$1.23'],
    [-1n, '-<$0.01'],
  ])('%d is %s', (picodollars, text) => {
    expect(formatMoney(picodollars)).toBe(text);
  });

  test.each<[string, bigint, string]>([
    ['JPY=149.5', 10n ** 12n, '¥150'],
    ['JPY=149.5', 0n, '¥0'],
    ['JPY=149.5', 20_000_000_000n, '¥3'],
    ['JPY=149.5', 6_688_963_210n, '<¥1'],
    ['JPY=149.5', 6_688_963_211n, '¥1'],
    ['JPY=149.5', -1n, '-<¥1'],
    ['eur=0.92', 1_500_000_000_000n, '€1.38'],
    ['EUR=0.92', 1n, '<€0.01'],
    ['CHF=0.88', 10n ** 12n, 'CHF 0.88'],
    ['KWD=0.3071', 10n ** 12n, 'KWD 0.307'],
    ['USD=1', 10n ** 12n, '$1.00'],
    ['JPY=149.5', 9_007_199_254_740_993_000_000_000_000n, '¥1,346,576,288,583,778,454'],
  ])('%s: %d is %s', (currency, picodollars, text) => {
    expect(formatMoney(picodollars, currencyOf(currency))).toBe(text);
  });

  test.each<[bigint, string, string]>([
    [0n, 'USD=1', '$0.00'],
    [1_200_000_000n, 'USD=1', '$0.0012'],
    [530_000_000n, 'USD=1', '$0.00053'],
    [531_900_000n, 'USD=1', '$0.00053'],
    [9_999_999_999n, 'USD=1', '$0.0100'],
    [10_000_000_000n, 'USD=1', '$0.01'],
    [-1_200_000_000n, 'USD=1', '-$0.0012'],
    [1n, 'USD=1', '$0.000000000001'],
    [1_234_000_000_000n, 'USD=1', '$1.23'],
    [1_200_000_000n, 'JPY=149.5', '¥0.18'],
    [10_000_000n, 'JPY=149.5', '¥0.0015'],
    [1_200_000_000n, 'KWD=0.3071', 'KWD 0.00037'],
  ])('in a row, %d in %s is %s', (picodollars, currency, text) => {
    expect(formatMoneyInRow(picodollars, currencyOf(currency))).toBe(text);
  });

  test.each<[readonly bigint[], readonly string[]]>([
    [
      [1_100_000_000n, 600_000_000n],
      ['$0.0011', '$0.0006'],
    ],
    [
      [10_400_000_000n, 9_700_000_000n],
      ['$0.0104', '$0.0097'],
    ],
    [
      [1_234_000_000_000n, 1_230_900_000_000n],
      ['$1.234', '$1.231'],
    ],
    [
      [2_000_000_000_000n, 500_000_000_000n],
      ['$2.00', '$0.50'],
    ],
    [
      [1_100_000_000n, 1_100_000_000n],
      ['<$0.01', '<$0.01'],
    ],
    [
      [0n, 4_000_000n],
      ['$0.000000', '$0.000004'],
    ],
  ])('compared, %s are %s', (amounts, texts) => {
    expect(formatMoneyApart(amounts)).toEqual(texts);
  });

  test.each(['', 'JPY', 'JPY=', 'JPY=0', 'JPY=-1', 'JPY=1e3', 'YEN!=3', '149.5'])('%j is no currency', (text) => {
    expect(() => currencyOf(text)).toThrow('is not an exchange rate; write');
  });

  test('the nearest double', () => {
    expect(toNumber(1_522_500_000_000n)).toBe(1.5225);
    expect(toNumber(-100_000_000_000n)).toBe(-0.1);
    expect(toNumber(0n)).toBe(0);
  });
});
