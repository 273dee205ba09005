/**
 * Context windows and tokenizers of models by prefixes of their names. Plain data; each group has its source and the
 * day it was read.
 */
import { rowOf } from './model-names.js';
import type { TokenizerId } from './tokenizers.js';

export interface ModelRow {
  readonly prefix: string;
  readonly tokenizer: TokenizerId;
  /** Tokens that fit into one request, prompt and answer together. */
  readonly contextWindow: number;
  /** The source of the window, and the day it was read (YYYY-MM-DD). */
  readonly source: string;
  readonly date: string;
}

/**
 * The row of a model, undefined for one that is not known. Providers, regions and fine-tunes around the name are looked
 * through: `azure/gpt-4o`, `us.anthropic.claude-sonnet-4-20250514-v1:0`, `ft:gpt-4o-mini-2024-07-18:org::id`.
 */
export function modelRow(model: string): ModelRow | undefined {
  if (lastModel !== model) [lastModel, lastRow] = [model, findRow(model)];
  return lastRow;
}

/** The records of a file mostly name one model. */
let lastModel: string | undefined;
let lastRow: ModelRow | undefined;

function findRow(model: string): ModelRow | undefined {
  const row = rowOf(model, rows());
  return row !== undefined && model.trim().toLowerCase().endsWith(MILLION_SUFFIX)
    ? { ...row, contextWindow: 1_000_000 }
    : row;
}

/** Claude Code's suffix for a window of a million tokens: `claude-sonnet-4-5[1m]`. */
const MILLION_SUFFIX = '[1m]';

interface Group {
  readonly tokenizer: TokenizerId;
  /** The source of the windows, and the day it was read. */
  readonly source: string;
  readonly date: string;
  /** Name prefix → context window in tokens. */
  readonly windows: Readonly<Record<string, number>>;
}

const MODELS_DEV = { source: 'https://models.dev/api.json', date: '2026-11-20' };
const LITELLM = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  date: '2026-11-20',
};
const GENAI_PRICES = { source: 'https://github.com/pydantic/genai-prices (0.1.8)', date: '2026-09-23' };

