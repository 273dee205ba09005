/** Writes the requests of a chat of VS Code after an edit of its messages. */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import { derivedId } from '../shared/derived-ids.js';
import type { EditedElement } from '../shared/embedded-messages.js';
import { isCall, isResult } from '../shared/parts.js';
import { withoutGone } from './vscode-chat-copies.js';
import { idOf, shown, shownText, thoughtIn, withTool } from './vscode-chat-response.js';
import { thinkingText, withText } from './vscode-chat-result.js';
import type { PromptPlace, Slot } from './vscode-chat-slot.js';
import { metadataOf, roundsOf } from './vscode-chat-slots.js';

/** A message of a request, and where it stood. */
interface Item {
  readonly slot: Slot | undefined;
  readonly message: Message;
  readonly isSame: boolean;
}

/** A request and its messages after an edit; without a request, one that was added. */
export interface Turn {
  readonly request: JsonNode | undefined;
  readonly slots: readonly Slot[];
  readonly items: Item[];
}

/** Each message stays in its request; one of the user that was added begins another. */
export function turnsOf(
  requests: readonly JsonNode[],
  slots: readonly (readonly Slot[])[],
  elements: readonly EditedElement[],
): readonly Turn[] {
  const places = slots.flatMap((own, at) => own.map((slot) => ({ slot, at })));
  const turns: Turn[] = [];
  let next = 0; // the first request that is not in `turns` yet
  const open = (last: number) => {
    for (; next <= last; next++)
      if (next === last || slots[next]!.length === 0)
        turns.push({ request: requests[next], slots: slots[next]!, items: [] });
  };
  for (const { from, message, read } of elements) {
    const place = from === undefined ? undefined : places[from]!;
    if (place !== undefined) open(place.at);
    else if (turns.length === 0 || read.role === 'user') turns.push({ request: undefined, slots: [], items: [] });
    const isSame = place !== undefined && isNode(message);
    turns.at(-1)!.items.push({ slot: place?.slot, message: read, isSame });
  }
  for (; next < requests.length; next++)
    if (slots[next]!.length === 0) turns.push({ request: requests[next], slots: [], items: [] });
  return turns;
}

function isNode(json: Json): boolean {
  return typeof json === 'object' && json !== null && 'at' in json && 'source' in json;
}

export function writeTurn({ request, slots, items: all }: Turn): Json {
  if (request === undefined) return freshRequest(all);
  const isOwn = ({ slot }: Item) => slot === undefined || slots.includes(slot); // what another request held is new here
  const items = all.map((item) => (isOwn(item) ? item : { ...item, slot: undefined, isSame: false }));
  const isUnchanged =
    items.length === slots.length && items.every(({ slot, isSame }, at) => isSame && slot === slots[at]);
  if (isUnchanged) return request;
  const prompts = slots.flatMap(({ place }) => (place.kind === 'prompt' ? [place.at] : []));
  const prompted = prompts.reduce<Fields>((fields, at) => withPrompt(fields, at, promptAfter(items, at)), {
    request,
    fields: {},
    metadata: {},
  });
  const { fields, metadata } = withReplies(prompted, items);
  const result = request.get('result');
  const held = metadataOf(request);
  const hasMetadata = held !== undefined && Object.keys(metadata).length > 0;
  const own = hasMetadata ? { result: patch(result!, { metadata: patch(held, metadata) }) } : {};
  const messages = items.map(({ message }) => message);
  return withoutGone(patch(request, { ...fields, ...own }), slots, messages);
}

/** The new members of a request and of its metadata. */
interface Fields {
  readonly request: JsonNode;
  readonly fields: JsonFields;
  readonly metadata: JsonFields;
}

// --- prompts

/** The text of a prompt after the edit; '' if it is gone. */
function promptAfter(items: readonly Item[], at: PromptPlace): string | undefined {
  const item = items.find(({ slot }) => slot?.place.kind === 'prompt' && slot.place.at === at);
  if (item?.isSame) return undefined;
  return item === undefined ? '' : textIn(item.message.parts);
}

function withPrompt({ request, fields, metadata }: Fields, at: PromptPlace, text: string | undefined): Fields {
  if (text === undefined) return { request, fields, metadata };
  if (at === 'prompt' || at === 'message') return { request, metadata, fields: { ...fields, [at]: text } };
  const message = request.get('message');
  if (at === 'text') return { request, metadata, fields: { ...fields, message: messageWith(message!, text) } };
  const written = at === 'renderedGlobalContext' ? {} : messageAfter(message, text);
  return { request, fields: { ...fields, ...written }, metadata: { ...metadata, [at]: rendered(request, at, text) } };
}

