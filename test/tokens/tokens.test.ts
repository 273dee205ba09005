import { readFileSync } from 'node:fs';
import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { countMessage, type MessageTexts, OVERHEAD, type Overhead, overheadOf } from '../../src/tokens/count.js';
import {
  countTools,
  type Definition,
  renderTools,
  type ToolUse,
  toolPromptTokens,
} from '../../src/tokens/definitions.js';
import { imageTokens, sizeOf } from '../../src/tokens/images.js';
import { type Encoding, modelInfo } from '../../src/tokens/models.js';

const encodings = { o200k_base: get_encoding('o200k_base'), cl100k_base: get_encoding('cl100k_base') };
const countIn = (encoding: Encoding) => (text: string) => encodings[encoding].encode_ordinary(text).length;
afterAll(() => {
  for (const encoding of Object.values(encodings)) encoding.free();
});

const says = (role: string, text: string, name?: string): MessageTexts => ({ role, name, texts: [text], calls: [] });
const letters = (text: string) => text.length;
/** A prompt: its messages and the start of the answer. */
const countMessages = (
  messages: readonly MessageTexts[],
  count: (text: string) => number,
  overhead: Overhead = OVERHEAD,
) => messages.reduce((tokens, message) => tokens + countMessage(message, count, overhead), overhead.perRequest);

describe("OpenAI's cookbook, whose figures are those of the API", () => {
  const messages = [
    says(
      'system',
      'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
    ),
    says('system', 'New synergies will help drive top-line growth.', 'example_user'),
    says('system', 'Things working well together will increase revenue.', 'example_assistant'),
    says(
      'system',
      "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
      'example_user',
    ),
    says('system', "Let's talk later when we're less busy about how to do better.", 'example_assistant'),
    says('user', "This late pivot means we don't have time to boil the ocean for the client deliverable."),
  ];
  const withTools = [
    says('system', 'You are a helpful assistant that can answer to questions about the weather.'),
    says('user', "What's the weather like in San Francisco?"),
  ];
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
    const definitions = tools.map((tool) => tool.function);
    expect(
      countMessages(withTools, count, overheadOf(model)) + countTools(definitions, model, count, { system: true }),
    ).toBe(tooled);
  });

  test('gpt-3.5-turbo-0301 counts a token more a message, and one less for a name', () => {
    const overhead = overheadOf('gpt-3.5-turbo-0301');
    const named = says('user', 'hello', 'bob');
    expect(countMessage(named, letters)).toBe(3 + 4 + 5 + 1 + 3);
    expect(countMessage(named, letters, overhead)).toBe(4 + 4 + 5 - 1 + 3);
  });
});

describe("what the API counted, recorded in LiteLLM's tests", () => {
  const vectors = JSON.parse(
    readFileSync('fixtures/vectors/cost/litellm-messages-with-counts.json', 'utf8'),
  ) as Vectors;
  const count = countIn('cl100k_base');
  const prompt = (messages: Vectors['text'][number]['messages']) =>
    countMessages(
      messages.map(({ role, content, name }) => says(role, content, name)),
      count,
    );

  test('all 13 prompts of text are exact', () => {
    expect(vectors.text.map(({ messages, count: recorded }) => prompt(messages) - recorded)).toEqual(Array(13).fill(0));
  });

  test('so is the one with an image', () => {
    const [text, image] = vectors.image.messages[0]!.content;
    const size = sizeOf(image!.image_url!.url.split(',')[1]!);
    expect(size).toEqual({ width: 1, height: 1 });
    expect(prompt([{ role: 'user', content: text!.text! }]) + imageTokens(size, 'gpt-4-turbo', 'high')).toBe(266);
  });

  test('of 18 with tools 13 are exact and 5 a token over', () => {
    const over = vectors.tools.map(({ name, messages, tools, tool_choice, count: recorded }) => {
      const choice = typeof tool_choice === 'string' ? tool_choice : { tool: tool_choice.function.name };
      const definitions = tools.map((tool) => tool.function);
      return [
        name,
        prompt(messages) +
          countTools(definitions, 'gpt-4', count, { system: messages.some(({ role }) => role === 'system'), choice }) -
          recorded,
      ];
    });
    expect(Object.fromEntries(over.filter(([, tokens]) => tokens !== 0))).toEqual({
      integer_enum: 1,
      integer_enum_tool_choice_name: 1,
      no_parameter_description_or_required: 1,
      no_parameter_description: 1,
      inner_object: 1,
    });
    expect(over.length).toBe(18);
  });
});

