/** Prices by tier and region, of tools, and of sums of requests. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { toNumber } from '../../../src/decimals.js';
import { loadPrices, type PriceBook } from '../../../src/measure/pricing/cost.js';
import { pricesIn } from '../../../src/measure/pricing/files.js';
import { REGION_PRICES, TIER_PRICES } from '../../../src/measure/pricing/tier-prices.js';
import { TOOL_PRICES } from '../../../src/measure/pricing/tools.js';
import type { Billing, Tier, Usage } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';

const book = await loadPrices();
const SHARED = '../shared/prices/litellm.json';

function usd(prices: PriceBook, model: string, usage: Partial<Usage>, billing: Billing, at?: string) {
  const cost = prices.cost(model, { ...NO_USAGE, ...usage }, at === undefined ? undefined : new Date(at), billing).usd;
  return cost === undefined ? undefined : toNumber(cost);
}

/** US dollars for a million tokens, priced a thousand at a time: no prompt is long. */
function perMillion(prices: PriceBook, model: string, kind: keyof Usage, billing: Billing): number | undefined {
  const cost = usd(prices, model, { [kind]: 1_000_000 }, { ...billing, requests: 1000 });
  return cost;
}

describe('tiers, as the providers publish them', () => {
  test.each<[string, Tier, number | undefined, number | undefined, number | undefined]>([
    // https://openai.com/api-priority-processing/
    ['gpt-5.5', 'priority', 12.5, 1.25, 75],
    ['gpt-5.4', 'priority', 5, 0.5, 30],
    ['gpt-5.4-mini', 'priority', 1.5, 0.15, 9],
    ['gpt-5.2', 'priority', 3.5, 0.35, 28],
    ['gpt-5.1-codex', 'priority', 2.5, 0.25, 20],
    ['gpt-5-codex', 'priority', 2.5, 0.25, 20],
    ['gpt-5-mini-2025-08-07', 'priority', 0.45, 0.045, 3.6],
    ['gpt-4.1', 'priority', 3.5, 0.875, 14],
    ['gpt-4.1-nano', 'priority', 0.2, 0.05, 0.8],
    ['gpt-4o-2024-08-06', 'priority', 4.25, 2.125, 17],
    ['gpt-4o-2024-05-13', 'priority', 8.75, 8.75, 26.25],
    ['gpt-4o-mini', 'priority', 0.25, 0.125, 1],
    ['o3', 'priority', 3.5, 0.875, 14],
    ['o4-mini', 'priority', 2, 0.5, 8],
    // https://developers.openai.com/api/docs/pricing
    ['gpt-5-nano', 'flex', 0.025, 0.0025, 0.2],
    ['gpt-5.4', 'flex', 1.25, 0.13, 7.5],
    ['gpt-5.4', 'batch', 1.25, 0.13, 7.5],
    ['gpt-5.4-mini', 'flex', 0.375, 0.0375, 2.25],
    ['o3', 'flex', 1, 0.25, 4],
    ['gpt-4o', 'batch', 1.25, 1.25, 5],
    // https://platform.claude.com/docs/en/build-with-claude/fast-mode
    ['claude-opus-4-6', 'fast', 30, 3, 150],
    ['claude-opus-4-7', 'fast', 30, 3, 150],
    ['claude-opus-4-8', 'fast', 10, 1, 50],
    ['claude-opus-5', 'fast', 10, 1, 50],
    ['claude-sonnet-4-5', 'priority', 3, 0.3, 15],
    // https://docs.x.ai/developers/advanced-api-usage/batch-api and the other providers' pages
    ['grok-4-fast', 'batch', 0.1, 0.025, 0.25],
    ['mistral-large-2512', 'batch', 0.25, 0.025, 0.75],
    ['deepseek-chat', 'batch', 0.14, 0.0028, 0.28], // has no batches
    ['qwen-plus', 'batch', 0.2, 0.2, 0.6],
    ['gemini-2.5-flash', 'flex', 0.15, 0.03, 1.25],
    // the provider has other prices for this tier, but none is known for this model
    ['gpt-4o', 'flex', undefined, undefined, undefined],
    ['gpt-5-nano', 'priority', undefined, undefined, undefined],
    ['gpt-5-pro', 'priority', undefined, undefined, undefined],
    ['claude-sonnet-4-5', 'fast', undefined, undefined, undefined],
    ['claude-opus-5-5', 'fast', undefined, undefined, undefined],
    ['gemini-2.5-flash', 'priority', undefined, undefined, undefined],
    ['grok-4', 'priority', undefined, undefined, undefined],
    // no provider of these is known to have other prices for this tier
    ['glm-4.6', 'batch', 0.6, 0.11, 2.2],
    ['kimi-k2-0905-preview', 'flex', 0.6, 0.15, 2.5],
  ])('%s, %s: $%s in, $%s cached, $%s out', (model, tier, input, cacheRead, output) => {
    expect(perMillion(book, model, 'input', { tier })).toBe(input);
    expect(perMillion(book, model, 'cacheRead', { tier })).toBe(cacheRead);
    expect(perMillion(book, model, 'output', { tier })).toBe(output);
  });

  test('fast mode has six times the long-context price as long as there is one', () => {
    const long = { input: 300_000, output: 1000 };
    expect(usd(book, 'claude-opus-4-6', long, { tier: 'fast' }, '2026-03-12')).toBeCloseTo(18.225, 12); // $60 and $225
    expect(usd(book, 'claude-opus-4-6', long, { tier: 'fast' }, '2026-03-13')).toBeCloseTo(9.15, 12);
  });

  test('the flag --batch is for requests without a recorded tier', async () => {
    const batch = await loadPrices([], true);
    const million = { output: 1_000_000 };
    expect(usd(batch, 'gpt-5', million, {})).toBe(5);
    expect(usd(batch, 'gpt-5', million, { region: 'us' })).toBe(5);
    expect(usd(batch, 'gpt-5', million, { tier: 'priority' })).toBe(20);
  });

  test('an unpriced tier is said to be unpriced, and a quote says its source', () => {
    expect(book.cost('gpt-4o', NO_USAGE, undefined, { tier: 'flex' })).toEqual({ usd: undefined, source: 'unpriced' });
    expect(book.quote('claude-opus-4-6', undefined, { tier: 'fast', region: 'us' })?.notes).toEqual([
      'fast: https://platform.claude.com/docs/en/build-with-claude/fast-mode, read 2026-11-22',
      'us: https://platform.claude.com/docs/en/about-claude/pricing, read 2026-11-22',
    ]);
  });

  if (existsSync(SHARED)) {
    it("are LiteLLM's, with named differences", async () => {
      const listed = JSON.parse(readFileSync(SHARED, 'utf8')) as Record<string, Record<string, unknown>>;
      const differences = new Set<string>();
      let compared = 0;
      for (const [model, row] of Object.entries(listed))
        for (const [suffix, tier] of [
          ['flex', 'flex'],
          ['priority', 'priority'],
          ['batches', 'batch'],
        ] as const)
          for (const [kind, key] of [
            ['input', 'input_cost_per_token'],
            ['output', 'output_cost_per_token'],
          ] as const) {
            const theirs = row[`${key}_${suffix}`];
            const standard = perMillion(book, model, kind, {});
            const isSameStandard = standard !== undefined && Math.abs(standard - Number(row[key]) * 1e6) < 1e-9;
            if (row['litellm_provider'] !== 'openai' || typeof theirs !== 'number' || !isSameStandard) continue;
            compared++;
            const ours = perMillion(book, model, kind, { tier });
            if (ours === undefined || Math.abs(ours - theirs * 1e6) > 1e-9) differences.add(`${model} ${tier} ${kind}`);
          }
      expect(compared).toBeGreaterThan(100);
      expect([...differences]).toEqual([
        // the page of OpenAI says 2.5 times the standard price, not twice
        'gpt-5.5 priority input',
        'gpt-5.5 priority output',
        'gpt-5.5-2026-04-23 priority input',
        'gpt-5.5-2026-04-23 priority output',
        // the price of GPT-5 in a row of the list; the page has none
        'gpt-5-nano priority input',
      ]);
    });
  } else it.skip(`are those of ${SHARED}: the file is missing`);
});

