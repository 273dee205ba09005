/** Several agents in one list of messages: each is a transcript of its own, and what becomes of each goes back to its places. */
import type { Agents, Format } from '../formats/format.js';
import { originOf } from '../transcript/compare.js';
import type { Message, Transcript } from '../transcript/types.js';

/** A list of messages as the transcripts that it holds, the main line first. */
export interface Threads {
  readonly transcripts: readonly Transcript[];
  /** The list with the next ones in the place of its own; `whole` itself where none is another. */
  joined(after: Iterator<Transcript>): Transcript;
}

/** Splits a transcript by what its format says of its messages. */
export function threadsOf(whole: Transcript, { threads }: Format): Threads {
  const { messages } = whole;
  const said = threads?.(messages);
  const places = said === undefined ? [] : [...placesByAgent(messages, said)];
  const [main, ...agents] = places.map(([agent, own]) => threadOf(whole, agent, own));
  const transcripts = agents.length === 0 ? [whole] : [{ ...main!, agents }, ...agents];
  return {
    transcripts,
    joined(next) {
      const after = transcripts.map((): Transcript => next.next().value);
      if (after.every((transcript, index) => transcript === transcripts[index])) return whole;
      return after.length === 1 ? after[0]! : { ...after[0]!, messages: woven(messages, places, after) };
    },
  };
}

type Agent = string | undefined;
type Places = readonly number[];

/** Where the messages of each agent stand. Records that name no agent go with the main line; where nothing is said there, with the first agent. */
function placesByAgent(messages: readonly Message[], { agentIds: of, order }: Agents): ReadonlyMap<Agent, Places> {
  const speaking = new Set(of.filter((_, index) => messages[index]!.role !== 'meta'));
  const [first] = speaking;
  const main = speaking.has(undefined) ? undefined : first;
  const places = new Map<Agent, number[]>([main, ...speaking].map((agent) => [agent, []]));
  for (const place of order ?? messages.keys()) (places.get(of[place]) ?? places.get(main)!).push(place);
  return places;
}

/** What is said of the recording as a whole is said of its main line. */
function threadOf(whole: Transcript, agent: Agent, places: Places): Transcript {
  const messages = places.map((place) => whole.messages[place]!);
  if (agent === undefined) return { ...whole, messages };
  const { tools: _, reply: __, ...shared } = whole;
  return {
    ...shared,
    agent,
    id: whole.id === undefined ? agent : `${whole.id}/${agent}`,
    model: messages.find(({ model }) => model !== undefined)?.model ?? whole.model,
    messages,
  };
}

/** What was kept stands where it stood; what came or moved stands behind the message that it follows in its own transcript. */
function woven(
  messages: readonly Message[],
  threads: readonly (readonly [Agent, Places])[],
  after: readonly Transcript[],
): Message[] {
  const slots = messages.map((): Message[] => []);
  threads.forEach(([, places], index) => {
    const anchors = anchorsOf(after[index]!.messages, places, messages);
    let slot = anchors.find((place) => place !== undefined) ?? places[0]!;
    let { raw: near } = messages[slot]!;
    after[index]!.messages.forEach((message, at) => {
      slot = anchors[at] ?? slot;
      if (message.role !== 'meta') near = originOf(message) ?? near;
      slots[slot]!.push(message.raw === undefined ? { ...message, near } : message);
    });
  });
  return slots.flat();
}

/** The places of messages that stay: those behind which all that stood there still follow. */
function anchorsOf(after: readonly Message[], places: Places, messages: readonly Message[]): (number | undefined)[] {
  const rankOf = new Map<unknown, number>(places.map((place, rank) => [messages[place]!.raw, rank]));
  let least = Number.POSITIVE_INFINITY;
  return after
    .map(originOf)
    .reverse()
    .map((origin) => {
      const rank = origin === undefined ? undefined : rankOf.get(origin);
      if (rank === undefined || rank > least) return undefined;
      least = rank;
      return places[rank];
    })
    .reverse();
}
