/**
 * What is said of the settings of a request, by provider and model: settings.txt has each sentence, and who says it.
 * `UPDATE=1` writes it anew: read what changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { providers } from '../../src/rules/providers.js';
import { examine } from '../shared/examined.js';

const KEPT = 'test/rules/settings.txt';

type Fields = Readonly<Record<string, unknown>>;

const OPENAI =
  'gpt-3.5-turbo gpt-4o gpt-4.1 o3-mini o4-mini gpt-5 gpt-5-mini gpt-5.1 gpt-5.1-codex-max gpt-5.2 gpt-5.5 ' +
  'gpt-5-chat-latest';
const CLAUDE =
  'claude-3-haiku-20240307 claude-3-5-sonnet-20241022 claude-opus-4-20250514 claude-opus-4-5 claude-sonnet-4-5 ' +
  'claude-haiku-4-5 claude-opus-4-8';
const GEMINI = 'gemini-2.0-flash gemini-2.5-pro gemini-3-pro-preview gemma-3-27b-it';
const FEW = 'gpt-4o gpt-5 gpt-5.1';
/** By provider; of the others `FEW`. */
const MODELS: Readonly<Record<string, string>> = {
  'openai-chat': OPENAI,
  'openai-responses': OPENAI,
  anthropic: CLAUDE,
  'vertex-claude': CLAUDE,
  gemini: GEMINI,
  vertex: GEMINI,
  'gemini-interactions': GEMINI,
  bedrock:
    'anthropic.claude-3-5-sonnet-20240620-v1:0 anthropic.claude-opus-4-5-20251101-v1:0 us.anthropic.claude-opus-4-8 ' +
    'us.deepseek.r1-v1:0 amazon.titan-text-express-v1',
  'bedrock-llama': 'us.meta.llama3-3-70b-instruct-v1:0',
  mistral: 'mistral-large-latest magistral-medium-latest',
  deepseek: 'deepseek-chat deepseek-reasoner deepseek-v4',
  moonshot: 'kimi-k2.5 kimi-k3 kimi-latest',
  groq: 'llama-3.3-70b-versatile qwen/qwen3-32b',
  dashscope: 'qwen-max qwen3-8b qwen3-30b-a3b',
  xai: 'grok-4 grok-4-1-fast-non-reasoning grok-3-mini grok-4.20-multi-agent',
  zhipu: 'glm-4.6',
  minimax: 'MiniMax-M2',
  cohere: 'command-a-03-2025',
  ollama: 'qwen3:8b gpt-oss:120b-cloud',
};

const LONG = 'k'.repeat(70);
const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };
const CUSTOM = { type: 'custom', custom: { name: 'c' } };
const named = (kind: string, name: string) => ({ type: kind, [kind]: { name } });

