import { table } from '../../formats/shared/table.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { type ToolEntry, toolsOf } from '../shared/request.js';

/** The members that each format needs, and the types of other formats' tools. */
interface Needs {
  readonly type?: boolean;
  /** Tools of these types have a name, and the member with their schema where `schema` says so. */
  readonly named: readonly (string | undefined)[];
  readonly schema?: boolean;
  readonly notTypes?: readonly string[];
  /** The types that there are. */
  readonly types?: readonly string[];
}

/**
 * https://platform.openai.com/docs/api-reference/chat/create, https://docs.anthropic.com/en/api/messages,
 * https://platform.openai.com/docs/guides/migrate-to-responses, 2026-11
 */
const NEEDS = table<Needs>({
  'openai-chat': { type: true, named: ['function', 'custom'], types: ['function', 'custom'] },
  'openai-responses': { type: true, named: ['function', 'custom'] },
  'anthropic-messages': { named: [undefined, 'custom'], schema: true, notTypes: ['function'] },
  'gemini-contents': { named: [undefined] },
});
/** QwenLM/qwen-code#11834, 2026-09; decolua/9router#2509, 2026-07 */
const MINIMAX: Needs = { type: true, named: ['function'], types: ['function'], schema: true };

export default errorRule({
  id: 'request/tool-incomplete',
  summary: 'a tool definition without type, name or schema',
  providers: ['openai-responses', 'openai-chat', 'azure', 'anthropic', 'vertex-claude', 'gemini', 'vertex', 'minimax'],
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure openai-responses': "Missing required parameter: 'tools[0].type'.",
    'openai-responses': "Missing required parameter: 'tools[0].name'.",
    'openai-chat azure':
      "Missing required parameter: 'tools[0].function.name'. | " +
      "Invalid value: 'web_search'. Supported values are: 'function' and 'custom'.",
    'anthropic vertex-claude':
      'tools.0.custom.input_schema: Field required | ' +
      "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags | " +
      'At least one tool must have defer_loading=false. All tools cannot be deferred',
    minimax: 'invalid params, function parameters is empty (2013) | invalid params, invalid tool type: (2013)',
  },
  cause: 'The definition is in the format of another API: Responses has no `function` around it, Anthropic no type.',
  reported: commaList(`
    mozilla-ai/any-llm#1310, mangowhoiscloud/geode#612, QwenLM/qwen-code#11834, decolua/9router#2509,
    nearai/ironclaw#7274
  `),
  *check(context) {
    const body = bodyOf(context);
    const needs = context.provider.id === 'minimax' ? MINIMAX : NEEDS[context.provider.format];
    const tools = body === undefined || needs === undefined ? [] : toolsOf(context, body);
    if (tools.length > 0 && tools.every(({ entry }) => entry.get('defer_loading')?.boolean))
      yield { message: undefined, node: tools[0]!.list, text: 'all tools are deferred; one must not be' };
    for (const tool of tools) {
      const missing = missingIn(tool, needs!);
      if (missing !== undefined) yield { message: undefined, node: tool.entry, text: `\`${tool.path}\` ${missing}` };
    }
  },
});

function missingIn({ entry, inner, name, schema }: ToolEntry, needs: Needs): string | undefined {
  const type = entry.get('type')?.string;
  if (needs.type && type === undefined) return 'has no `type`';
  if (type !== undefined && (needs.notTypes?.includes(type) || needs.types?.includes(type) === false))
    return `is of the type \`${type}\`, which the API does not know`;
  if (!needs.named.includes(type)) return undefined;
  if (name === undefined) return 'has no `name`';
  if (!needs.schema) return undefined;
  const given = inner.get(schema!);
  if (given?.isNull === false) return undefined;
  return given === undefined ? `has no \`${schema}\`` : `has null as \`${schema}\``;
}
