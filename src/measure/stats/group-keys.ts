/** What a group of requests has in common: its key columns, and how each request fills them. */
import { agentOf, storedFile } from '../../formats/agents.js';
import { firstFrom } from '../../lists.js';
import type { RequestFacts } from './request.js';

/** Kinds of groups that can be combined; `transcript`, `request` and `turn` cannot. */
export const GROUP_KEYS = [
  ...(['model', 'session', 'title', 'project', 'branch', 'agent', 'file', 'day', 'week', 'month'] as const),
] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];
export type GroupingBy = GroupKey | 'transcript' | 'request' | 'turn';

/** The transcript of a request, as group names use it. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly format: string;
  /** The sub-agent, if the recording has several agents. */
  readonly agent?: string | undefined;
  /** The folder in which the agent worked, if it is recorded. */
  readonly project?: string | undefined;
  /** Of the session, where rows need it. */
  readonly title?: string | undefined;
  readonly turnStarts: readonly number[];
}

/** The columns that tell where a request comes from. A group has those that all its requests share. */
export interface GroupColumns {
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** The message with the reply. */
  readonly index: number | undefined;
  readonly session: string | undefined;
  readonly title: string | undefined;
  readonly project: string | undefined;
  readonly branch: string | undefined;
  readonly agent: string | undefined;
  readonly day: string | undefined;
  readonly week: string | undefined;
  readonly month: string | undefined;
  readonly model: string | undefined;
}

export const COLUMN_KEYS = [
  ...(['file', 'line', 'index', 'session', 'title', 'project', 'branch'] as const),
  ...(['agent', 'day', 'week', 'month', 'model'] as const),
] as const;

export const UNKNOWN = '(unknown)';

/** The columns of a request. */
export function columnsOf(
  request: RequestFacts,
  of: Origin,
  { dayOf, projectOf }: { dayOf(time: number): string; projectOf?(folder: string): string },
): GroupColumns {
  const day = request.time === undefined ? undefined : dayOf(request.time);
  const stored = storedFile(of.file);
  const project = of.project ?? (stored === undefined ? folderOf(of.file) : stored.folder || undefined);
  return {
    file: of.file,
    line: of.line,
    index: request.index,
    session: stored?.session ?? request.session,
    title: of.title,
    project: project === undefined ? undefined : (projectOf?.(project) ?? project),
    branch: request.branch,
    agent: agentOf(of.format, of.file),
    day,
    week: day === undefined ? undefined : weekOf(day),
    month: day?.slice(0, 7),
    model: request.model,
  };
}

/** The name of a request's group in each column of `--by`. */
export function namer(
  by: readonly GroupingBy[],
): (columns: GroupColumns, request: RequestFacts, of: Origin) => readonly string[] {
  const names = by.map((kind) => NAMES[kind]);
  return (columns, request, of) => names.map((name) => name(columns, request, of));
}

type Name = (columns: GroupColumns, request: RequestFacts, of: Origin) => string;

const NAMES: Readonly<Record<GroupingBy, Name>> = {
  transcript: (_, __, of) => placeOf(of),
  request: (_, { index }, of) => `${placeOf(of)}#${index}`,
  turn: (_, { index }, of) => `${placeOf(of)} turn ${firstFrom(of.turnStarts, index + 1)}`,
  session: ({ session }, _, { file, line }) => session ?? `${file}:${line}`,
  ...columnNames('model', 'title', 'project', 'branch', 'agent', 'file', 'day', 'week', 'month'),
};

function columnNames<Key extends GroupKey>(...keys: readonly Key[]): Record<Key, Name> {
  const entries = keys.map((key): [Key, Name] => [key, (columns) => columns[key] ?? UNKNOWN]);
  return Object.fromEntries(entries) as Record<Key, Name>;
}

/** What the requests of a session have in common, in all of its files and sub-agents. */
export function sessionKey({ file, line }: Pick<Origin, 'file' | 'line'>): string {
  const stored = storedFile(file);
  return stored === undefined ? `${file}:${line}` : `${stored.agent} ${stored.session}`;
}

/** `file:line`, with the sub-agent if there is one. Joined, it is one string, where a template keeps its parts, too. */
export function placeOf({ file, line, agent }: Origin): string {
  return [file, ':', line, ...(agent === undefined ? [] : ['/', agent])].join('');
}

/** The folder of a file; undefined for standard input. */
function folderOf(file: string): string | undefined {
  const end = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  if (end > 0) return file.slice(0, end);
  return file === 'stdin' ? undefined : '.';
}

const WEEKS = new Map<string, string>();
const MS_PER_DAY = 86_400_000;

/** The Monday of the week of a day: `2026-01-26`. */
function weekOf(day: string): string {
  let week = WEEKS.get(day);
  if (week === undefined) {
    const time = Date.parse(`${day}T00:00:00Z`);
    const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
    week = new Date(time - sinceMonday * MS_PER_DAY).toISOString().slice(0, 10);
    WEEKS.set(day, week);
  }
  return week;
}