/** Values by path: each is set alone. */
const SAMPLING: Readonly<Record<string, readonly unknown[]>> = {
  temperature: [-1, 0, 0.6, 1, 1.6, 2, 2.5],
  top_p: [0, 0.5, 0.95, 1, 1.5],
  top_k: [5],
  stream: [true],
  max_tokens: [5000, 10_000, 20_000, 40_000, 70_000, 400_000],
  service_tier: ['auto'],
  metadata: [{ user_id: 'u' }],
};
const CHAT: typeof SAMPLING = {
  ...SAMPLING,
  max_completion_tokens: [10_000, 40_000],
  presence_penalty: [0, 1, 3],
  frequency_penalty: [0, 1, -3],
  stop: [['a'], ['a', 'b', 'c', 'd', 'e'], 'a'],
  logprobs: [true, false],
  top_logprobs: [0, 5, 25],
  logit_bias: [{}, { 50256: 1 }],
  n: [2],
  seed: [1],
  user: ['u'],
  store: [true],
  parallel_tool_calls: [true],
  reasoning_effort: ['none', 'minimal', 'low', 'xhigh', 'default'],
  verbosity: ['low', 'medium'],
  stream_options: [{ include_usage: true }],
  response_format: [{ type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'x', schema: {} } }],
  reasoning_format: ['raw', 'parsed'],
  reasoning: [{ effort: 'low', max_tokens: 5 }, { effort: 'low' }],
  enable_thinking: [true, false],
  thinking: [{ type: 'enabled', budget_tokens: 500 }, { type: 'disabled' }],
  prompt_cache_key: ['k', LONG],
  random_seed: [1],
  functions: [[{ name: 'f' }]],
  web_search_options: [{}],
  max_output_tokens: [5],
  system: ['x'],
  stop_sequences: [['a']],
  tool_choice: [
    'none',
    'auto',
    'required',
    'any',
    'x',
    named('function', 'f'),
    named('function', 'g'),
    named('custom', 'c'),
  ],
};
const RESPONSES: typeof SAMPLING = {
  ...SAMPLING,
  'reasoning.effort': ['none', 'minimal', 'low', 'xhigh'],
  'text.verbosity': ['low', 'medium'],
  'stream_options.include_usage': [true],
  top_logprobs: [5, 25],
  max_output_tokens: [5],
  presence_penalty: [1],
  reasoning_effort: ['low'],
  stop: ['a'],
  prompt_cache_key: [LONG],
  tool_choice: ['none', 'required', { type: 'function', name: 'f' }, { type: 'function', name: 'g' }],
  response_format: [{ type: 'json_object' }],
};
const ANTHROPIC: typeof SAMPLING = {
  ...SAMPLING,
  stop_sequences: [['a'], [' ']],
  stop: ['a'],
  thinking: [{ type: 'enabled', budget_tokens: 500 }, { type: 'enabled' }, { type: 'adaptive' }, { type: 'disabled' }],
  'output_config.effort': ['high'],
  context_management: [{ edits: [{ type: 'clear_thinking_20251015' }] }],
  tool_choice: [
    { type: 'auto' },
    { type: 'any' },
    { type: 'tool', name: 'f' },
    { type: 'tool', name: 'g' },
    'auto',
    { type: 'function' },
  ],
  diagnostics: [{}],
  response_format: [{ type: 'json_object' }],
  presence_penalty: [1],
};
const CONTENTS: typeof SAMPLING = {
  'generationConfig.temperature': [-1, 1, 2.5],
  'generationConfig.maxOutputTokens': [10_000, 70_000],
  'generationConfig.maxTokens': [5],
  'generationConfig.responseMimeType': ['application/json', 'text/plain'],
  'generationConfig.thinkingConfig.thinkingBudget': [0, 128],
  'generationConfig.thinkingConfig.thinkingLevel': ['low'],
  'generationConfig.thinkingConfig': [{ thinkingLevel: 'low', thinkingBudget: 5 }],
  'generationConfig.stop': ['a'],
  systemInstruction: [{ parts: [{ text: 'x' }] }],
  cachedContent: ['cachedContents/x'],
  temperature: [1],
  max_tokens: [5],
  toolConfig: ['ANY', 'AUTO', 'NONE', 'VALIDATED'].flatMap((mode) =>
    [[], ['f'], ['g']].map((names) => ({ functionCallingConfig: { mode, allowedFunctionNames: names } })),
  ),
};
const INTERACTIONS: typeof SAMPLING = {
  'generation_config.temperature': [-1, 1, 2.5],
  'generation_config.max_output_tokens': [10_000, 70_000],
  'generation_config.tool_choice': ['any', 'none', { allowed_tools: { mode: 'any', tools: ['f'] } }],
  previous_interaction_id: ['v1_A'],
  temperature: [1],
};
const CONVERSE: typeof SAMPLING = {
  'inferenceConfig.temperature': [-1, 0.5, 1, 1.5],
  'inferenceConfig.topP': [0.5, 1, 1.5],
  'inferenceConfig.maxTokens': [5000, 10_000, 40_000, 70_000],
  'inferenceConfig.stopSequences': [['a']],
  'toolConfig.toolChoice': [{ auto: {} }, { any: {} }, { tool: { name: 'f' } }, { tool: { name: 'g' } }],
  temperature: [1],
};
const OLLAMA: typeof SAMPLING = {
  temperature: [1],
  'options.temperature': [-1, 1, 2.5],
  'options.num_predict': [-1, 70_000],
  think: [true, 'high'],
  format: ['json', {}],
  tool_choice: ['auto'],
};

