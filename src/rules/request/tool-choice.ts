import { table } from '../../formats/shared/table.js';
import type { JsonNode } from '../../json/node.js';
import { defineRule, type RuleContext } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
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
    others: ['parallel_tool_calls'],
  },
  'openai-responses': { key: 'tool_choice', names: ['name'], needsTools: ['required', 'function', 'custom'] },
  'anthropic-messages': { key: 'tool_choice', names: ['name'], mode: 'type', needsTools: 'all' },
  'gemini-contents': {
    key: 'toolConfig',
    names: ['functionCallingConfig.allowedFunctionNames'],
    mode: 'functionCallingConfig.mode',
    needsTools: ['ANY'],
  },
});

export default defineRule({
  id: 'request/tool-choice',
  summary: 'a tool choice without its tool',
  severity: 'error',
  providers: ['anthropic', 'vertex-claude', 'openai-chat', 'azure', 'openai-responses', 'gemini', 'vertex'],
  alone: true,
  asRequest: true,
  error:
    "tool_choice: Tool 'search' not found in provided tools | tool_choice may only be specified while providing " +
    'tools. | ' +
    "Tool choice 'function' not found in 'tools' parameter. | Invalid value for 'tool_choice': 'tool_choice' is only " +
    "allowed when 'tools' are specified. | Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only " +
    "allowed when 'tools' are specified. | Function calling config is set without function_declarations.",
  cause: 'The tool was renamed, filtered or disabled, and the choice stayed.',
  reported: ['lablup/mlxcel#1319', 'dphnAI/sonar#1143'],
  *check(context) {
    const body = bodyOf(context);
    const shape = CHOICES[context.provider.format];
    if (body === undefined || shape === undefined) return;
    for (const [key, text] of faultsOf(context, body, shape))
      yield { message: undefined, node: body.get(key)!, text, changes: changeOf(body, { [key]: undefined }) };
  },
  fix: bodyFix('lossy', 'Remove the choice.'),
});

function* faultsOf(
  context: RuleContext,
  body: JsonNode,
  shape: Choice,
): Generator<readonly [key: string, text: string]> {
  const { key, names, others = [] } = shape;
  const choice = valueAt(body, key);
  const tools = body.get('tools');
  const hasNone = (tools === undefined || tools.isNull || tools.length === 0) && body.get('functions') === undefined;
  for (const other of others)
    if (hasNone && valueAt(body, other) !== undefined) yield [other, `\`${other}\` is set, but there are no tools`];
  if (choice === undefined) return;
  if (hasNone && needsTools(choice, shape)) return yield [key, `\`${key}\` is set, but there are no tools`];
  const known = new Set(toolsOf(context, body).map(({ name }) => name));
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
