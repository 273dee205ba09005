/** Parameters that an API, or a model of it, rejects. The tables are data, each row with its source. */
import { patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Addition } from '../../json/replace.js';
import type { RuleContext } from '../rule.js';
import { changeOf, modelOf, valueAt } from './request.js';

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
  /** What to change where a part of the value is accepted; undefined where no part is. For rows with one field. */
  readonly narrowed?: (value: JsonNode) => readonly Addition[] | undefined;
  readonly source: string;
}

export const OPENAI = ['openai-chat', 'azure', 'github-copilot'];
export const ANTHROPIC = ['anthropic', 'vertex-claude'];
export const BEDROCK = ['bedrock', 'bedrock-llama'];
export const GEMINI = ['gemini', 'vertex'];

/** ServiceNow/AgentLab#251, 2025-05; huggingface/smolagents#1671, FlowiseAI/Flowise#5046, 2025-08 */
export const REASONING = /^(?:o[1-9]|gpt-[5-9])/;
/** BerriAI/litellm#13781, 2025-08 */
export const CHAT = /-chat/;
export const none = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

// --- what a value or a request is

export const is =
  (...accepted: readonly number[]) =>
  ({ number }: JsonNode) =>
    number !== undefined && accepted.includes(number);
export const isOf =
  (...accepted: readonly string[]) =>
  ({ string }: JsonNode) =>
    string !== undefined && accepted.includes(string);
export const isNot =
  (...refused: readonly string[]) =>
  ({ string }: JsonNode) =>
    string === undefined || !refused.includes(string);
export const isJson = (value: JsonNode) => value.get('type')?.string === 'json_object';
export const isOff = (value: JsonNode) => value.boolean === false;
export const has = (path: string) => (body: JsonNode) => valueAt(body, path) !== undefined;
export const hasTools = (body: JsonNode) => (body.get('tools')?.length ?? 0) > 0;
export const hasTool = (name: string) => (body: JsonNode) =>
  body.get('tools')?.isArray === true &&
  body
    .get('tools')!
    .items()
    .some((tool) => tool.get('type')?.string?.startsWith(name) || tool.get(name) !== undefined);
const ON_REQUEST = /^gpt-5\.[1-9]/; // models that reason only if asked: vercel/ai#10932, 2025-12
export const reasons = (body: JsonNode) => {
  const effort = valueAt(body, 'reasoning_effort') ?? valueAt(body, 'reasoning.effort');
  return !ON_REQUEST.test(body.get('model')?.string ?? '') || (effort !== undefined && effort.string !== 'none');
};
export const declares = (body: JsonNode) =>
  hasTool('functionDeclarations')(body) || hasTool('function_declarations')(body);

const editsOf = (management: JsonNode) => {
  const edits = management.get('edits');
  return edits?.isArray ? edits.items() : [];
};
const isEdit = (type: string) => (edit: JsonNode) => edit.get('type')?.string?.startsWith(type) === true;
/** Whether no edit of `context_management` has a type that begins so. */
export const hasNoEdit = (type: string) => (value: JsonNode) => !editsOf(value).some(isEdit(type));
/** Leaves the other edits of `context_management`; undefined where there are none. */
export const withoutEdits = (type: string) => (value: JsonNode) => {
  const kept = editsOf(value).filter((edit) => !isEdit(type)(edit));
  return kept.length === 0 ? undefined : changeOf(value, { edits: patchItems(value.get('edits')!, kept) });
};

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

export interface ParameterFault {
  readonly holder: JsonNode;
  readonly key: string;
  readonly value: JsonNode;
  readonly text: string;
  readonly now: string | undefined;
  readonly narrowed: readonly Addition[] | undefined;
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
      const [holder, key] = holderAt(body, path);
      yield { holder, key, value, text: textOf(path, row, model), now: row.now, narrowed: row.narrowed?.(value) };
    }
  }
}

/** The object that holds the last key of a path, and that key. */
export function holderAt(body: JsonNode, path: string): readonly [holder: JsonNode, key: string] {
  const key = path.slice(path.lastIndexOf('.') + 1);
  return [path === key ? body : valueAt(body, path.slice(0, -key.length - 1))!, key];
}

function textOf(path: string, { models, fields, now }: ParameterRow, model: string): string {
  const by = models === undefined ? 'this API' : `\`${model}\``;
  const what = fields[path] === null ? 'does not take' : 'does not take this value of';
  return `${by} ${what} \`${path}\`${now === undefined ? '' : `, but \`${now}\``}`;
}
