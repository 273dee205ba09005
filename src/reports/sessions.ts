/** `sessions`: what agents left on this machine. */
import type { ListedSession } from '../engine/sessions/figures.js';
import { addSums, type RequestSum } from '../measure/stats/request-sum.js';
import type { Omissions } from '../omissions.js';
import { type SafeText, safe, shown } from '../safe/text.js';
import { moneyColumn, USD } from '../text/money.js';
import {
  costText,
  grouped,
  LONGEST_FOLDER,
  paidInColumn,
  plural,
  shortCount,
  shortFolder,
  shortModel,
} from '../text/words.js';
import { omissionLines } from './omissions.js';
import type { Style } from './report.js';
import { type Column, GAP, renderTable, tableWidth } from './rows.js';

export interface AllSessions {
  /** How many there are. */
  readonly sessions: number;
  readonly paid: RequestSum;
  /** Those of this machine, which short names tell apart. */
  readonly named: readonly NamedSession[];
}

export interface NamedSession {
  readonly agent: string;
  readonly id: string;
  /** What `@` takes for it, and for its parts. */
  readonly names: readonly string[];
}

/** A session, the others together, or all. */
interface SessionRow extends Partial<Omit<ListedSession, 'id' | 'paid'>> {
  readonly name: string;
  readonly paid: RequestSum | undefined;
}

/** `room`: columns of the terminal. */
export function sessionsTable(
  sessions: readonly ListedSession[],
  all: AllSessions,
  { style, room }: { readonly style: Style; readonly room: number },
): SafeText {
  const named = namesOf(all.named);
  const own = sessions.map((session): SessionRow => ({ ...session, name: shortName(session, named) }));
  const rows = all.sessions < 2 ? own : [...own, ...sumsOf(sessions, all)];
  const table = renderTable(columnsFor(rows, room), rows, style);
  const silent = sessions.filter(({ paid, copied }) => (paid ?? copied) === undefined).length;
  const note =
    silent === 0
      ? safe``
      : safe`${plural(silent, 'session')} without usage of ${silent === 1 ? safe`its` : safe`their`} own; `;
  const example = shown(`ctx-trim show ${own[0]!.name}`);
  const missing = omissionLines(omissionsOf(own), style);
  return safe`${table}\n${style.dim(safe`${note}open one with ${example}`)}\n${copiedLine(own, style)}${missing}`;
}

/** What forks repeat. */
function copiedLine(rows: readonly SessionRow[], style: Style): SafeText {
  const forks = rows.flatMap(({ copied }) => copied ?? []);
  if (forks.length === 0) return safe``;
  const requests = forks.reduce((sum, { requests: count }) => sum + count, 0);
  const cost = forks.reduce((sum, fork) => sum + fork.cost, 0n);
  const what = safe`${plural(requests, 'request')} (${costText(cost, 'exact', USD)})`;
  const where = safe`in ${plural(forks.length, 'fork')}`;
  return safe`${style.dim(safe`copied from an earlier session, and counted there: ${what} ${where}`)}\n`;
}

function sumsOf(sessions: readonly ListedSession[], all: AllSessions): readonly SessionRow[] {
  const total: SessionRow = { name: 'total', paid: all.paid };
  const others = all.sessions - sessions.length;
  return others === 0 ? [total] : [{ name: `(${others} more)`, paid: rest(sessions, all.paid) }, total];
}

/** What is left of a total. */
function rest(sessions: readonly ListedSession[], all: RequestSum): RequestSum {
  const listed = addSums(sessions.flatMap(({ paid }) => paid ?? []));
  const knownCost = all.knownCost - listed.knownCost;
  const unpriced = all.unpriced - listed.unpriced;
  const cost = unpriced > 0 ? undefined : knownCost;
  return {
    ...all,
    requests: all.requests - listed.requests,
    total: all.total - listed.total,
    knownCost,
    unpriced,
    cost,
  };
}

/** What the figures of the sessions are without, by the names in the table. */
function omissionsOf(rows: readonly SessionRow[]): Omissions {
  const named = rows.map(({ name, figures }) => ({ file: name, ...figures!.omissions }));
  return {
    unread: named.flatMap(({ file, unread }) => unread.map((one) => ({ ...one, file }))),
    badLines: named.flatMap(({ file, badLines }) => badLines.map((lines) => ({ ...lines, file }))),
  };
}

const SHORTEST_ID = 6;

interface Name {
  readonly agent: string;
  readonly id: string;
  readonly name: string;
}

function namesOf(named: readonly NamedSession[]): readonly Name[] {
  return named.flatMap(({ agent, id, names }) => [...new Set(names)].map((name) => ({ agent, id, name })));
}