/** What the user wrote, where the prompt around it still says it. */
function messageAfter(message: JsonNode | undefined, prompt: string): JsonFields {
  const wrote = message?.string ?? message?.get('text')?.string;
  if (message === undefined || wrote === undefined || prompt.includes(wrote)) return {};
  return { message: message.isString ? '' : messageWith(message, '') };
}

function messageWith(message: JsonNode, text: string): Json {
  const [first] = message.get('parts')?.items() ?? [];
  const part = first === undefined ? { kind: 'text', text } : patch(first, { kind: 'text', text });
  return patch(message, { text, parts: text === '' ? [] : [part] });
}

function rendered(request: JsonNode, at: PromptPlace, text: string): Json {
  const old = metadataOf(request)!.get(at)!;
  if (old.isString) return text;
  const others = old.items().filter((part) => part.get('text') === undefined);
  return text === '' ? others : [{ type: 1, text }, ...others];
}

// --- replies

function withReplies({ request, fields, metadata }: Fields, items: readonly Item[]): Fields {
  const replies = items.filter(({ slot }) => slot?.place.kind !== 'prompt');
  if (roundsOf(request).length > 0) {
    const results = resultsAfter(metadataOf(request)!.get('toolCallResults'), request, replies);
    const rounds = { toolCallRounds: replies.flatMap(roundOf), toolCallResults: results };
    return { request, fields, metadata: { ...metadata, ...rounds } };
  }
  const key = request.get('response') === undefined ? 'completion' : 'response';
  const old = request.get(key);
  if (old?.isArray) return { request, metadata, fields: { ...fields, [key]: responseAfter(old.items(), replies) } };
  if (replies.every(({ isSame }) => isSame) && replies.length > 0) return { request, fields, metadata };
  const said = replies.map(({ message }) => textIn(message.parts)).join('');
  return { request, metadata, fields: old === undefined && said === '' ? fields : { ...fields, [key]: said } };
}

function roundOf({ slot, message, isSame }: Item): Json[] {
  const { parts, role } = message;
  const place = slot?.place;
  if (place?.kind === 'round') return [isSame ? place.node : patch(place.node, roundFields(parts, place.node))];
  if (place?.kind === 'summary' || role !== 'assistant') return [];
  const fields = roundFields(parts, undefined);
  return [{ ...fields, toolInputRetry: 0, id: derivedId('round', fields) }];
}

function roundFields(parts: readonly Part[], old: JsonNode | undefined): JsonFields {
  const before = old?.get('toolCalls')?.items() ?? [];
  const calls = parts.filter(isCall).map(({ callId, tool, input }): Json => {
    const call = before.find((each) => each.get('id')?.string === callId);
    const fields = { name: tool, arguments: textOf(input), id: callId ?? '' };
    return call === undefined ? fields : patch(call, fields);
  });
  const thoughts = parts.flatMap((part) => (part.type === 'thinking' ? [textOf(part.text)] : [])).join('');
  const thinking = old?.get('thinking');
  const isSameThought = thoughts === thinkingText(thinking?.get('text'));
  const thought = isSameThought ? {} : { thinking: thoughts === '' ? undefined : { text: thoughts } };
  return { response: textIn(parts), toolCalls: calls, ...thought };
}

/** Results by call id. */
function resultsAfter(old: JsonNode | undefined, request: JsonNode, replies: readonly Item[]): Json | undefined {
  const fields: Record<string, Json | undefined> = {};
  const keys = roundsOf(request).flatMap((round) => round.get('toolCalls')?.items() ?? []);
  for (const call of keys) fields[call.get('id')?.string ?? ''] = undefined;
  for (const { slot, message, isSame } of replies)
    for (const { callId = '', content } of message.parts.filter(isResult)) {
      const node = slot?.place.kind === 'result' ? slot.place.node : undefined;
      const text = joinTexts(content);
      fields[callId] = node === undefined ? { content: [{ value: text }] } : isSame ? node : withText(node, text);
    }
  if (old !== undefined) return patch(old, fields);
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}

