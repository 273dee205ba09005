/** Cache reads and writes in usage of OpenAI's shape, as gateways and providers add them. */
import { describe, expect, it } from 'vitest';
import { chatUsage, responsesUsage } from '../../src/formats/shared/recorded.js';
import { parse } from '../../src/json/node.js';

const chat = (usage: object) => chatUsage(parse(JSON.stringify(usage)));

describe('usage of Chat Completions', () => {
  it('of LiteLLM includes cache writes in the prompt, with their lifetimes', () => {
    expect(
      chat({
        prompt_tokens: 150,
        completion_tokens: 25,
        prompt_tokens_details: {
          cached_tokens: 20,
          text_tokens: 100,
          cache_creation_tokens: 30,
          cache_creation_token_details: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        },
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 30,
      }),
    ).toEqual({ input: 100, cacheRead: 20, cacheWrite5m: 10, cacheWrite1h: 20, output: 25, reasoning: 0 });
  });

  it('of OpenRouter includes cache writes in the prompt', () => {
    const details = { cached_tokens: 1500, cache_write_tokens: 350 };
    expect(chat({ prompt_tokens: 2000, completion_tokens: 100, prompt_tokens_details: details })).toMatchObject({
      input: 150,
      cacheRead: 1500,
      cacheWrite5m: 350,
    });
  });

  it('of DeepSeek has cache reads beside the prompt', () => {
    expect(
      chat({ prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }),
    ).toMatchObject({ input: 36, cacheRead: 64 });
  });

  it('keeps a prompt that excludes cached tokens', () => {
    expect(
      chat({ prompt_tokens: 3, completion_tokens: 1, cache_read_input_tokens: 1000, cache_creation_input_tokens: 5 }),
    ).toMatchObject({ input: 3, cacheRead: 1000, cacheWrite5m: 5 });
  });
});

it('usage of Responses has cache writes under the same names', () => {
  const details = { cached_tokens: 10, cache_write_tokens: 20 };
  expect(
    responsesUsage(parse(JSON.stringify({ input_tokens: 100, output_tokens: 5, input_tokens_details: details }))),
  ).toMatchObject({ input: 70, cacheRead: 10, cacheWrite5m: 20, output: 5 });
});
