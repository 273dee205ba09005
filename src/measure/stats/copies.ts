/** Requests that a session repeats of another one, as a fork does: they count where they were made. */
import type { Picodollars } from '../../decimals.js';
import { type Origin, sessionKey } from './group-keys.js';
import type { RequestFacts } from './request.js';

export interface Copied {
  readonly requests: number;
  /** Of those with a known price. */
  readonly cost: Picodollars;
  /** Keys of the sessions that made them. */
  readonly from: ReadonlySet<string>;
}

export interface Copies {
  /** A transcript repeats a request, by its key, of another one. */
  add(of: Origin, from: Origin, key: string, request: RequestFacts): void;
  /** By the key of the session, once all requests are final. */
  of(session: string): Copied | undefined;
  all(): readonly Copied[];
}

export function createCopies(): Copies {
  const sessions = new Map<string, { readonly costs: Map<string, Picodollars>; readonly from: Set<string> }>();
  const sumOf = ({
    costs,
    from,
  }: {
    readonly costs: ReadonlyMap<string, Picodollars>;
    readonly from: Set<string>;
  }) => ({ requests: costs.size, cost: [...costs.values()].reduce((sum, cost) => sum + cost, 0n), from });
  return {
    add(of, from, key, { cost = 0n }) {
      const [session, source] = [sessionKey(of), sessionKey(from)];
      if (session === source) return;
      const own = sessions.get(session) ?? { costs: new Map<string, Picodollars>(), from: new Set<string>() };
      sessions.set(session, own);
      own.costs.set(key, cost);
      own.from.add(source);
    },
    of(session) {
      const own = sessions.get(session);
      return own && sumOf(own);
    },
    all: () => [...sessions.values()].map(sumOf),
  };
}
