/** Parameters that an API, or a model of it, rejects. The tables are data, each row with its source. */
import type { JsonNode } from '../../json/node.js';
import type { RuleContext } from '../rule.js';
import { modelOf, valueAt } from './request.js';

/**
 * Claude since 4.7: no sampling parameters, and no thinking budget. earendil-works/pi#3297, 2026-04;
 * onyx-dot-app/onyx#12735, 2026-07; checkmarble/llmberjack#14, 2026
 */
export const REMODELED = /claude-(?:opus-4-[78]|(?:opus|sonnet|fable|mythos)-5)/;

export interface ParameterRow {
  readonly providers: readonly string[];
  /** The models that reject it; all by default. */
  readonly models?: RegExp;
  readonly except?: RegExp;
  /** What else must be in the request. */
  readonly when?: (body: JsonNode) => boolean;
  /** Each parameter, with the values that are accepted nevertheless; `null` accepts none. */
  readonly fields: Readonly<Record<string, ((value: JsonNode) => boolean) | null>>;
  /** Where the parameter went; undefined where it is gone. */
  readonly now?: string;
  readonly source: string;
}

const OPENAI = ['openai-chat', 'azure', 'github-copilot'];
const ANTHROPIC = ['anthropic', 'vertex-claude'];
const GEMINI = ['gemini', 'vertex'];

/** ServiceNow/AgentLab#251, 2025-05; huggingface/smolagents#1671, FlowiseAI/Flowise#5046, 2025-08 */
const REASONING = /^(?:o[1-9]|gpt-[5-9])/;
/** Models that reason only if they are asked to: they take the parameters otherwise. vercel/ai#10932, 2025-12 */
const ON_REQUEST = /^gpt-5\.[1-9]/;
/** BerriAI/litellm#13781, 2025-08 */
const CHAT = /-chat/;
const is =
  (...accepted: readonly number[]) =>
  ({ number }: JsonNode) =>
    number !== undefined && accepted.includes(number);
const isOff = (value: JsonNode) => value.boolean === false;
const reasons = (body: JsonNode) => {
  const effort = valueAt(body, 'reasoning_effort') ?? valueAt(body, 'reasoning.effort');
  return !ON_REQUEST.test(body.get('model')?.string ?? '') || (effort !== undefined && effort.string !== 'none');
};
const thinks = (body: JsonNode) => valueAt(body, 'thinking.type')?.string === 'enabled';
const none = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

export const MOVED: readonly ParameterRow[] = [
  {
    providers: OPENAI,
    models: REASONING,
    except: CHAT,
    fields: none('max_tokens'),
    now: 'max_completion_tokens',
    source: 'langfuse/langfuse#5349, 2025-02; ServiceNow/AgentLab#251, 2025-05',
  },
  {
    providers: ['openai-responses'],
    fields: none('max_tokens', 'max_completion_tokens'),
    now: 'max_output_tokens',
    source: 'caozhiyuan/copilot-api#164, 2026; types of `openai` 6.49.0, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: none('max_completion_tokens', 'max_output_tokens'),
    now: 'max_tokens',
    source: 'types of `@anthropic-ai/sdk` 1.14.0, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: none('stop'),
    now: 'stop_sequences',
    source: 'types of `@anthropic-ai/sdk` 1.14.0, 2026-11',
  },
  {
    providers: ['mistral'],
    fields: none('max_completion_tokens'),
    now: 'max_tokens',
    source: 'editor-code-assistant/eca#231, 2025-12; Gitlawb/openclaude#739, 2026-04',
  },
];

