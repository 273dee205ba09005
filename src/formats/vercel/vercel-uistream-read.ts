/** Reads one chunk of a UI message stream of the Vercel AI SDK. */
import type { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import { optionalString, stringIn, wrongMember } from '../shared/json-fields.js';
import { isErrorValue, mediaKind, readValue } from './ai-sdk.js';

/** The part that a chunk holds, by itself; undefined for a chunk that passes through. */
export function readChunk(raw: JsonNode): Part | undefined {
  const type = optionalString(raw, 'type') ?? '';
  if (raw.get('providerExecuted')?.boolean === true) return undefined;
  switch (type) {
    case 'text-delta':
    case 'reasoning-delta': {
      const text = raw.get('delta');
      return text?.isString
        ? { type: type === 'text-delta' ? 'text' : 'thinking', text, raw }
        : wrongMember(text, raw, 'delta', 'a string');
    }
    case 'tool-input-start':
    case 'tool-input-available':
    case 'tool-input-error':
      return {
        type: 'call',
        callId: callIdOf(raw),
        tool: optionalString(raw, 'toolName') ?? '',
        input: raw.get('input') ?? '',
        raw,
      };
    case 'tool-output-available':
      return {
        type: 'result',
        callId: callIdOf(raw),
        content: readValue(raw.get('output')),
        isError: isErrorValue(raw.get('output')),
        raw,
      };
    case 'tool-output-error':
    case 'tool-output-denied': {
      const text = raw.get('errorText');
      return {
        type: 'result',
        callId: callIdOf(raw),
        content: stringIn(text, 'errorText') === undefined ? [] : [{ type: 'text', text: text!, raw: text }],
        isError: true,
        raw,
      };
    }
    case 'file':
      return { type: 'media', kind: mediaKind(raw)!, raw };
    default:
      return undefined;
  }
}

/** The id of the call that a chunk belongs to. */
export function callIdOf(raw: JsonNode): string {
  return optionalString(raw, 'toolCallId') ?? '';
}