const GROUPS: readonly Group[] = [
  {
    tokenizer: 'o200k',
    ...MODELS_DEV,
    windows: {
      'chatgpt-4o': 128_000,
      'gpt-4o': 128_000,
      'gpt-4.5': 128_000,
      'gpt-4.1': 1_047_576,
      'gpt-5': 400_000,
      'gpt-5-chat': 128_000,
      'gpt-5.1-chat': 128_000,
      'gpt-5.2-chat': 128_000,
      'gpt-5.3-chat': 128_000,
      'gpt-5.3-codex-spark': 128_000,
      'gpt-5.4': 1_050_000,
      'gpt-5.4-mini': 400_000,
      'gpt-5.4-nano': 400_000,
      'gpt-5.5': 1_050_000,
      'gpt-5.6': 1_050_000,
      'gpt-audio': 128_000,
      'gpt-oss': 131_072, // o200k_harmony: o200k_base with more special tokens, ordinary text is the same
      'codex-mini': 200_000,
      o1: 200_000,
      'o1-mini': 128_000,
      'o1-preview': 128_000,
      o3: 200_000,
      o4: 200_000,
    },
  },
  { tokenizer: 'o200k-gpt-6', ...GENAI_PRICES, windows: { 'gpt-6': 1_050_000 } },
  {
    tokenizer: 'cl100k',
    ...LITELLM,
    windows: {
      'gpt-4': 8_192,
      'gpt-4-32k': 32_768,
      'gpt-4-turbo': 128_000,
      'gpt-4-vision': 128_000,
      'gpt-4-1106': 128_000,
      'gpt-4-0125': 128_000,
      'gpt-3.5': 16_385,
      'gpt-35': 16_385, // Azure's spelling
      'gpt-3.5-turbo-0301': 4_096,
      'gpt-3.5-turbo-0613': 4_096,
      'gpt-3.5-turbo-instruct': 4_096,
    },
  },
  {
    tokenizer: 'claude',
    ...MODELS_DEV,
    windows: {
      claude: 200_000,
      sonnet: 200_000, // aliases of Claude Code that name no version
      opus: 200_000,
      haiku: 200_000,
      'claude-opus-4-6': 1_000_000,
      'claude-opus-4.6': 1_000_000,
      'claude-sonnet-4-6': 1_000_000,
      'claude-sonnet-4.6': 1_000_000,
    },
  },
  {
    tokenizer: 'claude-since-opus-4-7',
    ...GENAI_PRICES,
    windows: {
      'claude-opus-4-7': 1_000_000,
      'claude-opus-4.7': 1_000_000,
      'claude-opus-4-8': 1_000_000,
      'claude-opus-4.8': 1_000_000,
      'claude-opus-5': 1_000_000,
      'claude-sonnet-5': 1_000_000,
      'claude-fable-5': 1_000_000,
    },
  },
  {
    tokenizer: 'gemma-3',
    ...LITELLM,
    windows: {
      gemini: 1_048_576,
      'gemini-1.0': 32_768,
      'gemini-pro-vision': 32_768,
      'gemini-1.5-pro': 2_097_152,
      'gemini-2.5-computer-use': 128_000,
      'gemini-2.5-flash-image': 32_768,
      'gemma-3': 131_072,
      'gemma-4': 262_144,
    },
  },
  { tokenizer: 'gemma-2', ...LITELLM, windows: { gemma: 8_192 } },
  {
    tokenizer: 'qwen-3',
    ...LITELLM,
    windows: {
      qwq: 131_072,
      qwen2: 131_072,
      'qwen-2.5': 131_072,
      'qwen2.5-coder': 32_768,
      'qwen-3': 131_072,
      qwen3: 131_072,
      'qwen3-coder': 262_144,
      'qwen3-next': 262_144,
    },
  },
  {
    tokenizer: 'qwen',
    ...LITELLM,
    windows: {
      qwen: 131_072,
      'qwen-max': 32_768,
      'qwen-flash': 1_000_000,
      'qwen2.5-max': 32_768,
      'qwen3-coder-plus': 1_000_000,
      'qwen3-coder-flash': 1_000_000,
      'qwen3-max': 262_144,
      'deepseek-r1-0528-qwen3': 131_072, // Qwen's vocabulary, changed
      'qwen-3.': 262_144, // newer than 3, with another vocabulary
      'qwen3.': 262_144,
      'qwen3.5': 262_144,
      'qwen3.5-plus': 1_000_000,
      'qwen3.5-flash': 1_000_000,
      'qwen3.6': 1_000_000,
      'qwen3.7': 1_000_000,
    },
  },
  {
    tokenizer: 'deepseek',
    ...LITELLM,
    windows: { deepseek: 131_072, 'deepseek-v4': 1_000_000 },
  },
  {
    tokenizer: 'deepseek-v3',
    ...LITELLM,
    windows: { 'deepseek-v3': 131_072, 'deepseek-v3.2': 163_840, 'deepseek-r1': 65_536 },
  },
  {
    tokenizer: 'qwen-3', // distilled from R1 into Qwen 2.5
    ...LITELLM,
    windows: { 'deepseek-r1-distill-qwen': 131_072 },
  },
  {
    tokenizer: 'glm-4',
    ...GENAI_PRICES,
    windows: {
      glm: 128_000,
      'glm-4.6': 200_000,
      'glm-4.7': 200_000,
      'glm-5': 200_000,
      'glm-5.2': 1_000_000,
      'glm-5.3': 1_000_000,
    },
  },
  {
    tokenizer: 'llama-4',
    ...LITELLM,
    windows: {
      'llama-4': 1_000_000,
      'llama-4-scout': 10_000_000,
      llama4: 1_000_000,
      'llama4-scout': 10_000_000,
    },
  },
  {
    tokenizer: 'llama-3',
    ...LITELLM,
    windows: {
      'llama-3': 8_192,
      'llama-3.1': 128_000,
      'llama-3.2': 128_000,
      'llama-3.3': 128_000,
      llama3: 8_192,
      'llama3.1': 128_000,
      'llama3.2': 128_000,
      'llama3.3': 128_000,
      'llama3-1': 128_000,
      'llama3-2': 128_000,
      'llama3-3': 128_000,
      'deepseek-r1-distill-llama': 128_000,
      'llama-v3p1': 128_000,
      'llama-v3p3': 128_000,
    },
  },
  { tokenizer: 'llama-2', ...LITELLM, windows: { 'llama-2': 4_096, llama2: 4_096 } },
  {
    tokenizer: 'llama-2',
    ...LITELLM,
    windows: { 'phi-3': 128_000, 'phi-3-mini-4k': 4_096, 'phi-3-medium-4k': 4_096, 'phi-3-small-8k': 8_192 },
  },
  {
    tokenizer: 'mistral-tekken',
    ...LITELLM,
    windows: {
      mistral: 128_000,
      ministral: 262_144,
      magistral: 40_000,
      devstral: 128_000,
      codestral: 256_000,
      pixtral: 128_000,
      'mistral-large-2512': 262_144,
      'mistral-large-latest': 262_144,
      'mistral-medium-latest': 262_144,
      'devstral-2512': 262_144,
    },
  },
  {
    tokenizer: 'mistral-nemo',
    ...LITELLM,
    windows: { 'open-mistral-nemo': 128_000, 'mistral-nemo': 128_000 },
  },
  {
    tokenizer: 'mixtral',
    ...LITELLM,
    windows: {
      'mistral-7b': 32_768,
      'open-mistral-7b': 32_768,
      mixtral: 32_768,
      'open-mixtral': 32_768,
      'mixtral-8x22b': 65_536,
    },
  },
  { tokenizer: 'command-r', ...LITELLM, windows: { 'command-r': 128_000, 'command-a': 256_000 } },
  { tokenizer: 'jamba', ...LITELLM, windows: { jamba: 256_000 } },
  { tokenizer: 'phi-4', ...LITELLM, windows: { 'phi-4': 16_384 } },
  {
    tokenizer: 'falcon',
    source: 'https://huggingface.co/tiiuae/falcon-7b/blob/main/config.json',
    date: '2026-11-20',
    windows: { 'falcon-7b': 2_048, 'falcon-40b': 2_048 },
  },
  {
    tokenizer: 'unpublished',
    ...LITELLM,
    windows: {
      'grok-2': 131_072,
      'grok-3': 131_072,
      'grok-4': 256_000,
      'grok-4-fast': 2_000_000,
      'grok-4-1-fast': 2_000_000,
      'grok-4.1-fast': 2_000_000,
      'grok-4.20': 2_000_000,
      'grok-4.3': 1_000_000,
      'grok-4.5': 500_000,
      'grok-code-fast': 256_000,
      'nova-micro': 128_000,
      'nova-lite': 300_000,
      'nova-pro': 300_000,
      'nova-premier': 1_000_000,
    },
  },
  {
    tokenizer: 'unpublished',
    ...GENAI_PRICES,
    windows: {
      'kimi-k3': 1_048_576,
      'moonshot-v1-8k': 8_192,
      'moonshot-v1-32k': 32_768,
      'moonshot-v1-128k': 131_072,
      'minimax-m3': 1_000_000,
    },
  },
  {
    tokenizer: 'unmeasured',
    ...LITELLM,
    windows: { 'phi-4-mini': 131_072, 'phi-4-multimodal': 131_072 },
  },
  {
    tokenizer: 'unmeasured',
    ...GENAI_PRICES,
    windows: {
      'kimi-k2': 262_144,
      'kimi-k2-0711': 131_072,
      'minimax-m1': 1_000_000,
      'minimax-m2': 204_800,
      'minimax-01': 1_000_192,
    },
  },
];

let allRows: readonly ModelRow[] | undefined;

/** Longest prefixes first, so that the first matching row is the most specific one. */
function rows(): readonly ModelRow[] {
  allRows ??= GROUPS.flatMap(({ windows, ...group }) =>
    Object.entries(windows).map(([prefix, contextWindow]) => ({ ...group, prefix, contextWindow })),
  ).sort((a, b) => b.prefix.length - a.prefix.length);
  return allRows;
}
