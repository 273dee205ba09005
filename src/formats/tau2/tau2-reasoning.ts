/**
 * Reasoning in the response that tau2 keeps with a message: `raw_data` is LiteLLM's. Some providers repeat it there, in
 * blocks with signatures; those go if the reasoning changes.
 * https://github.com/sierra-research/tau2-bench/blob/main/src/tau2/utils/llm_utils.py
 * https://docs.litellm.ai/docs/reasoning_content
 */
import { type JsonFields, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Part, ThinkingPart } from '../../transcript/types.js';
import { withoutRepeats } from '../openai/openai-chat-reasoning.js';
import { joinedText } from '../shared/parts.js';

const REASONING = 'reasoning_content';

/** The reasoning of a message, if it is recorded. */
export function readReasoning(raw: JsonNode): ThinkingPart[] {
  const text = responseIn(raw)?.get(REASONING);
  return text?.isString && text.byteLength > 0 ? [{ type: 'thinking', text, raw: text }] : [];
}

/** The member `raw_data`, if the reasoning changed or was removed. */
export function writeReasoning(parts: readonly Part[], raw: JsonNode): JsonFields {
  const thoughts = parts.filter(({ type }) => type === 'thinking');
  const message = responseIn(raw);
  const [old] = readReasoning(raw);
  if (message === undefined || old === undefined) return thoughts.length === 0 ? {} : freshReasoning(thoughts);
  const text = thoughts.length === 0 ? undefined : joinedText(thoughts);
  if (old.raw === text || (text !== undefined && patch(message, { [REASONING]: text }) === message)) return {};
  const fields = { ...withoutRepeats(message), [REASONING]: text };
  const [data, choices] = [raw.get('raw_data')!, raw.get('raw_data')!.get('choices')!];
  const [first, ...others] = choices.items();
  return {
    raw_data: patch(data, {
      choices: patchItems(choices, [patch(first!, { message: patch(message, fields) }), ...others]),
    }),
  };
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
