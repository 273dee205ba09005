/** The facts of a report: what recordings cost and why, what policies would have changed, and the transcripts. */
import type { Finding } from '../../findings.js';
import type { ContextTokens } from '../../measure/simulation/context-tokens.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import type { Side, SimulatedRequest, Totals } from '../../measure/simulation/simulate.js';
import { NO_POLICY } from '../../measure/simulation/sweep.js';
import type { AuditFacts } from '../../measure/stats/audit.js';
import type { CacheMiss } from '../../measure/stats/cache-figures.js';
import type { CacheFacts } from '../../measure/stats/cache-misses.js';
import type { Carried } from '../../measure/stats/carried.js';
import { differencesOf, type TranscriptDifference } from '../../measure/stats/differences.js';
import type { TranscriptFacts } from '../../measure/stats/facts.js';
import type { GroupKey } from '../../measure/stats/group-keys.js';
import { createGroups, type GroupFacts, groupBy } from '../../measure/stats/groups.js';
import type { RequestFacts } from '../../measure/stats/request.js';
import { type RequestSum, sumRequests } from '../../measure/stats/request-sum.js';
import { sessionTitle } from '../../measure/stats/title.js';
import type { Omissions } from '../../omissions.js';
import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';
import { rewriteBy } from '../../transforms/pipeline.js';
import type { Check } from '../check/check.js';
import type { Context } from '../context.js';
import { type ShownTranscript, shownOf } from '../show/shown.js';
import {
  createSimulations,
  type Recorded,
  type ReplaySettings,
  recordedOf,
  type WrittenPolicy,
} from '../simulate/simulate.js';
import { createCacheStats } from '../stats/cache.js';
import { createStats, groupingBy } from '../stats/stats.js';

export interface ReportSettings {
  readonly context: Context;
  readonly check: Check;
  readonly policies: readonly WrittenPolicy[];
  readonly replay: ReplaySettings;
  dayOf(time: number): string;
}

export interface ReportFacts {
  /** What the figures are without. */
  readonly omissions?: Omissions;
  readonly stats: AuditFacts;
  readonly cache: CacheFacts;
  readonly groups: Readonly<Record<ReportGroup, readonly GroupFacts[]>>;
  /** The replay without a policy. */
  readonly without: SimulationFacts;
  /** The replay with each policy. */
  readonly policies: readonly SimulationFacts[];
  readonly findings: readonly Finding[];
  /** In the order of the inputs. */
  readonly sessions: readonly ReportSession[];
}

export const REPORT_GROUPS = ['day', 'project', 'model', 'agent'] as const satisfies readonly GroupKey[];
export type ReportGroup = (typeof REPORT_GROUPS)[number];

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

export interface Report {
  add(transcript: Transcript, file: string, piece: Opened): void;
  /** All transcripts were added. */
  close(): ReportFacts;
}

interface Added extends Recorded {
  /** The place among the transcripts of the file. */
  readonly at: number;
}

interface Settled {
  readonly facts: TranscriptFacts;
  readonly requests: readonly RequestFacts[];
  readonly carried: readonly Carried[];
}

export function createReport({ context, check, policies, replay, dayOf }: ReportSettings): Report {
  const added: Added[] = [];
  const settled: Settled[] = [];
  const counts = new Map<string, number>();
  const visits = new Map<string, ReturnType<Check['examining']>>();
  const stats = createStats({
    ...ALL_FIGURES,
    context,
    settled: (facts, requests, carried) => void settled.push({ facts, requests, carried }),
  });
  const cache = createCacheStats({ context, within: undefined });
  return {
    add(transcript, file, piece) {
      const place = { file, line: piece.line };
      const at = counts.get(file) ?? 0;
      counts.set(file, at + 1);
      added.push({ ...recordedOf(transcript, place, context), at });
      if (!visits.has(file)) visits.set(file, check.examining(file));
      visits.get(file)!(transcript, piece);
      stats.add(transcript, place);
      cache.add(transcript, place);
    },
    close() {
      const { facts } = stats.close();
      const misses = cache.close();
      const findings = check.findings();
      const simulations = createSimulations(added, replay, context);
      const without = simulations.play({ steps: NO_POLICY.steps, written: '' });
      const played = policies.map((policy) => simulations.play(policy));
      const findingsOf = groupBy(findings, ({ file, transcript }) => nameOf(file, transcript?.index ?? -1));
      const missAt = new Map(misses.sessions.flatMap((one) => one.misses).map((miss) => [missName(miss), miss]));
      const contexts = simulations.contexts();
      const sessions = added.map((one, index): ReportSession => {
        const { transcript, place } = one;
        const own = settled[index]!;
        const found = findingsOf.get(nameOf(place.file, one.at)) ?? [];
        const replayed = without.transcripts[index]!.simulation;
        const missOf = ({ index: message, time }: Pick<CacheMiss, 'index' | 'time'>) =>
          missAt.get(missName({ ...place, index: message, time }));
        return {
          shown: shownOf({ transcript, ...own, findings: found }, () => true),
          title: sessionTitle(transcript),
          isOneOfMany: counts.get(place.file)! > 1,
          paid: sumRequests(own.requests),
          requests: replayed.requests.map((request, at) => ({
            message: request.message,
            model: request.model,
            time: request.time,
            usage: request.recorded ?? request.without.usage,
            context: contexts[index]![at]!,
            paid: request.record?.cost,
            without: request.without,
            with: played.map(({ transcripts }) => transcripts[index]!.simulation.requests[at]!.with),
            miss: request.record && missOf(request.record),
          })),
          tokensSource: replayed.tokensSource,
          misses: own.requests.flatMap((request) => missOf(request) ?? []),
          carried: own.carried,
          findings: found,
          policies: policies.map(({ steps, written }, at) => ({
            written,
            totals: played[at]!.transcripts[index]!.simulation.totals,
            difference: differencesOf(transcript, rewriteBy(transcript, steps, one.counting), place, {
              counting: one.counting,
              prices: context.prices,
            }),
          })),
        };
      });
      return {
        stats: facts,
        cache: misses,
        groups: groupsOf(settled, dayOf),
        without,
        policies: played,
        findings,
        sessions,
      };
    },
  };
}

const ALL_FIGURES = {
  within: undefined,
  grouping: undefined,
  recorded: false,
  calibrates: false,
  carries: true,
  keepsMessages: true,
} as const;

const nameOf = (file: string, at: number) => JSON.stringify([file, at]);

function missName({ file, line, index, time }: Pick<CacheMiss, 'file' | 'line' | 'index' | 'time'>): string {
  return JSON.stringify([file, line, index, time]);
}

function groupsOf(settled: readonly Settled[], dayOf: (time: number) => string) {
  const groups = REPORT_GROUPS.map((by) => {
    const all = createGroups<TranscriptFacts>({ ...groupingBy([by], dayOf)!, originOf: (facts) => facts });
    let order = 0;
    for (const { facts, requests } of settled) for (const request of requests) all.add(request, facts, order++);
    return [by, all.close().groups] as const;
  });
  return Object.fromEntries(groups) as unknown as ReportFacts['groups'];
}
