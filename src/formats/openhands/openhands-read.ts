/** Reads OpenHands events: their texts, calls and results. */
import type { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { CallPart, ContentPart, Part, ResultPart } from '../../transcript/types.js';
import { present, wrongType } from '../shared/json-fields.js';
import { table } from '../shared/table.js';
import { baseOf, CALLS, callIdOf, RESPONSE_METADATA, RESULTS, responseCalls } from './openhands-events.js';

/** Members of an action that are not arguments of the tool. */
const NON_ARGUMENTS = commaSet(`
  id, timestamp, source, message, cause, action, tool_call_metadata, llm_metrics, timeout, thought, keep_prompt,
  is_confirmed, confirmation_state, action_risk, security_risk, kernel_init_code, hidden, blocking
`);

const TEXT_KEYS = table<readonly string[]>({
  message: ['content'],
  system: ['content'],
  finish: ['thought', 'final_thought'],
  reject: ['thought', 'final_thought'],
  think: [],
});
const OTHER_TEXT_KEYS = ['thought'];

/** The members of an action that hold its texts. */
export function textKeys(raw: JsonNode): readonly string[] {
  return TEXT_KEYS[raw.get('action')?.string ?? ''] ?? OTHER_TEXT_KEYS;
}

/** The texts under these keys that are not empty. */
export function textsIn(base: JsonNode, keys: readonly string[]): Part[] {
  return keys.flatMap((key) => {
    const text = textIn(base, key);
    return text === undefined || text.byteLength === 0 ? [] : [{ type: 'text', text, raw: text } as const];
  });
}

/** The text under a key. A thought may be an object that holds its text beside the model's reasoning. */
export function textIn(base: JsonNode, key: string): JsonNode | undefined {
  const value = present(base, key);
  const text = value?.isObject ? present(value, 'text') : value;
  return text === undefined || text.isString ? text : wrongType(text, key, 'a string');
}

/** The call of an action. */
export function readCall(raw: JsonNode): CallPart {
  const meta = present(raw, RESPONSE_METADATA);
  return {
    type: 'call',
    callId: callIdOf(raw, 'id'),
    tool: meta?.get('function_name')?.string ?? raw.get('action')!.text,
    input: callInResponse(raw)?.get('function')?.get('arguments') ?? argumentsIn(raw),
    raw,
  };
}

/** The call as the model wrote it, in the response that the event repeats. */
export function callInResponse(raw: JsonNode): JsonNode | undefined {
  const meta = present(raw, RESPONSE_METADATA);
  const id = meta?.get('tool_call_id')?.string;
  const call = responseCalls(meta).find((candidate) => candidate.get('id')?.string === id);
  return call?.get('function')?.get('arguments')?.isString ? call : undefined;
}

/** The arguments of an action as JSON text. */
export function argumentsIn(raw: JsonNode): string {
  const members = argumentMembers(raw).map(
    ({ key, value }) => `${JSON.stringify(key.text)}:${value.isString ? JSON.stringify(value.text) : value.text}`,
  );
  return `{${members.join(',')}}`;
}

/** The members of an action that are arguments. */
export function argumentMembers(raw: JsonNode) {
  const isThink = raw.get('action')?.string === 'think';
  return baseOf(raw)
    .members()
    .filter(({ key }) => !NON_ARGUMENTS.has(key.text) || (isThink && key.text === 'thought'));
}

/** The result that an observation is. */
export function readResult(raw: JsonNode): ResultPart {
  const meta = present(raw, RESPONSE_METADATA);
  const observation = raw.get('observation')!.text;
  const tool =
    meta?.get('function_name')?.string ??
    (RESULTS.has(observation) && CALLS.has(observation) && observation !== 'browse' ? observation : undefined);
  return {
    type: 'result',
    callId: callIdOf(raw, 'cause'),
    tool,
    content: textsIn(raw, ['content']) as ContentPart[],
    isError: observation === 'error',
    raw,
  };
}

/** The model whose response an event repeats. */
export function modelIn(raw: JsonNode): string | undefined {
  return raw.get(RESPONSE_METADATA)?.get('model_response')?.get('model')?.string;
}
