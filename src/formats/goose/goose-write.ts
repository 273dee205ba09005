/** Writes messages of goose as it loads them: with the time and the visibility of those beside them. */

import { canonical } from '../../json/canonical.js';
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { CallPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { idField, inputField, writeContent } from '../shared/parts.js';
import { calledIn, errorIn, isFailed, outputIn, textHeld, thoughtKey } from './goose-read.js';

export function writeGoose(message: Message, near: JsonNode | undefined): Json {
  const { raw, parts } = message;
  if (!(raw instanceof JsonNode)) return freshMessage(message, near);
  return message.role === 'meta' ? raw : patch(raw, { content: writeContent(parts, raw.get('content'), writeBlock) });
}

/** goose sorts messages by time. What is added among those that it hides from the model is hidden, too. */
function freshMessage({ role, parts }: Message, near: JsonNode | undefined): Json {
  const agentVisible = near?.get('metadata')?.get('agentVisible')?.boolean !== false;
  return {
    role: role === 'assistant' ? role : 'user',
    created: near?.get('created') ?? 0,
    content: parts.map(writeBlock),
    metadata: { userVisible: true, agentVisible },
  };
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return writeText(raw, json(part.text));
  if (part.type === 'call') return patch(raw, { ...idField('id', part), toolCall: writeCall(part, raw) });
  if (part.type === 'result') return patch(raw, { ...idField('id', part), toolResult: writeResult(part, raw) });
  const key = thoughtKey(raw);
  return part.type === 'thinking' && key !== undefined ? patch(raw, { [key]: json(part.text) }) : raw;
}

function freshBlock(part: Part): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: json(part.text) };
    case 'thinking':
      return { type: 'thinking', thinking: json(part.text), signature: '' };
    case 'call':
      return { type: 'toolRequest', id: part.callId ?? '', toolCall: done(calledBy(part)) };
    case 'result':
      return { type: 'toolResponse', id: part.callId ?? '', toolResult: done(outputOf(part)) };
    default:
      return part.raw instanceof JsonNode ? part.raw : { type: part.type };
  }
}

function writeText(raw: JsonNode, text: Json): Json {
  if (textHeld(raw) === undefined) return patch(raw, { text });
  return patch(raw, { resource: patch(raw.get('resource')!, { text }) });
}

const done = (value: Json): JsonFields => ({ status: 'success', value });

// --- calls and results

function calledBy({ tool, input }: CallPart): Json {
  return { name: tool, arguments: jsonValue(input) };
}

/** A call that the model spelled wrong stays as it is, until it gets arguments. */
function writeCall(call: CallPart, raw: JsonNode): Json | undefined {
  const [old, called] = [raw.get('toolCall'), calledIn(raw)];
  if (old === undefined || called === undefined) return call.input === '{}' ? old : done(calledBy(call));
  return patch(old, { value: patch(called, inputField('arguments', call, present(called, 'arguments'))) });
}

function outputOf({ content, isError }: ResultPart): Json {
  return { content: content.map(writeBlock), isError: isError === true };
}

function writeResult(part: ResultPart, raw: JsonNode): Json | undefined {
  const [old, output, error] = [raw.get('toolResult'), outputIn(raw), errorIn(raw)];
  const isSame = isFailed(raw) === (part.isError === true);
  const [only] = part.content;
  if (isSame && error !== undefined && part.content.length < 2 && (only === undefined || only.type === 'text'))
    return patch(old!, { error: only === undefined ? '' : json(only.text) });
  if (old === undefined || output === undefined) return isNothing(part) ? old : done(outputOf(part));
  const content = writeContent(part.content, output, writeBlock);
  const value = old.get('value')!;
  if (!value.isObject) return patch(old, { value: isSame ? content : outputOf(part) });
  return patch(old, {
    value: patch(value, {
      content,
      ...(isSame ? {} : { isError: part.isError }),
      ...(!output.is(content) && repeats(value, output) ? { structuredContent: undefined } : {}),
    }),
  });
}

/** Whether a result says a text of its content once more, as the value that it is the JSON of. */
function repeats(value: JsonNode, output: JsonNode): boolean {
  const structured = value.get('structuredContent');
  if (structured === undefined) return false;
  const said = canonical(structured.json);
  return output.items().some((piece) => canonical(piece.get('text')?.string ?? '') === said);
}

function isNothing({ content, isError }: ResultPart): boolean {
  return content.length === 0 && isError !== true;
}