/** The shown parts: changed ones in their place, those of removed messages gone, added messages behind. */
function responseAfter(parts: readonly JsonNode[], replies: readonly Item[]): Json {
  const owned = new Map<number, readonly Json[]>();
  parts.forEach((part, index) => {
    const isOwned = shownText(part) !== undefined || thoughtIn(part) !== undefined || part.get('toolId') !== undefined;
    if (isOwned) owned.set(index, []);
  });
  const results = new Map(
    replies.flatMap(({ slot, message }) =>
      slot?.place.kind === 'shown result' ? [[slot.place.part, textsOfResults(message)] as const] : [],
    ),
  );
  const added: Json[] = [];
  for (const { slot, message, isSame } of replies) {
    if (slot?.place.kind === 'reply') writeReply({ parts, owned, results }, slot.place, message, isSame);
    else if (slot === undefined) addAll(added, addedParts(message));
  }
  return [...parts.flatMap((part, index) => owned.get(index) ?? [part]), ...added];
}

interface Shown {
  readonly parts: readonly JsonNode[];
  readonly owned: Map<number, readonly Json[]>;
  readonly results: ReadonlyMap<number, string>;
}

function writeReply(
  { parts, owned, results }: Shown,
  { texts, calls }: { readonly texts: readonly number[]; readonly calls: readonly number[] },
  message: Message,
  isSame: boolean,
): void {
  const said = textIn(message.parts);
  const before = texts.map((index) => shownText(parts[index]!) ?? '').join('');
  const thoughts = message.parts.some(({ type }) => type === 'thinking');
  const [first] = texts.filter((index) => thoughtIn(parts[index]!) === undefined);
  for (const index of texts) {
    const part = parts[index]!;
    if (thoughtIn(part) !== undefined) owned.set(index, thoughts ? [part] : []);
    else if (isSame || said === before) owned.set(index, [part]);
    else owned.set(index, index === first && said !== '' ? [shown(said, part)] : []);
  }
  const left = message.parts.filter(isCall);
  const lead = first === undefined && said !== '' ? [shown(said)] : [];
  calls.forEach((index, at) => {
    const part = parts[index]!;
    const call =
      left.find(({ callId }) => callId === idOf(part, index)) ?? (isShifted(left, calls) ? left[at] : undefined);
    const change = call === undefined ? undefined : changeOf(call.callId, idOf(part, index), textOf(call.input));
    const tool = change === undefined ? [] : [withTool(part, { ...change, output: results.get(index) ?? '' })];
    owned.set(index, at === 0 ? [...lead, ...tool] : tool);
  });
}

/** Whether all calls are left: then one with another id stands where it stood. */
function isShifted(left: readonly unknown[], calls: readonly number[]): boolean {
  return left.length === calls.length;
}

function changeOf(id: string | undefined, old: string, input: string): { id?: string; input: string } {
  return id === undefined || id === old ? { input } : { id, input };
}

function addedParts({ parts }: Message): Json[] {
  const said = textIn(parts);
  const calls = parts.filter(isCall).map(
    ({ callId, tool, input }): Json => ({
      kind: 'toolInvocationSerialized',
      toolCallId: callId ?? '',
      toolId: tool,
      isComplete: true,
      resultDetails: { input: textOf(input), output: [] },
    }),
  );
  return [...(said === '' ? [] : [shown(said)]), ...calls];
}

// --- helpers

function textIn(parts: readonly Part[]): string {
  return joinTexts(parts.filter((part) => part.type === 'text'));
}

function textsOfResults({ parts }: Message): string {
  return parts
    .filter(isResult)
    .map(({ content }) => joinTexts(content))
    .join('');
}

/** A request that a message of the user, which was added, begins. */
function freshRequest(items: readonly Item[]): Json {
  const text = items
    .filter(({ message }) => message.role === 'user')
    .map(({ message }) => textIn(message.parts))
    .join('\n');
  const rounds = items.flatMap(({ message }): Json[] => {
    if (message.role !== 'assistant') return [];
    const fields = roundFields(message.parts, undefined);
    return [{ ...fields, toolInputRetry: 0, id: derivedId('round', fields) }];
  });
  const results = items.flatMap(({ message }) =>
    message.parts
      .filter(isResult)
      .map(({ callId = '', content }) => [callId, { content: [{ value: joinTexts(content) }] }]),
  );
  const metadata: JsonFields = { toolCallRounds: rounds, toolCallResults: Object.fromEntries(results) as JsonFields };
  const fields: JsonFields = {
    message: { text, parts: [{ kind: 'text', text }] },
    variableData: { variables: [] },
    response: items.flatMap(({ message }) =>
      message.role === 'assistant'
        ? addedParts({ ...message, parts: message.parts.filter((part) => !isCall(part)) })
        : [],
    ),
    ...(rounds.length === 0 ? {} : { result: { metadata } }),
  };
  return { requestId: `request_${derivedId(text, fields)}`, ...fields };
}
