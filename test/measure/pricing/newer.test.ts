/** Prices of models that are newer than the price package, and names that only begin like a known one. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { rateOfToken } from '../../../src/measure/pricing/rates.js';
import type { Usage } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';
import { ALL } from '../../shared/effort.js';

const guesses: [string, string][] = [];
const book = await loadPrices([], false, (...guess) => guesses.push(guess));

function dollars(model: string, usage: Partial<Usage>, at = '2026-11-20'): number | undefined {
  const { usd } = book.cost(model, { ...NO_USAGE, ...usage }, new Date(at));
  return usd === undefined ? undefined : Number(usd) / 1e12;
}

describe('prices that the package does not have', () => {
  test('Claude Sonnet 5.5 before and after its cache read got cheaper', () => {
    const read = { cacheRead: 1_000_000 };
    expect(dollars('claude-sonnet-5-5', read, '2026-10-06T23:59:59Z')).toBe(0.2);
    expect(dollars('claude-sonnet-5-5', read, '2026-10-07')).toBe(0.1);
    expect(dollars('anthropic/claude-sonnet-5.5', { cacheWrite1h: 1_000_000 })).toBe(4);
  });

  test.each([
    ['2026-09-10T03:59:59Z', 0.44],
    ['2026-11-25T09:59:59Z', 0.3],
    ['2026-11-25T10:00:00Z', 0.15],
    ['2026-11-28T09:00:00Z', 0.15], // a Saturday
  ])('DeepSeek, by the hour: %s', (at, cost) => {
    expect(dollars('deepseek-v4-flash', { input: 1_000_000 }, at)).toBe(cost);
    if (cost < 0.4) expect(dollars('deepseek-flash', { input: 1_000_000 }, at)).toBe(cost);
  });

  test.each<[string, Partial<Usage>, number]>([
    ['glm-5-2', { input: 1_000_000 }, 1.4],
    ['claude-haiku-5-5-20261007', { input: 50_000, output: 1_000 }, 0.0055],
    ['us.anthropic.claude-haiku-5-5-v1:0', { input: 50_000, cacheRead: 50_001 }, 0.02750005],
    ['claude-mythos-5', { input: 1_000_000, cacheRead: 1_000_000 }, 11],
    ['claude-mythos-5-1[1m]', { input: 1_000_000, cacheRead: 1_000_000 }, 10.25],
    ['claude-fable-5-2', { cacheWrite1h: 1_000_000 }, 16],
    ['gpt-6.1-sol', { input: 272_000 }, 0.544],
    ['gpt-6.1-sol', { input: 272_001 }, 1.088004],
    ['openrouter/x-ai/grok-4.7', { output: 1_000_000 }, 6],
    ['MiniMax-M3.1-Flash', { cacheRead: 1_000_000 }, 0.015],
    ['gpt-5.5-pro', { cacheRead: 100_000 }, 3],
  ])('%s, %j', (model, usage, cost) => expect(dollars(model, usage)).toBeCloseTo(cost, 9));
});

describe('a name that only begins like a known one', () => {
  test.each([
    ['claude-sonnet-5-7', 'claude-sonnet-5'],
    ['claude-sonnet-5.7-20270101', 'claude-sonnet-5'],
  ])('%s has the price of %s, as a guess', (name, matched) => {
    expect(dollars(name, { input: 1_000_000 })).toBe(2);
    expect(guesses).toContainEqual([name, matched]);
    expect(book.quote(name)?.notes.join()).toMatch(/^a guess/);
  });

  test.each([
    ['deepseek-chat-v9', 'deepseek-chat'],
    ['gemini-2.5-pro-foo', 'gemini-2.5-pro'],
    ['google/gemini-3.6-flash-lite', 'gemini-3.6-flash'],
    ['claude-opus-4-8-ultra-20270101', 'claude-opus-4-8'],
    ['deepseek-ai/DeepSeek-R1-Distill-Llama-70B', 'deepseek-reasoner'],
    ['azure/my-o4-mini', 'o4-mini'],
    ['ft:gpt-3.5-turbo-16k-foo:acme::1', 'ft:gpt-3.5-turbo-'],
  ])('%s has the price of %s, as a guess', (name, matched) => {
    expect(book.quote(name)?.notes[0]).toMatch(/^a guess/);
    expect(guesses).toContainEqual([name, matched]);
  });

  test.each([
    ...['claude-sonnet-5-20260630', 'gpt-5.5-2026-04-01', 'gemini-2.5-pro-preview-05-06', 'gpt-4-0613'],
    ...[
      'ft:gpt-3.5-turbo-0125',
      'ft:gpt-4o-2024-08-06:acme:bot:a1b2',
      'gpt-3.5-turbo-instruct',
      'gpt-5-nano-2025-08-07',
    ],
    ...['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-opus-4-6-v1', 'anthropic/claude-opus-4.8'],
    ...['vertex_ai/claude-opus-4-8@default', 'claude-3-5-sonnet-v2@20241022', 'claude-opus-4-5-thinking-high'],
    ...['gemini-2.0-flash-lite-001', 'gemini-2.5-flash-lite-preview-09-2025', 'gemini-3.1-pro-preview-customtools'],
    ...['magistral-medium-1-2-2509', 'claude-sonnet-4-20250514', 'claude-opus-4.8-fast', 'azure/gpt-4o-2024-08-06'],
  ])('%s is no other model', (name) => {
    expect(dollars(name, { input: 1_000 })).toBeGreaterThan(0);
    expect(guesses.map(([guessed]) => guessed)).not.toContain(name);
    expect(book.quote(name)?.notes.join()).not.toMatch(/guess/);
  });

  test('no price that equals that of LiteLLM is called a guess', () => {
    const file = ['../shared/prices/litellm.json', 'fixtures/prices/litellm.json'].find((path) => existsSync(path))!;
    const rows = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>);
    const some = rows.filter((_, index) => ALL || rows.length < 100 || index % 5 === 0);
    const equal = some.flatMap(([name, { input_cost_per_token: price }]) => {
      const quote = book.quote(name);
      return quote?.rates.input?.base === (typeof price === 'number' && rateOfToken(price))
        ? [{ name, notes: quote?.notes ?? [] }]
        : [];
    });
    expect(equal.length).toBeGreaterThan(some.length / 10);
    expect(equal.filter(({ notes }) => notes[0]?.startsWith('a guess'))).toEqual([]);
  });
});
