/** Reads rows of a debug log of Copilot Chat. */
import { nested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import type { CallPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { metaMessage, present, stringIn } from '../shared/json-fields.js';

export function typeOf(raw: JsonNode): string | undefined {
  return raw.get('type')?.string;
}

export function readRow(raw: JsonNode): Message {
  const attrs = raw.get('attrs');
  const type = typeOf(raw);
  if (attrs?.isObject && type === 'tool_call') return { role: 'assistant', parts: readTool(raw, attrs), raw };
  const content = attrs?.get('content');
  if (type === 'user_message' && content?.isString)
    return { role: 'user', parts: [{ type: 'text', text: content, raw: content }], raw };
  if (!attrs?.isObject || type !== 'agent_response') return metaMessage(raw, false);
  const parts = readResponse(attrs);
  const hasOnlyCalls = parts.length === 0 && (partsIn(attrs)?.length ?? 0) > 0;
  return hasOnlyCalls ? metaMessage(raw, false) : { role: 'assistant', parts, raw };
}

// --- responses

/** The parts of the messages in a response; undefined if it was cut, and is no JSON any more. */
export function partsIn(attrs: JsonNode): readonly JsonNode[] | undefined {
  const response = attrs.get('response');
  const value = response?.isString ? nested(response).value : undefined;
  return value?.isArray ? value.items().flatMap((message) => message.get('parts')?.items() ?? []) : undefined;
}

/** Calls are left out: each stands in the row of the tool that ran. */
function readResponse(attrs: JsonNode): Part[] {
  const thought = present(attrs, 'reasoning');
  const own: Part[] = thought?.isString ? [{ type: 'thinking', text: thought, raw: thought }] : [];
  const parts = partsIn(attrs);
  const response = attrs.get('response');
  if (parts === undefined) return response?.isString ? [...own, { type: 'text', text: response, raw: response }] : own;
  const read = parts.flatMap((part): Part[] => {
    const type = part.get('type')?.string === 'reasoning' ? 'thinking' : part.get('type')?.string;
    const content = part.get('content');
    return (type === 'thinking' || type === 'text') && content?.isString ? [{ type, text: content, raw: part }] : [];
  });
  return [...own, ...read];
}

// --- tools

/** A call and its result. A call that was added has null as its result until it gets one. */
function readTool(raw: JsonNode, attrs: JsonNode): Part[] {
  const callId = stringIn(raw.get('spanId'), 'spanId') ?? '';
  const tool = raw.get('name')?.string ?? '';
  const call: CallPart = { type: 'call', callId, tool, input: present(attrs, 'args') ?? '{}', raw };
  const result = readResult(raw, attrs, callId);
  return [...(tool === '' ? [] : [call]), ...(attrs.get('result')?.isNull ? [] : [result])];
}

function readResult(raw: JsonNode, attrs: JsonNode, callId: string): ResultPart {
  const text = attrs.get('result') ?? attrs.get('error');
  return {
    type: 'result',
    callId,
    content: text === undefined ? [] : [{ type: 'text', text, raw: text }],
    ...(raw.get('status')?.string === 'error' ? { isError: true } : {}),
    raw,
  };
}