describe('regions', () => {
  test.each<[string, string, number]>([
    ['claude-opus-4-6', 'us', 5.5],
    ['claude-sonnet-4-6', 'us', 3.3],
    ['claude-opus-5', 'us', 5.5],
    ['claude-opus-4-6', 'global', 5],
    ['claude-opus-4-6', 'not_available', 5],
    ['claude-opus-4-5', 'us', 5],
    ['claude-opus-4-20250514', 'us', 15],
    ['claude-haiku-4-5', 'us', 1],
    ['claude-3-5-haiku-20241022', 'us', 0.8],
    ['gpt-5', 'us', 1.25],
  ])('%s in %s: $%s', (model, region, input) => {
    expect(perMillion(book, model, 'input', { region })).toBe(input);
  });

  test('multiply the price of the tier, for all kinds of tokens', () => {
    const billing: Billing = { tier: 'fast', region: 'us' };
    expect(perMillion(book, 'claude-opus-4-6', 'cacheWrite1h', billing)).toBe(66);
    expect(perMillion(book, 'claude-opus-4-6', 'output', billing)).toBe(165);
  });
});

describe('tools', () => {
  test.each<[string, Billing['toolUses'], number | undefined]>([
    ['claude-opus-4-6', { web_search: 3, web_fetch: 5 }, 0.03],
    ['claude-opus-4-6', { code_execution: 5 }, 0], // by the hour: not known
    ['gpt-5', { web_search: 3, file_search: 2 }, 0.035],
    ['gpt-4.1', { web_search: 1 }, 0.025],
    ['gemini-2.5-pro', { web_search: 3 }, 0.035], // a prompt
    ['gemini-3-pro-preview', { web_search: 3 }, 0.042],
    ['grok-4-fast', { web_search: 2, code_execution: 1, file_search: 2 }, 0.02],
    ['deepseek-chat', { web_search: 2 }, 0], // not known to charge for it
    ['nobody', { web_search: 2 }, undefined],
  ])('%s, %j: $%s', (model, toolUses, cost) => {
    expect(usd(book, model, {}, { ...(toolUses && { toolUses }) })).toBe(cost);
  });

  test('are not cheaper in a batch, nor dearer in a region', () => {
    expect(usd(book, 'claude-opus-4-6', {}, { tier: 'batch', region: 'us', toolUses: { web_search: 1 } })).toBe(0.01);
  });

  test('grounded prompts are counted at most once a request', () => {
    expect(usd(book, 'gemini-2.5-pro', {}, { toolUses: { web_search: 5 }, requests: 2 })).toBe(0.07);
  });
});

