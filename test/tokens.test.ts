import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { countMessage, countMessages, countTools, IMAGE, type MessageTexts, overheadOf } from '../src/tokens/count.js';
import { type Encoding, modelInfo } from '../src/tokens/models.js';

const encodings = { o200k_base: get_encoding('o200k_base'), cl100k_base: get_encoding('cl100k_base') };
const countIn = (encoding: Encoding) => (text: string) => encodings[encoding].encode_ordinary(text).length;
afterAll(() => {
  for (const encoding of Object.values(encodings)) encoding.free();
});

const says = (role: string, text: string, name?: string): MessageTexts => ({ role, name, texts: [text], calls: [], images: 0 });
const letters = (text: string) => text.length;

describe("OpenAI's cookbook, whose figures are those of the API", () => {
  const messages = [
    says('system', 'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.'),
    says('system', 'New synergies will help drive top-line growth.', 'example_user'),
    says('system', 'Things working well together will increase revenue.', 'example_assistant'),
    says('system', "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.", 'example_user'),
    says('system', "Let's talk later when we're less busy about how to do better.", 'example_assistant'),
    says('user', "This late pivot means we don't have time to boil the ocean for the client deliverable."),
  ];
  const withTools = [says('system', 'You are a helpful assistant that can answer to questions about the weather.'), says('user', "What's the weather like in San Francisco?")];
  const tools = [
    {
      type: 'function',
      function: {
        name: 'get_current_weather',
        description: 'Get the current weather in a given location',
        parameters: {
          type: 'object',
          properties: {
            location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
            unit: { type: 'string', description: 'The unit of temperature to return', enum: ['celsius', 'fahrenheit'] },
          },
          required: ['location'],
        },
      },
    },
  ];

  test.each([
    ['gpt-3.5-turbo', 129, 105],
    ['gpt-4-0613', 129, 105],
    ['gpt-4', 129, 105],
    ['gpt-4o', 124, 101],
    ['gpt-4o-mini', 124, 101],
    ['openai/gpt-4o-mini-2024-07-18', 124, 101],
  ])('%s: %i for the messages, %i with tools', (model, plain, tooled) => {
    const count = countIn(modelInfo(model)!.encoding);
    expect(countMessages(messages, count, overheadOf(model))).toBe(plain);
    expect(countMessages(withTools, count, overheadOf(model)) + countTools(tools, model, count)).toBe(tooled);
    const flat = tools.map((tool) => ({ type: 'function', ...tool.function }));
    expect(countTools(flat, model, count)).toBe(countTools(tools, model, count));
  });

  test('gpt-3.5-turbo-0301 counts a token more a message, and one less for a name', () => {
    const overhead = overheadOf('gpt-3.5-turbo-0301');
    const named = says('user', 'hello', 'bob');
    expect(countMessage(named, letters)).toBe(3 + 4 + 5 + 1 + 3);
    expect(countMessage(named, letters, overhead)).toBe(4 + 4 + 5 - 1 + 3);
  });
});

describe('messages and tools', () => {
  test('calls count their name and arguments, images the stated default', () => {
    const message = { role: 'tool', texts: ['ab', 'c'], calls: [{ tool: 'find', input: '{"q":1}' }], images: 2 };
    expect(countMessage(message, letters)).toBe(3 + 4 + 3 + 4 + 7 + 2 * IMAGE.tokens);
  });

  test('no tools, no tokens; the end counts once', () => {
    expect(countTools(undefined, 'gpt-4o', letters)).toBe(0);
    expect(countTools([], 'gpt-4o', letters)).toBe(0);
    const plain = { type: 'function', function: { name: 'f', description: 'Do.' } };
    expect(countTools([plain], 'gpt-4o', letters)).toBe(7 + 'f:Do'.length + 12);
    expect(countTools([plain, plain], 'gpt-4o', letters)).toBe(2 * (7 + 'f:Do'.length) + 12);
  });

  test('what is nested counts too', () => {
    const tool = (properties: object) => [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } }];
    const outer = 7 + 'f:'.length + 3 + 12;
    const nested = tool({ a: { type: 'object', properties: { b: { type: 'integer' } } } });
    expect(countTools(nested, 'gpt-4o', letters)).toBe(outer + 3 + 'a:object:'.length + 3 + 3 + 'b:integer:'.length);
    const list = tool({ a: { type: 'array', items: { type: 'string', description: 'One.', enum: ['x'] } } });
    expect(countTools(list, 'gpt-4o', letters)).toBe(outer + 3 + 'a:array:'.length + 'string:One'.length - 3 + 3 + 1);
    const choice = tool({ a: { anyOf: [{ type: 'string' }, { type: ['integer', 'null'] }] } });
    expect(countTools(choice, 'gpt-4o', letters)).toBe(outer + 3 + 'a::'.length + 'string:'.length + 'integer|null:'.length);
  });

  test('a schema may be deep', () => {
    let schema: object = { type: 'string' };
    for (let depth = 0; depth < 50_000; depth++) schema = { type: 'array', items: schema };
    expect(countTools([{ name: 'f', parameters: schema }], 'gpt-4o', letters)).toBeGreaterThan(50_000);
  });
});

