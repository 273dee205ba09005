/** Agents inside a Langfuse trace: observations say which one they stand in (`parentObservationId`). */
import type { JsonNode } from '../../json/node.js';
import type { EditableList } from '../shared/conversation.js';
import { conversations, type Exchange, exchangeMessages } from '../shared/traces.js';

/** An exchange, and where its two sides stand. */
export interface Found {
  readonly exchange: Exchange<EditableList>;
  readonly input: JsonNode | undefined;
  readonly output: JsonNode | undefined;
  readonly observation: JsonNode;
}

export interface Agent {
  /** The request that holds its whole conversation, and those that repeat parts of it. */
  readonly leader: Found;
  readonly followers: readonly Found[];
  /** The id of the observation that started it. */
  readonly agent: string;
}

/** What starts an agent of its own. https://langfuse.com/docs/observability/features/observation-types */
const STARTERS = new Set(['AGENT', 'TOOL']);

/** The agents that something outside the main line's own observations started, and that said what the main line does not hold. */
export function agentsIn(found: readonly Found[], main: Found): Agent[] {
  const byId = new Map(found.map((one) => [idOf(one), one]));
  const own = new Set(around(main, byId));
  const startedBy = (one: Found) =>
    around(one, byId).find((outer) => !own.has(outer) && STARTERS.has(outer.observation.get('type')?.string ?? ''));
  const started = found.flatMap((one) => {
    const by = one.exchange.isRequest && one !== main ? startedBy(one) : undefined;
    return by === undefined || exchangeMessages(one.exchange).length === 0 ? [] : [{ one, agent: idOf(by) ?? '' }];
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

/** The observations that one stands in, from the innermost outwards, and it itself. */
function around(one: Found, byId: ReadonlyMap<string | undefined, Found>): Found[] {
  const found = new Set<Found>();
  for (let at: Found | undefined = one; at !== undefined && !found.has(at); at = byId.get(parentOf(at))) found.add(at);
  return [...found];
}

function parentOf({ observation }: Found): string {
  return textIn(observation.get('parentObservationId')) ?? '';
}

function idOf({ observation }: Found): string | undefined {
  return textIn(observation.get('id'));
}

function textIn(node: JsonNode | undefined): string | undefined {
  return node?.string === '' ? undefined : node?.string;
}
