/** Tokens of audio, images and video: their own prices, and what is unpriced because its price is not known. */
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { toNumber } from '../../../src/decimals.js';
import { loadPrices, PRICES_AS_OF, type PriceList } from '../../../src/measure/pricing/cost.js';
import { pricesIn } from '../../../src/measure/pricing/files.js';
import { MEDIA_PRICES } from '../../../src/measure/pricing/media-prices.js';
import type { Billing, MediaKind, MediaTokens, Usage } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';

const book = await loadPrices();
const NOW = new Date('2026-11-01T12:00:00Z');
const dollars = (model: string, usage: Partial<Usage>, billing?: Billing, prices: PriceList = book) => {
  const { usd } = prices.cost(model, { ...NO_USAGE, ...usage }, NOW, billing);
  return usd === undefined ? undefined : toNumber(usd);
};
const M = 1_000_000;

test.each<[string, Partial<Usage>, number]>([
  ['gemini-2.5-flash-image', { output: M, media: { outputImage: M } }, 30],
  ['gemini-2.5-flash-image', { output: M, media: { outputImage: 400_000 } }, 13.5],
  ['gemini-2.5-flash', { input: M, media: { inputAudio: 250_000 } }, 0.475],
  ['gemini-2.5-flash', { cacheRead: M, media: { cacheReadAudio: M } }, 0.1],
  ['gemini-2.5-flash', { input: M, media: { inputImage: M } }, 0.3],
  ['gemini-2.5-flash', { input: M, media: { inputVideo: M } }, 0.3],
  ['gemini-2.5-pro', { input: 300_000, media: { inputAudio: 300_000 } }, 0.75],
  ['gemini-2.0-flash', { output: M, media: { outputImage: M } }, 30],
  ['gemini-2.5-flash-preview-tts', { output: M, media: { outputAudio: M } }, 10],
  ['gpt-4o-audio-preview-2025-06-03', { input: M, output: M, media: { inputAudio: M, outputAudio: M } }, 120],
  ['gpt-4o-mini-audio-preview', { input: M, output: M, media: { inputAudio: M, outputAudio: M } }, 30],
  ['gpt-audio', { cacheRead: M, media: { cacheReadAudio: M } }, 32],
  ['gpt-image-1', { input: M, output: M, media: { inputImage: 500_000, outputImage: M } }, 47.5],
  ['gpt-4o', { input: M, media: { inputImage: M } }, 2.5],
])('%s: %j is $%d', (model, usage, cost) => {
  expect(dollars(model, usage)).toBeCloseTo(cost, 9);
});

test('more of a kind than of the whole counts as the whole', () => {
  expect(dollars('gemini-2.5-flash', { input: M, output: M, media: { inputAudio: 2 * M } })).toBeCloseTo(3.5, 9);
  expect(dollars('gemini-2.5-flash-image', { input: M, media: { outputImage: M } })).toBeCloseTo(0.3, 9);
});

test('the length of the prompt counts with all of its tokens', () => {
  const usage = { input: 250_000, output: 1000, media: { inputAudio: 200_000 } };
  expect(dollars('gemini-3.1-pro-preview', usage)).toBeCloseTo(1.018, 9);
});

test.each<[string, MediaTokens]>([
  ['gpt-5', { inputAudio: 1 }],
  ['gpt-5-image', { outputImage: 1 }],
  ['gpt-4o-audio-preview-2024-10-01', { inputAudio: 1 }],
  ['gemini-3.6-flash', { inputAudio: 1 }],
  ['gemini-2.5-flash', { outputAudio: 1 }],
  ['gemini-4-argon', { outputImage: 1 }],
  ['gemini-live-2.5-flash', { inputVideo: 1 }],
  ['openrouter/google/gemini-2.5-flash', { inputAudio: 1 }],
])('%s: the price of %j is not known, and not that of text', (model, media) => {
  const usage = { input: 10, cacheRead: 10, output: 10 };
  expect(dollars(model, usage)).toBeGreaterThan(0);
  expect(dollars(model, { ...usage, media })).toBeUndefined();
});

test('tiers change these prices as much as those of text', () => {
  const audio = { input: M, output: M, media: { inputAudio: M } };
  expect(dollars('gemini-2.5-flash', audio, { tier: 'batch' })).toBeCloseTo(0.5 + 1.25, 9);
  const image = { output: M, media: { outputImage: M } };
  expect(dollars('gemini-2.5-flash-image', image, { tier: 'batch' })).toBeCloseTo(15, 9);
  const cached = { cacheRead: M, media: { cacheReadAudio: M } };
  expect(dollars('gemini-2.5-flash', cached, { tier: 'batch' })).toBeCloseTo(0.1, 9);
  expect(dollars('gpt-audio', cached, { tier: 'batch' })).toBeCloseTo(16, 9);
});

test('a quote names the source of a price of our own', () => {
  const quote = book.quote('gpt-4o-audio-preview');
  expect(quote?.notes.join()).toMatch(/^audio and images: https:.*gpt-4o-audio-preview.md, read 2026-11-29$/);
});

