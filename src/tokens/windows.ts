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
  /** Context window in tokens → name prefixes, with spaces between them. */
  readonly windows: Readonly<Record<number, string>>;
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
    // `gpt-oss`: o200k_harmony, which is o200k_base with more special tokens; ordinary text is the same
    windows: {
      128000:
        'chatgpt-4o gpt-4o gpt-4.5 gpt-5-chat gpt-5.1-chat gpt-5.2-chat ' +
        'gpt-5.3-chat gpt-5.3-codex-spark gpt-audio o1-mini o1-preview',
      131072: 'gpt-oss',
      200000: 'codex-mini o1 o3 o4',
      400000: 'gpt-5 gpt-5.4-mini gpt-5.4-nano',
      1047576: 'gpt-4.1',
      1050000: 'gpt-5.4 gpt-5.5 gpt-5.6',
    },
  },
  { tokenizer: 'o200k-gpt-6', ...GENAI_PRICES, windows: { 1050000: 'gpt-6' } },
  {
    tokenizer: 'cl100k',
    ...LITELLM,
    // `gpt-35`: the spelling of Azure
    windows: {
      4096: 'gpt-3.5-turbo-0301 gpt-3.5-turbo-0613 gpt-3.5-turbo-instruct',
      8192: 'gpt-4',
      16385: 'gpt-3.5 gpt-35',
      32768: 'gpt-4-32k',
      128000: 'gpt-4-turbo gpt-4-vision gpt-4-1106 gpt-4-0125',
    },
  },
  {
    tokenizer: 'claude',
    ...MODELS_DEV,
    // `sonnet`, `opus`, `haiku`: aliases of Claude Code that name no version
    windows: {
      200000: 'claude sonnet opus haiku',
      1000000: 'claude-opus-4-6 claude-opus-4.6 claude-sonnet-4-6 claude-sonnet-4.6',
    },
  },
  {
    tokenizer: 'claude-since-opus-4-7',
    ...GENAI_PRICES,
    windows: {
      1000000:
        'claude-opus-4-7 claude-opus-4.7 claude-opus-4-8 claude-opus-4.8 ' +
        'claude-opus-5 claude-sonnet-5 claude-fable-5',
    },
  },
  {
    tokenizer: 'gemma-3',
    ...LITELLM,
    windows: {
      32768: 'gemini-1.0 gemini-pro-vision gemini-2.5-flash-image',
      128000: 'gemini-2.5-computer-use',
      131072: 'gemma-3',
      262144: 'gemma-4',
      1048576: 'gemini',
      2097152: 'gemini-1.5-pro',
    },
  },
  { tokenizer: 'gemma-2', ...LITELLM, windows: { 8192: 'gemma' } },
  {
    tokenizer: 'qwen-3',
    ...LITELLM,
    windows: { 32768: 'qwen2.5-coder', 131072: 'qwq qwen2 qwen-2.5 qwen-3 qwen3', 262144: 'qwen3-coder qwen3-next' },
  },
  {
    tokenizer: 'qwen',
    ...LITELLM,
    // `deepseek-r1-0528-qwen3`: the vocabulary of Qwen, changed
    // `qwen-3.`, `qwen3.`: newer than 3, with another vocabulary
    windows: {
      32768: 'qwen-max qwen2.5-max',
      131072: 'qwen deepseek-r1-0528-qwen3',
      262144: 'qwen3-max qwen-3. qwen3. qwen3.5',
      1000000: 'qwen-flash qwen3-coder-plus qwen3-coder-flash qwen3.5-plus qwen3.5-flash qwen3.6 qwen3.7',
    },
  },
  { tokenizer: 'deepseek', ...LITELLM, windows: { 131072: 'deepseek', 1000000: 'deepseek-v4' } },
  {
    tokenizer: 'deepseek-v3',
    ...LITELLM,
    windows: { 65536: 'deepseek-r1', 131072: 'deepseek-v3', 163840: 'deepseek-v3.2' },
  },
  {
    tokenizer: 'qwen-3', // distilled from R1 into Qwen 2.5
    ...LITELLM,
    windows: { 131072: 'deepseek-r1-distill-qwen' },
  },
  {
    tokenizer: 'glm-4',
    ...GENAI_PRICES,
    windows: { 128000: 'glm', 200000: 'glm-4.6 glm-4.7 glm-5', 1000000: 'glm-5.2 glm-5.3' },
  },
  { tokenizer: 'llama-4', ...LITELLM, windows: { 1000000: 'llama-4 llama4', 10000000: 'llama-4-scout llama4-scout' } },
  {
    tokenizer: 'llama-3',
    ...LITELLM,
    windows: {
      8192: 'llama-3 llama3',
      128000:
        'llama-3.1 llama-3.2 llama-3.3 llama3.1 llama3.2 llama3.3 ' +
        'llama3-1 llama3-2 llama3-3 deepseek-r1-distill-llama llama-v3p1 llama-v3p3',
    },
  },
  { tokenizer: 'llama-2', ...LITELLM, windows: { 4096: 'llama-2 llama2' } },
  {
    tokenizer: 'llama-2',
    ...LITELLM,
    windows: { 4096: 'phi-3-mini-4k phi-3-medium-4k', 8192: 'phi-3-small-8k', 128000: 'phi-3' },
  },
  {
    tokenizer: 'mistral-tekken',
    ...LITELLM,
    windows: {
      40000: 'magistral',
      128000: 'mistral devstral pixtral',
      256000: 'codestral',
      262144: 'ministral mistral-large-2512 mistral-large-latest mistral-medium-latest devstral-2512',
    },
  },
  { tokenizer: 'mistral-nemo', ...LITELLM, windows: { 128000: 'open-mistral-nemo mistral-nemo' } },
  {
    tokenizer: 'mixtral',
    ...LITELLM,
    windows: { 32768: 'mistral-7b open-mistral-7b mixtral open-mixtral', 65536: 'mixtral-8x22b' },
  },
  { tokenizer: 'command-r', ...LITELLM, windows: { 128000: 'command-r', 256000: 'command-a' } },
  { tokenizer: 'jamba', ...LITELLM, windows: { 256000: 'jamba' } },
  { tokenizer: 'phi-4', ...LITELLM, windows: { 16384: 'phi-4' } },
  {
    tokenizer: 'falcon',
    source: 'https://huggingface.co/tiiuae/falcon-7b/blob/main/config.json',
    date: '2026-11-20',
    windows: { 2048: 'falcon-7b falcon-40b' },
  },
  {
    tokenizer: 'unpublished',
    ...LITELLM,
    windows: {
      128000: 'nova-micro',
      131072: 'grok-2 grok-3',
      256000: 'grok-4 grok-code-fast',
      300000: 'nova-lite nova-pro',
      500000: 'grok-4.5',
      1000000: 'grok-4.3 nova-premier',
      2000000: 'grok-4-fast grok-4-1-fast grok-4.1-fast grok-4.20',
    },
  },
  {
    tokenizer: 'unpublished',
    ...GENAI_PRICES,
    windows: {
      8192: 'moonshot-v1-8k',
      32768: 'moonshot-v1-32k',
      131072: 'moonshot-v1-128k',
      1000000: 'minimax-m3',
      1048576: 'kimi-k3',
    },
  },
  { tokenizer: 'unmeasured', ...LITELLM, windows: { 131072: 'phi-4-mini phi-4-multimodal' } },
  {
    tokenizer: 'unmeasured',
    ...GENAI_PRICES,
    windows: {
      131072: 'kimi-k2-0711',
      204800: 'minimax-m2',
      262144: 'kimi-k2',
      1000000: 'minimax-m1',
      1000192: 'minimax-01',
    },
  },
];

let allRows: readonly ModelRow[] | undefined;

/** Longest prefixes first, so that the first matching row is the most specific one. */
function rows(): readonly ModelRow[] {
  allRows ??= GROUPS.flatMap(({ windows, ...group }) =>
    Object.entries(windows).flatMap(([window, prefixes]) =>
      prefixes.split(' ').map((prefix) => ({ ...group, prefix, contextWindow: Number(window) })),
    ),
  ).sort((a, b) => b.prefix.length - a.prefix.length);
  return allRows;
}
