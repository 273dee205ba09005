/** Writes OpenHands events that were added; `beforeWrite` completes them. */
import type { Json, JsonFields } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { hasContent, joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, Message, ResultPart, TextPart } from '../../transcript/types.js';
import { jsonValue } from '../shared/json-fields.js';
import { isCall, isResult } from '../shared/parts.js';
import { CALLS, isNumber, RESPONSE_METADATA, RESULTS } from './openhands-events.js';

/** The event of a message that was added, without the members that `beforeWrite` takes from its neighbors. */
export function fresh({ role, parts }: Message): JsonFields {
  const result = parts.find(isResult);
  if (result !== undefined) return freshResult(result);
  const texts = parts.filter((part) => part.type === 'text');
  const content = joinTexts(texts);
  const call = parts.find(isCall);
  if (call !== undefined) return freshCall(call, content);
  if (role === 'assistant' && texts.filter(hasContent).length > 1) return freshFinish(texts);
  if (role === 'system') return { source: 'agent', action: 'system', args: { content } };
  return {
    source: role === 'assistant' ? 'agent' : 'user',
    action: 'message',
    args: { content, wait_for_response: false },
  };
}

function freshResult({ callId, tool, content, isError }: ResultPart): JsonFields {
  const observation = RESULTS.has(tool ?? '') ? tool : 'run';
  return {
    ...freshId(callId, 'cause', tool),
    observation: isError ? 'error' : observation,
    content: joinTexts(content),
    extras: {},
  };
}

function freshCall(call: CallPart, content: string): JsonFields {
  const action = CALLS.has(call.tool) ? call.tool : 'call_tool_mcp';
  const input = jsonValue(call.input);
  const args =
    input instanceof JsonNode && input.isObject
      ? Object.fromEntries(input.members().map(({ key, value }): [string, Json] => [key.text, value]))
      : {};
  const response = {
    choices: [
      {
        message: {
          role: 'assistant',
          content,
          tool_calls: [
            { id: call.callId, type: 'function', function: { name: call.tool, arguments: textOf(call.input) } },
          ],
        },
      },
    ],
  };
  return {
    source: 'agent',
    ...freshId(call.callId, 'id', call.tool, response),
    action,
    args: { ...args, ...(action === 'think' ? {} : { thought: content }) },
  };
}

/** The only event that holds two texts. */
function freshFinish(texts: readonly TextPart[]): JsonFields {
  const args = { thought: joinTexts(texts.slice(0, -1)), final_thought: joinTexts(texts.slice(-1)), outputs: {} };
  return { source: 'agent', action: 'finish', args };
}

function freshId(
  callId: string | undefined,
  key: 'id' | 'cause',
  tool: string | undefined,
  response?: Json,
): JsonFields {
  if (callId === undefined) return {};
  return isNumber(callId)
    ? { [key]: Number(callId) }
    : { [RESPONSE_METADATA]: { function_name: tool, tool_call_id: callId, model_response: response } };
}
