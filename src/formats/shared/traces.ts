/**
 * Conversations in traces. A trace holds exchanges with a model, each with the history so far. The longest exchange is
 * the transcript; edits of it are applied to all other exchanges (see sync-copies.ts).
 */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { JsonSource } from '../../json/strings.js';
import { listIn } from '../../lists.js';
import type { Recorded, Role } from '../../transcript/types.js';
import { type ContentEdits, contentEdits, contentKey, copyKeys } from './content-edits.js';
import type { EditableList, MessageList, WrittenMessage } from './conversation.js';
import {
  buildList,
  type EditedElement,
  type EmbeddedMessage,
  type ListMetadata,
  readEdits,
  readElement,
} from './embedded-messages.js';

/** The input of a model and its output. */
export interface Exchange<S extends MessageList = MessageList> {
  readonly input: S | undefined;
  readonly output: S | undefined;
  /** Whether it is a single request; spans around a request that repeat it are not. */
  readonly isRequest: boolean;
  readonly request: Recorded | undefined;
}

/** The messages of an exchange. If the output repeats the input (graph state), only those of the output. */
export function exchangeMessages({ input, output }: Exchange): readonly EmbeddedMessage[] {
  const inputMessages = input?.messages ?? [];
  const outputMessages = output?.messages ?? [];
  return isRepeated(inputMessages, outputMessages) ? outputMessages : [...inputMessages, ...outputMessages];
}

function isRepeated(inputMessages: readonly EmbeddedMessage[], outputMessages: readonly EmbeddedMessage[]): boolean {
  return (
    inputMessages.length > 0 &&
    outputMessages.length >= inputMessages.length &&
    inputMessages.every((message, index) => isAlike(message, outputMessages[index]!))
  );
}

/** Whether two messages have the same role and content. */
function isAlike(one: EmbeddedMessage, other: EmbeddedMessage): boolean {
  return messageRole(one) === messageRole(other) && messageKey(one) === messageKey(other);
}

function messageRole({ lens, message }: EmbeddedMessage): Role {
  return lens.read(message).role;
}

function messageKey({ lens, message }: EmbeddedMessage): string {
  return contentKey(lens.read(message));
}

/** The keys of a message and of shorter copies of it. */
function messageKeys({ lens, message }: EmbeddedMessage): readonly string[] {
  return copyKeys(lens.read(message));
}

/** The longest exchange; of equally long ones a request, and of those the latest. */
export function longestExchange<E extends Exchange>(exchanges: readonly E[]): E | undefined {
  return exchanges.reduce<E | undefined>((most, next) => {
    const [longer, shorter] = [exchangeMessages(next).length, most === undefined ? 0 : exchangeMessages(most).length];
    if (longer !== shorter || most === undefined) return longer > shorter ? next : most;
    if (next.isRequest !== most.isRequest) return next.isRequest ? next : most;
    return (next.request?.time ?? 0) > (most.request?.time ?? 0) ? next : most;
  }, undefined);
}

/** Groups exchanges into transcripts: each key is an exchange whose history no other contains; its values repeat it. */
export function conversations<E extends Exchange>(exchanges: readonly E[]): ReadonlyMap<E, readonly E[]> {
  const leaders = new Map<E, E[]>();
  const keys = new Map(exchanges.map((exchange) => [exchange, exchangeMessages(exchange).map(messageKey)]));
  const keySets = new Map(
    exchanges.map((exchange) => [exchange, new Set(exchangeMessages(exchange).flatMap(messageKeys))]),
  );
  const byLength = [...exchanges].sort(
    (a, b) => keys.get(b)!.length - keys.get(a)!.length || Number(b.isRequest) - Number(a.isRequest),
  );
  const leadersWith = new Map<string, E[]>();
  for (const exchange of byLength) {
    const own = keys.get(exchange)!;
    if (own.length === 0) continue;
    const leader = shortest(own, leadersWith).find((other) => own.every((key) => keySets.get(other)!.has(key)));
    if (leader !== undefined) {
      leaders.get(leader)!.push(exchange);
      continue;
    }
    leaders.set(exchange, []);
    for (const key of keySets.get(exchange)!) listIn(leadersWith, key).push(exchange);
  }
  return leaders;
}

/** The shortest of the lists for these keys. */
function shortest<E>(keys: readonly string[], lists: ReadonlyMap<string, readonly E[]>): readonly E[] {
  return keys.map((key) => lists.get(key) ?? []).reduce((least, next) => (next.length < least.length ? next : least));
}

/** What is recorded of requests, by their reply. */
export type RequestsByReply = ReadonlyMap<EmbeddedMessage, Recorded>;

/** Of an exchange: what `all` record of the requests whose replies are messages of it, each request once. */
export function requestsByReply(all: readonly Exchange[]): (exchange: Exchange) => RequestsByReply {
  const byReply = new Map<string, Recorded[]>();
  for (const { output, request, isRequest } of [...all].sort((a, b) => timeOf(a) - timeOf(b))) {
    const reply = output?.messages.at(-1);
    if (reply !== undefined && request !== undefined && isRequest) listIn(byReply, messageKey(reply)).push(request);
  }
  return (exchange) => {
    const taken = new Map<string, number>();
    const next = (key: string) => {
      const index = taken.get(key) ?? 0;
      const request = byReply.get(key)?.[index];
      if (request !== undefined) taken.set(key, index + 1);
      return request;
    };
    const requests = new Map<EmbeddedMessage, Recorded>();
    for (const message of exchangeMessages(exchange)) {
      const request = isReply(message) ? firstOf(messageKeys(message), next) : undefined;
      if (request !== undefined) requests.set(message, request);
    }
    return requests;
  };
}

