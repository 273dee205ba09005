import { table } from '../../formats/shared/table.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { toolsOf } from '../shared/request.js';

/**
 * The names that the APIs accept, by format. Anthropic's and the characters of Chat Completions have rules of their
 * own. https://ai.google.dev/api/caching#FunctionDeclaration, cline/cline#7339,
 * https://platform.openai.com/docs/api-reference/chat/create, 2026-11
 */
const NAMES = table<{ readonly pattern: RegExp; readonly expected: string }>({
  'gemini-contents': {
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    expected: 'a letter or `_`, then at most 63 letters, digits, `_`, `.`, `:` and `-`',
  },
  'openai-chat': { pattern: /^.{1,64}$/s, expected: '1 to 64 characters' },
  // MoonshotAI/kimi-cli#2164, 2026-05
  moonshot: { pattern: /^[a-zA-Z][a-zA-Z0-9_-]*$/, expected: 'a letter, then letters, digits, `_` and `-`' },
  'openai-responses': { pattern: /^[a-zA-Z0-9_-]{1,64}$/, expected: '1 to 64 letters, digits, `_` and `-`' },
});

export default errorRule({
  id: 'request/tool-name',
  summary: 'a tool definition whose name the API rejects',
  providers: ['gemini', 'vertex', 'openai-chat', 'azure', 'deepseek', 'github-copilot', 'openai-responses', 'moonshot'],
  alone: true,
  asRequest: true,
  error: {
    gemini:
      '* GenerateContentRequest.tools[0].function_declarations[22].name: Invalid function name. Must start with a ' +
      'letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes ' +
      '(-), with a maximum length of 64.',
    'openai-chat azure github-copilot':
      "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string " +
      'with length 70 instead.',
    'openai-responses':
      "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern " +
      "'^[a-zA-Z0-9_-]+$'.",
    moonshot:
      'Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, ' +
      'underscores, and dashes',
  },
  cause: 'The names of an MCP server and of its tool were joined, or the name came from an OpenAPI path.',
  reported: ['cline/cline#7339', 'MoonshotAI/kimi-cli#2164'],
  *check(context) {
    const body = bodyOf(context);
    const known = NAMES[context.provider.id] ?? NAMES[context.provider.format];
    for (const { name, inner, path } of body === undefined ? [] : toolsOf(context, body))
      if (name !== undefined && known?.pattern.test(name) === false)
        yield {
          message: undefined,
          node: inner.get('name')!,
          text: `\`${path}.name\` is \`${name}\`, not ${known.expected}; who runs the tool has to rename it`,
        };
  },
});
