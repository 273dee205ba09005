/**
 * The response that tau2 keeps with a message: `raw_data` is LiteLLM's. It holds the reasoning, which some providers
 * repeat there in blocks with signatures; those go if the reasoning changes. It repeats the text and the calls.
 * https://github.com/sierra-research/tau2-bench/blob/main/src/tau2/utils/llm_utils.py
 * https://docs.litellm.ai/docs/reasoning_content
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Part, ThinkingPart } from '../../transcript/types.js';
import { withoutRepeats } from '../openai/openai-chat-reasoning.js';
import { idField, isCall, joinedText } from '../shared/parts.js';

const REASONING = 'reasoning_content';

/** The reasoning of a message, if it is recorded. */
export function readReasoning(raw: JsonNode): ThinkingPart[] {
  const text = responseIn(raw)?.get(REASONING);
  return text?.isString && text.byteLength > 0 ? [{ type: 'thinking', text, raw: text }] : [];
}

/** The member `raw_data`, if something that it says changed or was removed. `content`: the new text. */
export function writeResponse(parts: readonly Part[], raw: JsonNode, content: Json | undefined): JsonFields {
  const message = responseIn(raw);
  if (message === undefined) return freshReasoning(parts);
  const fields = {
    ...reasoningAfter(parts, raw, message),
    ...textAfter(content, raw, message),
    ...callsAfter(parts, raw, message),
  };
  if (patch(message, fields) === message) return {};
  const [data, choices] = [raw.get('raw_data')!, raw.get('raw_data')!.get('choices')!];
  const [first, ...others] = choices.items();
  return {
    raw_data: patch(data, {
      choices: patchItems(choices, [patch(first!, { message: patch(message, fields) }), ...others]),
    }),
  };
}

function reasoningAfter(parts: readonly Part[], raw: JsonNode, message: JsonNode): JsonFields {
  const thoughts = parts.filter(({ type }) => type === 'thinking');
  const [old] = readReasoning(raw);
  const text = thoughts.length === 0 ? undefined : joinedText(thoughts);
  if (old?.raw === text || (text !== undefined && patch(message, { [REASONING]: text }) === message)) return {};
  return { ...withoutRepeats(message), [REASONING]: text };
}

function textAfter(content: Json | undefined, raw: JsonNode, message: JsonNode): JsonFields {
  const old = raw.get('content');
  const isCopy = old?.isString === true && message.get('content')?.string === old.text;
  return isCopy && !(content instanceof JsonNode && content.is(old)) ? { content } : {};
}

/** The calls of the response, each of which stands in the same place of the message's list. */
function callsAfter(parts: readonly Part[], raw: JsonNode, message: JsonNode): JsonFields {
  const list = message.get('tool_calls');
  const calls = raw.get('tool_calls')?.items() ?? [];
  if (!list?.isArray || list.length === 0) return {};
  const left = list.items().flatMap((item, index): Json[] => {
    const call = calls[index];
    if (call === undefined || call.get('id')?.string !== item.get('id')?.string) return [item];
    const part = parts.filter(isCall).find((each) => call.is(each.raw));
    if (part === undefined) return [];
    const called = item.get('function');
    const old = call.get('arguments');
    const isSame = part.input instanceof JsonNode ? part.input.is(old) : old === undefined && part.input === '{}';
    const input = isSame ? {} : { arguments: textOf(part.input) };
    return [patch(item, { ...idField('id', part), ...(called?.isObject ? { function: patch(called, input) } : {}) })];
  });
  return { tool_calls: left.length === 0 ? null : patchItems(list, left) };
}

/** The member `raw_data` of a message that was added. */
export function freshReasoning(parts: readonly Part[]): JsonFields {
  const thoughts = parts.filter(({ type }) => type === 'thinking');
  return thoughts.length === 0
    ? {}
    : { raw_data: { choices: [{ message: { role: 'assistant', [REASONING]: joinedText(thoughts) } }] } };
}

function responseIn(raw: JsonNode): JsonNode | undefined {
  return raw.get('raw_data')?.get('choices')?.items()[0]?.get('message');
}