/** Each kind, as the package names its tokens: they are parts of others. */
const THEIR_KINDS: readonly (readonly [MediaKind, usage: Record<string, number>])[] = (
  ['Audio', 'Image', 'Video'] as const
).flatMap((name) => {
  const what = name.toLowerCase();
  return [
    [`input${name}`, { [`input_${what}_tokens`]: 700, [`cache_${what}_read_tokens`]: 0 }],
    [`cacheRead${name}`, { [`input_${what}_tokens`]: 700, [`cache_${what}_read_tokens`]: 700 }],
    [`output${name}`, { [`output_${what}_tokens`]: 700 }],
  ] as const;
});

describe('every model of the price package with such prices', async () => {
  const providers = (await waitForUpdate()) ?? [];
  const names = providers.flatMap(({ id, models }) =>
    models
      .filter(({ prices }) => /_(?:audio|image|video)_(?:read_)?mtok/.test(JSON.stringify(prices)))
      .map((model) => [id, model.id] as const),
  );

  test.each(names)('%s/%s costs what the package says', (providerId, model) => {
    let compared = 0;
    for (const [kind, theirs] of THEIR_KINDS) {
      const output = kind.startsWith('output') ? 4000 : 0; // embeddings have no price of output
      const usage = { input: 1000, cacheRead: 2000, output };
      const all = { input_tokens: 3000, cache_read_tokens: 2000, output_tokens: output, ...theirs };
      const found = calcPrice(all, model, { providerId, timestamp: PRICES_AS_OF });
      const at = `${providerId}/${model}`;
      const { usd } = book.cost(at, { ...NO_USAGE, ...usage, media: { [kind]: 700 } }, PRICES_AS_OF);
      if (usd === undefined || isOurs(providerId, model, kind)) continue;
      expect.soft(toNumber(usd), `${at} ${kind}`).toBeCloseTo(found!.total_price, 12);
      compared++;
    }
    expect(compared).toBeGreaterThan(0);
  });

  test('are many', () => expect(names.length).toBeGreaterThan(20));
});

function isOurs(provider: string, name: string, kind: MediaKind): boolean {
  return MEDIA_PRICES.some(
    ({ providers, kinds, model, price }) =>
      typeof price === 'object' && providers.includes(provider) && kinds.includes(kind) && model.test(name),
  );
}

describe('price files', () => {
  test("LiteLLM's prices of audio and images", async () => {
    const row = {
      litellm_provider: 'gemini',
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      input_cost_per_audio_token: 3e-6,
      cache_read_input_audio_token_cost: 4e-7,
      cache_read_input_token_cost: 1e-7,
      output_cost_per_audio_token: 5e-6,
      output_cost_per_image_token: 6e-5,
      input_cost_per_audio_token_priority: 7e-6,
      input_cost_per_token_priority: 2e-6,
      output_cost_per_token_priority: 4e-6,
    };
    const prices = await loadPrices([await pricesIn({ 'gemini/mine': row }, 'f.json')]);
    const cost = (usage: Partial<Usage>, billing?: Billing) => dollars('gemini/mine', usage, billing, prices);
    expect(cost({ input: M, media: { inputAudio: M } })).toBeCloseTo(3, 9);
    expect(cost({ cacheRead: M, media: { cacheReadAudio: M } })).toBeCloseTo(0.4, 9);
    expect(cost({ output: M, media: { outputAudio: 500_000 } })).toBeCloseTo(3.5, 9);
    expect(cost({ output: M, media: { outputImage: M } })).toBeCloseTo(60, 9);
    expect(cost({ input: M, media: { inputAudio: M } }, { tier: 'priority' })).toBeCloseTo(7, 9);
    expect(cost({ output: M, media: { outputImage: M } }, { tier: 'priority' })).toBeCloseTo(120, 9);
    expect(cost({ input: M, media: { inputImage: M } })).toBeCloseTo(1, 9);
    expect(cost({ output: M, media: { outputVideo: M } })).toBeUndefined();
  });

  test('a cached kind whose discount a file does not state', async () => {
    const row = {
      litellm_provider: 'openai',
      input_cost_per_token: 1e-6,
      cache_read_input_token_cost: 1e-7,
      output_cost_per_token: 2e-6,
      input_cost_per_audio_token: 3e-6,
    };
    const prices = await loadPrices([await pricesIn({ mine: row }, 'f.json')]);
    expect(dollars('mine', { cacheRead: M, media: { cacheReadAudio: M } }, undefined, prices)).toBeUndefined();
  });

  test("models.dev's prices of audio", async () => {
    const cost = { input: 1, output: 2, input_audio: 3, output_audio: 4 };
    const file = { google: { models: { mine: { cost } } } };
    const prices = await loadPrices([await pricesIn(file, 'f.json')]);
    const usage = { input: M, output: M, media: { inputAudio: M, outputAudio: M } };
    expect(dollars('google/mine', usage, undefined, prices)).toBeCloseTo(7, 9);
    const bad = { google: { models: { mine: { cost: { ...cost, input_audio: '3' } } } } };
    await expect(pricesIn(bad, 'f.json')).rejects.toThrow(/input_audio/);
  });
});
