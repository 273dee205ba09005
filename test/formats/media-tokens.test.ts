/** Tokens of audio, images and video, as providers and programs state them: parts of the counts of all tokens. */
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { langchainUsage } from '../../src/formats/langchain/langchain-usage.js';
import { langfuseUsage } from '../../src/formats/langfuse/langfuse-usage.js';
import { chatUsage, responsesUsage } from '../../src/formats/shared/recorded.js';
import { aiSdkUsage } from '../../src/formats/vercel/ai-sdk.js';
import { parse } from '../../src/json/node.js';
import { PlainNode } from '../../src/json/plain-node.js';
import { openText } from '../shared/opened.js';

const json = (value: unknown) => JSON.stringify(value);
const node = (value: unknown) => parse(json(value));
const NOTHING = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

describe('OpenAI', () => {
  const usage = {
    prompt_tokens: 1000,
    completion_tokens: 500,
    total_tokens: 1500,
    prompt_tokens_details: { audio_tokens: 900, cached_tokens: 0 },
    completion_tokens_details: { audio_tokens: 400, reasoning_tokens: 0 },
  };
  const media = { inputAudio: 900, outputAudio: 400 };

  it('states audio of the prompt and of the completion', () => {
    expect(chatUsage(node(usage))).toEqual({ ...NOTHING, input: 1000, output: 500, media });
    expect(chatUsage(PlainNode.root(usage))?.media).toEqual(media);
  });

  it('does not tell which were cached: those that do not fit in the rest', () => {
    const details = { prompt_tokens_details: { audio_tokens: 900, cached_tokens: 300 } };
    expect(chatUsage(node({ ...usage, ...details }))?.media).toEqual({
      inputAudio: 700,
      cacheReadAudio: 200,
      outputAudio: 400,
    });
  });

  it('has zeros where there are none', () => {
    const zeros = { prompt_tokens_details: { audio_tokens: 0 }, completion_tokens_details: { audio_tokens: 0 } };
    for (const one of [
      { ...usage, ...zeros },
      { prompt_tokens: 1, completion_tokens: 1 },
    ])
      expect(chatUsage(node(one))).not.toHaveProperty('media');
  });

  it('states images under the names of Responses', () => {
    const images = {
      input_tokens: 50,
      output_tokens: 272,
      input_tokens_details: { image_tokens: 40, text_tokens: 10 },
      output_tokens_details: { image_tokens: 272, text_tokens: 0 },
    };
    expect(responsesUsage(node(images))?.media).toEqual({ inputImage: 40, outputImage: 272 });
  });
});

describe('Gemini', () => {
  const content = { role: 'model', parts: [{ text: 'x' }] };
  const recorded = (usageMetadata: object) =>
    formatNamed('gemini-contents').recorded!(node({ candidates: [{ content }], usageMetadata }))!.usage;
  const of = (modality: string, tokenCount: number) => ({ modality, tokenCount });

  it('states the counts of each modality', () => {
    const usage = recorded({
      promptTokenCount: 1000,
      cachedContentTokenCount: 300,
      candidatesTokenCount: 1290,
      totalTokenCount: 2290,
      promptTokensDetails: [of('TEXT', 100), of('AUDIO', 600), of('VIDEO', 260), of('DOCUMENT', 40)],
      cacheTokensDetails: [of('AUDIO', 250), of('TEXT', 50)],
      candidatesTokensDetails: [of('IMAGE', 1290)],
    });
    expect(usage).toEqual({
      ...NOTHING,
      input: 700,
      cacheRead: 300,
      output: 1290,
      media: { inputAudio: 350, cacheReadAudio: 250, inputVideo: 260, outputImage: 1290 },
    });
  });

  it('writes them in snake_case, too', () => {
    const usage = recorded({
      prompt_token_count: 10,
      candidates_token_count: 5,
      prompt_tokens_details: [{ modality: 'IMAGE', token_count: 8 }],
    });
    expect(usage).toEqual({ ...NOTHING, input: 10, output: 5, media: { inputImage: 8 } });
  });

  it('states texts only, mostly', () => {
    const texts = { promptTokensDetails: [of('TEXT', 10)], candidatesTokensDetails: [of('TEXT', 5)] };
    expect(recorded({ promptTokenCount: 10, candidatesTokenCount: 5, ...texts })).not.toHaveProperty('media');
  });
});

/** https://python.langchain.com/api_reference/core/messages/langchain_core.messages.ai.UsageMetadata.html */
it('LangChain states audio in its own details', () => {
  const usage = {
    input_tokens: 350,
    output_tokens: 240,
    total_tokens: 590,
    input_token_details: { audio: 10, cache_creation: 200, cache_read: 100 },
    output_token_details: { audio: 20, reasoning: 200 },
  };
  expect(langchainUsage(node(usage))?.media).toEqual({ inputAudio: 10, outputAudio: 20 });
  expect(langchainUsage(node({ ...usage, input_token_details: { audio: 0 }, output_token_details: {} }))).toEqual({
    ...NOTHING,
    input: 350,
    output: 240,
  });
});

it('Langfuse states audio as a type of its own', () => {
  expect(langfuseUsage(node({ input: 10, input_audio: 90, output: 5, output_audio: 45, total: 150 }))).toEqual({
    ...NOTHING,
    input: 100,
    output: 50,
    media: { inputAudio: 90, outputAudio: 45 },
  });
  expect(langfuseUsage(node({ input: 10, input_audio: 0, output: 5 }))).not.toHaveProperty('media');
});

it('OpenInference states audio in attributes', () => {
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'gpt-audio',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Hi',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': 'Hello',
    'llm.token_count.prompt': 100,
    'llm.token_count.completion': 50,
    'llm.token_count.prompt_details.audio': 80,
    'llm.token_count.completion_details.audio': 40,
  };
  const span = { name: 'llm', context: { trace_id: 't', span_id: 's' }, parent_id: null, attributes };
  const { transcripts } = openText(json(span));
  const recorded = transcripts.flatMap((one) => [one.reply, ...one.messages.map((message) => one.recorded?.(message))]);
  expect(recorded.find((one) => one?.usage !== undefined)?.usage).toEqual({
    ...NOTHING,
    input: 100,
    output: 50,
    media: { inputAudio: 80, outputAudio: 40 },
  });
});

/** https://github.com/vercel/ai/blob/main/packages/google/src/convert-google-generative-ai-usage.ts */
describe("the AI SDK keeps the provider's own figures", () => {
  const usage = { inputTokens: 100, outputTokens: 50 };
  const media = (raw: object) => aiSdkUsage(node({ ...usage, raw }))?.media;

  it('of Gemini', () => {
    const raw = {
      promptTokenCount: 100,
      candidatesTokenCount: 50,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 80 }],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 50 }],
    };
    expect(media(raw)).toEqual({ inputAudio: 80, outputImage: 50 });
  });

  it('of OpenAI', () => {
    const raw = { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { audio_tokens: 80 } };
    expect(media(raw)).toEqual({ inputAudio: 80 });
    const responses = { input_tokens: 100, output_tokens: 50, output_tokens_details: { image_tokens: 40 } };
    expect(media(responses)).toEqual({ outputImage: 40 });
  });

  it('of Anthropic, which has none', () => {
    expect(aiSdkUsage(node({ ...usage, raw: { input_tokens: 100, output_tokens: 50 } }))).not.toHaveProperty('media');
    expect(aiSdkUsage(node({ ...usage, raw: {} }))).not.toHaveProperty('media');
  });
});
