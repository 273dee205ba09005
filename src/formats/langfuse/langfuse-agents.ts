/** Agents inside a Langfuse trace: observations are nested by `parentObservationId`. */
import type { JsonNode } from '../../json/node.js';
import type { EditableList } from '../shared/conversation.js';
import { conversations, type Exchange, exchangeMessages } from '../shared/traces.js';

/** The exchange of an observation, and the values that hold its two sides. */
export interface ObservedExchange {
  readonly exchange: Exchange<EditableList>;
  readonly input: JsonNode | undefined;
  readonly output: JsonNode | undefined;
  readonly observation: JsonNode;
}

export interface Agent {
  /** The request that holds the whole conversation. */
  readonly leader: ObservedExchange;
  /** The requests that repeat parts of it. */
  readonly followers: readonly ObservedExchange[];
  /** The id of the observation that started it. */
  readonly agent: string;
}

/** Types of observations that start an agent. https://langfuse.com/docs/observability/features/observation-types */
const STARTERS = new Set(['AGENT', 'TOOL']);

/** The agents that an observation outside the main one started, and whose messages the main transcript lacks. */
export function agentsIn(found: readonly ObservedExchange[], main: ObservedExchange): Agent[] {
  const byId = new Map(found.map((one) => [observationId(one), one]));
  const own = new Set(withAncestors(main, byId));
  const startedBy = (one: ObservedExchange) =>
    withAncestors(one, byId).find(
      (outer) => !own.has(outer) && STARTERS.has(outer.observation.get('type')?.string ?? ''),
    );
  const started = found.flatMap((one) => {
    const starter = one.exchange.isRequest && one !== main ? startedBy(one) : undefined;
    if (starter === undefined || exchangeMessages(one.exchange).length === 0) return [];
    return [{ one, agent: observationId(starter) ?? '' }];
  });
  if (started.length === 0) return [];
  const known = new Map(started.map(({ one, agent }) => [one.exchange, { one, agent }]));
  const led = conversations([main.exchange, ...known.keys()]);
  if (!led.has(main.exchange)) return [];
  return [...led].flatMap(([exchange, followers]): Agent[] => {
    const leader = known.get(exchange);
    if (leader === undefined) return [];
    return [
      { leader: leader.one, agent: leader.agent, followers: followers.map((follower) => known.get(follower)!.one) },
    ];
  });
}

/** An observation, and those around it from the innermost outwards. */
function withAncestors(
  one: ObservedExchange,
  byId: ReadonlyMap<string | undefined, ObservedExchange>,
): ObservedExchange[] {
  const found = new Set<ObservedExchange>();
  for (let at: ObservedExchange | undefined = one; at !== undefined && !found.has(at); at = byId.get(parentOf(at)))
    found.add(at);
  return [...found];
}

function parentOf({ observation }: ObservedExchange): string {
  return nonEmptyText(observation.get('parentObservationId')) ?? '';
}

function observationId({ observation }: ObservedExchange): string | undefined {
  return nonEmptyText(observation.get('id'));
}

function nonEmptyText(node: JsonNode | undefined): string | undefined {
  return node?.string === '' ? undefined : node?.string;
}
