/** Messages in a span's numbered keys (`llm.input_messages.0.message.content`), converted to chat JSON and back. */
import type { Json } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import { printed, reparsed } from '../../json/print.js';
import chatVariants from '../openai/chat-variants.js';
import type { MessageList, WrittenMessage } from '../shared/conversation.js';
import type { EmbeddedMessage } from '../shared/embedded-messages.js';
import { type ContentEdits, syncMessage } from '../shared/sync-copies.js';
import { table } from '../shared/table.js';
import type { AttributeEdits, Attributes, ElementEdit, NumberedElement } from './attributes.js';

/** One side of an exchange in a span. */
export interface SpanSide extends MessageList {
  /** Adds to `edits` what writes the side with other messages. */
  edit(puts: readonly WrittenMessage[], edits: AttributeEdits): void;
}

/** The names of a convention inside an element of a numbered list. */
interface Names {
  readonly message: string;
  readonly call: (index: number) => string;
  readonly function: string;
  /** The deprecated call of a message, which has no id. */
  readonly legacy?: { readonly name: string; readonly arguments: string };
  readonly block: (index: number) => string;
}

/** https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html */
const OPENINFERENCE: Names = {
  message: 'message.',
  call: (index) => `message.tool_calls.${index}.tool_call.`,
  function: 'function.',
  legacy: { name: 'message.function_call_name', arguments: 'message.function_call_arguments_json' },
  block: (index) => `message.contents.${index}.message_content.`,
};
/** https://www.traceloop.com/docs/openllmetry/contributing/semantic-conventions */
const OPENLLMETRY: Names = {
  message: '',
  call: (index) => `tool_calls.${index}.`,
  function: '',
  block: (index) => `contents.${index}.`,
};
const NUMBERED = table<Names>({
  'llm.input_messages': OPENINFERENCE,
  'llm.output_messages': OPENINFERENCE,
  'gen_ai.prompt': OPENLLMETRY,
  'gen_ai.completion': OPENLLMETRY,
});

/** The numbered messages of a list that are one side of an exchange; undefined if there are none. */
export function numberedAt(attributes: Attributes, prefix: string): SpanSide | undefined {
  const names = NUMBERED[prefix]!;
  const elements = attributes.list(prefix);
  if (elements.length === 0) return undefined;
  const messages = messagesOf(elements, names);
  return {
    messages,
    isList: true,
    edit(puts, edits) {
      const list = puts.map(({ message, from }): ElementEdit => {
        const changes =
          from === undefined
            ? flattenMessage(reparsed(message), names)
            : changesOf(elements[from]!, messages[from]!.message, message, names);
        return { from, changes };
      });
      edits.lists.set(prefix, list);
    },
  };
}

/** Adds to `edits` what applies `changes` to all numbered messages of a span that have no edits yet. */
export function followNumbered(attributes: Attributes, changes: ContentEdits, edits: AttributeEdits): void {
  for (const [prefix, names] of Object.entries(NUMBERED)) {
    const elements = attributes.list(prefix);
    if (elements.length === 0 || edits.lists.has(prefix)) continue;
    const messages = messagesOf(elements, names);
    const after = messages.map(({ lens, message }) => syncMessage(message, lens, changes));
    if (after.every((message, index) => message === messages[index]!.message)) continue;
    const list = after.flatMap((message, from): ElementEdit[] => {
      if (message === undefined) return [];
      return [{ from, changes: changesOf(elements[from]!, messages[from]!.message, message, names) }];
    });
    edits.lists.set(prefix, list);
  }
}

function messagesOf(elements: readonly NumberedElement[], names: Names): EmbeddedMessage[] {
  return elements.map((element) => ({ lens: chatVariants, message: messageOf(element, names) }));
}

/** What changed in an element whose message was `old` and is `message` now. */
function changesOf(element: NumberedElement, old: JsonNode, message: Json, names: Names): ElementEdit['changes'] {
  const changes = new Map<string, Json | undefined>();
  if (message === old) return changes;
  const before = flattenMessage(old, names);
  const after = flattenMessage(reparsed(message), names);
  for (const [key, value] of after) if (before.get(key)?.text !== value.text) changes.set(key, value);
  for (const key of element.keys())
    if (!after.has(key) && (before.has(key) || isOfRemoved(key, before, after))) changes.set(key, undefined);
  return changes;
}