interface Vectors {
  readonly text: readonly {
    readonly messages: readonly { readonly role: string; readonly content: string; readonly name?: string }[];
    readonly count: number;
  }[];
  readonly image: {
    readonly messages: readonly {
      readonly content: readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[];
    }[];
  };
  readonly tools: readonly (Vectors['text'][number] & {
    readonly name: string;
    readonly tools: readonly { readonly function: Definition }[];
    readonly tool_choice: 'auto' | 'none' | { readonly function: { readonly name: string } };
  })[];
}

describe('messages', () => {
  test('calls count their name and arguments, and what stands around them', () => {
    const message = { role: 'tool', texts: ['ab', 'c'], calls: [{ tool: 'find', input: '{"q":1}' }] };
    expect(countMessage(message, letters)).toBe(3 + 4 + 3 + 2 * 4 + 7 + 5); // the name again, in the result
    const inGpt5 = (role: string, texts: string[]) =>
      countMessage({ role, texts, calls: [] }, letters, overheadOf('gpt-5'));
    expect(inGpt5('assistant', ['ab']) - inGpt5('assistant', [])).toBe(2 + 2); // a channel beside a text
    expect(inGpt5('user', ['ab']) - inGpt5('user', [])).toBe(2);
    expect(
      ['gpt-5.1-codex', 'claude-sonnet-4-5', 'gemini-3-pro', ''].map(
        (model) => countMessage(message, letters, overheadOf(model)) - 21,
      ),
    ).toEqual([4 + 9, 52, 4 + 5, 4 + 5]);
  });
});

