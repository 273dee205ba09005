/** Writes tool parts of UI messages: a call and its result as one value, in the spelling of its version. */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import { jsonValue, present } from '../shared/json-fields.js';
import { joinedString } from '../shared/parts.js';
import { writeValue } from './ai-sdk.js';
import { INPUT_KEYS, resultKeyOf, toolNameOf } from './vercel-ui-read.js';

/**
 * What one element of the list holds: a call with its result, or another part. `from` is the value it was read from.
 */
export interface Unit {
  readonly from: unknown;
  readonly call?: CallPart;
  readonly result?: ResultPart;
  readonly part?: Part;
}

/** A tool value that was read, with what its call and result are now. */
export function writeTool(unit: Unit, old: JsonNode): Json {
  const isV4 = old.get('type') === undefined;
  const callId = unit.call?.callId ?? unit.result?.callId;
  return patch(old, {
    ...(callId ? { toolCallId: callId } : {}),
    ...callFields(unit.call, old, isV4),
    ...(isV4 ? version4ResultFields(unit.result, old) : resultFields(unit.result, old)),
  });
}

function callFields(call: CallPart | undefined, old: JsonNode, isV4: boolean): JsonFields {
  if (toolNameOf(old) === undefined) return {};
  if (call === undefined)
    return {
      ...(isV4 ? {} : { type: 'dynamic-tool' }),
      toolName: undefined,
      input: undefined,
      args: undefined,
      rawInput: undefined,
    };
  const key = INPUT_KEYS.find((name) => old.get(name) !== undefined);
  return key === undefined && call.input === '{}' ? {} : { [key ?? (isV4 ? 'args' : 'input')]: jsonValue(call.input) };
}

/** Each state has the members that `validateUIMessages` requires for it. */
function resultFields(result: ResultPart | undefined, old: JsonNode): JsonFields {
  const key = resultKeyOf(old);
  if (result === undefined)
    return key === undefined
      ? {}
      : {
          state: 'input-available',
          output: undefined,
          errorText: undefined,
          preliminary: undefined,
          approval: undefined,
        };
  if (key === 'output') return { output: writeValue(result.content, old.get('output')) };
  if (key === 'errorText' || key === 'approval') return failureFields(key, result, old);
  const hasInput = ['input', 'rawInput'].some((name) => old.get(name) !== undefined);
  const approved = old.get('approval')?.get('approved')?.boolean === true;
  return { ...outcomeFields(result), ...(hasInput ? {} : { input: {} }), ...(approved ? {} : { approval: undefined }) };
}

/** The text of an error, or the reason why a call was denied. */
function failureFields(key: 'errorText' | 'approval', { content }: ResultPart, old: JsonNode): JsonFields {
  const text = joinedString(content);
  if (key === 'errorText')
    return content.length === 0 && present(old, 'errorText') === undefined ? {} : { errorText: text };
  const approval = old.get('approval');
  return approval?.isObject && (content.length > 0 || present(approval, 'reason') !== undefined)
    ? { approval: patch(approval, { reason: text }) }
    : {};
}

/** A result of version 4 does not say whether it is an error, except in Mastra's states. */
function version4ResultFields(result: ResultPart | undefined, old: JsonNode): JsonFields {
  const key = resultKeyOf(old);
  if (result === undefined)
    return key === undefined
      ? {}
      : { state: 'call', result: undefined, isError: undefined, errorText: undefined, approval: undefined };
  if (key === 'errorText' || key === 'approval') return failureFields(key, result, old);
  return { state: 'result', result: writeValue(result.content, key === 'result' ? old.get('result') : undefined) };
}

/** A tool part for a call and result that were added. */
export function freshTool({ call, result }: Unit): Json {
  const id = { toolCallId: call?.callId ?? result?.callId ?? '' };
  const outcome = result === undefined ? { state: 'input-available' } : outcomeFields(result);
  if (call === undefined) return { type: 'dynamic-tool', ...id, ...outcome };
  const name = call.tool === '' ? { type: 'dynamic-tool', toolName: '' } : { type: `tool-${call.tool}` };
  return { ...name, ...id, input: jsonValue(call.input), ...outcome };
}

function outcomeFields({ content, isError }: ResultPart): JsonFields {
  const [first] = content;
  if (isError && (first === undefined || (content.length === 1 && first.type === 'text')))
    return { state: 'output-error', errorText: first?.type === 'text' ? textOf(first.text) : '' };
  return { state: 'output-available', output: writeValue(content, undefined, isError) ?? '' };
}
