/** Parameters that an API, or a model of it, rejects. The tables are data, each row with its source. */
import type { JsonNode } from '../../json/node.js';
import type { RuleContext } from '../rule.js';
import { modelOf, valueAt } from './request.js';

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

/** https://platform.openai.com/docs/guides/reasoning, 2026-11 */
const REASONING = /^(?:o[1-9]|gpt-[5-9])/;
/** Models that reason only if they are asked to: they take the parameters otherwise. vercel/ai#10940, 2025-12 */
const ON_REQUEST = /^gpt-5\.[1-9]/;
const CHAT = /-chat/;
const is = (accepted: number) => (value: JsonNode) => value.number === accepted;
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
    source: 'https://platform.openai.com/docs/api-reference/chat/create, 2026-11',
  },
  {
    providers: ['openai-responses'],
    fields: none('max_tokens', 'max_completion_tokens'),
    now: 'max_output_tokens',
    source: 'https://platform.openai.com/docs/guides/migrate-to-responses, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: none('max_completion_tokens', 'max_output_tokens'),
    now: 'max_tokens',
    source: 'https://docs.anthropic.com/en/api/messages, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: none('stop'),
    now: 'stop_sequences',
    source: 'https://docs.anthropic.com/en/api/messages, 2026-11',
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
    source: 'https://platform.openai.com/docs/guides/reasoning, tmc/langchaingo#1355, 2026-11',
  },
  {
    providers: OPENAI,
    models: /^(?:o3|o4|gpt-5(?!\.))/,
    except: /-chat|o3-mini/,
    fields: none('stop'),
    source: 'https://platform.openai.com/docs/api-reference/chat/create, 2026-11',
  },
  {
    providers: OPENAI,
    models: /^(?:o1|o3-mini)/,
    fields: none('parallel_tool_calls'),
    source: 'https://platform.openai.com/docs/guides/function-calling, 2026-11',
  },
  {
    providers: OPENAI,
    models: /^(?:gpt-[34]|chatgpt-4o)/,
    fields: none('reasoning_effort'),
    source: 'https://platform.openai.com/docs/api-reference/chat/create, 2026-11',
  },
  {
    providers: ['openai-chat', 'azure'],
    fields: none(
      ...['top_k', 'max_output_tokens', 'stop_sequences', 'repetition_penalty', 'min_p', 'enable_thinking'],
      ...['extra_body', 'extra_headers'],
    ),
    source: 'https://platform.openai.com/docs/api-reference/chat/create, 2026-11',
  },
  {
    providers: ['openai-responses'],
    fields: none(
      ...['response_format', 'reasoning_effort', 'functions', 'function_call', 'n', 'stop', 'seed', 'top_k'],
      ...['presence_penalty', 'frequency_penalty', 'logit_bias', 'stream_options.include_usage'],
    ),
    source: 'https://platform.openai.com/docs/guides/migrate-to-responses, 2026-11',
  },
  {
    providers: ANTHROPIC,
    fields: none(
      ...['frequency_penalty', 'presence_penalty', 'n', 'response_format', 'functions', 'function_call', 'seed'],
      ...['logit_bias', 'logprobs', 'top_logprobs', 'parallel_tool_calls', 'reasoning_effort', 'stream_options'],
      ...['extra_body', 'extra_headers'],
    ),
    source: 'https://docs.anthropic.com/en/api/messages, 2026-11',
  },
  {
    providers: ANTHROPIC,
    models: /claude-(?:opus-4-[78]|sonnet-5|fable-5)/,
    fields: { temperature: is(1), top_p: null, top_k: null },
    source: 'https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-7, mnfst/modelparams.dev#238',
  },
  {
    providers: ANTHROPIC,
    models: /claude-(?:opus-4-[1-6]|sonnet-4-[5-9]|haiku-4-5)(?!\d)/,
    when: (body) => valueAt(body, 'temperature') !== undefined,
    fields: none('top_p'),
    source: 'SalesforceAIResearch/MCP-Universe#49, Vali-98/ChatterUI#564, 2026-05',
  },
  {
    providers: ANTHROPIC,
    when: thinks,
    fields: { temperature: is(1), top_p: (value) => (value.number ?? 1) >= 0.95, top_k: null },
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, 2026-11',
  },
  {
    providers: GEMINI,
    fields: none(
      ...['max_tokens', 'maxOutputTokens', 'temperature', 'top_p', 'topP', 'top_k', 'topK', 'stop'],
      ...['response_format', 'tool_choice', 'stream'],
    ),
    source: 'https://ai.google.dev/api/generate-content, 2026-11',
  },
  {
    providers: ['deepseek'],
    models: /^deepseek-reasoner/,
    fields: { logprobs: isOff, top_logprobs: null },
    source: 'https://api-docs.deepseek.com/guides/reasoning_model, 2026-11',
  },
  {
    providers: ['xai'],
    models: /^grok-(?:4|3-mini)/,
    except: /non-reasoning/,
    fields: { presence_penalty: is(0), frequency_penalty: is(0), stop: null },
    source: 'https://docs.x.ai/docs/guides/reasoning, 2026-11',
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
