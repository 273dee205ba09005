import { defineRule } from '../rule.js';
import { nameOfResult } from '../shared/calls.js';
import { orphansOf } from '../shared/results.js';
import { withoutParts } from '../shared/without-parts.js';

export default defineRule({
  id: 'mistral/tool-after-user',
  summary: 'a tool’s result where no call was made',
  severity: 'error',
  providers: ['mistral'],
  error:
    "Unexpected role 'tool' after role 'user' (type invalid_request_message_order, code 3230) | Unexpected role RoleEnum.tool",
  cause: 'The message with the call was cut off, or the call was cancelled and its result stored all the same.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'tool', tool_call_id: 'aaaaaaaa1', content: 'a' },
      ],
    },
    repaired: { messages: [{ role: 'user', content: 'x' }] },
  },
  reported: ['charmbracelet/crush#279', 'mistralai/mistral-inference#135'],
  *check(subject) {
    for (const { site, leader, behindCalls } of orphansOf(subject)) {
      if (behindCalls) continue;
      const { part, message } = site;
      yield {
        message,
        part,
        callId: part.callId,
        text: `${nameOfResult(site)} ${leader === undefined ? 'stands before every message' : `follows a message of role ${leader.role} that calls nothing`}`,
      };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Drop the result.',
    apply: (subject, problems) => withoutParts(subject, problems),
  },
});
