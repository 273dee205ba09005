import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import { errorRule, type RuleContext } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { type Item, itemsOf } from '../shared/response-items.js';

/** What outputs hold. https://platform.openai.com/docs/api-reference/responses/create as of 2026-11-24. */
const OUTPUT_BLOCKS = new Set(['input_text', 'input_image', 'input_file']);

export default errorRule({
  id: 'responses/role-tool',
  summary: 'a Chat Completions message in the input',
  providers: ['openai-responses'],
  covers: ['responses/schema'],
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
      'Convert each entry of `tool_calls` to an item of type function_call or custom_tool_call, and each tool ' +
      'message to the output of its call.',
    reaches: ({ transcript, wire }, { message }) => isConvertible(wire(transcript.messages[message!]!)!),
    apply(context, problems) {
      const custom = customCalls(itemsOf(context));
      return mapProblemMessages(context, problems, (message) => asItems(message, context, custom));
    },
  },
});

function isToolMessage(json: JsonNode): boolean {
  return json.get('role')?.string === 'tool';
}

function isConvertible(json: JsonNode): boolean {
  if (isToolMessage(json)) return (json.get('content')?.items() ?? []).every((block) => blockOf(block) !== undefined);
  return json
    .get('tool_calls')!
    .items()
    .every((call) => callOf(call) !== undefined);
}

/** The ids of calls with free text, as messages of Chat Completions and as items. */
function customCalls(items: readonly Item[]): ReadonlySet<string | undefined> {
  return new Set(
    items.flatMap(({ type, json }) => {
      if (type === 'custom_tool_call') return json.get('call_id')?.string;
      const calls = json.get('tool_calls')?.items() ?? [];
      return calls.filter((call) => call.get('custom')?.isObject).map((call) => call.get('id')?.string);
    }),
  );
}

/** The message without its calls, and an item for each call; the first keeps the message's position. */
function asItems(
  message: Message,
  { wire, rewire }: RuleContext,
  custom: ReadonlySet<string | undefined>,
): readonly Message[] {
  const json = wire(message)!;
  if (isToolMessage(json)) {
    const id = json.get('tool_call_id');
    const type = custom.has(id?.string ?? '') ? 'custom_tool_call_output' : 'function_call_output';
    return [rewire(message, { type, call_id: id ?? '', output: outputOf(json.get('content')) })];
  }
  const calls = json
    .get('tool_calls')!
    .items()
    .map((call) => callOf(call)!);
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

/** The item of a call; undefined for one that names no tool in a way that is known. */
function callOf(call: JsonNode): Json | undefined {
  const [called, custom] = [call.get('function'), call.get('custom')];
  const call_id = call.get('id') ?? '';
  const name = (called ?? custom)?.get('name');
  if (!name?.isString) return undefined;
  return called === undefined
    ? { type: 'custom_tool_call', call_id, name, input: custom?.get('input') ?? '' }
    : { type: 'function_call', call_id, name, arguments: called.get('arguments') ?? '' };
}

function outputOf(content: JsonNode | undefined): Json {
  if (!content?.isArray) return content === undefined || content.isNull ? '' : content;
  return patchItems(
    content,
    content.items().map((block) => blockOf(block)!),
  );
}

/** A block of an output; undefined for one that an output has no place for. */
function blockOf(block: JsonNode): Json | undefined {
  const type = block.get('type')?.string ?? '';
  if (type === 'text') return patch(block, { type: 'input_text' });
  if (type !== 'image_url') return OUTPUT_BLOCKS.has(type) ? block : undefined;
  const image = block.get('image_url');
  const url = image?.isObject ? image.get('url') : image;
  const detail = image?.get('detail');
  return url?.isString
    ? { type: 'input_image', ...(detail === undefined ? {} : { detail }), image_url: url }
    : undefined;
}