describe('tools', () => {
  const typeIn = (parameters: object) => /\(_: (.*)\) => any;/s.exec(renderTools([{ name: 'f', parameters }]))?.[1];
  const typeOf = (schema: object) =>
    /^\{\na\?: (.*),\n\}$/s.exec(typeIn({ type: 'object', properties: { a: schema } })!)![1];

  test('no tools, no tokens; what stands around them counts once', () => {
    expect(countTools([], 'gpt-4o', letters)).toBe(0);
    const plain = { name: 'f', description: 'Do.' };
    const rendered = 'namespace functions {\n\n// Do.\ntype f = () => any;\n\n} // namespace functions';
    expect(renderTools([plain])).toBe(rendered);
    expect(countTools([plain], 'gpt-4o', letters)).toBe(rendered.length + 9);
    expect(countTools([plain, plain], 'gpt-4o', letters)).toBe(
      rendered.length + '// Do.\ntype f = () => any;\n\n'.length + 9,
    );
  });

  test.each<[ToolUse, number]>([
    [{ system: true }, 5],
    [{ system: true, choice: 'none' }, 6],
    [{ system: false, choice: 'required' }, 9],
    [{ system: false, choice: { tool: 'find' } }, 9 + 7 + 4],
  ])('%j: %i tokens on top', (use, tokens) => {
    const tools = [{ name: 'find' }];
    expect(countTools(tools, 'gpt-4o', letters, use) - renderTools(tools).length).toBe(tokens);
  });

  test('what is nested is rendered where it stands, with its comments', () => {
    const tool = {
      name: 'book',
      description: 'Books.\nAt once.',
      parameters: {
        type: 'object',
        properties: {
          guests: {
            type: 'array',
            description: 'Who.',
            items: {
              type: 'object',
              properties: { age: { type: 'integer', description: 'Years.' } },
              required: ['age'],
            },
          },
          room: { type: 'string', enum: ['a', 'b'] },
        },
        required: ['guests'],
      },
    };
    expect(renderTools([tool]).split('\n')).toEqual([
      'namespace functions {',
      '',
      '// Books.',
      '// At once.',
      'type book = (_: {',
      '// Who.',
      'guests: {',
      '// Years.',
      'age: number,',
      '}[],',
      'room?: "a" | "b",',
      '}) => any;',
      '',
      '} // namespace functions',
    ]);
  });

  test.each<[object, string]>([
    [{ type: 'integer' }, 'number'],
    [{ type: 'integer', enum: [-1, 1] }, '-1 | 1'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }] }, 'boolean | string[]'],
    [{ const: 'x' }, '"x"'],
    [{ type: 'array' }, 'any[]'],
    [{ type: 'object' }, 'object'],
    [{ description: 1 }, 'any'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  test('references are written out once, so that circles end', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    expect(
      typeIn({
        $defs: { Node: node },
        type: 'object',
        properties: { head: { $ref: '#/$defs/Node' }, gone: { $ref: '#/$defs/Gone' } },
      }),
    ).toBe('{\nhead?: {\nnext?: Node,\n},\ngone?: Gone,\n}');
  });

  test('Claude reads JSON', () => {
    const find = { name: 'find', description: 'Finds.', parameters: { type: 'object' } };
    expect(countTools([find], 'claude-opus-4-8', letters, { system: true })).toBe(
      '[{"name":"find","description":"Finds.","input_schema":{"type":"object"}}]'.length,
    );
  });

  test.each(['gpt-4o', 'claude-opus-4-8'])('a schema may be deep: %s', (model) => {
    let schema: object = { type: 'string' };
    for (let depth = 0; depth < 50_000; depth++) schema = { type: 'array', items: schema };
    expect(
      countTools([{ name: 'f', parameters: { type: 'object', properties: { a: schema } } }], model, letters),
    ).toBeGreaterThan(100_000);
  });

  test.each([
    ['claude-opus-4-8', 290, 410],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 496, 588],
    ['anthropic/claude-opus-4.1', 313, 315],
    ['claude-sonnet-4-20250514', 313, 315],
    ['claude-3-opus-20240229', 530, 281],
    ['gpt-4o', 0, 0],
    ['', 0, 0],
  ])('%s: %i tokens of instructions, %i where a tool has to be called', (model, choice, forced) => {
    expect([
      toolPromptTokens(model),
      toolPromptTokens(model, 'none'),
      toolPromptTokens(model, 'required'),
      toolPromptTokens(model, { tool: 'x' }),
    ]).toEqual([choice, choice, forced, forced]);
  });
});