describe('the usage of several requests as one sum', () => {
  test('has the long-context price of the average prompt', () => {
    const six = { input: 600_000, output: 6000 };
    expect(usd(book, 'claude-sonnet-4-5', six, { requests: 6 })).toBeCloseTo(6 * (0.3 + 0.015), 12);
    expect(usd(book, 'claude-sonnet-4-5', six, { requests: 2 })).toBeCloseTo(2 * (1.8 + 0.0675), 12);
    expect(usd(book, 'claude-sonnet-4-5', six, {})).toBeCloseTo(3.6 + 0.135, 12);
  });

  test('has the price for a request as often', async () => {
    const file = await pricesIn({ a: { input_cost_per_token: 1e-6, input_cost_per_request: 0.005 } }, 'mine.json');
    const prices = await loadPrices([file]);
    expect(usd(prices, 'a', { input: 1000 }, { requests: 3 })).toBeCloseTo(0.016, 12);
  });
});

describe('price files', () => {
  test("LiteLLM's tiers, factors and searches win over our table", async () => {
    const row = {
      litellm_provider: 'anthropic',
      input_cost_per_token: 5e-6,
      output_cost_per_token: 25e-6,
      cache_read_input_token_cost: 5e-7,
      provider_specific_entry: { us: 1.2, fast: 3 },
      search_context_cost_per_query: { search_context_size_medium: 0.02 },
    };
    const prices = await loadPrices([await pricesIn({ 'claude-opus-4-6': row }, 'mine.json')]);
    const model = 'claude-opus-4-6';
    expect(perMillion(prices, model, 'cacheRead', { tier: 'fast' })).toBe(1.5);
    expect(perMillion(prices, model, 'output', { region: 'us' })).toBe(30);
    expect(perMillion(prices, model, 'output', { tier: 'batch' })).toBe(12.5);
    expect(usd(prices, model, {}, { toolUses: { web_search: 2 } })).toBe(0.04);
  });

  test("LiteLLM's long-context prices of a tier", async () => {
    const row = {
      litellm_provider: 'openai',
      input_cost_per_token: 5e-6,
      input_cost_per_token_above_272k_tokens: 1e-5,
      input_cost_per_token_flex: 2e-6,
      input_cost_per_token_above_272k_tokens_flex: 7e-6,
      output_cost_per_token: 3e-5,
      output_cost_per_token_flex: 1e-5,
    };
    const prices = await loadPrices([await pricesIn({ 'gpt-9': row }, 'mine.json')]);
    expect(usd(prices, 'gpt-9', { input: 100_000 }, { tier: 'flex' })).toBe(0.2);
    expect(usd(prices, 'gpt-9', { input: 300_000 }, { tier: 'flex' })).toBe(2.1);
    expect(usd(prices, 'gpt-9', { output: 100_000 }, { tier: 'flex' })).toBe(1);
  });

  test("LiteLLM's price of grounding is for a prompt, unless the row says that it is for a search", async () => {
    const row = (more: object) => ({
      litellm_provider: 'gemini',
      input_cost_per_token: 1e-6,
      search_context_cost_per_query: { search_context_size_medium: 0.01 },
      ...more,
    });
    const file = { 'gemini/a': row({}), 'gemini/b': row({ web_search_billing_unit: 'per_query' }) };
    const prices = await loadPrices([await pricesIn(file, 'mine.json')]);
    expect(usd(prices, 'gemini/a', {}, { toolUses: { web_search: 3 } })).toBe(0.01);
    expect(usd(prices, 'gemini/b', {}, { toolUses: { web_search: 3 } })).toBe(0.03);
  });

  test("models.dev's modes", async () => {
    const mode = (body: object, input: number) => ({ cost: { input, output: 9 }, provider: { body } });
    const model = {
      cost: { input: 1, output: 3 },
      experimental: { modes: { fast: mode({ speed: 'fast' }, 6), quick: mode({ service_tier: 'priority' }, 2) } },
    };
    const prices = await loadPrices([await pricesIn({ xai: { models: { m: model } } }, 'api.json')]);
    expect(perMillion(prices, 'm', 'input', { tier: 'fast' })).toBe(6);
    expect(perMillion(prices, 'm', 'input', { tier: 'priority' })).toBe(2);
    expect(perMillion(prices, 'm', 'input', {})).toBe(1);
  });
});

