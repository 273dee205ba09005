/** Groups of requests: what each model, session, day, file or turn used and cost. */
import type { Picodollars } from '../decimals.js';
import type { Usage } from '../transcript/types.js';
import { addTo, NO_USAGE, promptTokens } from '../transcript/usage.js';
import type { RequestFacts } from './request.js';

export const GROUPINGS = ['request', 'turn', 'model', 'session', 'day', 'file'] as const;
export type GroupingBy = (typeof GROUPINGS)[number];

/** How requests are put into groups. */
export interface Grouping<Owner> {
  nameOf(request: RequestFacts, owner: Owner): string;
  fileOf(owner: Owner): string;
  dayOf(time: number): string;
  /** Tokens that fit into one request of a model. */
  windowOf(model: string): number | undefined;
}

/** The sum of requests. */
export interface RequestSum {
  readonly requests: number;
  readonly usage: Usage;
  /** Prompt and output tokens. */
  readonly total: number;
  /** Undefined if any price is unknown. */
  readonly cost: Picodollars | undefined;
  /** The cost of the requests with a known price. */
  readonly knownCost: Picodollars;
  readonly unpriced: number;
  readonly costSource: RequestFacts['costSource'];
  readonly tokensSource: RequestFacts['tokensSource'];
  /** Whether the usage of any request was recorded. */
  readonly isRecorded: boolean;
}

export interface GroupFacts extends RequestSum {
  /** The name of the group: a model, a day, `file:line#index` of a request. */
  readonly name: string;
  /** These four are undefined unless all requests of the group have the same value. */
  readonly file: string | undefined;
  readonly session: string | undefined;
  readonly day: string | undefined;
  readonly model: string | undefined;
  /** Share of total cost (of total tokens if any cost is unknown), 0 to 1. */
  readonly share: number;
  /** The share of the context window that the prompt fills (the longest of a group), 0 to 1. Undefined if unknown. */
  readonly window: number | undefined;
}

/** Sources from the most to the least certain. A sum has the least certain source of its parts. */
export const CERTAINTY = ['recorded', 'computed', 'exact', 'estimated', 'unpriced'] as const;

function lessCertain<S extends (typeof CERTAINTY)[number]>(a: S, b: S): S {
  return a !== b && CERTAINTY.indexOf(b) > CERTAINTY.indexOf(a) ? b : a;
}

export interface Summing {
  add(request: RequestFacts): void;
  sum(): RequestSum;
}

/** A running sum of requests. */
export function createSum(): Summing {
  let requests = 0;
  const usage = { ...NO_USAGE };
  let knownCost = 0n;
  let unpriced = 0;
  let costSource: RequestFacts['costSource'] = 'recorded';
  let tokensSource: RequestFacts['tokensSource'] = 'recorded';
  let isRecorded = false;
  return {
    add(request) {
      requests += request.requests;
      addTo(usage, request.usage);
      if (request.cost === undefined) unpriced++;
      else knownCost += request.cost;
      costSource = lessCertain(costSource, request.costSource);
      tokensSource = lessCertain(tokensSource, request.tokensSource);
      isRecorded ||= request.tokensSource === 'recorded';
    },
    sum: () => ({
      requests,
      usage: { ...usage },
      total: promptTokens(usage) + usage.output,
      cost: unpriced > 0 ? undefined : knownCost,
      knownCost,
      unpriced,
      costSource,
      tokensSource,
      isRecorded,
    }),
  };
}

/** Sums a list of requests. */
export function sumRequests(requests: readonly RequestFacts[]): RequestSum {
  const sum = createSum();
  for (const request of requests) sum.add(request);
  return sum.sum();
}

export interface Groups<Owner> {
  /** `order`: the position of the request. Groups are in the order of their first request. */
  add(request: RequestFacts, owner: Owner, order: number): void;
  facts(all: RequestSum): GroupFacts[];
}

