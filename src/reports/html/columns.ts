/** The requests of a session as the columns of its charts: one each, or several in a column if there are many. */
import type { ReportRequest } from '../../engine/report/sessions.js';
import type { CacheMiss } from '../../measure/stats/cache-figures.js';
import { promptTokens } from '../../transcript/usage.js';

export interface Column {
  /** The numbers of its requests, from 1. */
  readonly first: number;
  readonly last: number;
  /** The request with the longest prompt. */
  readonly longest: ReportRequest;
  readonly misses: readonly CacheMiss[];
  /** The costs up to the end of the column; undefined if a price is unknown. */
  readonly costs: Costs;
  /** Those of the column alone. */
  readonly own: Costs;
}

export interface Costs {
  readonly paid: bigint | undefined;
  readonly without: bigint | undefined;
  readonly with: readonly (bigint | undefined)[];
}

/** More columns are too narrow to tell apart. */
const MOST_COLUMNS = 160;

export function columnsOf(requests: readonly ReportRequest[]): Column[] {
  const size = Math.ceil(requests.length / MOST_COLUMNS);
  const columns: Column[] = [];
  let costs: Costs = { paid: 0n, without: 0n, with: requests[0]?.with.map(() => 0n) ?? [] };
  for (let first = 0; first < requests.length; first += size) {
    const own = requests.slice(first, first + size);
    const sum = own.map(costsOf).reduce(plus);
    costs = plus(costs, sum);
    columns.push({
      first: first + 1,
      last: first + own.length,
      longest: own.reduce((most, next) => (promptTokens(next.usage) > promptTokens(most.usage) ? next : most)),
      misses: own.flatMap(({ miss }) => miss ?? []),
      costs,
      own: sum,
    });
  }
  return columns;
}

function costsOf({ paid, without, with: sides }: ReportRequest): Costs {
  return { paid, without: without.cost, with: sides.map(({ cost }) => cost) };
}

function plus(a: Costs, b: Costs): Costs {
  const add = (one: bigint | undefined, other: bigint | undefined) =>
    one === undefined || other === undefined ? undefined : one + other;
  return {
    paid: add(a.paid, b.paid),
    without: add(a.without, b.without),
    with: a.with.map((cost, index) => add(cost, b.with[index])),
  };
}
