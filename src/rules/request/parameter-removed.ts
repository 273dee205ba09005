import { defineRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { parameterFaults, REMOVED } from '../shared/parameters.js';
import { bodyFix, changeOf } from '../shared/request.js';

export default defineRule({
  id: 'request/parameter-removed',
  summary: 'a parameter that the API or the model does not take',
  severity: 'error',
  providers: [...new Set(REMOVED.flatMap(({ providers }) => providers))],
  alone: true,
  asRequest: true,
  error:
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is " +
    'supported. | ' +
    "Unsupported parameter: 'temperature' is not supported with this model. | `temperature` is deprecated for this " +
    'model. | `temperature` and `top_p` cannot both be specified for this model. Please use only one. | ' +
    '`temperature` may only be set to 1 when thinking is enabled. | `top_p` must be greater than or equal to 0.95 or ' +
    'unset when thinking is enabled. | `top_k` must be unset when thinking is enabled. | Unrecognized request ' +
    'argument ' +
    "supplied: top_k | response_format: Extra inputs are not permitted | Unknown parameter: 'stop'.",
  cause: 'The request was written for another API, or for an older model.',
  reported: [
    'tmc/langchaingo#1355',
    'BeehiveInnovations/pal-mcp-server#78',
    'Vali-98/ChatterUI#564',
    'The-PR-Agent/pr-agent#2456',
    'BoltAI/BoltAI#410',
  ],
  *check(context) {
    const body = bodyOf(context);
    for (const { holder, key, value, text } of body === undefined ? [] : parameterFaults(context, body, REMOVED))
      yield { message: undefined, node: value, text, changes: changeOf(holder, { [key]: undefined }) };
  },
  fix: bodyFix('lossy', 'Remove the parameter.'),
});