/** The values that all requests of a group share; undefined if they differ. */
type Common = { -readonly [K in 'file' | 'session' | 'day' | 'model']: GroupFacts[K] };

interface Group extends Common {
  readonly name: string;
  readonly summing: Summing;
  order: number;
  window: number | undefined;
}

/** Without a grouping there are no groups. */
export function createGroups<Owner>(grouping: Grouping<Owner> | undefined): Groups<Owner> {
  const groups = new Map<string, Group>();
  return {
    add(request, owner, order) {
      if (grouping === undefined) return;
      const { session, model, time, usage } = request;
      const file = grouping.fileOf(owner);
      const day = time === undefined ? undefined : grouping.dayOf(time);
      const name = grouping.nameOf(request, owner);
      let group = groups.get(name);
      if (group === undefined) {
        group = { name, summing: createSum(), order, window: undefined, file, session, day, model };
        groups.set(name, group);
      }
      if (group.file !== file) group.file = undefined;
      if (group.session !== session) group.session = undefined;
      if (group.day !== day) group.day = undefined;
      if (group.model !== model) group.model = undefined;
      group.order = Math.min(group.order, order);
      group.summing.add(request);
      const fits = model === undefined ? undefined : grouping.windowOf(model);
      if (fits !== undefined) group.window = Math.max(group.window ?? 0, promptTokens(usage) / fits);
    },
    facts: (all) =>
      [...groups.values()]
        .sort((a, b) => a.order - b.order)
        .map(({ name, file, session, day, model, window, summing }) => {
          const sum = summing.sum();
          return { name, file, session, day, model, ...sum, share: shareOf(sum, all), window };
        }),
  };
}

/** Groups items by key, in order of the first item of each group. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function shareOf(part: RequestSum, all: RequestSum): number {
  if (all.cost !== undefined && all.cost > 0n && part.cost !== undefined)
    return Number((part.cost * 1_000_000n) / all.cost) / 1_000_000;
  return all.total === 0 ? 0 : part.total / all.total;
}

const UNKNOWN = '(unknown)';

/** The transcript of a request, as group names use it. */
interface Origin {
  readonly file: string;
  readonly line: number;
  readonly agent?: string | undefined;
  readonly turnStarts: readonly number[];
}

/** The function that names the group of a request. */
export function namer(by: GroupingBy, dayOf: (time: number) => string): Grouping<Origin>['nameOf'] {
  const placeOf = ({ file, line, agent }: Origin) => `${file}:${line}${agent === undefined ? '' : `/${agent}`}`;
  switch (by) {
    case 'request':
      return ({ index }, of) => `${placeOf(of)}#${index}`;
    case 'turn':
      return ({ index }, of) => `${placeOf(of)} turn ${of.turnStarts.filter((start) => start <= index).length}`;
    case 'model':
      return ({ model }) => model ?? UNKNOWN;
    case 'session':
      return ({ session }, { file, line }) => session ?? `${file}:${line}`;
    case 'day':
      return ({ time }) => (time === undefined ? UNKNOWN : dayOf(time));
    case 'file':
      return (_, { file }) => file;
  }
}

/** The calendar day of a time in a time zone: `2026-01-31`. Throws RangeError for an unknown zone. */
export function dayIn(timezone: string): (time: number) => string {
  const dayOf = timezone === 'UTC' ? (time: number) => new Date(time).toISOString().slice(0, 10) : zonedDay(timezone);
  const days = new Map<number, string>();
  return (time) => {
    if (!(time > SINCE_MINUTES)) return dayOf(time);
    const slot = Math.floor(time / SLOT_MS);
    const day = days.get(slot) ?? dayOf(time);
    days.set(slot, day);
    return day;
  };
}

/** Since then, all zones differ from UTC by whole quarters of an hour, so days begin at such quarters. */
const SINCE_MINUTES = Date.UTC(1973, 0);
const SLOT_MS = 15 * 60 * 1000;

function zonedDay(timezone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (time) => format.format(new Date(time));
}
