import type { JsonNode } from '../../json/node.js';
import { defineRule, type Problem, type RuleContext } from '../rule.js';
import { RESPONSES_ITEM, RESPONSES_MESSAGE, RESPONSES_REFERENCE } from '../shapes/responses.js';
import type { Shape } from '../shapes/shape.js';
import { isSent } from '../shared/own-format.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default defineRule({
  id: 'responses/schema',
  summary: 'an item that the published schema of the Responses API rejects',
  severity: 'error',
  providers: ['openai-responses'],
  cleaned: true,
  error:
    "Invalid value: 'tool_result'. Supported values are: 'message', 'function_call', 'function_call_output', … " +
    "(param input[2].type) | Unknown parameter: 'input[1].tool_calls'. | Missing required parameter: 'input[1].id'. | " +
    "Invalid type for 'input[1].arguments': expected a string, but got an object " +
    'instead.',
  cause: 'An item was written by hand, or converted from the format of another API.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'ls', arguments: { path: '.' } },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'ls', arguments: '{"path":"."}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
  },
  reported: ['tinyhumansai/openhuman#3624', 'openai/codex#6926', 'openai/codex#10832'],
  *check(context) {
    const faults = schemaFaults(context, (message, json) => {
      const isItem = message.role !== 'meta' || json?.get('role') !== undefined || isSent(context, message);
      return json === undefined || !isItem ? undefined : { node: json, shape: shapeOf(json) };
    });
    for (const fault of faults)
      yield { ...problemOf(context, fault), isNote: !context.asRequest && / has no `id`$/.test(fault.text) };
    if (context.asRequest) yield* foreignKeys(context);
  },
});

/** An item without a type is a message or a reference. */
function shapeOf(item: JsonNode): Shape {
  if (item.get('type') !== undefined) return RESPONSES_ITEM;
  return item.get('role') === undefined && item.get('id') !== undefined ? RESPONSES_REFERENCE : RESPONSES_MESSAGE;
}

/** All keys of a message. https://platform.openai.com/docs/api-reference/responses/create, 2026-11 */
const KEYS = new Set(['type', 'role', 'content', 'id', 'status', 'phase', 'name', 'created_by']);

/** The API knows each key that it takes, though its schema allows more. */
function* foreignKeys({ transcript, wire }: RuleContext): Generator<Problem> {
  for (const [message, found] of transcript.messages.entries()) {
    const item = wire(found);
    if (item?.get('role') === undefined || (item.get('type')?.string ?? 'message') !== 'message') continue;
    for (const { key, value } of item.members())
      if (!KEYS.has(key.text)) yield { message, node: value, text: `the message has no field \`${key.text}\`` };
  }
}
