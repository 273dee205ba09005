import { errorRule } from '../rule.js';
import { nameOfResult } from '../shared/calls.js';
import { orphansOf } from '../shared/results.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'mistral/tool-after-user',
  summary: 'a tool result without a call before it',
  providers: ['mistral'],
  error:
    "Unexpected role 'tool' after role 'user' (type invalid_request_message_order, code 3230) | Unexpected role " +
    'RoleEnum.tool',
  cause: 'The message with the call was cut off, or the call was cancelled but its result was stored.',
  reported: ['charmbracelet/crush#279', 'mistralai/mistral-inference#135'],
  *check(context) {
    for (const { site, leader, followsCall } of orphansOf(context)) {
      if (followsCall) continue;
      const { part, message } = site;
      yield {
        message,
        part,
        callId: part.callId,
        text: `${nameOfResult(site)} ${
          leader === undefined ? 'comes before the first message' : `follows a ${leader.role} message without calls`
        }`,
      };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the result.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