/** The shortest name that means no other session; with the agent where another one has the same id. */
function shortName({ id, agent }: Pick<ListedSession, 'id' | 'agent'>, all: readonly Name[]): string {
  let [shared, sharedHere, isTaken] = [0, 0, false];
  for (const other of all) {
    if (other.name[0] !== id[0] || (other.id === id && other.agent === agent)) continue;
    const length = commonStart(id, other.name);
    isTaken ||= other.name === id;
    shared = Math.max(shared, length);
    if (other.agent === agent) sharedHere = Math.max(sharedHere, length);
  }
  const start = (length: number) => id.slice(0, Math.max(SHORTEST_ID, length + 1));
  return isTaken ? `@${agent}:${start(sharedHere)}` : `@${start(shared)}`;
}

/** Names for sessions, as short as they can be on this machine. */
export function shortNames(all: readonly NamedSession[]): (session: Pick<ListedSession, 'id' | 'agent'>) => string {
  const named = namesOf(all);
  return (session) => shortName(session, named);
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** What narrower terminals do without: each next try leaves out more. */
const DROPPED: readonly (readonly string[])[] = [
  [],
  ['messages'],
  ['messages', 'branch'],
  ['messages', 'branch', 'project'],
  ['messages', 'branch', 'project', 'tokens'],
  ['messages', 'branch', 'project', 'tokens', 'agent'],
  ['messages', 'branch', 'project', 'tokens', 'agent', 'model'],
  ['messages', 'branch', 'project', 'tokens', 'agent', 'model', 'title'],
];
/** Columns that a title needs to say something. */
const LEAST_TITLE = 18;

function columnsFor(rows: readonly SessionRow[], room: number): readonly Column<SessionRow>[] {
  const isWide = room >= WIDE;
  const columns = allColumns(rows, isWide);
  if (room === Number.POSITIVE_INFINITY) return columns;
  for (const dropped of DROPPED) {
    const kept = columns.filter(({ title }) => !dropped.includes(title));
    const width =
      room -
      tableWidth(
        kept.filter(({ title }) => title !== 'title'),
        rows,
      ) -
      GAP;
    if (width >= LEAST_TITLE || dropped === DROPPED.at(-1))
      return kept.map((column) => (column.title === 'title' ? { ...column, width } : column));
  }
  return columns;
}

/** From here on names and times stand in full. */
const WIDE = 160;
const [LONGEST_BRANCH, LONGEST_MODEL] = [14, 14];

function allColumns(rows: readonly SessionRow[], isWide: boolean): readonly Column<SessionRow>[] {
  const money = moneyColumn(
    rows.map(({ paid }) => paid?.knownCost ?? 0n),
    USD,
  );
  const year = lastOf(rows[0]!)?.slice(0, 4);
  const columns: readonly (Column<SessionRow> | false)[] = [
    { title: 'session', text: ({ name }) => name },
    { title: 'title', text: ({ figures }) => figures?.title ?? '' },
    { title: 'agent', text: ({ agent = '' }) => agent },
    {
      title: 'project',
      ...(isWide ? {} : { width: LONGEST_FOLDER }),
      keeps: 'end',
      text: ({ figures, folder = '' }) => {
        const path = figures?.project ?? folder;
        return isWide ? path : shortFolder(path);
      },
    },
    {
      title: 'branch',
      ...(isWide ? {} : { width: LONGEST_BRANCH }),
      keeps: 'end',
      text: ({ figures }) => figures?.branch ?? '',
    },
    {
      title: 'model',
      ...(isWide ? {} : { width: LONGEST_MODEL }),
      text: ({ figures }) => (isWide ? figures?.model : shortModel(figures?.model ?? '')) ?? '',
    },
    { title: 'last', text: (row) => (isWide ? lastOf(row) : shortTime(lastOf(row), year)) ?? '' },
    {
      title: 'messages',
      align: 'right',
      text: ({ figures }) => (figures === undefined ? '' : grouped(figures.messages)),
    },
    { title: 'tokens', align: 'right', text: ({ paid }) => (paid?.requests ? shortCount(paid.total) : '–') },
    { title: 'cost', align: 'right', text: ({ paid }) => (paid === undefined ? '–' : paidInColumn(paid, money)) },
    rows.some(({ figures }) => figures?.findings !== undefined) && {
      title: 'findings',
      align: 'right',
      text: ({ figures }) => (figures?.findings === undefined ? '' : grouped(figures.findings)),
    },
  ];
  return columns.filter((column) => column !== false);
}

/** `2026-01-31 10:02`, local time. */
function lastOf({ figures, last }: SessionRow): string | undefined {
  const time = figures?.ended ?? last;
  if (time === undefined) return undefined;
  const date = new Date(time);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The day and minute of this year, the day of another one. */
function shortTime(time: string | undefined, year: string | undefined): string | undefined {
  return time?.slice(0, 4) === year ? time?.slice(5) : time?.slice(0, 10);
}
