/**
 * Conversations out of traces. A trace holds exchanges with a model, each with the history so far: the longest one is the
 * transcript, and what a transform does to it is done to all the others alike (see copies.ts).
 */

import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { Recorded, Role } from '../../transcript/types.js';
import type { Put, Spoken } from './conversation.js';
import { type About, type Carried, carry, type Delivered, deliver, readCarried } from './embedded-messages.js';
import { type Fates, fatesOf, keyOfMessage } from './sync-copies.js';

/** What was said to a model, and by it. */
export interface Exchange<S extends Spoken = Spoken> {
  readonly input: S | undefined;
  readonly output: S | undefined;
  /** Whether it is one request: what around it repeats it is none. */
  readonly isRequest: boolean;
  readonly request: Recorded | undefined;
}

/** The messages of an exchange: of an output that repeats the input (the state of a graph), the output alone. */
export function messagesOf({ input, output }: Exchange): readonly Carried[] {
  const asked = input?.messages ?? [];
  const said = output?.messages ?? [];
  return repeats(asked, said) ? said : [...asked, ...said];
}

function repeats(asked: readonly Carried[], said: readonly Carried[]): boolean {
  return (
    asked.length > 0 && said.length >= asked.length && asked.every((message, index) => isAlike(message, said[index]!))
  );
}

/** Whether two messages say the same, and as the same: a model may say again what it was told. */
function isAlike(one: Carried, other: Carried): boolean {
  return roleOf(one) === roleOf(other) && keyOf(one) === keyOf(other);
}

function roleOf({ lens, message }: Carried): Role {
  return lens.read(message).role;
}

function keyOf({ lens, message }: Carried): string {
  return keyOfMessage(lens.read(message));
}

/** The longest exchange; of several, a request, and of those the last one in time. */
export function longest<E extends Exchange>(exchanges: readonly E[]): E | undefined {
  return exchanges.reduce<E | undefined>((most, next) => {
    const [longer, shorter] = [messagesOf(next).length, most === undefined ? 0 : messagesOf(most).length];
    if (longer !== shorter || most === undefined) return longer > shorter ? next : most;
    if (next.isRequest !== most.isRequest) return next.isRequest ? next : most;
    return (next.request?.time ?? 0) > (most.request?.time ?? 0) ? next : most;
  }, undefined);
}

/** The exchanges of which no other one holds the whole history: each is a transcript, and the rest follow the one that holds theirs. */
export function conversations<E extends Exchange>(exchanges: readonly E[]): ReadonlyMap<E, readonly E[]> {
  const leaders = new Map<E, E[]>();
  const keys = new Map(exchanges.map((exchange) => [exchange, messagesOf(exchange).map(keyOf)]));
  const said = new Map([...keys].map(([exchange, own]) => [exchange, new Set(own)]));
  const byLength = [...exchanges].sort(
    (a, b) => keys.get(b)!.length - keys.get(a)!.length || Number(b.isRequest) - Number(a.isRequest),
  );
  for (const exchange of byLength) {
    const own = keys.get(exchange)!;
    if (own.length === 0) continue;
    const leader = [...leaders.keys()].find((other) => own.every((key) => said.get(other)!.has(key)));
    if (leader === undefined) leaders.set(exchange, []);
    else leaders.get(leader)!.push(exchange);
  }
  return leaders;
}

/** The transcript of an exchange as a list. A request ends with its reply by design, even where a transform left none. Each reply has what was recorded of the request that it answers, if one of `all` says it. */
export function listOf(exchange: Exchange, all: readonly Exchange[], about: About = {}): JsonNode {
  const messages = messagesOf(exchange);
  const waiting = new Map<string, Recorded[]>();
  const sorted = [...all].sort((a, b) => (a.request?.time ?? 0) - (b.request?.time ?? 0));
  for (const { output, request, isRequest } of sorted.reverse()) {
    const reply = output?.messages.at(-1);
    if (reply === undefined || request === undefined || !isRequest) continue;
    const key = keyOf(reply);
    listIn(waiting, key).push(request);
  }
  const requests = new Map<Carried, Recorded>();
  for (const message of messages) {
    const request = isReply(message) ? waiting.get(keyOf(message))?.pop() : undefined;
    if (request !== undefined) requests.set(message, request);
  }
  const last = messages.at(-1);
  return carry(
    messages,
    requests,
    exchange.isRequest || (last !== undefined && last === exchange.output?.messages.at(-1) && isReply(last)),
    about,
  );
}

function isReply(message: Carried): boolean {
  return roleOf(message) === 'assistant';
}

/** What a transform did to a transcript. */
export interface Outcome {
  readonly fates: Fates;
  /** What stands in the input and in the output of its exchange now; undefined where a side follows like any copy. */
  readonly input: readonly Put[] | undefined;
  readonly output: readonly Put[] | undefined;
}

/** What stands on the sides of an exchange now, and what became of what its messages said. */
export function outcomeOf({ input, output }: Exchange, after: Json): Outcome {
  const { before, delivered } = deliver(after);
  const became = new Map(delivered.flatMap(({ from, read }) => (from === undefined ? [] : [[from, read] as const])));
  const fates = fatesOf(
    before.map(readCarried),
    before.map((_, index) => became.get(index)),
    delivered.flatMap(({ from, read }) => (from === undefined ? [read] : [])),
  );
  const asked = input?.messages ?? [];
  const said = output?.messages ?? [];
  if (repeats(asked, said)) return { fates, input: undefined, output: putsOf(delivered, said, 0) };
  const [first, second] = divided(delivered, asked.length, input?.isList !== false || output === undefined);
  return { fates, input: input && putsOf(first, asked, 0), output: output && putsOf(second, said, asked.length) };
}

/** What was added stands where the message before it stands, if there is room for more. */
function divided(
  delivered: readonly Delivered[],
  asked: number,
  hasRoom: boolean,
): [readonly Delivered[], readonly Delivered[]] {
  const behind = delivered.findIndex(({ from }) => from !== undefined && from >= asked);
  let end = behind < 0 ? delivered.length : behind;
  if (!hasRoom) while (end > 0 && delivered[end - 1]!.from === undefined) end--;
  return [delivered.slice(0, end), delivered.slice(end)];
}

function putsOf(delivered: readonly Delivered[], messages: readonly Carried[], offset: number): Put[] {
  return delivered.map(({ message, from }) => {
    const index = from === undefined ? undefined : from - offset;
    return {
      message: index !== undefined && message instanceof JsonNode ? messages[index]!.message : message,
      from: index,
    };
  });
}
