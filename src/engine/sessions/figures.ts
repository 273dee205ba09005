/** What `sessions` lists of a session: facts of its files, and what its requests used. */

import type { Copied } from '../../measure/stats/copies.js';
import { type GroupFacts, groupBy } from '../../measure/stats/groups.js';
import { addSums, type RequestSum } from '../../measure/stats/request-sum.js';
import { sessionTitle } from '../../measure/stats/title.js';
import type { Omissions } from '../../omissions.js';
import type { Opened } from '../../source/piece.js';
import type { Recorded, Transcript } from '../../transcript/types.js';
import type { Check } from '../check/check.js';
import { type PlacedPart, partsOf, textOfParts } from '../stats/known-parts.js';
import type { Stats } from '../stats/stats.js';

/** Kept of a file between runs, as JSON. */
export interface SessionFigures {
  readonly project?: string | undefined;
  /** As the agent or the user named it, else its first prompt. */
  readonly title?: string | undefined;
  /** The last one that is recorded. */
  readonly branch?: string | undefined;
  readonly model?: string | undefined;
  /** Milliseconds since 1970, of the first and the last row that states a time. */
  readonly started?: number | undefined;
  readonly ended?: number | undefined;
  readonly messages: number;
  /** Those in files of their own are not counted. */
  readonly subagents: number;
  /** Sub-agents of which the log tells, without what their requests used. */
  readonly mute?: readonly string[] | undefined;
  /** Requests whose usage is estimated, as `textOfParts` writes them: those of transcripts without recorded usage. */
  readonly estimates?: string | undefined;
  /** What `check` finds; undefined if nobody asked. */
  readonly findings?: number | undefined;
  readonly omissions: Omissions;
}

const NUMBERS: readonly (keyof SessionFigures)[] = ['messages', 'subagents'];
const OPTIONAL_NUMBERS: readonly (keyof SessionFigures)[] = ['started', 'ended', 'findings'];
const OPTIONAL_TEXTS: readonly (keyof SessionFigures)[] = ['project', 'title', 'branch', 'model', 'estimates'];