/** Whether an unknown key belongs to a call or block that was removed. */
function isOfRemoved(
  key: string,
  before: ReadonlyMap<string, JsonNode>,
  after: ReadonlyMap<string, JsonNode>,
): boolean {
  const holder = /^(?:message\.)?(?:tool_calls|contents)\.\d+\./.exec(key)?.[0];
  const isIn = (values: ReadonlyMap<string, JsonNode>) => [...values.keys()].some((other) => other.startsWith(holder!));
  return holder !== undefined && isIn(before) && !isIn(after);
}

/** A numbered message as chat JSON. */
function messageOf(element: NumberedElement, names: Names): JsonNode {
  const blocks: string[] = [];
  for (let index = 0; hasAny(element, names.block(index)); index++)
    blocks.push(`{${fieldsAt(element, names.block(index)).join(',')}}`);
  const calls: string[] = [];
  for (let index = 0; hasAny(element, names.call(index)); index++) calls.push(callAt(element, names, index));
  const legacy = legacyCallAt(element, names);
  const isCalling = calls.length > 0 || legacy !== undefined;
  const role = element.get(`${names.message}role`)?.text ?? (isCalling ? 'assistant' : 'user');
  const content = blocks.length > 0 ? `[${blocks.join(',')}]` : valueAt(element, `${names.message}content`);
  const members = [
    `"role":${JSON.stringify(role)}`,
    ...member('name', valueAt(element, `${names.message}name`)),
    ...member('tool_call_id', valueAt(element, `${names.message}tool_call_id`)),
    ...member('content', content),
    ...(calls.length === 0 ? [] : [`"tool_calls":[${calls.join(',')}]`]),
    ...member('function_call', legacy),
  ];
  return parse(`{${members.join(',')}}`);
}

function legacyCallAt(element: NumberedElement, { legacy }: Names): string | undefined {
  const name = legacy && valueAt(element, legacy.name);
  return name && `{${[`"name":${name}`, ...member('arguments', valueAt(element, legacy!.arguments))].join(',')}}`;
}

function callAt(element: NumberedElement, names: Names, index: number): string {
  const call = names.call(index);
  const definition = [
    `"name":${valueAt(element, `${call}${names.function}name`) ?? '""'}`,
    ...member('arguments', valueAt(element, `${call}${names.function}arguments`)),
  ];
  const members = [
    ...member('id', valueAt(element, `${call}id`)),
    '"type":"function"',
    `"function":{${definition.join(',')}}`,
  ];
  return `{${members.join(',')}}`;
}

/** A value as JSON text. */
function valueAt(element: NumberedElement, key: string): string | undefined {
  const value = element.get(key);
  return value && printed(value);
}

function member(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`"${key}":${value}`];
}

function hasAny(element: NumberedElement, prefix: string): boolean {
  for (const key of element.keys()) if (key.startsWith(prefix)) return true;
  return false;
}

function fieldsAt(element: NumberedElement, prefix: string): string[] {
  return [...element].flatMap(([key, value]) =>
    key.startsWith(prefix) ? [`${JSON.stringify(key.slice(prefix.length))}:${printed(value)}`] : [],
  );
}

/** The values of a chat message by the names of a convention: the reverse of `messageOf`. */
function flattenMessage(message: JsonNode, names: Names): Map<string, JsonNode> {
  const values = new Map<string, JsonNode>();
  const set = (key: string, value: JsonNode | undefined) => {
    if (value !== undefined && !value.isNull) values.set(key, value);
  };
  for (const key of ['role', 'name', 'tool_call_id']) set(names.message + key, message.get(key));
  const content = message.get('content');
  if (content?.isArray)
    content.items().forEach((block, index) => {
      for (const { key, value } of block.members()) set(names.block(index) + key.text, value);
    });
  else set(`${names.message}content`, content);
  (message.get('tool_calls')?.items() ?? []).forEach((call, index) => {
    const target = call.get('function') ?? call;
    set(`${names.call(index)}id`, call.get('id'));
    set(`${names.call(index)}${names.function}name`, target.get('name'));
    set(`${names.call(index)}${names.function}arguments`, target.get('arguments'));
  });
  const legacy = message.get('function_call');
  if (names.legacy !== undefined) {
    set(names.legacy.name, legacy?.get('name'));
    set(names.legacy.arguments, legacy?.get('arguments'));
  }
  return values;
}
