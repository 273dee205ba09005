import type { JsonNode } from '../../json/node.js';
import { defineRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, changeOf, valueAt } from '../shared/request.js';

/** How a request asks for thinking: Anthropic, DeepSeek, DashScope. cloudwego/eino#994, 2026-04 */
const THINKS = (body: JsonNode) =>
  ['enabled', 'adaptive'].includes(valueAt(body, 'thinking.type')?.string ?? '') ||
  body.get('enable_thinking')?.boolean === true;

export default defineRule({
  id: 'request/thinking-tool-choice',
  summary: 'thinking with a forced tool',
  severity: 'error',
  providers: ['anthropic', 'vertex-claude', 'deepseek', 'dashscope'],
  alone: true,
  asRequest: true,
  error:
    'Thinking may not be enabled when tool_choice forces tool use. | The tool_choice parameter does not support ' +
    'being ' +
    'set to required or object in thinking mode',
  cause: 'A client forces a tool for structured output, while the user enabled thinking.',
  reported: ['can1357/oh-my-pi#341', 'mastra-ai/mastra#7507', 'cloudwego/eino#994'],
  *check(context) {
    const body = bodyOf(context);
    const choice = body?.get('tool_choice');
    if (body === undefined || choice === undefined || !THINKS(body) || !isForced(choice)) return;
    yield {
      message: undefined,
      node: choice,
      text: '`tool_choice` forces a tool while thinking is enabled',
      changes: changeOf(body, { tool_choice: undefined }),
    };
  },
  fix: bodyFix('lossy', 'Remove the tool choice.'),
});

function isForced(choice: JsonNode): boolean {
  const type = choice.string ?? choice.get('type')?.string;
  return type !== undefined && !['auto', 'none'].includes(type);
}
