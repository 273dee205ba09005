import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { toolsOf } from '../shared/request.js';

/** https://api-docs.deepseek.com/api/create-chat-completion, keinsaasforever/better-chatbot#197, 2026-11 */
const MOST = 128;

export default errorRule({
  id: 'request/tools-too-many',
  summary: 'more than 128 tools',
  providers: ['openai-chat', 'azure', 'deepseek', 'github-copilot', 'openai-responses'],
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure github-copilot openai-responses':
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 133 " +
      'instead.',
    deepseek: 'Invalid tools: at most 128 functions',
  },
  cause: 'The tools of several MCP servers were sent together.',
  reported: ['keinsaasforever/better-chatbot#197', 'zed-industries/zed#42393', 'anomalyco/opencode#4909'],
  *check(context) {
    const body = bodyOf(context);
    const { length } = body === undefined ? [] : toolsOf(context, body);
    if (length > MOST)
      yield {
        message: undefined,
        node: body!.get('tools')!,
        text: `there are ${length} tools; at most ${MOST} are allowed, and nothing tells which can go`,
      };
  },
});
