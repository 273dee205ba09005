/** Writes messages and blocks of Anthropic's Messages API. */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart, Message, Part } from '../../transcript/types.js';
import { json, jsonValue } from '../shared/json-fields.js';
import { idField, isBareText, writeContent } from '../shared/parts.js';

/** A content that was a string stays one as long as it is a single text. */
export function writeBlocks(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  return writeContent(
    parts,
    old,
    (part) => (isBareText(part, old) ? json(part.text) : writeBlock(part)),
    ({ text, raw }) => (old === undefined || old.is(raw) ? json(text) : undefined),
  );
}

export function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return patch(raw, { [textKey(raw) ?? 'text']: json(part.text) });
  if (part.type === 'call')
    return patch(raw, {
      ...idField('id', part),
      ...(raw.get('input') === undefined ? {} : { input: jsonValue(part.input) }),
    });
  if (part.type !== 'result') return raw;
  return patch(raw, { ...idField('tool_use_id', part), content: writeResultContent(part.content, raw.get('content')) });
}

function writeResultContent(content: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  return content.length === 0 && (old === undefined || old.isNull) ? old : writeBlocks(content, old);
}

function freshBlock(part: Part): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: json(part.text) };
    case 'thinking':
      return { type: 'thinking', thinking: json(part.text) };
    case 'call':
      return { type: 'tool_use', id: part.callId ?? '', name: part.tool, input: jsonValue(part.input) };
    case 'result':
      return {
        type: 'tool_result',
        tool_use_id: part.callId ?? '',
        ...(part.isError ? { is_error: true } : {}),
        content: writeBlocks(part.content, undefined) ?? '',
      };
    default:
      return part.raw instanceof JsonNode ? part.raw : { type: part.type };
  }
}

/** A message that was added. */
export function freshMessage({ role, parts }: Message): Json {
  return {
    role: role === 'assistant' || role === 'system' ? role : 'user',
    content: writeBlocks(parts, undefined) ?? '',
  };
}

/** The key of the text of a result block: `result` in Cline's `{query, result, success}`. */
export function textKey(block: JsonNode): string | undefined {
  const type = block.get('type')?.string;
  if (type === 'text') return 'text';
  return type === undefined && block.get('result')?.isString ? 'result' : undefined;
}