describe('images', () => {
  test.each<[string, number, number, string | undefined, number]>([
    // OpenAI: the guide's own examples, and its limits
    ['gpt-4o', 1024, 1024, 'high', 765],
    ['gpt-4o', 1024, 1024, undefined, 765],
    ['gpt-4o', 2048, 4096, 'high', 1105],
    ['gpt-4o', 4096, 8192, 'low', 85],
    ['gpt-4o', 1, 1, 'high', 255],
    ['azure/gpt-4o-mini', 1024, 1024, 'auto', 2833 + 4 * 5667],
    ['gpt-5', 1024, 1024, 'high', 70 + 4 * 140],
    ['o3', 512, 512, 'high', 225],
    ['computer-use-preview', 512, 513, 'high', 65 + 2 * 129],
    ['gpt-5.2', 1024, 1024, 'high', 1024],
    ['gpt-5.2', 1800, 2400, 'high', 1452],
    ['gpt-4.1-mini', 1800, 2400, 'high', Math.ceil(1452 * 1.62)],
    ['gpt-5-nano', 1024, 1024, 'auto', 2520],
    ['o4-mini', 1024, 1024, 'low', 441],
    ['gpt-5.4', 3000, 3000, 'original', 94 * 94],
    ['gpt-5.4', 3000, 3000, 'auto', 50 * 50],
    ['gpt-5.5', 3000, 3000, undefined, 94 * 94],
    ['gpt-5.6', 8000, 8000, 'auto', 250 * 250],
    ['gpt-5.6', 8000, 8000, 'high', 50 * 50],
    // Anthropic: the page's own examples
    ['claude-sonnet-4-6', 1920, 1080, undefined, 1560],
    ['claude-opus-4-7', 1920, 1080, undefined, 2691],
    ['claude-opus-4.8', 3840, 2160, undefined, 4784],
    ['claude-fable-5', 3024, 1964, undefined, 4760],
    ['claude-sonnet-5', 4032, 3024, undefined, 4740],
    ['claude-3-5-sonnet', 1, 8000, undefined, 56],
    // Google
    ['gemini-2.5-flash', 384, 384, undefined, 258],
    ['gemini-2.5-flash', 600, 400, undefined, 258],
    ['gemini-2.5-flash', 1000, 1000, undefined, 1032],
    ['gemini-3-pro-preview', 1000, 1000, undefined, 1120],
    ['gemini-3-pro-preview', 1000, 1000, 'low', 280],
    // No rule
    ['llama-4', 1024, 1024, undefined, 765],
    ['', 1024, 1024, undefined, 765],
  ])('%s: %i x %i, detail %s: %i tokens', (model, width, height, detail, tokens) => {
    expect(imageTokens({ width, height }, model, detail)).toBe(tokens);
  });

  test('a size that is not known counts as 1024 x 1024', () => {
    expect(['gpt-4o', 'claude-opus-4-8', 'gemini-2.5-pro'].map((model) => imageTokens(undefined, model))).toEqual([
      765, 1369, 1032,
    ]);
    expect(imageTokens({ width: 0, height: 5 }, 'gpt-4o')).toBe(765);
  });

  const base64 = (...pieces: readonly (string | readonly number[])[]) =>
    Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece))),
    ).toString('base64');

  test.each<[string, string, [number, number] | undefined]>([
    ['PNG', base64('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 4, 1, 0, 0, 2, 3]), [1025, 515]],
    ['GIF', base64('GIF89a', [1, 2, 3, 4]), [513, 1027]],
    [
      'WebP',
      base64('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x20, 0x43, 0x10, 1]),
      [800, 272],
    ],
    [
      'WebP without loss',
      base64('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0xff, 0xc1, 0x18, 0]),
      [512, 100],
    ],
    [
      'WebP with more',
      base64('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 1, 0, 99, 0, 0]),
      [512, 100],
    ],
    [
      'JPEG behind a thumbnail',
      base64(
        [0xff, 0xd8, 0xff, 0xe1, 0xea, 0x62],
        Array<number>(60_000).fill(0xff),
        [0xff, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 1, 2, 3, 4],
      ),
      [772, 258],
    ],
    ['JPEG cut off', base64([0xff, 0xd8, 0xff, 0xe0]), undefined],
    ['SVG', base64('<svg/>'), undefined],
    ['nothing', '', undefined],
  ])('the size of %s', (_, data, size) => {
    expect(sizeOf(data)).toEqual(size && { width: size[0], height: size[1] });
    expect(sizeOf(data.replace(/.{76}/g, '$&\n'))).toEqual(sizeOf(data));
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
    ['qwen.qwen3-32b-v1:0', 'qwen3', 131_072],
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
    expect(modelInfo('claude-3-5-sonnet-20241022')).toMatchObject({ factor: 1.17, range: [1.16, 1.3] });
    expect(modelInfo('claude-opus-4-8')).toMatchObject({ factor: 1.62, range: [1.22, 1.79] });
    expect(modelInfo('gemini-2.5-flash')).toMatchObject({ factor: 1.16, range: [1.041, 1.303] });
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
