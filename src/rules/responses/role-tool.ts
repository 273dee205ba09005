import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { itemsOf } from '../shared/response-items.js';

export default errorRule({
  id: 'responses/role-tool',
  summary: 'a Chat Completions message in the input',
  providers: ['openai-responses'],
  error: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
  cause: 'A history of Chat Completions was sent to the Responses API.',
  reported: ['Chevey339/kelivo#281'],
  *check(context) {
    for (const { index, json, type } of itemsOf(context)) {
      const calls = json.get('tool_calls');
      if (type !== 'message') continue;
      if (isToolMessage(json))
        yield {
          message: index,
          node: json,
          text:
            'a message of role ' +
            `tool${json.get('tool_call_id')?.string ? ` (${json.get('tool_call_id')!.text})` : ''} is among the ` +
            'items',
        };
      else if (calls?.isArray)
        yield { message: index, node: calls, text: 'a message among the items has `tool_calls`' };
    }
  },
  fix: {
    safety: 'safe',
    summary:
      'Convert each entry of `tool_calls` to a function_call item, and each tool message to a ' +
      'function_call_output item.',
    apply: (context, problems) => mapProblemMessages(context, problems, (message) => asItems(message, context)),
  },
});

function isToolMessage(json: JsonNode): boolean {
  return json.get('role')?.string === 'tool';
}

/** The message without its calls, and an item for each call; the first keeps the message's position. */
function asItems(message: Message, { wire, rewire }: RuleContext): Message[] {
  const json = wire(message)!;
  if (isToolMessage(json))
    return [
      rewire(message, {
        type: 'function_call_output',
        call_id: json.get('tool_call_id') ?? '',
        output: outputOf(json.get('content')),
      }),
    ];
  const calls = json.get('tool_calls')!.items().map(callOf);
  const content = json.get('content');
  const isSaid =
    calls.length === 0 || (content?.isString ? content.byteLength > 0 : content?.isArray && content.length > 0);
  const [first, ...others] = [...(isSaid ? [patch(json, { tool_calls: undefined })] : []), ...calls];
  const added = others.map((item): Message => {
    const { role, parts } = rewire(message, item);
    return { role, parts };
  });
  return [rewire(message, first!), ...added];
}

function callOf(call: JsonNode): Json {
  const called = call.get('function');
  return {
    type: 'function_call',
    call_id: call.get('id') ?? '',
    name: called?.get('name') ?? '',
    arguments: called?.get('arguments') ?? '',
  };
}

function outputOf(content: JsonNode | undefined): Json {
  if (!content?.isArray) return content === undefined || content.isNull ? '' : content;
  return patchItems(
    content,
    content
      .items()
      .map((block) => (block.get('type')?.string === 'text' ? patch(block, { type: 'input_text' }) : block)),
  );
}