function timeOf({ request }: Exchange): number {
  return request?.time ?? 0;
}

function firstOf(keys: readonly string[], find: (key: string) => Recorded | undefined): Recorded | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The requests with usage or a cost that no message of these transcripts answers. */
export function otherRequests(
  all: readonly Pick<Exchange, 'isRequest' | 'request'>[],
  answered: readonly RequestsByReply[],
): readonly Recorded[] {
  const known = new Set(answered.flatMap((requests) => [...requests.values()]));
  return all.flatMap(({ isRequest, request }) =>
    isRequest && isPaid(request) && !known.has(request) ? [request] : [],
  );
}

function isPaid(request: Recorded | undefined): request is Recorded {
  return request?.usage !== undefined || request?.cost !== undefined;
}

/**
 * Builds the message list of an exchange. A request ends with its reply by design, even after a transform removed it.
 */
export function transcriptList(exchange: Exchange, requests: RequestsByReply, about: ListMetadata = {}): JsonNode {
  const messages = exchangeMessages(exchange);
  const last = messages.at(-1);
  return buildList(
    messages,
    requests,
    exchange.isRequest || (last !== undefined && last === exchange.output?.messages.at(-1) && isReply(last)),
    about,
  );
}

function isReply(message: EmbeddedMessage): boolean {
  return messageRole(message) === 'assistant';
}

/** The edits of a transcript, for its exchange and for all copies. */
export interface ExchangeEdits {
  readonly edits: ContentEdits;
  /** The new messages of the input and the output; undefined if that side is synced like any copy. */
  readonly input: readonly WrittenMessage[] | undefined;
  readonly output: readonly WrittenMessage[] | undefined;
}

/** Computes the edits of an exchange from the edited list. */
export function exchangeEdits({ input, output }: Exchange, after: Json): ExchangeEdits {
  const { before, elements: edited } = readEdits(after);
  const became = new Map(edited.flatMap(({ from, read }) => (from === undefined ? [] : [[from, read] as const])));
  const edits = contentEdits(
    before.map(readElement),
    before.map((_, index) => became.get(index)),
    edited.flatMap(({ from, read }) => (from === undefined ? [read] : [])),
  );
  const inputMessages = input?.messages ?? [];
  const outputMessages = output?.messages ?? [];
  if (isRepeated(inputMessages, outputMessages))
    return { edits, input: undefined, output: writtenMessages(edited, outputMessages, 0) };
  const hasRoom = output === undefined || input?.isList === true;
  const [first, second] = split(edited, inputMessages.length, hasRoom);
  return {
    edits,
    input: input && writtenMessages(first, inputMessages, 0),
    output: output && writtenMessages(second, outputMessages, inputMessages.length),
  };
}

/** An exchange, the nodes that its sides were read from, and its edits; undefined: it is as it was. */
interface EditedExchange {
  readonly input: JsonNode | undefined;
  readonly output: JsonNode | undefined;
  readonly exchange: Exchange<EditableList>;
  readonly edited: Pick<ExchangeEdits, 'input' | 'output'> | undefined;
}

/** The new value of a side of an exchange that changed. */
export function editedSides(exchanges: readonly EditedExchange[]): (node: JsonNode) => Json | undefined {
  return nodeMap(
    exchanges.flatMap(({ input, output, exchange, edited }) => [
      ...sideWith(input, edited?.input && exchange.input?.replace(edited.input)),
      ...sideWith(output, edited?.output && exchange.output?.replace(edited.output)),
    ]),
  );
}

function sideWith(node: JsonNode | undefined, value: Json | undefined): (readonly [JsonNode, Json])[] {
  return node === undefined || value === undefined ? [] : [[node, value]];
}

/** Finds what stands for a value, of which there may be several nodes; the first one counts where several do. */
export function nodeMap<T>(entries: Iterable<readonly [JsonNode, T]>): (node: JsonNode) => T | undefined {
  const bySource = new Map<JsonSource, Map<number, T>>();
  for (const [{ source, at }, value] of entries) {
    const places = bySource.get(source) ?? new Map<number, T>();
    bySource.set(source, places);
    if (!places.has(at)) places.set(at, value);
  }
  return ({ source, at }) => bySource.get(source)?.get(at);
}

/** Splits the messages into input and output. Added messages go to the side of the message before, if it is a list. */
function split(
  edited: readonly EditedElement[],
  inputCount: number,
  hasRoom: boolean,
): [readonly EditedElement[], readonly EditedElement[]] {
  const firstOutput = edited.findIndex(({ from }) => from !== undefined && from >= inputCount);
  let end = firstOutput < 0 ? edited.length : firstOutput;
  if (!hasRoom) while (end > 0 && edited[end - 1]!.from === undefined) end--;
  return [edited.slice(0, end), edited.slice(end)];
}

function writtenMessages(
  edited: readonly EditedElement[],
  messages: readonly EmbeddedMessage[],
  offset: number,
): WrittenMessage[] {
  return edited.map(({ message, from }) => {
    const index = from === undefined ? -1 : from - offset;
    const own = messages[index]; // what moved to the other side is new there
    if (own === undefined) return { message, from: undefined };
    return { message: message instanceof JsonNode ? own.message : message, from: index };
  });
}
