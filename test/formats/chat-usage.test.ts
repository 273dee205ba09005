/** Usage of OpenAI's shape, as gateways and providers write it: cache reads and writes, and reasoning. */
import { describe, expect, it } from 'vitest';
import { langchainUsage } from '../../src/formats/langchain/langchain-usage.js';
import { chatUsage, responsesUsage } from '../../src/formats/shared/recorded.js';
import { aiSdkUsage } from '../../src/formats/vercel/ai-sdk.js';
import { parse } from '../../src/json/node.js';

const chat = (usage: object, model?: string) => chatUsage(parse(JSON.stringify(usage)), model);

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

/** In each case the total tells what was paid. The pages have the figures. */
describe('output that excludes its reasoning is paid with it', () => {
  /** https://github.com/vercel/ai/pull/12425 */
  it('of xAI', () => {
    const counts = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 1041 };
    const usage = { ...counts, completion_tokens_details: { reasoning_tokens: 1000 } };
    expect(chat(usage)).toMatchObject({ input: 32, output: 1009, reasoning: 1000 });
  });

  /** https://github.com/router-for-me/CLIProxyAPI/issues/5733 */
  it('of a gateway to Gemini, whose answer is empty', () => {
    const counts = { prompt_tokens: 21, completion_tokens: 0, total_tokens: 81 };
    const usage = { ...counts, completion_tokens_details: { reasoning_tokens: 60 } };
    expect(chat(usage)).toMatchObject({ input: 21, output: 60, reasoning: 60 });
  });

  /** https://github.com/mozilla-ai/any-llm/issues/1290 */
  it.each([
    [{ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }, 'gemini-2.5-flash', 603],
    [{ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }, 'x-ai/grok-4', 603],
    [{ prompt_tokens: 20, completion_tokens: 198, total_tokens: 218 }, 'gemini-2.5-flash', 198],
    [{ prompt_tokens: 20, completion_tokens: 198 }, 'gemini-2.5-flash', 198],
    [{ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }, 'claude-sonnet-4-5', 198],
    [{ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623, cached_tokens: 405 }, 'gemini-2.5-flash', 198],
  ])('of a gateway to Gemini or Grok without details: %j of %s', (usage, model, output) => {
    expect(chat(usage, model)!.output).toBe(output);
  });

  /** https://github.com/vercel/ai/issues/7542 */
  it('of the AI SDK', () => {
    const usage = { inputTokens: 26, outputTokens: 50, totalTokens: 1620, reasoningTokens: 1544 };
    expect(aiSdkUsage(parse(JSON.stringify(usage)))).toMatchObject({ input: 26, output: 1594, reasoning: 1544 });
  });

  /** https://github.com/langchain-ai/langchain/pull/34603 */
  it('of LangChain', () => {
    const counts = { input_tokens: 32, output_tokens: 9, total_tokens: 1041 };
    const usage = { ...counts, output_token_details: { reasoning: 1000 } };
    expect(langchainUsage(parse(JSON.stringify(usage)))).toMatchObject({ input: 32, output: 1009, reasoning: 1000 });
  });

  it('but not of OpenAI, which includes it', () => {
    const counts = { prompt_tokens: 32, completion_tokens: 1009, total_tokens: 1041 };
    const usage = { ...counts, completion_tokens_details: { reasoning_tokens: 1000 } };
    expect(chat(usage, 'gpt-5')).toMatchObject({ input: 32, output: 1009, reasoning: 1000 });
  });
});
