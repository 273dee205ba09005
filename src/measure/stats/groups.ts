/** Groups of requests: what each model, session, day, file or turn used and cost. */
import { promptTokens } from '../../transcript/usage.js';
import {
  COLUMN_KEYS,
  columnsOf,
  type GroupColumns,
  type GroupingBy,
  namer,
  type Origin,
  sessionKey,
} from './group-keys.js';
import type { RequestFacts } from './request.js';
import { addRequest, addSums, createSum, type RequestSum, type RunningSum, sumOf } from './request-sum.js';

/** How requests are put into groups. */
export interface Grouping<Owner> {
  /** The names of the columns of `--by`. */
  readonly by: readonly GroupingBy[];
  originOf(owner: Owner): Origin;
  dayOf(time: number): string;
  /** What a project is called, by its folder. */
  projectOf?(folder: string): string;
  /** Tokens that fit into one request of a model. */
  windowOf(model: string): number | undefined;
}

export interface GroupFacts extends RequestSum, GroupColumns {
  /** What the group is called in each column of `--by`: a model, a day, `file:line#index` of a request. */
  readonly names: readonly string[];
  /** Share of total cost (of total tokens if any cost is unknown), 0 to 1. */
  readonly share: number;
  /** The share of the context window that the prompt fills (the longest of a group), 0 to 1. Undefined if unknown. */
  readonly window: number | undefined;
}

export interface GroupSums {
  /** All requests together. */
  readonly paid: RequestSum;
  /** In order of the first request of each. */
  readonly groups: readonly GroupFacts[];
}

export interface Groups<Owner> {
  /** `order`: the position of the request. Groups are in the order of their first request. */
  add(request: RequestFacts, owner: Owner, order: number): void;
  close(): GroupSums;
}

/** The columns in which most groups are like the one before: they share the object. */
type SharedColumns = Omit<GroupColumns, OwnKey>;
type OwnKey = (typeof OWN_KEYS)[number];

const OWN_KEYS = ['line', 'index', 'session'] as const;
const SHARED_KEYS = COLUMN_KEYS.filter(
  (key): key is Exclude<typeof key, OwnKey> => !OWN_KEYS.some((own) => own === key),
);

/** There is one for each transcript of a large input, so it is small. Its names are in its key. */
interface Group {
  readonly sum: RunningSum;
  shared: SharedColumns;
  line: number | undefined;
  index: number | undefined;
  session: string | undefined;
  order: number;
  window: number | undefined;
}

/** Without a grouping there are no groups, only the sum of all requests. */
export function createGroups<Owner>(grouping: Grouping<Owner> | undefined): Groups<Owner> {
  const groups = new Map<string, Group>();
  const ungrouped = createSum();
  const by = grouping?.by ?? [];
  const namesOf = namer(by);
  const isWithAgent = by.includes('session'); // two agents can give the same id
  const isPlain = by.length === 1 && !isWithAgent; // the key is the name
  const isByIndex = by.includes('request') || by.includes('turn');
  const titles = by.includes('title') ? new Map<string, string | undefined>() : undefined;
  /** A sub-agent bears the title of its session, which comes first. */
  const titled = (origin: Origin): Origin => {
    if (titles === undefined) return { ...origin, title: undefined };
    const key = sessionKey(origin);
    if (!titles.has(key)) titles.set(key, origin.title);
    return { ...origin, title: titles.get(key) };
  };
  interface Last {
    readonly group: Group;
    readonly origin: Origin;
    readonly columns: GroupColumns;
    readonly session: string | undefined;
  }
  let last: Last | undefined;
  const groupOf = (request: RequestFacts, origin: Origin, named: Grouping<Owner>, order: number): Group => {
    const columns = columnsOf(request, titled(origin), named);
    const names = namesOf(columns, request, origin);
    const key = isPlain ? names[0]! : JSON.stringify(isWithAgent ? [...names, columns.agent ?? ''] : names);
    const shared = sharedWith(last?.group.shared, columns);
    let group = groups.get(key);
    if (group === undefined) {
      const { line, index, session } = columns;
      group = { sum: createSum(), shared, line, index, session, order, window: undefined };
      groups.set(key, group);
    } else leaveCommon(group, columns);
    last = { group, origin, columns, session: request.session };
    return group;
  };
  /** The group of the request before, if nothing but the index differs. */
  const sameGroup = (request: RequestFacts, origin: Origin, { dayOf }: Grouping<Owner>) => {
    const { model, session, branch, time, index } = request;
    if (last === undefined || isByIndex || last.origin !== origin) return undefined;
    const { columns, group } = last;
    if (columns.model !== model || last.session !== session || columns.branch !== branch) return undefined;
    if (columns.day !== (time === undefined ? undefined : dayOf(time))) return undefined;
    if (group.index !== index) group.index = undefined;
    return group;
  };
  return {
    add(request, owner, order) {
      if (grouping === undefined) return addRequest(ungrouped, request);
      const { model, usage } = request;
      const origin = grouping.originOf(owner);
      const group = sameGroup(request, origin, grouping) ?? groupOf(request, origin, grouping, order);
      group.order = Math.min(group.order, order);
      addRequest(group.sum, request);
      const fits = model === undefined ? undefined : grouping.windowOf(model);
      if (fits !== undefined) group.window = Math.max(group.window ?? 0, promptTokens(usage) / fits);
    },
    close() {
      const namesIn = (key: string) => (isPlain ? [key] : (JSON.parse(key) as string[]).slice(0, by.length));
      const sums = [...groups]
        .sort(([, a], [, b]) => a.order - b.order)
        .map(([key, { shared, line, index, session, sum, window }]) => {
          return { names: namesIn(key), ...shared, line, index, session, ...sumOf(sum), share: 0, window };
        });
      const paid = grouping === undefined ? sumOf(ungrouped) : addSums(sums);
      for (const group of sums) group.share = shareOf(group, paid);
      return { paid, groups: sums };
    },
  };
}

