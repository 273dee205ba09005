/** Reads the items of the OpenAI Agents SDK. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ResultPart } from '../../transcript/types.js';
import { readOutput } from '../openai/openai-responses-read.js';
import { optionalString } from '../shared/json-fields.js';
import { CALL_OF, idKey, inputKey, MEDIA } from './openai-agents-items.js';

/** Reads a call. A tool without a name gets the type of its item. */
export function readCall(raw: JsonNode, id = idKey(raw)): CallPart {
  const type = raw.get('type')!.text;
  return {
    type: 'call',
    callId: optionalString(raw, id) ?? '',
    tool: optionalString(raw, 'name') ?? type,
    input: raw.get(inputKey(raw)) ?? '',
    ...kindOf(type),
    raw,
  };
}

/** Reads the result of a call: a text, a block, or a list of blocks. */
export function readResult(raw: JsonNode, id = idKey(raw)): ResultPart {
  const type = raw.get('type')!.text;
  const tool = optionalString(raw, 'name');
  return {
    type: 'result',
    callId: optionalString(raw, id) ?? '',
    ...(tool === undefined ? {} : { tool }),
    content: readOutput(raw.get('output'), MEDIA),
    ...kindOf(CALL_OF[type] ?? type),
    raw,
  };
}

/** `kind` of a part: the type of the call, but for functions and what runs on the server. */
function kindOf(type: string): { kind?: string } {
  return type === 'function_call' || type === 'hosted_tool_call' ? {} : { kind: type };
}
