/** What a row of statistics is, which rows are shown, and in which order. */
import { TranscriptError } from '../../errors.js';
import type { MessageFacts } from '../../measure/stats/facts.js';
import { GROUP_KEYS, type GroupingBy } from '../../measure/stats/group-keys.js';
import type { GroupFacts } from '../../measure/stats/groups.js';
import type { ShareFacts } from '../../measure/stats/shares.js';

/** What a row can be. Two of `GROUP_KEYS` can be combined: `day,model`. */
export const ROWS = ['message', 'role', 'tool', 'turn', 'request', ...GROUP_KEYS] as const;
/** Without `--by` a row is a transcript. */
export type Rows = (typeof ROWS)[number] | 'transcript';

export interface RowChoice {
  readonly by: readonly Rows[];
  /** A column: figures from the highest down, names from A up. */
  readonly sort?: string | undefined;
  /** Only the first rows. */
  readonly top?: number | undefined;
}

/**
 * What `--by` names: `day`, or `day,model`; by default a transcript. `path`: of the option, for the error. Throws
 * TranscriptError for anything else.
 */
export function rowsNamed(text: string | undefined, path?: string): readonly Rows[] {
  const wrong = (what: string) => new TranscriptError('usage', what, { path });
  if (text === undefined) return ['transcript'];
  const by = text.split(',').map((word) => word.trim());
  const unknown = by.find((word) => !(ROWS as readonly string[]).includes(word));
  if (unknown !== undefined) throw wrong(`--by \`${unknown}\`: expected one of ${ROWS.join(', ')}`);
  const isPair = by.length === 2 && by[0] !== by[1] && by.every((word) => isKey(word));
  if (by.length > 1 && !isPair) throw wrong(`--by \`${text}\`: two kinds can be combined, of ${GROUP_KEYS.join(', ')}`);
  return by as Rows[];
}

function isKey(word: string): boolean {
  return (GROUP_KEYS as readonly string[]).includes(word);
}

type Sorts<Row> = Readonly<Record<string, (row: Row) => number | bigint | string | undefined>>;

export const MESSAGE_SORTS: Sorts<MessageFacts> = {
  index: ({ index }) => index,
  role: ({ role }) => role,
  tokens: ({ tokens }) => tokens,
  share: ({ share }) => share,
  cumulative: ({ cumulative }) => cumulative,
};

/** `by`: also the name of the first column. */
export function shareSorts(by: 'role' | 'tool'): Sorts<ShareFacts> {
  return {
    [by]: ({ name }) => name,
    name: ({ name }) => name,
    messages: ({ messages }) => messages,
    calls: ({ calls }) => calls,
    results: ({ results }) => results,
    tokens: ({ tokens }) => tokens,
    share: ({ share }) => share,
  };
}

const knownCost = ({ cost, unpriced, knownCost: known }: GroupFacts) =>
  cost === undefined && unpriced > 0 && known === 0n ? undefined : known;

/** The columns of `--by` come first. */
export function groupSorts(by: readonly Rows[]): Sorts<GroupFacts> {
  return {
    ...Object.fromEntries(by.map((key, at) => [key, ({ names }: GroupFacts) => names[at]])),
    order: () => 0,
    name: ({ names }) => names.join(' '),
    requests: ({ requests }) => requests,
    input: ({ usage }) => usage.input,
    cache_read: ({ usage }) => usage.cacheRead,
    cache_write: ({ usage }) => usage.cacheWrite5m + usage.cacheWrite1h,
    cache_write_5m: ({ usage }) => usage.cacheWrite5m,
    cache_write_1h: ({ usage }) => usage.cacheWrite1h,
    output: ({ usage }) => usage.output,
    reasoning: ({ usage }) => usage.reasoning,
    total: ({ total }) => total,
    cost: knownCost,
    cost_usd: knownCost,
    share: ({ share }) => share,
    window: ({ window }) => window,
  };
}

const NAMED_FIRST = new Set<Rows>(['day', 'week', 'month']);

/** The usual column to sort by. */
function usualSort({ by, top }: RowChoice): string {
  const [first] = by;
  if (first === 'message') return top === undefined ? 'index' : 'tokens';
  if (first === 'role' || first === 'tool') return 'tokens';
  if (first === 'request' || first === 'turn') return 'order';
  return by.some((key) => NAMED_FIRST.has(key)) ? 'name' : 'cost_usd';
}

/** Throws TranscriptError for a column that does not exist. */
export function rejectWrongSort(choice: RowChoice): void {
  const [first] = choice.by;
  if (choice.sort !== undefined && first === 'transcript' && Object.hasOwn(MESSAGE_SORTS, choice.sort)) return;
  if (first === 'message') chosenMessages([], choice);
  else if (first === 'role' || first === 'tool') chosenShares([], choice, first);
  else chosenGroups([], choice);
}

export function chosenMessages(rows: readonly MessageFacts[], choice: Omit<RowChoice, 'by'>): MessageFacts[] {
  return chosen(rows, { ...choice, by: ['message'] }, MESSAGE_SORTS);
}

export function chosenShares(rows: readonly ShareFacts[], choice: RowChoice, by: 'role' | 'tool'): ShareFacts[] {
  return chosen(rows, choice, shareSorts(by));
}

/** Groups with the same figure, or without a known cost, are sorted by tokens. */
export function chosenGroups(rows: readonly GroupFacts[], choice: RowChoice): GroupFacts[] {
  const sorts = groupSorts(choice.by);
  const byTokens = (choice.sort ?? usualSort(choice)) === 'order' ? rows : [...rows].sort((a, b) => b.total - a.total);
  return chosen(byTokens, choice, sorts);
}

/** Columns whose texts go from A up. */
const ASCENDING = new Set<string>([...ROWS, 'transcript', 'name', 'index']);

function chosen<Row>(rows: readonly Row[], choice: RowChoice, sorts: Sorts<Row>): Row[] {
  const { sort, top } = choice;
  const key = sort ?? usualSort(choice);
  const of = Object.hasOwn(sorts, key) ? sorts[key] : undefined;
  if (of === undefined)
    throw new TranscriptError('usage', `no column \`${key}\` to sort by; there are ${Object.keys(sorts).join(', ')}`);
  const isName = ASCENDING.has(key);
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
  return by !== 'message' && by !== 'role' && by !== 'tool';
}
