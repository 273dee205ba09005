/** Writes one chunk of a UI message stream of the Vercel AI SDK. */
import { type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import { jsonValue } from '../shared/json-fields.js';
import { idField, joinedString } from '../shared/parts.js';
import { writeValue } from './ai-sdk.js';
import { callIdOf } from './vercel-uistream-read.js';

/** The chunk of a message that changed. It holds the whole value from now on, also if that equals its old piece. */
export function writeChunk(raw: JsonNode, parts: readonly Part[]): Json {
  const [part] = parts;
  if (part?.type === 'call') return writeCall(part, raw);
  if (part?.type === 'result') return patch(raw, { ...idField('toolCallId', part), ...resultFields(part, raw) });
  if (part?.type === 'media') return raw;
  if (raw.get('delta') === undefined) return freshChunk(parts);
  if (part !== undefined && 'text' in part && parts.length === 1 && raw.get('delta')!.is(part.text)) return raw;
  return new ObjectEdit(raw, new Map([['delta', joinedText(parts)]]));
}

/** All texts and thoughts as one text: a chunk has only one. */
function joinedText(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' || part.type === 'thinking' ? textOf(part.text) : '')).join('');
}

/** A call that changed is written with its whole arguments, also if they came in pieces. */
function writeCall(call: CallPart, raw: JsonNode): Json {
  const { callId, input } = call;
  const isStart = raw.get('type')?.string === 'tool-input-start';
  const id = idField('toolCallId', call);
  if (!isStart)
    return patch(raw, {
      ...id,
      ...(raw.get('input') === undefined && input === '' ? {} : { input: jsonValue(input) }),
    });
  if (input === '' && callIdOf(raw) === (callId ?? '')) return raw;
  return patch(raw, { type: 'tool-input-available', ...id, input: jsonValue(input) });
}

function resultFields({ content }: ResultPart, raw: JsonNode): JsonFields {
  const [first] = content;
  const type = raw.get('type')?.string;
  if (type === 'tool-output-available') return { output: writeValue(content, raw.get('output')) };
  if (first?.type === 'text')
    return {
      ...(type === 'tool-output-denied' ? { type: 'tool-output-error' } : {}),
      errorText: joinedString(content),
    };
  return raw.get('errorText')?.isString ? { errorText: '' } : {};
}

/** The chunk of a message that was added. */
export function freshChunk(parts: readonly Part[]): Json {
  const [part] = parts;
  switch (part?.type) {
    case 'call':
      return {
        type: 'tool-input-available',
        toolCallId: part.callId ?? '',
        toolName: part.tool,
        input: jsonValue(part.input),
      };
    case 'result': {
      const [first] = part.content;
      const id = { toolCallId: part.callId ?? '' };
      if (part.isError && (first === undefined || (part.content.length === 1 && first.type === 'text')))
        return { type: 'tool-output-error', ...id, errorText: first?.type === 'text' ? textOf(first.text) : '' };
      return { type: 'tool-output-available', ...id, output: writeValue(part.content, undefined, part.isError) ?? '' };
    }
    case 'text':
      return { type: 'text-delta', id: '', delta: joinedText(parts) };
    case 'thinking':
      return { type: 'reasoning-delta', id: '', delta: joinedText(parts) };
    default:
      return part?.raw instanceof JsonNode ? part.raw : { type: 'text-delta', id: '', delta: '' };
  }
}
