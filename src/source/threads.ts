/**
 * Several agents in one list of messages: each is a transcript of its own, and what becomes of each goes back to its
 * indices.
 */
import type { Agents, Format } from '../formats/format.js';
import { originOf } from '../transcript/compare.js';
import type { Message, Transcript } from '../transcript/types.js';

/** The transcripts of a list, the main agent first. */
export interface Threads {
  readonly transcripts: readonly Transcript[];
  /** The list with the next transcripts of `after`; `whole` itself if none differs. */
  joined(after: Iterator<Transcript>): Transcript;
}

export function threadsOf(whole: Transcript, { threads }: Pick<Format, 'threads'>): Threads {
  const { messages } = whole;
  const agentsOf = threads?.(messages);
  const byAgent = agentsOf === undefined ? [] : [...indicesByAgent(messages, agentsOf)];
  const [main, ...agents] = byAgent.map(([agent, own]) => threadOf(whole, agent, own));
  const transcripts = agents.length === 0 ? [whole] : [{ ...main!, agents }, ...agents];
  return {
    transcripts,
    joined(next) {
      const after = transcripts.map((): Transcript => next.next().value);
      if (after.every((transcript, index) => transcript === transcripts[index])) return whole;
      return after.length === 1 ? after[0]! : { ...after[0]!, messages: merged(messages, byAgent, after) };
    },
  };
}

type Agent = string | undefined;
type Indices = readonly number[];

/**
 * The indices of each agent's messages. Records without an agent belong to the main agent, or else to the first one.
 */
function indicesByAgent(messages: readonly Message[], { agentIds: of, order }: Agents): ReadonlyMap<Agent, Indices> {
  const named = new Set(of.filter((_, index) => messages[index]!.role !== 'meta'));
  const [first] = named;
  const main = named.has(undefined) ? undefined : first;
  const indices = new Map<Agent, number[]>([main, ...named].map((agent) => [agent, []]));
  for (const index of order ?? messages.keys()) (indices.get(of[index]) ?? indices.get(main)!).push(index);
  return indices;
}

/** Tools, reply and other requests of the recording belong to the main agent. */
function threadOf(whole: Transcript, agent: Agent, indices: Indices): Transcript {
  const messages = indices.map((place) => whole.messages[place]!);
  if (agent === undefined) return { ...whole, messages };
  const { tools: _, reply: __, others: ___, ...shared } = whole;
  return {
    ...shared,
    agent,
    id: whole.id === undefined ? agent : `${whole.id}/${agent}`,
    model: messages.find(({ model }) => model !== undefined)?.model ?? whole.model,
    messages,
  };
}

/** Kept messages keep their places; added and moved ones follow the message before them in their own transcript. */
function merged(
  messages: readonly Message[],
  threads: readonly (readonly [Agent, Indices])[],
  after: readonly Transcript[],
): Message[] {
  const slots = messages.map((): Message[] => []);
  threads.forEach(([, indices], index) => {
    const anchors = anchorsOf(after[index]!.messages, indices, messages);
    let slot = anchors.find((place) => place !== undefined) ?? indices[0]!;
    let { raw: near } = messages[slot]!;
    after[index]!.messages.forEach((message, at) => {
      slot = anchors[at] ?? slot;
      if (message.role !== 'meta') near = originOf(message) ?? near;
      slots[slot]!.push(message.raw === undefined ? { ...message, near } : message);
    });
  });
  return slots.flat();
}

/** The indices of messages that stay: those behind which all that stood there still follow. */
function anchorsOf(after: readonly Message[], indices: Indices, messages: readonly Message[]): (number | undefined)[] {
  const rankOf = new Map<unknown, number>(indices.map((place, rank) => [messages[place]!.raw, rank]));
  let least = Number.POSITIVE_INFINITY;
  return after
    .map(originOf)
    .reverse()
    .map((origin) => {
      const rank = origin === undefined ? undefined : rankOf.get(origin);
      if (rank === undefined || rank > least) return undefined;
      least = rank;
      return indices[rank];
    })
    .reverse();
}
