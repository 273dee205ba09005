/** What a request of a chat of VS Code shows of messages: it follows their edits. */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import { tryParse } from '../shared/json-fields.js';
import { mapChildren } from '../shared/map-values.js';
import { isNameKey } from '../shared/sync-copies.js';
import type { Slot } from './vscode-chat-slot.js';

/** Shorter texts, such as the fences around code, can be equal by chance. */
const MIN_LENGTH = 12;

/** An edited request without texts that its messages said, and say no more. */
export function withoutGone(request: Json, slots: readonly Pick<Slot, 'message'>[], after: readonly Message[]): Json {
  const before = slots.flatMap(({ message }) => [
    message.content ?? '',
    message.reasoning_content ?? '',
    ...(message.tool_calls ?? []).flatMap((call) => stringsOf(call.function.arguments)),
  ]);
  const left = after.flatMap(({ parts }) => parts.flatMap(textsIn)).join('\n');
  const removed = before.filter((text) => text.length >= MIN_LENGTH && !left.includes(text));
  if (removed.length === 0) return request;
  return mapChildren(request instanceof JsonNode ? request : reparsed(request), (node, key) => {
    if (node.get('$mid') !== undefined && node.get('value') === undefined) return node; // an address
    if (!node.isString) return undefined;
    const { text } = node;
    if (text.length < MIN_LENGTH || isNameKey(key)) return node;
    if (!left.includes(text) && removed.some((said) => said.includes(text))) return '';
    const written = removed.reduce((rest, said) => rest.replaceAll(said, ''), text);
    return written === text ? node : written;
  });
}

function textsIn(part: Part): readonly string[] {
  if (part.type === 'result') return part.content.flatMap(textsIn);
  if (part.type === 'call') return stringsOf(textOf(part.input));
  return 'text' in part && part.text !== undefined ? [textOf(part.text)] : [];
}

/** Arguments as they are written, and the texts in them. */
function stringsOf(input: string): readonly string[] {
  const value = tryParse(input);
  return [input, ...(value?.members() ?? []).flatMap(({ value: member }) => member.string ?? [])];
}
