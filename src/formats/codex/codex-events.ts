/**
 * Texts of a Codex rollout that are not in its items: the instructions that every request begins with, and, in a
 * rollout without items that say so, what the user and the model said in events (`user_message`, `agent_message`,
 * `agent_reasoning`, or the `item` of `item_completed`).
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
 */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, Role } from '../../transcript/types.js';
import { hashId } from '../shared/derived-ids.js';
import { joinedText } from '../shared/parts.js';
import { table } from '../shared/table.js';

/** Who says what: in a log, all of a kind is read from one source. */
type Kind = 'user' | 'assistant' | 'reasoning';

interface EventShape {
  readonly kind: Kind;
  /** The member with the text. */
  readonly key: string;
}

const EVENTS = table<EventShape>({
  user_message: { kind: 'user', key: 'message' },
  agent_message: { kind: 'assistant', key: 'message' },
  agent_reasoning: { kind: 'reasoning', key: 'text' },
});
/** Types of turn items, and where their texts are: blocks of the user and the model, strings of reasoning. */
const TURN_ITEMS = table<EventShape>({
  UserMessage: { kind: 'user', key: 'content' },
  AgentMessage: { kind: 'assistant', key: 'content' },
  Reasoning: { kind: 'reasoning', key: 'summary_text' },
});
const ROLES: Readonly<Record<Kind, Role>> = { user: 'user', assistant: 'assistant', reasoning: 'assistant' };

/** What an event or the head of a log says; undefined for all other lines. */
export function readEvent(raw: JsonNode): Message | undefined {
  const instructions = instructionsIn(raw);
  if (instructions !== undefined)
    return { role: 'system', parts: instructions.byteLength === 0 ? [] : [textPart('text', instructions)], raw };
  const found = eventIn(raw);
  if (found === undefined) return undefined;
  const { kind, nodes } = found;
  const parts = nodes.map((node) => textPart(kind === 'reasoning' ? 'thinking' : 'text', node));
  return { role: ROLES[kind], parts: parts.filter(({ text }) => textOf(text) !== ''), raw };
}

function textPart<T extends 'text' | 'thinking'>(type: T, node: JsonNode) {
  return { type, text: node, raw: node };
}

/** Writes an event whose texts changed. Texts that were added join the last one that is left. */
export function writeEvent(raw: JsonNode, parts: readonly Part[]): Json {
  const instructions = instructionsIn(raw);
  const found = instructions === undefined ? eventIn(raw) : undefined;
  const nodes = instructions === undefined ? (found?.nodes ?? []) : [instructions];
  const last = nodes.findLastIndex((node) => parts.some((part) => node.is(part.raw)));
  const texts = nodes.map((node, index): Json => {
    const own = parts.filter(({ raw: from }) => node.is(from) || (index === Math.max(last, 0) && !isFrom(nodes, from)));
    return own.length === 0 && node.byteLength === 0 ? node : joinedText(own);
  });
  return withTexts(raw, new Map(nodes.map((node, index) => [node, texts[index]!])));
}

function isFrom(nodes: readonly JsonNode[], raw: unknown): boolean {
  return nodes.some((node) => node.is(raw));
}

function withTexts(raw: JsonNode, texts: ReadonlyMap<JsonNode, Json>): Json {
  const replaced = (node: JsonNode): Json => {
    for (const [old, text] of texts) if (old.is(node)) return text;
    return node;
  };
  const payload = raw.get('payload')!;
  const base = payload.get(INSTRUCTIONS);
  if (raw.get('type')?.string === HEAD)
    return patch(raw, {
      payload: patch(payload, { [INSTRUCTIONS]: patch(base!, { text: replaced(base!.get('text')!) }) }),
    });
  const item = payload.get('item');
  const shape = shapeOf(payload)!;
  if (item === undefined)
    return patch(raw, { payload: patch(payload, { [shape.key]: replaced(payload.get(shape.key)!) }) });
  const list = patchEach(item.get(shape.key), (block) =>
    block.isString ? replaced(block) : patch(block, { text: replaced(block.get('text') ?? block) }),
  );
  return patch(raw, { payload: patch(payload, { item: patch(item, { [shape.key]: list }) }) });
}

/** The payload of a message that is added, where those of its kind are events; undefined where they are items. */
export function freshEvent(message: Message, sources: ReadonlyMap<Kind, Source>): JsonFields | undefined {
  const { parts } = message;
  const kind = kindOf(message);
  const source = kind && sources.get(kind);
  if (source === undefined || source === 'item' || !parts.every(({ type }) => type === parts[0]!.type))
    return undefined;
  const text = joinedText(parts);
  if (source === 'event') return FRESH_EVENTS[kind!](text);
  return { type: 'item_completed', item: { ...FRESH_ITEMS[kind!](text), id: hashId(`${kind}\n${String(text)}`) } };
}

