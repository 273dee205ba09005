/** What each day, week, month, project or branch cost, against a limit for every one of them. */
import type { Picodollars } from '../../decimals.js';
import type { Origin } from './group-keys.js';
import { createGroups, type GroupFacts } from './groups.js';
import type { RequestFacts } from './request.js';

export type Period = 'day' | 'week' | 'month' | 'project' | 'branch';

export interface PeriodLimit {
  readonly per: Period;
  readonly cost: Picodollars;
}

export interface PeriodCosts {
  add(origin: Origin, requests: readonly RequestFacts[]): void;
  /** Each with its limit, in order of their first request. */
  costs(): readonly (PeriodLimit & { readonly of: GroupFacts })[];
}

export interface PeriodNames {
  dayOf(time: number): string;
  projectOf?(project: string): string;
}

export function createPeriodCosts(limits: readonly PeriodLimit[], names: PeriodNames): PeriodCosts {
  const all = limits.map((limit) => ({
    limit,
    groups: createGroups<Origin>({
      ...names,
      by: [limit.per],
      windowOf: () => undefined,
      originOf: (origin) => origin,
    }),
  }));
  let order = 0;
  return {
    add(origin, requests) {
      for (const request of requests) {
        for (const { groups } of all) groups.add(request, origin, order);
        order++;
      }
    },
    costs: () => all.flatMap(({ limit, groups }) => groups.close().groups.map((of) => ({ ...limit, of }))),
  };
}
