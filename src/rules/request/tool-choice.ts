import { table } from '../../formats/shared/table.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule, type RuleContext } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { BEDROCK, holderAt } from '../shared/parameters.js';
import { bodyFix, changeOf, toolsOf, valueAt } from '../shared/request.js';

/** Where each format names the tool that the model must call, and the fields that need tools. */
interface Choice {
  readonly key: string;
  /** Paths to the name, or to a list of names, below the choice. */
  readonly names: readonly string[];
  /** The values that need tools: all, or those with one of these types or modes. */
  readonly needsTools: 'all' | readonly string[];
  readonly mode?: string;
  readonly others?: readonly string[];
  /** What the choice, or its type, may be. */
  readonly values: readonly string[];
  /** It is an object. */
  readonly isObject?: boolean;
}

/**
 * https://platform.openai.com/docs/api-reference/chat/create, https://docs.anthropic.com/en/api/messages,
 * https://ai.google.dev/api/caching#FunctionCallingConfig, 2026-11
 */
const CHOICES = table<Choice>({
  'openai-chat': {
    key: 'tool_choice',
    names: ['function.name', 'custom.name'],
    needsTools: 'all',
    values: ['none', 'auto', 'required', 'function', 'custom', 'allowed_tools'],
    others: ['parallel_tool_calls'],
  },
  'openai-responses': {
    key: 'tool_choice',
    names: ['name'],
    needsTools: ['required', 'function', 'custom'],
    values: [],
  },
  'anthropic-messages': {
    key: 'tool_choice',
    names: ['name'],
    mode: 'type',
    needsTools: 'all',
    values: ['auto', 'any', 'tool', 'none'],
    isObject: true,
  },
  'bedrock-converse': { key: 'toolConfig.toolChoice', names: ['tool.name'], needsTools: [], values: [] },
  'gemini-contents': {
    key: 'toolConfig',
    names: ['functionCallingConfig.allowedFunctionNames'],
    mode: 'functionCallingConfig.mode',
    needsTools: ['ANY', 'AUTO', 'VALIDATED'],
    values: [],
  },
});

/** APIs of the same format whose values and needs are not known. browser-use/web-ui#586, 2025-05 */
const NAMES_ONLY = new Set(['dashscope', 'mistral', 'deepseek', 'cohere']);
const UNCHECKED: Partial<Choice> = { needsTools: [], others: [], values: [] };

export default errorRule({
  id: 'request/tool-choice',
  summary: 'a tool choice without its tool',
  providers: [
    ...['anthropic', 'vertex-claude', 'openai-chat', 'azure', 'openai-responses', 'gemini', 'vertex', ...BEDROCK],
    ...['dashscope', 'mistral', 'deepseek', 'cohere'],
  ],
  alone: true,
  asRequest: true,
  error: {
    'anthropic vertex-claude':
      "tool_choice: Tool 'search' not found in provided tools | " +
      'tool_choice may only be specified while providing tools. | ' +
      'tool_choice: Input should be a valid dictionary or object to extract fields from | ' +
      "tool_choice: Input tag 'function' found using 'type' does not match any of the expected tags: 'auto', 'any', " +
      "'tool', 'none'",
    'openai-responses': "Tool choice 'function' not found in 'tools' parameter.",
    'openai-chat azure':
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified. | " +
      "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified. | " +
      "Missing required parameter: 'tool_choice.function'.",
    'gemini vertex':
      'Function calling config is set without function_declarations. | ' +
      'Function calling config `allowed_function_names` should be set only when function calling mode is ANY.',
    dashscope:
      'Invalid value for "tool_choice": no function named "AgentOutput" was specified in the "tools" parameter.',
  },
  cause: 'The tool was renamed, filtered or disabled, and the choice stayed.',
  reported: ['lablup/mlxcel#1319', 'dphnAI/sonar#1143', 'browser-use/web-ui#586', 'musistudio/claude-code-router#1207'],
  *check(context) {
    const body = bodyOf(context);
    const { id, format } = context.provider;
    const shape = CHOICES[format];
    if (body === undefined || shape === undefined) return;
    for (const [path, text] of faultsOf(context, body, { ...shape, ...(NAMES_ONLY.has(id) ? UNCHECKED : {}) })) {
      const [holder, key] = holderAt(body, path);
      yield { message: undefined, node: valueAt(body, path), text, changes: changeOf(holder, { [key]: undefined }) };
    }
  },
  fix: bodyFix('lossy', 'Remove the choice.'),
});

function* faultsOf(
  context: RuleContext,
  body: JsonNode,
  shape: Choice,
): Generator<readonly [path: string, text: string]> {
  const { key, names, others = [] } = shape;
  const choice = valueAt(body, key);
  const tools = toolsOf(context, body);
  const hasNone = tools.length === 0 && body.get('functions') === undefined;
  for (const other of others)
    if (hasNone && valueAt(body, other) !== undefined) yield [other, `\`${other}\` is set, but there are no tools`];
  if (choice === undefined) return;
  if (hasNone && needsTools(choice, shape)) return yield [key, `\`${key}\` is set, but there are no tools`];
  const wrong = wrongValue(choice, shape);
  if (wrong !== undefined) return yield [key, `\`${key}\` ${wrong}`];
  const known = new Set(tools.map(({ name }) => name));
  const chosen = names
    .flatMap((path) => valueAt(choice, path) ?? [])
    .flatMap((node) => (node.isArray ? node.items() : node));
  const unknown = chosen.find(({ string }) => string !== undefined && !known.has(string));
  if (unknown !== undefined && !hasNone)
    yield [key, `\`${key}\` names the tool \`${unknown.text}\`, which is not defined`];
}

function needsTools(choice: JsonNode, { needsTools: needed, mode = 'type' }: Choice): boolean {
  return needed === 'all' || needed.includes(choice.string ?? valueAt(choice, mode)?.string ?? '');
}

function wrongValue(choice: JsonNode, { names, values, isObject, mode = 'type' }: Choice): string | undefined {
  if (isObject && !choice.isObject) return 'is not an object';
  const value = choice.string ?? valueAt(choice, mode)?.string;
  if (values.length > 0 && !values.includes(value ?? ''))
    return `is ${value === undefined ? 'of no type' : `\`${value}\``}, not one of ${values.join(', ')}`;
  const isNamed = names.some((path) => valueAt(choice, path) !== undefined);
  if (values.length > 0 && ['function', 'custom', 'tool'].includes(value ?? '') && !isNamed) return 'names no tool';
  return mode !== 'type' && value === 'AUTO' && isNamed ? 'names tools, which it may only in the mode ANY' : undefined;
}
