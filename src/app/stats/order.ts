/** Which rows of statistics are shown, and in which order. */
import { TranscriptError } from '../../errors.js';
import type { MessageFacts } from '../../stats/facts.js';
import { GROUPINGS, type GroupFacts, type GroupingBy } from '../../stats/groups.js';
import type { ShareFacts } from '../../stats/shares.js';

/** What a row is. */
export const ROWS = ['message', 'role', 'tool', 'turn', 'request', 'model', 'session', 'day', 'file'] as const;
export type Rows = (typeof ROWS)[number];

export interface RowChoice {
  readonly by: Rows;
  /** A column: figures from the highest down, names from A up. */
  readonly sort?: string | undefined;
  /** Only the first rows. */
  readonly top?: number | undefined;
}

type Sorts<Row> = Readonly<Record<string, (row: Row) => number | bigint | string | undefined>>;

export const MESSAGE_SORTS: Sorts<MessageFacts> = {
  index: ({ index }) => index,
  role: ({ role }) => role,
  tokens: ({ tokens }) => tokens,
  share: ({ share }) => share,
  cumulative: ({ cumulative }) => cumulative,
};
export const SHARE_SORTS: Sorts<ShareFacts> = {
  name: ({ name }) => name,
  messages: ({ messages }) => messages,
  calls: ({ calls }) => calls,
  results: ({ results }) => results,
  tokens: ({ tokens }) => tokens,
  share: ({ share }) => share,
};
export const GROUP_SORTS: Sorts<GroupFacts> = {
  order: () => 0,
  name: ({ name }) => name,
  requests: ({ requests }) => requests,
  input: ({ usage }) => usage.input,
  cache_read: ({ usage }) => usage.cacheRead,
  cache_write: ({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h,
  output: ({ usage }) => usage.output,
  total: ({ total }) => total,
  cost: ({ cost }) => cost,
  share: ({ share }) => share,
  window: ({ window }) => window,
};
const USUAL_SORT: Readonly<Record<Rows, string>> = {
  message: 'index',
  role: 'tokens',
  tool: 'tokens',
  request: 'order',
  turn: 'order',
  day: 'name',
  model: 'cost',
  session: 'cost',
  file: 'cost',
};

function usualSort({ by, top }: RowChoice): string {
  return by === 'message' && top !== undefined ? 'tokens' : USUAL_SORT[by];
}

/** Throws TranscriptError for a column that does not exist. */
export function rejectWrongSort(choice: RowChoice): void {
  if (choice.by === 'message') chosen([], choice, MESSAGE_SORTS);
  else if (isGroup(choice.by)) chosen([], choice, GROUP_SORTS);
  else chosen([], choice, SHARE_SORTS);
}

/** The rows that are shown, in their order. Throws TranscriptError for a column that does not exist. */
export function chosen<Row>(rows: readonly Row[], choice: RowChoice, sorts: Sorts<Row>): Row[] {
  const { sort, top } = choice;
  const key = sort ?? usualSort(choice);
  const of = Object.hasOwn(sorts, key) ? sorts[key] : undefined;
  if (of === undefined)
    throw new TranscriptError('usage', `no column \`${key}\` to sort by; there are ${Object.keys(sorts).join(', ')}`);
  const isName = key === 'name' || key === 'role' || key === 'index';
  const compare = (a: Row, b: Row) => {
    const [x, y] = [of(a), of(b)];
    if (x === y) return 0;
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
    return x < y === isName ? -1 : 1;
  };
  return [...rows].sort(compare).slice(0, top);
}

/** Whether rows are groups of requests. */
export function isGroup(by: Rows): by is GroupingBy {
  return (GROUPINGS as readonly string[]).includes(by);
}
