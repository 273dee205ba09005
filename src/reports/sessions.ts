/** `sessions`: what agents left on this machine. */
import type { ListedSession, SessionFigures } from '../engine/sessions/figures.js';
import { greatest } from '../lists.js';
import type { Omissions } from '../omissions.js';
import { type SafeText, safe, shown } from '../safe/text.js';
import { costText, grouped, plural, shortCount } from '../text/words.js';
import { omissionLines } from './omissions.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';

/** `found`: how many sessions there are. `room`: columns of the terminal. */
export function sessionsTable(
  sessions: readonly ListedSession[],
  found: number,
  { style, room }: { readonly style: Style; readonly room: number },
): SafeText {
  const ids = shortIds(sessions);
  const table = renderTable(columnsFor(sessions, ids, room), sessions, style);
  const more = found > sessions.length ? safe`${grouped(sessions.length)} of ${plural(found, 'session')}; ` : safe``;
  const example = shown(`ctx-trim show @${ids.get(sessions[0]!.id)!}`);
  const missing = omissionLines(omissionsOf(sessions, ids), style);
  return safe`${table}\n${style.dim(safe`${more}open one with ${example}`)}\n${missing}`;
}

/** What the figures of the sessions are without, by the names in the table. */
function omissionsOf(sessions: readonly ListedSession[], ids: ReadonlyMap<string, string>): Omissions {
  const named = sessions.map(({ id, figures }) => ({ file: `@${ids.get(id)!}`, ...figures.omissions }));
  return {
    unread: named.flatMap(({ file, unread }) => unread.map((rows) => ({ ...rows, file }))),
    badLines: named.flatMap(({ file, badLines }) => badLines.map((lines) => ({ ...lines, file }))),
  };
}

const SHORTEST_ID = 8;

/** For each id, the start of it that no other has. */
function shortIds(sessions: readonly ListedSession[]): ReadonlyMap<string, string> {
  const ids = [...new Set(sessions.map(({ id }) => id))].sort();
  return new Map(
    ids.map((id, at) => {
      const shared = Math.max(commonStart(id, ids[at - 1] ?? ''), commonStart(id, ids[at + 1] ?? ''));
      return [id, id.slice(0, Math.max(SHORTEST_ID, shared + 1))];
    }),
  );
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** What the columns besides session, agent and project take, with the gaps. */
const OTHER_COLUMNS = 51;
/** Columns of the project. */
const [LEAST, MOST] = [8, 44];

function columnsFor(
  all: readonly ListedSession[],
  ids: ReadonlyMap<string, string>,
  room: number,
): readonly Column<ListedSession>[] {
  const nameOf = ({ id }: ListedSession) => `@${ids.get(id)!}`;
  const taken = greatest(all.map((session) => nameOf(session).length + session.agent.length)) + OTHER_COLUMNS;
  const width = room === Number.POSITIVE_INFINITY ? undefined : Math.max(LEAST, Math.min(MOST, room - taken));
  return [
    { title: 'session', text: nameOf },
    { title: 'agent', text: ({ agent }) => agent },
    {
      title: 'project',
      ...(width === undefined ? {} : { width }),
      keeps: 'end',
      text: ({ figures, folder }) => figures.project ?? folder,
    },
    { title: 'last', text: ({ figures, changed }) => minute(figures.ended ?? changed) },
    { title: 'messages', align: 'right', text: ({ figures }) => grouped(figures.messages) },
    {
      title: 'tokens',
      align: 'right',
      text: ({ figures }) => (figures.requests === 0 ? '–' : shortCount(figures.tokens)),
    },
    { title: 'cost', align: 'right', text: ({ figures }) => costOf(figures) },
    ...(all.some(({ figures }) => figures.findings !== undefined) ? [FINDINGS] : []),
  ];
}

const FINDINGS: Column<ListedSession> = {
  title: 'findings',
  align: 'right',
  text: ({ figures }) => (figures.findings === undefined ? '' : grouped(figures.findings)),
};

function costOf({ cost, requests }: SessionFigures): string {
  return requests === 0 ? '–' : costText(cost === undefined ? undefined : BigInt(cost), 'exact');
}

/** `2026-01-31 10:02`, local time. */
function minute(time: number): string {
  const date = new Date(time);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
