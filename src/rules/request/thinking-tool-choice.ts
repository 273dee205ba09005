import type { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { BEDROCK } from '../shared/parameters.js';
import { bodyFix, changeOf, modelOf, valueAt } from '../shared/request.js';

/** Models that think unless they are told not to. deepseek-ai/DeepSeek-V3#1376, can1357/oh-my-pi#1077, 2026-05 */
const THINKING_MODELS = /^(?:deepseek-v4|kimi-k2\.[5-9])/;

/**
 * Models whose tools cannot be forced. UKGovernmentBEIS/inspect_ai#5176, langchain-ai/langchain-aws#1273, 2026-09;
 * strands-agents/harness-sdk#2075, 2026-04
 */
const NEVER_FORCED: ReadonlyMap<string, RegExp> = new Map([
  ['anthropic', /claude-(?:fable|mythos)-5-1/],
  ['vertex-claude', /claude-(?:fable|mythos)-5-1/],
  ['bedrock-llama', /meta\.llama/],
  ['bedrock', /claude-(?:fable|mythos)-5|meta\.llama|amazon\.titan|cohere\.command/],
]);

/** How a request asks for thinking: Anthropic, DeepSeek, DashScope. cloudwego/eino#994, 2026-04 */
const thinks = (body: JsonNode, model: string) => {
  const at = body.get('modelId') === undefined ? 'thinking.type' : 'additionalModelRequestFields.thinking.type';
  const type = valueAt(body, at)?.string ?? (THINKING_MODELS.test(model) ? 'enabled' : '');
  return ['enabled', 'adaptive'].includes(type) || body.get('enable_thinking')?.boolean === true;
};

export default errorRule({
  id: 'request/thinking-tool-choice',
  summary: 'a forced tool, with thinking or a model that does not take it',
  providers: ['anthropic', 'vertex-claude', 'deepseek', 'dashscope', 'moonshot', ...BEDROCK],
  alone: true,
  asRequest: true,
  error: {
    'anthropic vertex-claude':
      'Thinking may not be enabled when tool_choice forces tool use. | ' +
      'tool_choice: type "tool" and "any" are not supported for this model.',
    dashscope: 'The tool_choice parameter does not support being set to required or object in thinking mode',
    deepseek: 'Thinking mode does not support this tool_choice',
    moonshot: "tool_choice 'specified' is incompatible with thinking enabled",
    'bedrock bedrock-llama':
      "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any and try " +
      'again.',
  },
  cause: 'A client forces a tool for structured output, while the user enabled thinking.',
  reported: commaList(`
    can1357/oh-my-pi#341, mastra-ai/mastra#7507, cloudwego/eino#994, deepseek-ai/DeepSeek-V3#1376,
    can1357/oh-my-pi#1077, UKGovernmentBEIS/inspect_ai#5176
  `),
  *check(context) {
    const body = bodyOf(context);
    const isConverse = context.provider.format === 'bedrock-converse';
    const holder = isConverse ? body?.get('toolConfig') : body;
    const key = isConverse ? 'toolChoice' : 'tool_choice';
    const choice = holder?.get(key);
    if (body === undefined || choice === undefined || !isForced(choice)) return;
    const model = modelOf(context, body);
    const isNever = NEVER_FORCED.get(context.provider.id)?.test(model) === true;
    const why = isNever ? `, which \`${model}\` does not take` : ' while thinking is enabled';
    if (isNever || thinks(body, model))
      yield {
        message: undefined,
        node: choice,
        text: `\`${key}\` forces a tool${why}`,
        changes: changeOf(holder!, { [key]: undefined }),
      };
  },
  fix: bodyFix('lossy', 'Remove the tool choice.'),
});

function isForced(choice: JsonNode): boolean {
  const type =
    choice.string ?? choice.get('type')?.string ?? ['any', 'tool'].find((key) => choice.get(key) !== undefined);
  return type !== undefined && !['auto', 'none'].includes(type);
}