export const REMOVED: readonly ParameterRow[] = [
  {
    providers: [...OPENAI, 'openai-responses'],
    models: REASONING,
    except: CHAT,
    when: reasons,
    fields: {
      temperature: is(1),
      top_p: is(1),
      presence_penalty: is(0),
      frequency_penalty: is(0),
      logprobs: isOff,
      top_logprobs: is(0),
      logit_bias: (value) => value.length === 0,
    },
    source: 'tmc/langchaingo#1355; griptape-ai/griptape#1915, 2025-04; https://zenn.dev/headwaters, 2025-09',
  },
  {
    providers: OPENAI,
    models: /^(?:o3|o4|gpt-5(?!\.))/,
    except: /-chat|o3-mini/,
    fields: none('stop'),
    source: 'langgenius/dify#18971, crewAIInc/crewAI#2738, 2025-05; huggingface/smolagents#1671, 2025-08',
  },
  {
    providers: OPENAI,
    models: /^o[134]/,
    fields: none('parallel_tool_calls'),
    source: 'evalstate/fast-agent#279, 2025-07; run-llama/llama_index#20865, 2026-03',
  },
  {
    providers: OPENAI,
    models: /^(?:gpt-[34]|chatgpt-4o)/,
    fields: none('reasoning_effort'),
    source: 'davidmigloz/langchain_dart#712, 2025-06; PsycherosAI/Psycheros#41, 2026-07',
  },
  {
    providers: ['openai-chat', 'azure'],
    fields: none(
      ...['top_k', 'max_output_tokens', 'stop_sequences', 'repetition_penalty', 'min_p', 'enable_thinking', 'thinking'],
      ...['reasoning', 'extra_body', 'extra_headers'],
    ),
    source:
      'CherryHQ/cherry-studio#6155, musistudio/claude-code-router#724, 2025; nashsu/llm_wiki#336, 2026-06; ' +
      'types of `openai` 6.49.0, 2026-11',
  },
  {
    // whether it takes presence_penalty and frequency_penalty is not known: ogx-ai/ogx#4702, openai/openai-python#3040
    providers: ['openai-responses'],
    fields: none(
      ...['response_format', 'reasoning_effort', 'functions', 'function_call', 'n', 'stop', 'seed', 'top_k'],
      ...['logit_bias', 'stream_options.include_usage'],
    ),
    source:
      'openresponses/openresponses#59, 2026-03; langchain-ai/langchain#38336, 2026-06; ' +
      'types of `openai` 6.49.0, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: none(
      ...['frequency_penalty', 'presence_penalty', 'n', 'response_format', 'functions', 'function_call', 'seed'],
      ...['logit_bias', 'logprobs', 'top_logprobs', 'parallel_tool_calls', 'reasoning_effort', 'stream_options'],
      ...['extra_body', 'extra_headers'],
    ),
    source: 'amrit110/oli#7, Aider-AI/aider#4404, 2025; types of `@anthropic-ai/sdk` 1.14.0, 2026-11',
  },
  {
    providers: ANTHROPIC,
    models: REMODELED,
    fields: { temperature: is(1), top_p: is(1), top_k: null },
    source:
      'The-PR-Agent/pr-agent#2456, 2026-06; onyx-dot-app/onyx#12735, immersive-translate/immersive-translate#3971, ' +
      '2026-07; https://platform.claude.com/docs/en/about-claude/models/migration-guide',
  },
  {
    providers: ANTHROPIC,
    models: /claude-(?:opus-4-[1-6]|sonnet-4-[5-9]|haiku-4-5)(?!\d)/,
    when: (body) => valueAt(body, 'temperature') !== undefined,
    fields: none('top_p'),
    source: 'cloud-apim/otoroshi-llm-extension#140, 2025-10; SalesforceAIResearch/MCP-Universe#49, 2026-01',
  },
  {
    providers: ANTHROPIC,
    when: thinks,
    fields: { temperature: is(1), top_p: (value) => (value.number ?? 1) >= 0.95, top_k: null },
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, 2026-11',
  },
  {
    providers: ANTHROPIC,
    models: /claude-(?:3|(?:haiku|sonnet)-4-5|(?:opus|sonnet)-4(?:-[01](?!\d)|-20\d|@|$))/,
    fields: none('output_config.effort'),
    source: 'envoyproxy/ai-gateway#1988, 2026-03; elizaOS/eliza#16175, 2026-07',
  },
  {
    providers: ['mistral'],
    fields: none('store'),
    source: 'Gitlawb/openclaude#739, 2026-04',
  },
  {
    providers: GEMINI,
    fields: none(
      ...['max_tokens', 'maxOutputTokens', 'temperature', 'top_p', 'topP', 'top_k', 'topK', 'stop'],
      ...['response_format', 'tool_choice', 'stream', 'frequency_penalty', 'reasoning', 'extra_body'],
    ),
    source: 'MinLL/SkyrimNet-GamePlugin#77, 2025-08; nashsu/llm_wiki#49, steipete/summarize#209, 2026-04',
  },
  {
    providers: ['deepseek'],
    models: /^deepseek-reasoner/,
    fields: { logprobs: isOff, top_logprobs: null },
    source: 'https://api-docs.deepseek.com/guides/reasoning_model, 2026-11',
  },
  {
    providers: ['deepseek'],
    models: /^deepseek-(?:chat|reasoner)/,
    fields: { response_format: (value) => value.get('type')?.string !== 'json_schema' },
    source: 'google/adk-python#1849, 2025-07; ItzCrazyKns/Vane#969, 2026-01',
  },
  {
    providers: ['xai'],
    models: /^grok-(?:4|3-mini)/,
    except: /^grok-4-(?:1-)?fast-non-reasoning/,
    fields: none('presence_penalty', 'frequency_penalty', 'stop'),
    source:
      'huggingface/smolagents#1766, 2025-09; QuantumNous/new-api#6081, 2026-07; miaoxworld/NativeTavern#83, 2026-09',
  },
  {
    providers: ['xai'],
    models: /^grok-4(?:$|-(?!\d$)|\.20)/,
    except: /multi-agent/,
    fields: none('reasoning_effort'),
    source: 'BerriAI/litellm#16265, 2025-11; NousResearch/hermes-agent#23088, chenyme/grok2api#814, 2026-07',
  },
  {
    providers: ['moonshot'],
    models: /^kimi-k2\.[56]/,
    fields: { temperature: is(1, 0.6), top_p: is(0.95) },
    source: 'iOfficeAI/gemini-cli-pro#30, CherryHQ/cherry-studio#12731, 2026-02; HKUDS/nanobot#4967, 2026-07',
  },
];

