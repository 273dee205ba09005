import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { MOVED, parameterFaults } from '../shared/parameters.js';
import { bodyFix, changeOf } from '../shared/request.js';

export default errorRule({
  id: 'request/parameter-moved',
  summary: 'a parameter that has another name',
  providers: ['openai-chat', 'azure', 'github-copilot', 'openai-responses', 'anthropic', 'vertex-claude', 'mistral'],
  alone: true,
  asRequest: true,
  error: {
    'openai-chat azure github-copilot':
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'openai-responses':
      "Unsupported parameter: 'max_tokens'. In the Responses API, this parameter has moved to 'max_output_tokens'.",
    'anthropic vertex-claude': 'max_completion_tokens: Extra inputs are not permitted',
  },
  cause: 'The request was written for another API, or for models that do not reason.',
  reported: commaList(`
    teilomillet/gollm#33, anomalyco/opencode#37964, caozhiyuan/copilot-api#164, editor-code-assistant/eca#231
  `),
  *check(context) {
    const body = bodyOf(context);
    for (const { holder, key, value, text, now } of body === undefined ? [] : parameterFaults(context, body, MOVED)) {
      const other = now === undefined || holder.get(now) !== undefined ? {} : { [now]: value };
      const changes = changeOf(holder, { [key]: undefined, ...other });
      yield { message: undefined, node: value, text, changes };
    }
  },
  fix: bodyFix('safe', 'Rename the parameter.'),
});
