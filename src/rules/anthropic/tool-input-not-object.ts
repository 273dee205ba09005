import { JsonNode, parse } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { isFreeText, nameOfCall } from '../shared/calls.js';
import { mapProblemParts } from '../shared/edits.js';

export default errorRule({
  id: 'anthropic/tool-input-not-object',
  summary: 'a tool_use whose input is not a JSON object',
  providers: ['anthropic'],
  covers: ['core/arguments-invalid'],
  error: 'messages.61.content.0.tool_use.input: Input should be a valid dictionary',
  cause: 'The input was stored as a JSON string, as null or as `[]` (an empty PHP array), or an invalid call was kept.',
  reported: commaList(`
    anthropics/claude-code#6696, anthropics/claude-code#6695, anthropics/claude-code#6697,
    anthropics/anthropic-sdk-typescript#648, mastra-ai/mastra#5604, run-llama/LlamaIndexTS#1582, lijunzh/koda#501,
    prism-php/prism#659
  `),
  *check({ pairing, transcript, wire }) {
    for (const { part, message } of pairing.calls) {
      const kind = otherKind(part, wire(transcript.messages[message]!) !== undefined);
      if (kind !== undefined)
        yield { message, part, callId: part.callId || undefined, text: `the input of ${nameOfCall(part)} is ${kind}` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Parse an object from a string, replace an empty value by `{}`, and wrap any other value in `raw_input`.',
    apply: (context, problems) =>
      mapProblemParts(context, problems, (part) => (part.type === 'call' ? { ...part, input: objectOf(part) } : part)),
  },
});

/**
 * What the input is instead of an object. Other formats store arguments as JSON text; conversion turns their free text
 * and empty arguments into an object.
 */
function otherKind(call: CallPart, isOwn: boolean): string | undefined {
  const { input } = call;
  if (input instanceof JsonNode && (isOwn || !input.isString)) return input.isObject ? undefined : an(input.kind);
  if (!isOwn && (isFreeText(call) || textOf(input).trim() === '')) return undefined;
  const value = parsed(textOf(input));
  return value?.isObject ? undefined : value === undefined ? 'not JSON' : an(value.kind);
}

function objectOf({ input }: CallPart): string {
  const text = textOf(input);
  const value = parsed(text);
  if (value?.isObject) return text;
  if (value === undefined ? text.trim() === '' : value.isNull || (value.isArray && value.length === 0)) return '{}';
  const isText = !(input instanceof JsonNode) || input.isString;
  return `{"raw_input":${isText ? JSON.stringify(text) : text}}`;
}

function parsed(text: string): JsonNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function an(kind: string): string {
  return `${kind === 'null' ? kind : `${kind === 'array' ? 'an' : 'a'} ${kind}`}, not an object`;
}