export interface ParameterFault {
  readonly holder: JsonNode;
  readonly key: string;
  readonly value: JsonNode;
  readonly text: string;
  readonly now: string | undefined;
}

export function* parameterFaults(
  context: RuleContext,
  body: JsonNode,
  rows: readonly ParameterRow[],
): Generator<ParameterFault> {
  const model = modelOf(context, body);
  const seen = new Set<string>();
  for (const row of rows) {
    if (!row.providers.includes(context.provider.id) || row.models?.test(model) === false) continue;
    if (row.except?.test(model) || row.when?.(body) === false) continue;
    for (const [path, isAccepted] of Object.entries(row.fields)) {
      const value = valueAt(body, path);
      if (value === undefined || isAccepted?.(value) || seen.has(path)) continue;
      seen.add(path);
      const key = path.slice(path.lastIndexOf('.') + 1);
      const holder = path === key ? body : valueAt(body, path.slice(0, -key.length - 1))!;
      yield { holder, key, value, text: textOf(path, row, model), now: row.now };
    }
  }
}

function textOf(path: string, { models, fields, now }: ParameterRow, model: string): string {
  const by = models === undefined ? 'this API' : `\`${model}\``;
  const what = fields[path] === null ? 'does not take' : 'does not take this value of';
  return `${by} ${what} \`${path}\`${now === undefined ? '' : `, but \`${now}\``}`;
}