/** Figures that were kept as JSON; undefined for a text that holds something else. */
export function figuresIn(text: string): SessionFigures | undefined {
  const figures = jsonIn(text) as SessionFigures | null | undefined;
  if (typeof figures !== 'object' || figures === null) return undefined;
  const { omissions } = figures;
  const fits =
    NUMBERS.every((key) => typeof figures[key] === 'number') &&
    OPTIONAL_NUMBERS.every((key) => figures[key] === undefined || typeof figures[key] === 'number') &&
    OPTIONAL_TEXTS.every((key) => figures[key] === undefined || typeof figures[key] === 'string') &&
    (figures.mute === undefined || isTextList(figures.mute)) &&
    areFilled(omissions?.unread, ['rows', 'calls', 'results', 'texts', 'line'], ['file', 'format']) &&
    areFilled(omissions?.badLines, ['bad', 'lines', 'line'], ['file', 'reason']);
  return fits ? figures : undefined;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function areFilled(list: unknown, numbers: readonly string[], texts: readonly string[]): boolean {
  if (!Array.isArray(list)) return false;
  return list.every(
    (item: Readonly<Record<string, unknown>> | null) =>
      numbers.every((key) => typeof item?.[key] === 'number') && texts.every((key) => typeof item?.[key] === 'string'),
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface ListedSession {
  /** As the agent names it. */
  readonly id: string;
  readonly agent: string;
  readonly path: string;
  /** Its folder below that of the agent. */
  readonly folder: string;
  /** Milliseconds since 1970: when the file changed, and the last time that it records, or else the same. */
  readonly changed: number;
  readonly last: number;
  readonly figures: SessionFigures;
  /** The command of the agent that goes on with it. */
  readonly resume?: string | undefined;
  /** Of its requests and those of its sub-agents; undefined if none is recorded. */
  readonly paid: RequestSum | undefined;
  /** Requests that it repeats of a session before it, where they count. */
  readonly copied?: Copied | undefined;
}

/** The requests of a file whose usage is estimated. */
export function estimatesIn({ estimates }: SessionFigures): readonly PlacedPart[] {
  return (estimates === undefined ? undefined : partsOf(estimates)) ?? [];
}

/** The figures of a session from those of its files, its own first. */
export function addedFigures(files: readonly SessionFigures[], model: string | undefined): SessionFigures {
  const [main] = files as [SessionFigures];
  const times = (key: 'started' | 'ended') => files.flatMap((file) => file[key] ?? []).sort((a, b) => a - b);
  return {
    ...main,
    model: model ?? main.model,
    started: times('started')[0],
    ended: times('ended').at(-1),
    messages: files.reduce((sum, { messages }) => sum + messages, 0),
    subagents: files.reduce((sum, { subagents }) => sum + subagents, files.length - 1),
    omissions: {
      unread: files.flatMap(({ omissions }) => omissions.unread),
      badLines: files.flatMap(({ omissions }) => omissions.badLines),
    },
  };
}

/** What a session used, and with which model most of it. */
export interface SessionCost {
  readonly paid: RequestSum;
  readonly model: string | undefined;
}

/** By `sessionName`, from rows by agent, session and model. */
export function sessionCosts(groups: readonly GroupFacts[]): ReadonlyMap<string, SessionCost> {
  const sessions = groupBy(groups, ({ names: [agent = '', id = ''] }) => sessionName(agent, id));
  return new Map(
    [...sessions].map(([name, own]) => {
      const most = own.reduce((a, b) => (b.total > a.total ? b : a));
      return [name, { paid: addSums(own), model: most.model }];
    }),
  );
}

export function sessionName(agent: string, id: string): string {
  return `${agent} ${id}`;
}

export interface SessionReader {
  add(transcript: Transcript, piece: Opened): void;
  close(omissions: Omissions): SessionFigures;
}

/** `check`: also counts its findings. */
export function createSessionReader({ estimatedPart }: Pick<Stats, 'estimatedPart'>, check?: Check): SessionReader {
  const examine = check?.examining('');
  const found: { -readonly [K in keyof SessionFigures]?: SessionFigures[K] } = {};
  const told = new Map<string, boolean>(); // by sub-agent: whether usage of it is recorded
  const estimates: PlacedPart[] = [];
  let [messages, subagents] = [0, 0];
  return {
    add(transcript, piece) {
      examine?.(transcript, piece);
      const part = estimatedPart(transcript);
      if (part !== undefined) estimates.push({ line: piece.line, part });
      found.project ??= transcript.project;
      found.model ??= transcript.model;
      found.title ??= sessionTitle(transcript);
      if (transcript.agent !== undefined && transcript.abandoned === undefined) subagents++;
      for (const { role } of transcript.messages) if (role !== 'meta') messages++;
      for (const { branch, time = Number.NaN, agent, usage } of recordsOf(transcript)) {
        if (agent !== undefined) told.set(agent, usage !== undefined || told.get(agent) === true);
        if (transcript.agent === undefined) found.branch = branch ?? found.branch;
        if (time < (found.started ?? Number.POSITIVE_INFINITY)) found.started = time;
        if (time > (found.ended ?? 0)) found.ended = time;
      }
    },
    close(omissions) {
      for (const unread of omissions.unread) check?.addUnread({ ...unread, file: '' });
      const mute = [...told].flatMap(([agent, isPaid]) => (isPaid ? [] : [agent]));
      const kept = estimates.length === 0 ? undefined : textOfParts(estimates);
      return { ...found, messages, subagents, mute, estimates: kept, findings: check?.findings().length, omissions };
    },
  };
}

function* recordsOf({ messages, recorded, others = [], reply }: Transcript): Iterable<Recorded> {
  for (const message of messages) {
    const record = recorded?.(message);
    if (record !== undefined) yield record;
  }
  yield* others;
  if (reply !== undefined) yield reply;
}
