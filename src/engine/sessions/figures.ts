/** The figures of a session that `sessions` lists. */

import type { RequestSum } from '../../measure/stats/request-sum.js';
import type { Omissions } from '../../omissions.js';
import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';
import type { Check } from '../check/check.js';
import type { Context } from '../context.js';
import { createStats } from '../stats/stats.js';

/** Kept of a file between runs, as JSON. */
export interface SessionFigures {
  readonly project: string | undefined;
  /** Milliseconds since 1970, of the first and the last request; undefined if no time is recorded. */
  readonly started: number | undefined;
  readonly ended: number | undefined;
  readonly messages: number;
  readonly requests: number;
  /** Recorded tokens of all requests. */
  readonly tokens: number;
  /** In 1e-12 US dollars; undefined if a price is unknown or no usage is recorded. */
  readonly cost: string | undefined;
  readonly costSource: RequestSum['costSource'];
  /** What `check` finds; undefined if nobody asked. */
  readonly findings?: number | undefined;
  readonly omissions: Omissions;
}

const NUMBERS: readonly (keyof SessionFigures)[] = ['messages', 'requests', 'tokens'];
const OPTIONAL_NUMBERS: readonly (keyof SessionFigures)[] = ['started', 'ended', 'findings'];
const OPTIONAL_TEXTS: readonly (keyof SessionFigures)[] = ['project', 'cost', 'costSource'];

/** Figures that were kept as JSON; undefined for a text that holds something else. */
export function figuresIn(text: string): SessionFigures | undefined {
  const figures = jsonIn(text) as SessionFigures | null | undefined;
  if (typeof figures !== 'object' || figures === null) return undefined;
  const { cost, omissions } = figures;
  const fits =
    NUMBERS.every((key) => typeof figures[key] === 'number') &&
    OPTIONAL_NUMBERS.every((key) => figures[key] === undefined || typeof figures[key] === 'number') &&
    OPTIONAL_TEXTS.every((key) => figures[key] === undefined || typeof figures[key] === 'string') &&
    (cost === undefined || /^-?\d+$/.test(cost)) &&
    areFilled(omissions?.unread, ['rows', 'calls', 'results', 'texts', 'line'], ['file', 'format']) &&
    areFilled(omissions?.badLines, ['bad', 'lines', 'line'], ['file', 'reason']);
  return fits ? figures : undefined;
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
  /** Milliseconds since 1970. */
  readonly changed: number;
  readonly figures: SessionFigures;
}

export interface SessionReader {
  add(transcript: Transcript, piece: Opened): void;
  close(omissions: Omissions): SessionFigures;
}

/** `check`: also counts its findings. */
export function createSessionReader(context: Context, check?: Check): SessionReader {
  const examine = check?.examining('');
  const stats = createStats({ context, ...RECORDED });
  const times: number[] = [];
  let messages = 0;
  let project: string | undefined;
  return {
    add(transcript, piece) {
      examine?.(transcript, piece);
      project ??= transcript.project;
      for (const { role } of transcript.messages) if (role !== 'meta') messages++;
      const part = stats.recordedPart(transcript);
      if (part === undefined) return;
      for (const { time } of part.requests) if (time !== undefined) times.push(time);
      stats.addRecorded(part, { file: '', line: 1 });
    },
    close(omissions) {
      const { paid } = stats.close().facts;
      const { requests, total, cost, costSource } = paid;
      times.sort((a, b) => a - b);
      return {
        project,
        started: times[0],
        ended: times.at(-1),
        messages,
        requests,
        tokens: total,
        cost: requests === 0 || cost === undefined ? undefined : String(cost),
        costSource: requests === 0 ? undefined : costSource,
        findings: check?.findings().length,
        omissions,
      };
    },
  };
}

const RECORDED = {
  recorded: true,
  calibrates: false,
  carries: false,
  keepsMessages: false,
  within: undefined,
  grouping: undefined,
  settled: undefined,
} as const;
