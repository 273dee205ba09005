/** Between which bounds an API, or a model, takes a parameter, as data: numbers, lengths of texts and of lists. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { ANTHROPIC, BEDROCK, CHAT, GEMINI, hasTools, OPENAI } from './parameters.js';
import { valueAt } from './request.js';

export interface LimitRow {
  readonly providers: readonly string[];
  readonly models?: RegExp;
  readonly paths: readonly string[];
  /** Undefined: no bound below. */
  readonly least?: number;
  readonly most: number;
  /** The greatest value is refused too. */
  readonly isBelow?: boolean;
  readonly source: string;
}

const ALL_OPENAI = [...OPENAI, 'openai-responses'];
const OPENAI_TYPES = 'types of `openai` 6.49.0, 2026-11';
const CLAUDE_MODELS = 'https://docs.anthropic.com/en/docs/about-claude/models, 2026-11';

/** Tokens of an answer by model. The first row that fits counts. */
const outputs = (
  providers: readonly string[],
  paths: readonly string[],
  source: string,
  rows: readonly (readonly [models: RegExp, most: number])[],
): LimitRow[] => rows.map(([models, most]) => ({ providers, models, paths, most, source }));

const CLAUDE: readonly (readonly [RegExp, number])[] = [
  [/claude-3-(?:opus|sonnet|haiku)/, 4096],
  [/claude-3-5/, 8192],
  [/claude-opus-4(?:-[01](?!\d)|-20\d|@|$)/, 32_000],
  [/claude-(?:opus-4-5|haiku-4-5|sonnet-4(?:-[05](?!\d)|-20\d|@|$))/, 64_000],
];

