/**
 * Several agents in one list of messages: each is a transcript of its own, as is each abandoned branch, and what
 * becomes of each goes back to its indices.
 */
import type { Agents, Branch, Format } from '../formats/format.js';
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
  const byAgent = agentsOf && [...indicesByAgent(messages, agentsOf)];
  const transcripts =
    byAgent === undefined ? [whole] : transcriptsOf(whole, byAgent, agentsOf?.branches ?? NO_BRANCHES);
  return {
    transcripts,
    joined(next) {
      const after = transcripts.map((): Transcript => next.next().value);
      if (after.every((transcript, index) => transcript === transcripts[index])) return whole;
      if (threads === undefined) return after[0]!;
      const places = byAgent ?? [[undefined, [...messages.keys()]] as const];
      return { ...after[0]!, messages: merged(messages, places, after) };
    },
  };
}

type Agent = string | undefined;
type Indices = readonly number[];
type Thread = readonly [Agent, Indices];
type Branches = ReadonlyMap<string, Branch>;
const NO_BRANCHES: Branches = new Map();

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

/** The main agent knows the others, and a branch what it was left for. */
function transcriptsOf(whole: Transcript, byAgent: readonly Thread[], branches: Branches): readonly Transcript[] {
  if (byAgent.length === 1) return [{ ...whole, messages: byAgent[0]![1].map((place) => whole.messages[place]!) }];
  const [main, ...others] = byAgent.map(([agent, own]) => threadOf(whole, agent, own)) as [Transcript, ...Transcript[]];
  const agents = others.map((transcript): Transcript => {
    const branch = branches.get(transcript.agent!);
    if (branch === undefined) return transcript;
    return { ...transcript, abandoned: { main, context: contextOf(branch, whole, byAgent, branches) } };
  });
  return [{ ...main, agents }, ...agents];
}

/** The messages up to the fork, also those of the branches that a branch left. */
function contextOf({ after }: Branch, whole: Transcript, byAgent: readonly Thread[], branches: Branches): Message[] {
  const thread = after === undefined ? undefined : byAgent.find(([, indices]) => indices.includes(after));
  if (thread === undefined) return [];
  const [agent, indices] = thread;
  const outer = agent === undefined ? undefined : branches.get(agent);
  const before = outer === undefined ? [] : contextOf(outer, whole, byAgent, branches);
  return [...before, ...indices.slice(0, indices.indexOf(after!) + 1).map((index) => whole.messages[index]!)];
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

/**
 * Kept messages keep their places; added and moved ones follow the message before them in their own transcript, which
 * is `near` of them. In a single list, added messages need none.
 */
function merged(messages: readonly Message[], threads: readonly Thread[], after: readonly Transcript[]): Message[] {
  const slots = messages.map((): Message[] => []);
  const added: Message[] = []; // to an empty list
  const isSingle = threads.length === 1 && threads[0]![1].every((place, index) => place === index);
  threads.forEach(([agent, indices], index) => {
    const anchors = anchorsOf(after[index]!.messages, indices, messages);
    const isOwn = (place: number) => agent !== undefined || messages[place]!.role !== 'meta'; // not a header
    let slot = anchors.find((place) => place !== undefined) ?? indices[0];
    const first = anchors.find((place) => place !== undefined && isOwn(place)) ?? slot;
    let near = first === undefined ? undefined : messages[first]!.raw;
    after[index]!.messages.forEach((message, at) => {
      const anchor = anchors[at];
      slot = anchor ?? slot;
      const hasNear = anchor === undefined && (message.raw !== undefined || !isSingle);
      (slot === undefined ? added : slots[slot]!).push(hasNear ? { ...message, near } : message);
      if (anchor !== undefined && message.role !== 'meta') near = originOf(message);
    });
  });
  return [...slots.flat(), ...added];
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
