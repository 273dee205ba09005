/** Sessions of a report: transcripts, each with those of its sub-agents. */
import type { Finding } from '../../findings.js';
import { storedFile } from '../../formats/agents.js';
import type { ContextTokens } from '../../measure/simulation/context-tokens.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import type { Side, SimulatedRequest, Totals } from '../../measure/simulation/simulate.js';
import type { CacheMiss } from '../../measure/stats/cache-figures.js';
import type { Carried } from '../../measure/stats/carried.js';
import type { TranscriptDifference } from '../../measure/stats/differences.js';
import { sessionKey } from '../../measure/stats/group-keys.js';
import { addSums, type RequestSum } from '../../measure/stats/request-sum.js';
import type { ShownTranscript } from '../show/shown.js';

/** A transcript. */
export interface ReportSession {
  readonly shown: ShownTranscript;
  /** As the agent or the user named it, else its first prompt. */
  readonly title: string | undefined;
  /** Whether the file holds other transcripts, too. */
  readonly isOneOfMany: boolean;
  readonly paid: RequestSum;
  /** Those that can be replayed, in the order of the recording. */
  readonly requests: readonly ReportRequest[];
  readonly tokensSource: SimulationFacts['tokensSource'];
  readonly misses: readonly CacheMiss[];
  readonly carried: readonly Carried[];
  /** Those of no single message, too. */
  readonly findings: readonly Finding[];
  /** What each policy makes of it, in the order of the policies. */
  readonly policies: readonly SessionPolicy[];
}

export interface ReportRequest extends Pick<SimulatedRequest, 'message' | 'model' | 'time'> {
  /** Recorded, or else of the replay without a policy. */
  readonly usage: Side['usage'];
  readonly context: ContextTokens;
  /** As `stats` has it; undefined if the request or its price is not known. */
  readonly paid: bigint | undefined;
  readonly without: Side;
  /** In the order of the policies. */
  readonly with: readonly Side[];
  readonly miss: CacheMiss | undefined;
}

export interface SessionPolicy {
  readonly written: string;
  readonly totals: Totals;
  /** What the policy makes of the whole transcript. */
  readonly difference: TranscriptDifference;
}

export interface WholeSession {
  /** That of a sub-agent if its own is missing. */
  readonly main: ReportSession;
  readonly subagents: readonly ReportSession[];
  /** Of all of them together, as are the lists. */
  readonly paid: RequestSum;
  readonly messages: number;
  readonly toolCalls: number;
  readonly carried: readonly Carried[];
  readonly misses: readonly CacheMiss[];
  readonly findings: readonly Finding[];
  readonly tokensSource: 'exact' | 'estimated';
}

/** In the order of their first transcripts. */
export function wholeSessions(sessions: readonly ReportSession[]): readonly WholeSession[] {
  const ofMain = new Map<string, ReportSession>();
  for (const session of sessions) {
    const key = keyOf(session);
    if (isMain(session) && !ofMain.has(key)) ofMain.set(key, session);
  }
  const parts = new Map<ReportSession | string, ReportSession[]>();
  for (const session of sessions) {
    const key = isMain(session) && !isStored(session) ? session : (ofMain.get(keyOf(session)) ?? keyOf(session));
    const own = parts.get(key);
    if (own === undefined) parts.set(key, [session]);
    else own.push(session);
  }
  return [...parts].map(([main, own]) => wholeOf(typeof main === 'string' ? own[0]! : main, own));
}

function isMain({ shown: { facts } }: ReportSession): boolean {
  return facts.agent === undefined;
}

function isStored({ shown: { facts } }: ReportSession): boolean {
  return storedFile(facts.file) !== undefined;
}

/** What a session and its sub-agents have in common: where the agent keeps it, else what the recording calls it. */
function keyOf({ shown: { facts } }: ReportSession): string {
  const { file, id, agent, format } = facts;
  if (storedFile(file) !== undefined) return sessionKey(facts);
  if (id === undefined) return sessionKey(facts);
  const end = `/${agent}`;
  return `${format} ${agent !== undefined && id.endsWith(end) ? id.slice(0, -end.length) : id}`;
}

function wholeOf(main: ReportSession, all: readonly ReportSession[]): WholeSession {
  const totals = all.map(({ shown }) => shown.facts.totals);
  const sum = (of: (one: (typeof totals)[number]) => number) => totals.reduce((total, one) => total + of(one), 0);
  return {
    main,
    subagents: all.filter((session) => session !== main),
    paid: all.length === 1 ? main.paid : addSums(all.map(({ paid }) => paid)),
    messages: sum(({ messages }) => messages),
    toolCalls: sum(({ toolCalls }) => toolCalls),
    carried: all.flatMap(({ carried }) => carried),
    misses: all.flatMap(({ misses }) => misses),
    findings: all.flatMap(({ findings }) => findings),
    tokensSource: totals.some(({ tokensSource }) => tokensSource === 'estimated') ? 'estimated' : 'exact',
  };
}