describe('models by prefix', () => {
  test.each<[string, string, Encoding, number]>([
    ['gpt-4o', 'gpt-4o', 'o200k_base', 128_000],
    ['GPT-4o-2024-08-06', 'gpt-4o', 'o200k_base', 128_000],
    ['gpt-4.1-mini-2025-04-14', 'gpt-4.1', 'o200k_base', 1_047_576],
    ['gpt-4.5-preview', 'gpt-4.5', 'o200k_base', 128_000],
    ['gpt-5-mini-2025-08-07', 'gpt-5', 'o200k_base', 400_000],
    ['gpt-5.1-codex-max', 'gpt-5', 'o200k_base', 400_000],
    ['gpt-5.4-2026-03-05', 'gpt-5.4', 'o200k_base', 1_050_000],
    ['gpt-5.6-sol', 'gpt-5.6', 'o200k_base', 1_050_000],
    ['chatgpt-4o-latest', 'chatgpt-4o', 'o200k_base', 128_000],
    ['o1', 'o1', 'o200k_base', 200_000],
    ['o3-mini', 'o3', 'o200k_base', 200_000],
    ['o4-mini-2025-04-16', 'o4', 'o200k_base', 200_000],
    ['openai/gpt-oss-120b', 'gpt-oss', 'o200k_base', 131_072],
    ['gpt-oss:20b', 'gpt-oss', 'o200k_base', 131_072],
    ['gpt-4', 'gpt-4', 'cl100k_base', 8_192],
    ['gpt-4-32k-0613', 'gpt-4-32k', 'cl100k_base', 32_768],
    ['gpt-4-turbo-2024-04-09', 'gpt-4-turbo', 'cl100k_base', 128_000],
    ['gpt-4-1106-preview', 'gpt-4-1106', 'cl100k_base', 128_000],
    ['gpt-3.5-turbo-0125', 'gpt-3.5', 'cl100k_base', 16_385],
    ['gpt-3.5-turbo-0613', 'gpt-3.5-turbo-0613', 'cl100k_base', 4_096],
    ['azure/gpt-35-turbo', 'gpt-35', 'cl100k_base', 16_385],
    ['azure/gpt-4o', 'gpt-4o', 'o200k_base', 128_000],
    ['openai:gpt-4o', 'gpt-4o', 'o200k_base', 128_000],
    ['ft:gpt-4o-mini-2024-07-18:org::id', 'gpt-4o', 'o200k_base', 128_000],
    ['ft:gpt-3.5-turbo-0125:gpt-4o-fans::id', 'gpt-3.5', 'cl100k_base', 16_385],
  ])('%s is counted exactly', (model, prefix, encoding, contextWindow) => {
    expect(modelInfo(model)).toMatchObject({ prefix, encoding, contextWindow, exact: true, factor: 1 });
  });

  test.each<[string, string, number]>([
    ['claude-sonnet-4-20250514', 'claude', 200_000],
    ['claude-sonnet-4-5[1m]', 'claude', 1_000_000],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude', 200_000],
    ['bedrock/converse/us.anthropic.claude-opus-4-6-v1:0', 'claude-opus-4-6', 1_000_000],
    ['openrouter/anthropic/claude-opus-4.7', 'claude-opus-4.7', 1_000_000],
    ['vertex_ai/claude-sonnet-4-5@20250929', 'claude', 200_000],
    ['models/gemini-2.5-pro', 'gemini', 1_048_576],
    ['gemini-1.0-pro', 'gemini-1.0', 32_768],
    ['deepseek-chat', 'deepseek', 131_072],
    ['deepseek-ai/DeepSeek-R1', 'deepseek-r1', 65_536],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3-coder', 262_144],
    ['qwen.qwen3-32b-v1:0', 'qwen', 131_072],
    ['meta-llama/llama-4-maverick-17b-128e-instruct', 'llama-4', 1_000_000],
    ['meta-llama/Meta-Llama-3-8B-Instruct', 'llama-3', 8_192],
    ['meta.llama3-3-70b-instruct-v1:0', 'llama3-3', 128_000],
    ['llama3.1:8b', 'llama3.1', 128_000],
    ['meta.llama2-13b-chat-v1', 'llama2', 4_096],
    ['mistralai/Mixtral-8x7B-Instruct-v0.1', 'mixtral', 32_768],
    ['mistral.mixtral-8x7b-instruct-v0:1', 'mixtral', 32_768],
    ['moonshotai/Kimi-K2-Instruct-0905', 'kimi-k2', 262_144],
    ['x-ai/grok-4', 'grok-4', 256_000],
    ['z-ai/glm-4.6', 'glm-4.6', 200_000],
    ['MiniMax-M2', 'minimax-m2', 204_800],
    ['tiiuae/falcon-7b-instruct', 'falcon-7b', 2_048],
  ])('%s is estimated', (model, prefix, contextWindow) => {
    expect(modelInfo(model)).toMatchObject({ prefix, encoding: 'o200k_base', contextWindow, exact: false });
  });

  test('estimates have a factor with its source, or say that there is none', () => {
    expect(modelInfo('claude-3-5-sonnet-20241022')).toMatchObject({ factor: 1.22 });
    expect(modelInfo('claude-opus-4-8')).toMatchObject({ factor: 1.59 });
    expect(modelInfo('gemini-2.5-flash')).toMatchObject({ factor: 1.046 });
    expect(modelInfo('grok-4')).toMatchObject({ factor: 1, source: 'no published factor' });
    for (const model of ['gpt-4o', 'claude', 'gemini', 'deepseek', 'falcon-7b']) {
      expect(modelInfo(model)?.source).toMatch(/^https:/);
      expect(modelInfo(model)?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(modelInfo(model)?.windowSource).toMatch(/^https:/);
    }
  });

  test.each(['', 'model', '<synthetic>', 'default', 'o100', 'whisper-1', '/'])('%j is not known', (model) => {
    expect(modelInfo(model)).toBeUndefined();
  });
});
