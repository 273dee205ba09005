import { JsonNode } from '../../json/node.js';
import { errorRule, type Problem } from '../rule.js';
import { RESPONSES_ITEM, RESPONSES_MESSAGE, RESPONSES_REFERENCE, unknownMembers } from '../shapes/responses.js';
import type { Shape } from '../shapes/shape.js';
import { rewireProblems } from '../shared/edits.js';
import { bodyOf, isSent } from '../shared/own-format.js';
import { itemsOf } from '../shared/response-items.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default errorRule({
  id: 'responses/schema',
  summary: 'an item that the published schema of the Responses API rejects',
  providers: ['openai-responses'],
  cleaned: true,
  error:
    "Invalid value: 'tool_result'. Supported values are: 'message', 'function_call', 'function_call_output', … " +
    "(param input[2].type) | Unknown parameter: 'input[1].foo_bar'. | Missing required parameter: 'input[1].id'. | " +
    "Invalid type for 'input[1].arguments': " +
    'expected a string, but got an object instead.',
  cause: 'An item was written by hand, or converted from the format of another API.',
  reported: ['tinyhumansai/openhuman#3624', 'openai/codex#6926', 'openai/codex#10832'],
  *check(context) {
    const faults = schemaFaults(context, (message, json) => {
      const isItem = message.role !== 'meta' || json?.get('role') !== undefined || isSent(context, message);
      return json === undefined || !isItem ? undefined : { node: json, shape: shapeOf(json) };
    });
    for (const fault of faults) {
      const problem = problemOf(context, fault);
      const isNote = !context.asRequest && / has no `id`$/.test(fault.text);
      yield { ...problem, isNote, ...(isArguments(problem) ? { changes: [] } : {}) };
    }
    const missing = (key: string) => `the item has no field \`${key}\``;
    const isOwn = context.transcript.format === context.provider.format;
    for (const { index, json } of context.asRequest && isOwn ? itemsOf(context) : [])
      for (const { key, value } of unknownMembers(json))
        yield { message: index, node: value, text: missing(key), changes: [] };
    const input = context.asRequest && !isOwn ? bodyOf(context)?.get('input') : undefined;
    for (const item of input?.isArray ? input.items() : [])
      for (const { key, value } of unknownMembers(item)) yield { message: undefined, node: value, text: missing(key) };
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the fields that the API does not know, and write arguments that are an object as text.',
    reaches: (_, { changes }) => changes !== undefined,
    apply: (context, problems) =>
      rewireProblems(context, problems, (node, problem) => (isArguments(problem) ? node.json : undefined)),
  },
});

/** Arguments that are an object where the API takes its text. */
function isArguments({ part, node }: Problem): boolean {
  const { input } = part?.type === 'call' ? part : {};
  return node?.isObject === true && input instanceof JsonNode && input.is(node);
}

/** An item without a type is a message or a reference. */
function shapeOf(item: JsonNode): Shape {
  if (item.get('type') !== undefined) return RESPONSES_ITEM;
  return item.get('role') === undefined && item.get('id') !== undefined ? RESPONSES_REFERENCE : RESPONSES_MESSAGE;
}
