/** Messages in the numbered keys of a span (`llm.input_messages.0.message.content`), read as JSON near to OpenAI's, and put back key by key. */
import type { Json } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import chatVariants from '../openai/chat-variants.js';
import type { MessageList, WrittenMessage } from '../shared/conversation.js';
import type { EmbeddedMessage } from '../shared/embedded-messages.js';
import { type ContentEdits, syncMessage } from '../shared/sync-copies.js';
import { table } from '../shared/table.js';
import type { Attributes, Edits, Numbered, Renumbered } from './attributes.js';

/** One side of an exchange in a span, and how it is put back. */
export interface SpanSide extends MessageList {
  edit(puts: readonly WrittenMessage[], edits: Edits): void;
}

/** The names inside of an element of a numbered list. */
interface Names {
  readonly message: string;
  readonly call: (index: number) => string;
  readonly function: string;
  readonly block: (index: number) => string;
}

/** https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html */
const OPENINFERENCE: Names = {
  message: 'message.',
  call: (index) => `message.tool_calls.${index}.tool_call.`,
  function: 'function.',
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

/** The messages under numbered keys, as JSON of our making: near to OpenAI's. */
export function numberedAt(attributes: Attributes, prefix: string): SpanSide | undefined {
  const names = NUMBERED[prefix]!;
  const elements = attributes.list(prefix);
  if (elements.length === 0) return undefined;
  const messages = elements.map(
    (element): EmbeddedMessage => ({ lens: chatVariants, message: messageOf(element, names) }),
  );
  return {
    messages,
    isList: true,
    edit: (puts, edits) =>
      void edits.lists.set(
        prefix,
        puts.map(({ message, from }) => renumber(from, elements, messages, message, names)),
      ),
  };
}

/** The numbered messages of a span that is no transcript, or under names that its transcript does not stand under. */
export function followNumbered(attributes: Attributes, fates: ContentEdits, edits: Edits): void {
  for (const [prefix, names] of Object.entries(NUMBERED)) {
    const elements = attributes.list(prefix);
    if (elements.length === 0 || edits.lists.has(prefix)) continue;
    const messages = elements.map(
      (element): EmbeddedMessage => ({ lens: chatVariants, message: messageOf(element, names) }),
    );
    const after = messages.map(({ lens, message }) => syncMessage(message, lens, fates));
    if (after.every((message, index) => message === messages[index]!.message)) continue;
    edits.lists.set(
      prefix,
      after.flatMap((message, from) =>
        message === undefined ? [] : [renumber(from, elements, messages, message, names)],
      ),
    );
  }
}

function renumber(
  from: number | undefined,
  elements: readonly Numbered[],
  messages: readonly EmbeddedMessage[],
  message: Json,
  names: Names,
): Renumbered {
  if (from === undefined) return { from, changes: leavesOf(parse(printed(message)), names) };
  const old = messages[from]!.message;
  if (message === old) return { from, changes: new Map() };
  const before = leavesOf(old, names);
  const after = leavesOf(parse(printed(message)), names);
  const changes = new Map<string, Json | undefined>();
  for (const [key, value] of after) if (before.get(key)?.text !== value.text) changes.set(key, value);
  for (const key of elements[from]!.keys())
    if (!after.has(key) && (before.has(key) || isOfGone(key, before, after))) changes.set(key, undefined);
  return { from, changes };
}

/** A key that nobody here knows, of a call or a block that went. */
function isOfGone(key: string, before: ReadonlyMap<string, JsonNode>, after: ReadonlyMap<string, JsonNode>): boolean {
  const holder = /^(?:message\.)?(?:tool_calls|contents)\.\d+\./.exec(key)?.[0];
  const isIn = (leaves: ReadonlyMap<string, JsonNode>) => [...leaves.keys()].some((other) => other.startsWith(holder!));
  return holder !== undefined && isIn(before) && !isIn(after);
}

/** A numbered message as chat JSON. */
function messageOf(element: Numbered, names: Names): JsonNode {
  const at = (key: string) => element.get(key)?.text;
  const value = (node: JsonNode | undefined) => (node === undefined ? undefined : printed(node));
  const blocks: string[] = [];
  for (let index = 0; hasAny(element, names.block(index)); index++)
    blocks.push(`{${fieldsAt(element, names.block(index)).join(',')}}`);
  const calls: string[] = [];
  for (let index = 0; hasAny(element, names.call(index)); index++) {
    const call = names.call(index);
    const described = [
      `"name":${value(element.get(`${call}${names.function}name`)) ?? '""'}`,
      ...member('arguments', value(element.get(`${call}${names.function}arguments`))),
    ];
    calls.push(
      `{${[...member('id', value(element.get(`${call}id`))), '"type":"function"', `"function":{${described.join(',')}}`].join(',')}}`,
    );
  }
  const content = blocks.length > 0 ? `[${blocks.join(',')}]` : value(element.get(`${names.message}content`));
  const members = [
    `"role":${JSON.stringify(at(`${names.message}role`) ?? (calls.length > 0 ? 'assistant' : 'user'))}`,
    ...member('name', value(element.get(`${names.message}name`))),
    ...member('tool_call_id', value(element.get(`${names.message}tool_call_id`))),
    ...member('content', content),
    ...(calls.length === 0 ? [] : [`"tool_calls":[${calls.join(',')}]`]),
  ];
  return parse(`{${members.join(',')}}`);
}

function member(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`"${key}":${value}`];
}

function hasAny(element: Numbered, prefix: string): boolean {
  for (const key of element.keys()) if (key.startsWith(prefix)) return true;
  return false;
}

function fieldsAt(element: Numbered, prefix: string): string[] {
  return [...element].flatMap(([key, value]) =>
    key.startsWith(prefix) ? [`${JSON.stringify(key.slice(prefix.length))}:${printed(value)}`] : [],
  );
}

/** The way back: the values of a chat message by the names of a convention. */
function leavesOf(message: JsonNode, names: Names): Map<string, JsonNode> {
  const leaves = new Map<string, JsonNode>();
  const set = (key: string, value: JsonNode | undefined) => {
    if (value !== undefined && !value.isNull) leaves.set(key, value);
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
  return leaves;
}
