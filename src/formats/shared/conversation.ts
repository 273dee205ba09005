/** Finds the messages in an input or output value of a trace, and writes edited messages back into it. */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { nested, renested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { addAll, commaList } from '../../lists.js';
import { bestLens, type EmbeddedMessage, embeddedMessages, plainText } from './embedded-messages.js';
import { tryRead } from './sync-copies.js';

/** The messages in the input or the output of an exchange. */
export interface MessageList {
  readonly messages: readonly EmbeddedMessage[];
  /** Whether the value can hold more than one message. */
  readonly isList: boolean;
}

/** Messages found in a value, with a way to replace them there. */
export interface EditableList extends MessageList {
  /** The value with its messages replaced by these. */
  replace(messages: readonly WrittenMessage[]): Json;
}

/** A message to write back. */
export interface WrittenMessage {
  readonly message: Json;
  /** The index of the original message; undefined if added. */
  readonly from: number | undefined;
}

/** The role of a plain text that is a whole input or output. */
export type Side = 'user' | 'assistant';

/** Keys that APIs and frameworks use for the messages of an input or output. */
const LIST_KEYS = commaList(`
  messages, contents, input, output, new_message, choices, generations, message, data, prompt
`);
const PARTS = 'parts';
/** Paths to a system prompt next to them. Gemini's is a text, or a content with parts. */
const SYSTEM_PATHS: readonly (readonly string[])[] = [
  ['system'],
  ['system_prompt'],
  ['instructions'],
  ...[[], ['config']].flatMap((holder) =>
    ['system_instruction', 'systemInstruction'].flatMap((key) => [
      [...holder, key],
      [...holder, key, PARTS],
    ]),
  ),
];
/** Messages nested deeper than this are not looked for. */
const MAX_DEPTH = 4;

/** Finds the messages in a value; undefined if there are none. `side`: the role of a value that is a plain text. */
export function findMessages(node: JsonNode | undefined, side: Side, depth = 0): EditableList | undefined {
  if (node === undefined || node.isNull || depth > MAX_DEPTH) return undefined;
  const inner = nested(node);
  const found = findInValue(inner.value, side, depth);
  return found && { ...found, replace: (messages) => renested(inner, found.replace(messages)) };
}

function findInValue(value: JsonNode, side: Side, depth: number): EditableList | undefined {
  if (value.isString) return findInText(value, side, depth);
  return value.isArray ? findInArray(value, side, depth) : findInObject(value, side, depth);
}

/** A plain text is a message only if it is the whole value. */
function findInText(node: JsonNode, side: Side, depth: number): EditableList | undefined {
  if (depth > 0 || node.byteLength === 0) return undefined;
  return {
    messages: [{ lens: plainText(side), message: node }],
    isList: true,
    replace: (messages) => {
      const all = messages.length === 0 ? '' : textOrList(messages, side);
      return Array.isArray(all) ? printed(all as readonly Json[]) : all;
    },
  };
}

function findInArray(node: JsonNode, side: Side, depth: number): EditableList | undefined {
  const items = node.items();
  const found = embeddedMessages(items.filter((item) => tryRead(item) !== undefined));
  if (found.length > 0)
    return { messages: found, isList: true, replace: (messages) => patchItems(node, merged(items, found, messages)) };
  const lens = bestLens(node);
  if (lens !== undefined) return { messages: [{ lens, message: node }], isList: false, replace: singleOrList };
  const [first] = items;
  if (first === undefined || items.length > 1) return undefined;
  // A batch of one, or the choices of a response.
  const list = findMessages(first.isString ? undefined : first, side, depth + 1);
  return list && { ...list, replace: (messages) => patchItems(node, [list.replace(messages)]) };
}

/** The elements of an array with its messages replaced. Elements that are not messages stay after the same message. */
function merged(
  items: readonly JsonNode[],
  found: readonly EmbeddedMessage[],
  messages: readonly WrittenMessage[],
): Json[] {
  const indexOf = new Map(found.map(({ message }, index) => [message, index]));
  const others = new Map<number, JsonNode[]>([[-1, []]]);
  let last = -1;
  for (const item of items) {
    const index = indexOf.get(item);
    if (index === undefined) others.get(last)!.push(item);
    else {
      last = index;
      others.set(last, []);
    }
  }
  const kept = new Set(messages.map(({ from }) => from));
  const written: Json[] = [...(others.get(-1) ?? [])];
  let next = 0; // the original message whose followers come next
  messages.forEach(({ message, from }) => {
    for (; from !== undefined && next < from; next++) if (!kept.has(next)) addAll(written, others.get(next) ?? []);
    written.push(message);
    if (from !== undefined) {
      addAll(written, others.get(from) ?? []);
      next = Math.max(next, from + 1);
    }
  });
  for (; next < found.length; next++) if (!kept.has(next)) addAll(written, others.get(next) ?? []);
  return written;
}

function findInObject(node: JsonNode, side: Side, depth: number): EditableList | undefined {
  const lens = tryRead(node) === undefined ? undefined : bestLens(node);
  if (lens !== undefined) return { messages: [{ lens, message: node }], isList: false, replace: singleOrList };
  for (const key of LIST_KEYS) {
    const list = findPrompt(node, key, side, depth) ?? findMessages(node.get(key), side, depth + 1);
    if (list !== undefined) return withSystem(node, key, list);
  }
  return undefined;
}

/** A text under `prompt`, or under `input` beside a model, is the user's message if it is the whole input. */
function findPrompt(node: JsonNode, key: string, side: Side, depth: number): EditableList | undefined {
  const prompt = node.get(key);
  const isKey = key === 'prompt' || (key === 'input' && node.get('model')?.isString === true);
  if (!isKey || side !== 'user' || depth > 0 || !prompt?.isString) return undefined;
  const list = key === 'prompt' ? listInText(prompt, side) : undefined; // as it is written where messages were added
  const text = list ?? findInText(prompt, side, 0);
  return text && key === 'input' ? { ...text, replace: (messages) => textOrList(messages, side) } : text;
}

function listInText(node: JsonNode, side: Side): EditableList | undefined {
  return nested(node).value.isArray ? findMessages(node, side) : undefined;
}

/** A text while it is the only message, else a list: as the input of OpenAI Responses, or in the text's place. */
function textOrList(messages: readonly WrittenMessage[], role: Side): Json {
  const [first] = messages;
  if (messages.length === 1 && first!.from === 0) return first!.message;
  return messages.map(({ message, from }) => (from === 0 ? { role, content: message } : message));
}

/** A value that was a single message becomes a list if there are several now. */
function singleOrList(messages: readonly WrittenMessage[]): Json {
  const [first, ...others] = messages;
  if (first === undefined) return null;
  return others.length === 0 ? first.message : messages.map(({ message }) => message);
}

/** Makes a system prompt next to the list its first message. */
function withSystem(node: JsonNode, key: string, list: EditableList): EditableList {
  const path = SYSTEM_PATHS.find((keys) => systemAt(node, keys) !== undefined);
  if (path === undefined) return { ...list, replace: (messages) => patch(node, { [key]: list.replace(messages) }) };
  const system: EmbeddedMessage = { lens: plainText('system'), message: systemAt(node, path)!, beside: true };
  return {
    ...list,
    messages: [system, ...list.messages],
    replace(messages) {
      const rest = messages
        .filter(({ from }) => from !== 0)
        .map(({ message, from }) => ({ message, from: from === undefined ? undefined : from - 1 }));
      const written = messages.find(({ from }) => from === 0)?.message;
      const [outer, ...inner] = written === undefined && path.at(-1) === PARTS ? path.slice(0, -1) : path;
      return patch(node, { [outer!]: putAt(node.get(outer!)!, inner, written), [key]: list.replace(rest) });
    },
  };
}

/** The value with what stands at the path inside of it replaced. */
function putAt(value: JsonNode, [key, ...inner]: readonly string[], written: Json | undefined): Json | undefined {
  return key === undefined ? written : patch(value, { [key]: putAt(value.get(key)!, inner, written) });
}

/** The system prompt at a path: a text, or a list of texts. */
function systemAt(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  const value = path.reduce<JsonNode | undefined>((at, key) => at?.get(key), node);
  return value?.isString ||
    (value?.isArray && value.items().every((block) => (block.get('text') ?? block.get('content'))?.isString))
    ? value
    : undefined;
}