/** The columns that groups share: those of the group before, if they are equal. */
function sharedWith(before: SharedColumns | undefined, columns: GroupColumns): SharedColumns {
  if (before !== undefined && SHARED_KEYS.every((key) => before[key] === columns[key])) return before;
  const { file, title, project, branch, agent, day, week, month, model } = columns;
  return { file, title, project, branch, agent, day, week, month, model };
}

/** Keeps the columns in which both are equal. */
function leaveCommon(group: Group, columns: GroupColumns): void {
  for (const key of OWN_KEYS) if (group[key] !== columns[key]) group[key] = undefined;
  for (const key of SHARED_KEYS)
    if (group.shared[key] !== undefined && group.shared[key] !== columns[key])
      group.shared = { ...group.shared, [key]: undefined };
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

/** A group that holds several groups, under names of its own. */
export function addedUp(names: readonly string[], groups: readonly GroupFacts[]): GroupFacts {
  const columns = Object.fromEntries(COLUMN_KEYS.map((key) => [key, undefined])) as unknown as GroupColumns;
  const share = groups.reduce((sum, group) => sum + group.share, 0);
  return { names, ...columns, ...addSums(groups), unexplained: undefined, share, window: undefined };
}

/** What shares are shares of: the cost, or the tokens if a price is missing. */
export function shareBasis({ cost }: Pick<RequestSum, 'cost'>): 'cost' | 'tokens' {
  return cost !== undefined && cost > 0n ? 'cost' : 'tokens';
}

function shareOf(part: RequestSum, all: RequestSum): number {
  if (shareBasis(all) === 'cost') return Number(((part.cost ?? 0n) * 1_000_000n) / all.cost!) / 1_000_000;
  return all.total === 0 ? 0 : part.total / all.total;
}

/**
 * The calendar day of a time in a time zone, by default that of this machine: `2026-01-31`. Throws RangeError for an
 * unknown zone.
 */
export function dayIn(timezone?: string): (time: number) => string {
  const zoned = timezone === undefined ? undefined : zonedDay(timezone);
  const days = new Map<number, string>();
  return (time) => {
    if (!(time > SINCE_MINUTES)) return (zoned ?? zonedDay(localZone()))(time);
    const slot = Math.floor(time / SLOT_MS);
    const day = days.get(slot) ?? (zoned ?? localDay)(time);
    days.set(slot, day);
    return day;
  };
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Intl takes many milliseconds to load, so the usual zone does without it. */
function localDay(time: number): string {
  const date = new Date(time);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Since then, all zones differ from UTC by whole quarters of an hour, so days begin at such quarters. */
const SINCE_MINUTES = Date.UTC(1973, 0);
const SLOT_MS = 15 * 60 * 1000;

function zonedDay(zone: string): (time: number) => string {
  if (zone === 'UTC') return (time) => new Date(time).toISOString().slice(0, 10);
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (time) => format.format(new Date(time));
}
