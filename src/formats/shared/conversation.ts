/** Where messages stand in what a trace calls an input or an output, and how they are put back there. */

import { type Json, patch, patchItems } from '../../json/edit.js';
import { nested, renested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { type Carried, lensesOf, lensOf, plainText } from './embedded-messages.js';
import { readOf } from './sync-copies.js';

/** The messages that one side of an exchange holds. */
export interface Spoken {
  readonly messages: readonly Carried[];
  /** Whether there is room for more than the one message. */
  readonly isList: boolean;
}

/** The same in a value, and that value with others in their place. */
export interface SpokenValue extends Spoken {
  /** Takes, for each message that is left or new, what is written of it; `from` is the index of the one that it was. */
  put(messages: readonly Put[]): Json;
}

/** A message to be put back. */
export interface Put {
  readonly message: Json;
  readonly from: number | undefined;
}

/** Who wrote a text that is all that one side says. */
export type Side = 'user' | 'assistant';

/** Members of an input or output that hold its messages, in the names of APIs and frameworks. */
const LISTS = [
  'messages',
  'contents',
  'input',
  'output',
  'new_message',
  'choices',
  'generations',
  'message',
  'data',
  'prompt',
];
/** Where a system prompt stands beside them. */
const BESIDE = ['system', 'system_prompt', 'instructions', 'system_instruction', 'systemInstruction', 'config'];

/** The messages of a value; undefined where it holds none. `side` says who wrote a text that is the whole value. */
export function spokenIn(node: JsonNode | undefined, side: Side, depth = 0): SpokenValue | undefined {
  if (node === undefined || node.isNull || depth > 4) return undefined;
  const inner = nested(node);
  const spoken = inner.value.isString
    ? plainIn(inner.value, side, depth)
    : inner.value.isArray
      ? listIn(inner.value, side, depth)
      : objectIn(inner.value, side, depth);
  return spoken && { ...spoken, put: (messages) => renested(inner, spoken.put(messages)) };
}

/** Only a text that is the whole value is a message. */
function plainIn(node: JsonNode, side: Side, depth: number): SpokenValue | undefined {
  if (depth > 0 || node.byteLength === 0) return undefined;
  return {
    messages: [{ lens: plainText(side), message: node }],
    isList: false,
    put: (messages) => messages.find(({ from }) => from === 0)?.message ?? '',
  };
}

function listIn(node: JsonNode, side: Side, depth: number): SpokenValue | undefined {
  const items = node.items();
  const found = lensesOf(items.filter((item) => readOf(item) !== undefined));
  if (found.length > 0)
    return { messages: found, isList: true, put: (messages) => patchItems(node, woven(items, found, messages)) };
  const lens = lensOf(node);
  if (lens !== undefined) return { messages: [{ lens, message: node }], isList: false, put: wholeOf };
  const [first] = items;
  if (first === undefined || items.length > 1) return undefined;
  const spoken = spokenIn(first.isString ? undefined : first, side, depth + 1); // a batch of one; the choices of a response
  return spoken && { ...spoken, put: (messages) => patchItems(node, [spoken.put(messages)]) };
}

/** The elements of a list with its messages changed: what is no message stays behind the one before it. */
function woven(items: readonly JsonNode[], found: readonly Carried[], messages: readonly Put[]): Json[] {
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
  const left = new Map(messages.map((put, index) => [put.from ?? -1, index]));
  const written: Json[] = [...(others.get(-1) ?? [])];
  let told = 0;
  messages.forEach(({ message, from }) => {
    for (; from !== undefined && told < from; told++) if (!left.has(told)) addAll(written, others.get(told) ?? []);
    written.push(message);
    if (from !== undefined) {
      addAll(written, others.get(from) ?? []);
      told = Math.max(told, from + 1);
    }
  });
  for (; told < found.length; told++) if (!left.has(told)) addAll(written, others.get(told) ?? []);
  return written;
}

function objectIn(node: JsonNode, side: Side, depth: number): SpokenValue | undefined {
  const lens = readOf(node) === undefined ? undefined : lensOf(node);
  if (lens !== undefined) return { messages: [{ lens, message: node }], isList: false, put: wholeOf };
  for (const key of LISTS) {
    const spoken = promptIn(node, key, side, depth) ?? spokenIn(node.get(key), side, depth + 1);
    if (spoken !== undefined) return withSystem(node, key, spoken);
  }
  return undefined;
}

/** A text under that name is what the user says, where it is all that a request asks. */
function promptIn(node: JsonNode, key: string, side: Side, depth: number): SpokenValue | undefined {
  const prompt = node.get(key);
  return key === 'prompt' && side === 'user' && depth === 0 && prompt?.isString ? plainIn(prompt, side, 0) : undefined;
}

/** A value that is one message takes no other in: a list does. */
function wholeOf(messages: readonly Put[]): Json {
  return messages.length === 1
    ? messages[0]!.message
    : messages.length === 0
      ? null
      : messages.map(({ message }) => message);
}

/** The system prompt beside a list goes before it, as its first message. */
function withSystem(node: JsonNode, key: string, spoken: SpokenValue): SpokenValue {
  const path = BESIDE.flatMap((name) =>
    name === 'config'
      ? [
          ['config', 'system_instruction'],
          ['config', 'systemInstruction'],
        ]
      : [[name]],
  ).find((names) => systemAt(node, names) !== undefined);
  if (path === undefined) return { ...spoken, put: (messages) => patch(node, { [key]: spoken.put(messages) }) };
  const system: Carried = { lens: plainText('system'), message: systemAt(node, path)!, beside: true };
  return {
    ...spoken,
    messages: [system, ...spoken.messages],
    put(messages) {
      const rest = messages
        .filter(({ from }) => from !== 0)
        .map(({ message, from }) => ({ message, from: from === undefined ? undefined : from - 1 }));
      const written = messages.find(({ from }) => from === 0)?.message;
      const [outer, inner] = path;
      const holder = inner === undefined ? written : patch(node.get(outer!)!, { [inner]: written });
      return patch(node, { [outer!]: holder, [key]: spoken.put(rest) });
    },
  };
}

/** A text, or a list of texts. */
function systemAt(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  const value = path.reduce<JsonNode | undefined>((at, key) => at?.get(key), node);
  return value?.isString ||
    (value?.isArray && value.items().every((block) => (block.get('text') ?? block.get('content'))?.isString))
    ? value
    : undefined;
}
