import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { WANTED } from '../shared/parameter-limits.js';
import { holderAt } from '../shared/parameters.js';
import { bodyFix, changeOf, modelOf, valueAt } from '../shared/request.js';

export default errorRule({
  id: 'request/parameter-missing',
  summary: 'a parameter that must be set with this model',
  providers: [...new Set(WANTED.flatMap(({ providers }) => providers))],
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure github-copilot':
      'Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use ' +
      "function tools, use /v1/responses or set reasoning_effort to 'none'.",
    dashscope: 'parameter.enable_thinking must be set to false for non-streaming calls',
    'anthropic vertex-claude': 'thinking.enabled.budget_tokens: Field required',
  },
  cause: 'The model does by default what the rest of the request does not allow.',
  reported: ['BerriAI/litellm#34569', 'danny-avila/LibreChat#14355', 'coze-dev/coze-studio#324'],
  *check(context) {
    const body = bodyOf(context);
    if (body === undefined) return;
    const model = modelOf(context, body);
    for (const { providers, models, except, when, path, value } of WANTED) {
      const applies =
        providers.includes(context.provider.id) && models?.test(model) !== false && when?.(body) !== false;
      if (!applies || except?.test(model) || valueAt(body, path) !== undefined) continue;
      const [holder, key] = holderAt(body, path);
      yield {
        message: undefined,
        node: body.get('model') ?? body,
        text: `\`${path}\` is not set; here it has to be \`${value}\``,
        changes: changeOf(holder, { [key]: value }),
      };
    }
  },
  fix: bodyFix('synthetic', 'Set the parameter.'),
});