export const LIMITS: readonly LimitRow[] = [
  { providers: ALL_OPENAI, paths: ['temperature'], least: 0, most: 2, source: OPENAI_TYPES },
  { providers: ALL_OPENAI, paths: ['top_p'], least: 0, most: 1, source: OPENAI_TYPES },
  { providers: OPENAI, paths: ['presence_penalty', 'frequency_penalty'], least: -2, most: 2, source: OPENAI_TYPES },
  { providers: ALL_OPENAI, paths: ['top_logprobs'], least: 0, most: 20, source: OPENAI_TYPES },
  { providers: OPENAI, paths: ['stop'], most: 4, source: OPENAI_TYPES },
  {
    providers: ALL_OPENAI,
    paths: ['prompt_cache_key'],
    most: 64,
    source: 'earendil-works/pi#4719, 2026-05; vybestack/llxprt-code#2135, 2026-06; theopenco/llmgateway#3110, 2026-07',
  },
  {
    providers: ANTHROPIC,
    paths: ['temperature', 'top_p'],
    least: 0,
    most: 1,
    source: 'https://docs.anthropic.com/en/api/messages, 2026-11',
  },
  {
    providers: BEDROCK,
    paths: ['inferenceConfig.temperature', 'inferenceConfig.topP'],
    least: 0,
    most: 1,
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html, 2026-11',
  },
  {
    providers: GEMINI,
    paths: ['generationConfig.temperature'],
    least: 0,
    most: 2,
    source: 'https://ai.google.dev/api/generate-content#GenerationConfig, 2026-11',
  },
  {
    providers: ['mistral'],
    paths: ['temperature'],
    least: 0,
    most: 1.5,
    source: 'https://docs.mistral.ai/api/#tag/chat, 2026-11',
  },
  {
    providers: ['deepseek', 'xai', 'groq'],
    paths: ['temperature'],
    least: 0,
    most: 2,
    source: 'https://api-docs.deepseek.com/api/create-chat-completion, https://docs.x.ai/docs/api-reference, 2026-11',
  },
  {
    providers: ['dashscope'],
    paths: ['temperature'],
    least: 0,
    most: 2,
    isBelow: true,
    source: 'https://help.aliyun.com/zh/model-studio/error-code, 2026-11',
  },
  {
    providers: ['dashscope'],
    paths: ['top_p'],
    least: 0.000_001,
    most: 1,
    source: 'https://help.aliyun.com/zh/model-studio/error-code, 2026-11',
  },
  ...outputs(
    OPENAI,
    ['max_tokens', 'max_completion_tokens'],
    'ChatGPTNextWeb/NextChat#3195, 2023-11; enoch3712/ExtractThinker#346, 2025-06; ' +
      'https://platform.openai.com/docs/models, 2026-11',
    [
      [/^(?:gpt-3\.5|gpt-4-(?:turbo|1106|0125)|gpt-4o-2024-05-13)/, 4096],
      [/^(?:gpt-4o|chatgpt-4o)/, 16_384],
      [/^gpt-4\.1/, 32_768],
    ],
  ),
  ...outputs(
    ANTHROPIC,
    ['max_tokens'],
    `anthropics/claude-code#11302, 2025-11; anthropics/claude-code#24451, 2026-02; ${CLAUDE_MODELS}`,
    CLAUDE,
  ),
  ...outputs(
    ['bedrock'],
    ['inferenceConfig.maxTokens'],
    `RooCodeInc/Roo-Code#248, 2024-12; sigoden/aichat#813, 2024-08; ${CLAUDE_MODELS}`,
    [[/claude-3-5-sonnet-20240620/, 4096], ...CLAUDE],
  ),
  ...outputs(
    ['deepseek'],
    ['max_tokens'],
    'musistudio/claude-code-router#1249, Gitlawb/openclaude#35, openakita/openakita#442, MoonshotAI/kimi-code#509, ' +
      '2026; Aider-AI/aider#4125, 2025-05',
    [
      [/^deepseek-chat/, 8192],
      [/^deepseek-reasoner/, 65_536],
      [/^deepseek-v4/, 393_216],
    ],
  ),
  ...outputs(['groq'], ['max_tokens', 'max_completion_tokens'], 'https://console.groq.com/docs/models, 2026-11', [
    [/^llama-3\.3-70b-versatile/, 32_768],
  ]),
  ...outputs(
    ['vertex'],
    ['generationConfig.maxOutputTokens'],
    'https://cloud.google.com/vertex-ai/generative-ai/docs/models, 2026-11',
    [
      [/^gemini-2\.0/, 8192],
      [/^gemini-(?:2\.5|3)/, 65_536],
    ],
  ),
  ...outputs(['dashscope'], ['max_tokens'], 'https://help.aliyun.com/zh/model-studio/models, 2026-11', [
    [/^qwen-max(?:-latest|$)/, 8192],
  ]),
];

/** A parameter that must be there, and what it is set to. */
export interface WantedRow {
  readonly providers: readonly string[];
  readonly models?: RegExp;
  readonly except?: RegExp;
  readonly when?: (body: JsonNode) => boolean;
  readonly path: string;
  readonly value: Json;
  readonly source: string;
}

export const WANTED: readonly WantedRow[] = [
  {
    providers: OPENAI,
    models: /^gpt-5\.[5-9]/,
    except: CHAT,
    when: hasTools,
    path: 'reasoning_effort',
    value: 'none',
    source: 'jeffdafoe/llm-memory-api#178, 2026-04; BerriAI/litellm#34569, danny-avila/LibreChat#14355, 2026-07',
  },
  {
    // open models of Qwen 3 think unless they are told not to, and then only while they stream
    providers: ['dashscope'],
    models: /^qwen3-(?:\d|\d+b)[\d.]*b(?:-a\d+b)?$/,
    when: (body) => body.get('stream')?.boolean !== true,
    path: 'enable_thinking',
    value: false,
    source: 'coze-dev/coze-studio#324, 2025-07; datawhalechina/hello-agents#230, 2025-12',
  },
  {
    providers: ANTHROPIC,
    when: (body) => valueAt(body, 'thinking.type')?.string === 'enabled',
    path: 'thinking.budget_tokens',
    value: 1024,
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, 2026-11',
  },
];