test('every row of ours has its source and its day', () => {
  for (const { source, date } of [...TIER_PRICES, ...REGION_PRICES, ...TOOL_PRICES]) {
    expect(source).toMatch(/^https:\/\//);
    expect(date).toMatch(/^2026-\d\d-\d\d$/);
  }
});

it('prices each request by its own model, tier, region and time, whatever the one before was', async () => {
  const requests: readonly (readonly [string, Billing, string])[] = [
    ['claude-opus-4-6', {}, '2026-06-01T00:00:00Z'],
    ['claude-opus-4-6', { tier: 'batch' }, '2026-06-01T00:00:00Z'],
    ['claude-opus-4-6', { region: 'us' }, '2026-06-01T00:00:00Z'],
    ['claude-opus-4-6-fast', {}, '2026-06-01T00:00:00Z'],
    ['deepseek-chat', {}, '2025-09-10T00:00:00Z'],
    ['deepseek-chat', {}, '2026-01-01T00:00:00Z'],
    ['deepseek-chat', {}, '2026-06-01T00:00:00Z'],
  ];
  const usage = { input: 100_000, output: 1000 };
  const alone: (number | undefined)[] = [];
  for (const [model, billing, at] of requests) alone.push(usd(await loadPrices(), model, usage, billing, at));
  expect(new Set(alone).size).toBe(requests.length);
  for (const [i, first] of requests.entries())
    for (const [j, second] of requests.entries()) {
      usd(book, first[0], usage, first[1], first[2]);
      expect(usd(book, second[0], usage, second[1], second[2]), `${j} after ${i}`).toBe(alone[j]);
    }
});