const CONTENT = [{ text: 'hi' }];
/** By format: a request without tools, its settings, and what has tools. */
const FORMATS: Readonly<Record<string, readonly [bare: Fields, settings: typeof SAMPLING, withTools: Fields]>> = {
  'openai-chat': [{ messages: [{ role: 'user', content: 'hi' }] }, CHAT, { tools: [FUNCTION, CUSTOM] }],
  'openai-responses': [
    { input: [{ role: 'user', content: 'hi' }] },
    RESPONSES,
    { tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }, { type: 'web_search' }] },
  ],
  'anthropic-messages': [
    { max_tokens: 2000, messages: [{ role: 'user', content: 'hi' }] },
    ANTHROPIC,
    { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
  ],
  'gemini-contents': [
    { contents: [{ role: 'user', parts: CONTENT }] },
    CONTENTS,
    { tools: [{ functionDeclarations: [{ name: 'f' }] }] },
  ],
  'bedrock-converse': [
    { messages: [{ role: 'user', content: CONTENT }] },
    CONVERSE,
    { toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] } },
  ],
  'gemini-interactions': [
    { input: [{ type: 'user_input', content: CONTENT.map((block) => ({ type: 'text', ...block })) }] },
    INTERACTIONS,
    { tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }] },
  ],
  'ollama-chat': [{ messages: [{ role: 'user', content: 'hi' }] }, OLLAMA, { tools: [FUNCTION] }],
};

it('says of the settings what it said, of the same providers and models', () => {
  const said = new Map<string, Map<string, Set<string>>>();
  for (const { id, format } of providers) {
    const [bare, settings, withTools] = FORMATS[format]!;
    for (const model of (MODELS[id] ?? FEW).split(' '))
      for (const request of requestsOf({ model, ...bare }, settings, withTools))
        for (const sentence of saidOf(request, model, id)) {
          const byProvider = said.get(sentence) ?? new Map<string, Set<string>>();
          said.set(sentence, byProvider.set(id, (byProvider.get(id) ?? new Set()).add(model)));
        }
  }
  const lines = [...said].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([one, whose]) => [one, ...whoseLines(whose)]);
  const text = `${lines.join('\n')}\n`;
  if (process.env['UPDATE']) writeFileSync(KEPT, text);
  expect(text).toBe(readFileSync(KEPT, 'utf8'));
});

function saidOf(request: Fields, model: string, provider: string): readonly string[] {
  const only = ({ id }: { readonly id: string }) => id.startsWith('request/');
  const { findings } = examine(JSON.stringify(request), provider, { asRequest: true, only });
  return findings.map(({ rule, text, changes }) => {
    const changed = changes?.map(({ key, value }) => `${key} ${JSON.stringify(value)?.slice(0, 80) ?? 'goes'}`);
    const fixed = changed ? ` → ${changed.join(', ')}` : '';
    return `${rule.id.slice('request/'.length)}: ${text.replaceAll(model, 'the model')}${fixed}`;
  });
}

/** All settings at once, the first values of each, the second, and so on: beside tools, and without any. */
function* requestsOf(bare: Fields, settings: typeof SAMPLING, withTools: Fields): Generator<Fields> {
  const most = Math.max(...Object.values(settings).map(({ length }) => length));
  for (const request of [bare, { ...bare, ...withTools }])
    for (let nth = 0; nth <= most; nth++) {
      const chosen = Object.entries(settings).filter(([, values]) => nth < values.length);
      yield chosen.reduce((before, [path, values]) => withValue(before, path, values[nth]), request);
    }
}

function withValue(fields: Fields, path: string, value: unknown): Fields {
  const [key, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) return { ...fields, [key]: value };
  return { ...fields, [key]: withValue((fields[key] ?? {}) as Fields, rest.join('.'), value) };
}

/** The models of each provider; providers with the same ones share a line. */
function whoseLines(whose: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const byModels = new Map<string, string[]>();
  for (const [id, models] of whose) {
    const words = [...models].join(' ');
    byModels.set(words, [...(byModels.get(words) ?? []), id]);
  }
  return [...byModels].map(([models, ids]) => `  ${ids.join(', ')}: ${models}`);
}
