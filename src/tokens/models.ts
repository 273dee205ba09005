/**
 * Encoding, estimation factor and context window of models by prefixes of their names. Plain data; each group has its
 * source and the day it was read.
 */

import type { Vocabulary } from './bpe/vocabularies.js';

export type Encoding = 'o200k_base' | 'cl100k_base';

export interface ModelInfo {
  /** The row that was found, such as `gpt-4o`. */
  readonly prefix: string;
  /** The encoding to count with. */
  readonly encoding: Encoding;
  /** The model's own vocabulary, a package that can be installed. Where it is, the model is counted exactly. */
  readonly vocabulary?: Vocabulary;
  /** Whether the encoding is the model's own. If not, its tokens are about `count * factor`. */
  readonly exact: boolean;
  /** The model's tokens for one token of `encoding`; 1 where the count is exact. */
  readonly factor: number;
  /** The lowest and highest factor by kind of text (prose, code, languages, logs): the error of an estimate. */
  readonly range?: readonly [low: number, high: number];
  /** Whether the model's tokenizer is public. If so and it is not here, its license or its size is why. */
  readonly isPublished: boolean;
  /** How far counts with the factor were off recorded growths of prompts. */
  readonly measured?: Measured;
  /** Tokens that fit into one request, prompt and answer together. */
  readonly contextWindow: number;
  /** The source of encoding and factor, and the day it was read (YYYY-MM-DD). */
  readonly source: string;
  readonly date: string;
  /** The same for the context window. */
  readonly windowSource: string;
  readonly windowDate: string;
}

/** Errors of single growths, from one request to the next: 0.06 is 6 %. */
export interface Measured {
  /** The pairs of requests. */
  readonly n: number;
  readonly median: number;
  /** The error that nine of ten are below. */
  readonly p90: number;
  readonly source: string;
  readonly date: string;
}

/**
 * The row of a model, undefined for one that is not known. Providers, regions and fine-tunes around the name are looked
 * through: `azure/gpt-4o`, `us.anthropic.claude-sonnet-4-20250514-v1:0`, `ft:gpt-4o-mini-2024-07-18:org::id`.
 */
export function modelInfo(model: string): ModelInfo | undefined {
  const row = rowOf(model, rows());
  return row !== undefined && model.trim().toLowerCase().endsWith(MILLION_SUFFIX)
    ? { ...row, contextWindow: 1_000_000 }
    : row;
}

/** The package that holds a vocabulary. */
export function vocabularyPackage(vocabulary: Vocabulary): string {
  return `ctx-trim-vocab-${vocabulary.replaceAll('_', '-')}`;
}

/** A model and its context window in tokens, if known. */
export function roomOf(model: string | undefined) {
  return { model, window: model === undefined ? undefined : modelInfo(model)?.contextWindow };
}

/** Claude Code's suffix for a window of a million tokens: `claude-sonnet-4-5[1m]`. */
const MILLION_SUFFIX = '[1m]';