type Fresh = Readonly<Record<Kind, (text: Json) => JsonFields>>;

const FRESH_EVENTS: Fresh = {
  user: (message) => ({ type: 'user_message', message }),
  assistant: (message) => ({ type: 'agent_message', message }),
  reasoning: (text) => ({ type: 'agent_reasoning', text }),
};
const FRESH_ITEMS: Fresh = {
  user: (text) => ({ type: 'UserMessage', content: [{ type: 'text', text, text_elements: [] }] }),
  assistant: (text) => ({ type: 'AgentMessage', content: [{ type: 'Text', text }] }),
  reasoning: (text) => ({ type: 'Reasoning', summary_text: [text], raw_content: [] }),
};

const HEAD = 'session_meta';
const INSTRUCTIONS = 'base_instructions';

/** The instructions in the first line of a log. */
function instructionsIn(raw: JsonNode): JsonNode | undefined {
  const text = raw.get('type')?.string === HEAD ? raw.get('payload')?.get(INSTRUCTIONS)?.get('text') : undefined;
  return text?.isString ? text : undefined;
}

function shapeOf(payload: JsonNode | undefined): EventShape | undefined {
  const type = payload?.get('type')?.string ?? '';
  return type === 'item_completed' ? TURN_ITEMS[payload!.get('item')?.get('type')?.string ?? ''] : EVENTS[type];
}

/** The kind of an event, and the strings of its text. */
function eventIn(raw: JsonNode): { readonly kind: Kind; readonly nodes: readonly JsonNode[] } | undefined {
  const payload = raw.get('type')?.string === 'event_msg' ? raw.get('payload') : undefined;
  const shape = shapeOf(payload);
  if (shape === undefined) return undefined;
  const text = (payload!.get('item') ?? payload!).get(shape.key);
  const nodes = text?.isString ? [text] : (text?.items() ?? []).map((block) => block.get('text') ?? block);
  return nodes.length === 0 || nodes.some((node) => !node.isString) ? undefined : { kind: shape.kind, nodes };
}

// --- the sources of a log

/** The kind of a message with texts; undefined for others. */
function kindOf({ role, parts: [part] }: Message): Kind | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined;
  return part?.type === 'thinking' ? 'reasoning' : part?.type === 'text' ? role : undefined;
}

type Source = 'item' | 'item_completed' | 'event';

/**
 * Where the messages of each kind are read: from the items if there are any, else from the newer events. The user and
 * the model are read from one source, so that an edit which drops all items of one does not bring its events back.
 */
export function sourcesIn(messages: readonly Message[]): ReadonlyMap<Kind, Source> {
  const sources = new Map<Kind, Source>();
  for (const wanted of ['item', 'item_completed', 'event'] as const) {
    const found = new Set<Kind>();
    for (const message of messages)
      for (const [kind, source] of saidBy(message)) if (source === wanted) found.add(kind);
    if (found.has('user') || found.has('assistant')) found.add('user').add('assistant');
    for (const kind of found) if (!sources.has(kind)) sources.set(kind, wanted);
  }
  return sources;
}

/** What Codex itself adds to the context as a message of the user. */
const CONTEXT = /^\s*(?:<(?:environment_context|user_instructions)\b|# AGENTS\.md )/;

function saidBy({ role, parts, raw }: Message): (readonly [Kind, Source])[] {
  if (role !== 'user' && role !== 'assistant') return [];
  if (raw instanceof JsonNode && raw.get('type')?.string === 'compacted') return [];
  const event = raw instanceof JsonNode ? eventIn(raw) : undefined;
  if (event !== undefined)
    return [[event.kind, (raw as JsonNode).get('payload')!.get('item') === undefined ? 'event' : 'item_completed']];
  return parts.flatMap((part): (readonly [Kind, Source])[] => {
    if (part.type === 'thinking') return [['reasoning', 'item']];
    return part.type !== 'text' || (role === 'user' && CONTEXT.test(textOf(part.text))) ? [] : [[role, 'item']];
  });
}

/** Which lines are messages: each kind from one source, and the instructions once. */
export function isSaid(messages: readonly Message[], sources = sourcesIn(messages)): (message: Message) => boolean {
  const head = messages.find(({ parts, raw }) => raw instanceof JsonNode && instructionsIn(raw) && parts.length > 0);
  return (message) => {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return true;
    if (instructionsIn(raw) !== undefined) return message === head;
    return eventIn(raw) === undefined || saidBy(message).some(([kind, source]) => sources.get(kind) === source);
  };
}
