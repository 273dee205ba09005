/**
 * A reply that the AI SDK records in attributes of its own, as `{reasoning?, text?, toolCalls?}`. The SDK joins what
 * stands between calls to one text, and reasoning to another. Only found inside traces.
 * https://ai-sdk.dev/docs/ai-sdk-core/telemetry#generatetext-function
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { readBareCall, writeBareCall } from '../openai/bare-calls.js';
import { json } from '../shared/json-fields.js';
import { isCall } from '../shared/parts.js';
import vercelModel from '../vercel/vercel-model.js';

export default defineFormat({
  id: 'ai-sdk-reply',
  traits: {},
  messagePaths: [],
  score: () => 0,
  read: (raw) => ({
    role: 'assistant',
    parts: [
      ...textAt(raw, 'reasoning', 'thinking'),
      ...textAt(raw, 'text', 'text'),
      ...(raw.get('toolCalls')?.items() ?? []).map(readBareCall),
    ],
    raw,
  }),
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return replyMessage(message);
    const calls = parts.filter(isCall).map(writeCall);
    const list = raw.get('toolCalls');
    return patch(raw, {
      reasoning: joined(parts, 'thinking', '\n', raw.get('reasoning')),
      text: joined(parts, 'text', '', raw.get('text')),
      toolCalls: calls.length === 0 ? undefined : list === undefined ? calls : patchItems(list, calls),
    });
  },
});

/** A reply as the messages of the SDK have it: such a one can stand in a list. */
export function replyMessage({ parts }: Message): Json {
  const fresh = parts.map((part) => ({ ...part, raw: undefined }));
  return vercelModel.write({ role: 'assistant', parts: fresh, raw: undefined });
}

function textAt(raw: JsonNode, key: string, type: 'text' | 'thinking'): Part[] {
  const text = raw.get(key);
  return text === undefined || text.byteLength === 0 ? [] : [{ type, text, raw: text }];
}

/** The texts of a kind as one; undefined if there was and is none. */
function joined(
  parts: readonly Part[],
  type: 'text' | 'thinking',
  joint: string,
  old: JsonNode | undefined,
): Json | undefined {
  const texts = parts.flatMap((part) => (part.type === type ? [part.text] : []));
  if (texts.length === 0 && old === undefined) return undefined;
  return texts.length === 1 ? json(texts[0]!) : texts.map(textOf).join(joint);
}

function writeCall(call: CallPart): Json {
  return call.raw instanceof JsonNode
    ? writeBareCall(call)
    : { toolCallId: call.callId ?? '', toolName: call.tool, input: json(call.input) };
}