/** The row of a model in a table by prefix, which must have the longest prefixes first. */
export function rowOf<Row extends { readonly prefix: string }>(model: string, rows: readonly Row[]): Row | undefined {
  for (const name of namesWithin(model.trim().toLowerCase())) {
    const row = rows.find(({ prefix }) => startsWith(name, prefix));
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The names to try, most likely first: a path's last segment without vendor (`us.anthropic.`), then its pieces. */
function* namesWithin(recorded: string): Generator<string> {
  for (const segment of recorded.split('/').reverse()) {
    for (const piece of [segment, ...segment.split(':')]) {
      const bare = piece.replace(VENDOR, '');
      if (bare !== piece) yield bare;
      yield piece;
    }
  }
}

/** Amazon Bedrock's regions and vendors are words without digits, each with a dot; Meta puts its own before a dash. */
const VENDOR = /^(?:(?:[a-z][a-z-]*\.)+|meta-)/;

/** A prefix that ends in a digit does not start a longer number: `o1` is not `o100`. */
function startsWith(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && !(/\d$/.test(prefix) && /^\d/.test(name.slice(prefix.length)));
}

/** How to count the text of a family. Without a factor, the encoding is its own. */
interface Tokenizer {
  readonly encoding: Encoding;
  readonly isPublished?: boolean;
  readonly vocabulary?: Vocabulary;
  readonly factor?: number;
  readonly range?: readonly [low: number, high: number];
  readonly measured?: Measured;
  readonly source: string;
  readonly date: string;
}

const BENCH = { source: 'https://github.com/ctx-trim/ctx-trim/blob/main/bench/ESTIMATES.md', date: '2026-11-23' };

const TIKTOKEN = { source: 'https://github.com/openai/tiktoken/blob/main/tiktoken/model.py', date: '2026-11-20' };
const O200K: Tokenizer = { encoding: 'o200k_base', ...TIKTOKEN };
const CL100K: Tokenizer = { encoding: 'cl100k_base', ...TIKTOKEN };

/** GPT-6 is newer than tiktoken's own table; a counter that follows OpenAI's releases counts it so. */
const O200K_GPT_6: Tokenizer = {
  encoding: 'o200k_base',
  source: 'https://github.com/simonw/ttok/releases/tag/1.0',
  date: '2026-11-20',
};

/**
 * Fitted with the overhead of a call on 908 pairs of requests in public logs. It is what others measured against
 * GPT-4o: 16 % more tokens in English articles, 21 % in mathematics, 30 % in Python
 * (https://news.quarkybyte.com/understanding-tokenizer-differences-impacting-ai-model-costs-and-efficiency-2025-05-01).
 * The error is that of pairs in one file by the fit on all others.
 */
const CLAUDE: Tokenizer = {
  encoding: 'o200k_base',
  factor: 1.17,
  range: [1.16, 1.3],
  measured: { n: 908, median: 0.063, p90: 0.195, ...BENCH },
  ...BENCH,
};

/**
 * The tokenizer since Claude Opus 4.7 against the one before, by Anthropic's own counting: 1.325 times as many tokens
 * in what Claude Code sends (1.00 in Chinese, 1.47 in technical prose); that on the 1.22 of the same kind of text. No
 * fit on our four logs does better elsewhere, as they lack much of what was sent. Anthropic says "about 30 %
 * more"; the logs of two agents with Opus 4.7 give 1.61.
 */
const CLAUDE_SINCE_OPUS_4_7: Tokenizer = {
  encoding: 'o200k_base',
  factor: 1.62,
  range: [1.22, 1.79],
  measured: { n: 69, median: 0.338, p90: 0.828, ...BENCH },
  source: 'https://www.claudecodecamp.com/p/i-measured-claude-4-7-s-new-tokenizer-here-s-what-it-costs-you',
  date: '2026-11-21',
};

/**
 * Tokens by the family's own tokenizer over GPT-4o's, on 371,673 characters out of `fixtures/formats`: all texts of
 * more than 40 characters, at most 60,000 characters a format. The range is from the lowest format to the highest.
 */
const onRecordings = (tokenizer: string, factor: number, low: number, high: number): Tokenizer => ({
  encoding: 'o200k_base',
  isPublished: true,
  factor,
  range: [low, high],
  source: `https://www.npmjs.com/package/@lenml/tokenizer-${tokenizer} (3.7.2)`,
  date: '2026-11-21',
});

/** Characters a token in English text, GPT-4o's 4.65736 over the family's own. */
const measured = (charactersPerToken: number): Tokenizer => ({
  encoding: 'o200k_base',
  isPublished: true,
  factor: Math.round((4.65736 / charactersPerToken) * 1000) / 1000,
  source: 'https://github.com/shisa-ai/shisa-v2/blob/main/eval/tokenizer-efficiency/tokenizer-eval-en.md',
  date: '2026-11-20',
});

/** Every Gemini uses the tokenizer of Gemma 3: https://docs.rs/gemini-tokenizer (read 2026-11-20). */
const GEMMA_3: Tokenizer = {
  ...onRecordings('gemma3', 1.16, 1.041, 1.303),
  measured: {
    n: 79,
    median: 0.038,
    p90: 0.13,
    source: 'growth of prompts of Gemini 2.5 Flash, in recordings that are not kept',
    date: '2026-11-22',
  },
};
const GEMMA_2 = measured(4.47085);
const QWEN = onRecordings('qwen3', 1.077, 0.997, 1.302);
/** Models whose open weights came with the vocabulary. What hosted models without open weights use is not published. */
const QWEN_3: Tokenizer = { ...QWEN, vocabulary: 'qwen3' };
const DEEPSEEK = onRecordings('deepseek_v3', 1.038, 0.971, 1.118);
const DEEPSEEK_V3: Tokenizer = { ...DEEPSEEK, vocabulary: 'deepseek_v3' };
const GLM_4 = measured(4.56547);
const LLAMA_4 = measured(4.61493);
const LLAMA_3 = onRecordings('llama3', 0.998, 0.928, 1.04);
/** The tokenizer of Llama 2, which Phi 3 took over: the figure is Phi 3's. */
const LLAMA_2 = measured(3.86401);
const MISTRAL_TEKKEN = measured(4.38312);
const MISTRAL_NEMO: Tokenizer = { ...MISTRAL_TEKKEN, vocabulary: 'mistral_nemo' };
/** The tokenizer of Mixtral 8x7B, as measured on a model derived from it without new words. */
const MIXTRAL = measured(4.00856);
const COMMAND_R = measured(4.45377);
const JAMBA = measured(4.31269);
const PHI_4 = measured(4.58203);
const FALCON = measured(4.39006);

/** What recordings of Kimi say spreads too far to fit one: 0.3 to 13.8 on 17 pairs of requests. */
const UNPUBLISHED: Tokenizer = { encoding: 'o200k_base', factor: 1, source: 'no published factor', date: '2026-11-20' };
/** Public tokenizers that nobody has measured against GPT-4o's. */
const UNMEASURED: Tokenizer = { ...UNPUBLISHED, isPublished: true };

interface Group {
  readonly tokenizer: Tokenizer;
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
    tokenizer: O200K,
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
  { tokenizer: O200K_GPT_6, ...GENAI_PRICES, windows: { 'gpt-6': 1_050_000 } },
  {
    tokenizer: CL100K,
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
    tokenizer: CLAUDE,
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
    tokenizer: CLAUDE_SINCE_OPUS_4_7,
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
    tokenizer: GEMMA_3,
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
  { tokenizer: GEMMA_2, ...LITELLM, windows: { gemma: 8_192 } },
  {
    tokenizer: QWEN_3,
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
    tokenizer: QWEN,
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
    tokenizer: DEEPSEEK,
    ...LITELLM,
    windows: { deepseek: 131_072, 'deepseek-v4': 1_000_000 },
  },
  {
    tokenizer: DEEPSEEK_V3,
    ...LITELLM,
    windows: { 'deepseek-v3': 131_072, 'deepseek-v3.2': 163_840, 'deepseek-r1': 65_536 },
  },
  {
    tokenizer: QWEN_3, // distilled from R1 into Qwen 2.5
    ...LITELLM,
    windows: { 'deepseek-r1-distill-qwen': 131_072 },
  },
  {
    tokenizer: GLM_4,
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
    tokenizer: LLAMA_4,
    ...LITELLM,
    windows: {
      'llama-4': 1_000_000,
      'llama-4-scout': 10_000_000,
      llama4: 1_000_000,
      'llama4-scout': 10_000_000,
    },
  },
  {
    tokenizer: LLAMA_3,
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
  { tokenizer: LLAMA_2, ...LITELLM, windows: { 'llama-2': 4_096, llama2: 4_096 } },
  {
    tokenizer: LLAMA_2,
    ...LITELLM,
    windows: { 'phi-3': 128_000, 'phi-3-mini-4k': 4_096, 'phi-3-medium-4k': 4_096, 'phi-3-small-8k': 8_192 },
  },
  {
    tokenizer: MISTRAL_TEKKEN,
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
    tokenizer: MISTRAL_NEMO,
    ...LITELLM,
    windows: { 'open-mistral-nemo': 128_000, 'mistral-nemo': 128_000 },
  },
  {
    tokenizer: MIXTRAL,
    ...LITELLM,
    windows: {
      'mistral-7b': 32_768,
      'open-mistral-7b': 32_768,
      mixtral: 32_768,
      'open-mixtral': 32_768,
      'mixtral-8x22b': 65_536,
    },
  },
  { tokenizer: COMMAND_R, ...LITELLM, windows: { 'command-r': 128_000, 'command-a': 256_000 } },
  { tokenizer: JAMBA, ...LITELLM, windows: { jamba: 256_000 } },
  { tokenizer: PHI_4, ...LITELLM, windows: { 'phi-4': 16_384 } },
  {
    tokenizer: FALCON,
    source: 'https://huggingface.co/tiiuae/falcon-7b/blob/main/config.json',
    date: '2026-11-20',
    windows: { 'falcon-7b': 2_048, 'falcon-40b': 2_048 },
  },
  {
    tokenizer: UNPUBLISHED,
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
    tokenizer: UNPUBLISHED,
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
    tokenizer: UNMEASURED,
    ...LITELLM,
    windows: { 'phi-4-mini': 131_072, 'phi-4-multimodal': 131_072 },
  },
  {
    tokenizer: UNMEASURED,
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

let allRows: readonly ModelInfo[] | undefined; // making them takes two milliseconds

/** Longest prefixes first, so that the first matching row is the most specific one. */
function rows(): readonly ModelInfo[] {
  allRows ??= GROUPS.flatMap(rowsOf).sort((a, b) => b.prefix.length - a.prefix.length);
  return allRows;
}

function rowsOf({ tokenizer, windows, source: windowSource, date: windowDate }: Group): ModelInfo[] {
  const { encoding, vocabulary, isPublished, factor, range, measured, source, date } = tokenizer;
  return Object.entries(windows).map(([prefix, contextWindow]) => ({
    prefix,
    encoding,
    vocabulary,
    exact: factor === undefined,
    isPublished: isPublished ?? factor === undefined,
    factor: factor ?? 1,
    range,
    measured,
    contextWindow,
    source,
    date,
    windowSource,
    windowDate,
  }));
}
