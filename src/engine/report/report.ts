/** The facts of a report: what recordings cost and why, what policies would have changed, and the transcripts. */
import type { Finding } from '../../findings.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import { NO_POLICY } from '../../measure/simulation/sweep.js';
import type { AuditFacts } from '../../measure/stats/audit.js';
import type { CacheMiss } from '../../measure/stats/cache-figures.js';
import type { CacheFacts } from '../../measure/stats/cache-misses.js';
import type { Carried } from '../../measure/stats/carried.js';
import { differencesOf } from '../../measure/stats/differences.js';
import type { TranscriptFacts } from '../../measure/stats/facts.js';
import type { GroupKey } from '../../measure/stats/group-keys.js';
import { createGroups, type GroupFacts, groupBy } from '../../measure/stats/groups.js';
import type { RequestFacts } from '../../measure/stats/request.js';
import { sumRequests } from '../../measure/stats/request-sum.js';
import { sessionTitle } from '../../measure/stats/title.js';
import type { Omissions } from '../../omissions.js';
import type { Opened } from '../../source/piece.js';
import type { Clean } from '../../transcript/cleaned.js';
import type { Transcript } from '../../transcript/types.js';
import { rewriteBy } from '../../transforms/pipeline.js';
import type { Check } from '../check/check.js';
import type { Context } from '../context.js';
import { shownOf } from '../show/shown.js';
import {
  createSimulations,
  type Recorded,
  type ReplaySettings,
  recordedOf,
  type WrittenPolicy,
} from '../simulate/simulate.js';
import { createCacheStats } from '../stats/cache.js';
import { ALL_FIGURES, createStats, groupingBy } from '../stats/stats.js';
import { type ReportSession, type WholeSession, wholeSessions } from './sessions.js';

export interface ReportSettings {
  readonly context: Context;
  readonly check: Check;
  readonly policies: readonly WrittenPolicy[];
  readonly replay: ReplaySettings;
  dayOf(time: number): string;
  /** Takes secrets out of titles and changed texts. */
  readonly clean: Clean;
}

export interface ReportFacts {
  /** What the figures are without. */
  readonly omissions?: Omissions;
  readonly stats: AuditFacts;
  readonly cache: CacheFacts;
  readonly groups: Readonly<Record<ReportGroup, readonly GroupFacts[]>>;
  /** By day and one more key. */
  readonly days: Readonly<Record<TrendKey, readonly GroupFacts[]>>;
  /** The replay without a policy. */
  readonly without: SimulationFacts;
  /** The replay with each policy. */
  readonly policies: readonly SimulationFacts[];
  readonly findings: readonly Finding[];
  /** In the order of the inputs; sub-agents have transcripts of their own. */
  readonly transcripts: readonly ReportSession[];
  readonly sessions: readonly WholeSession[];
}

export const REPORT_GROUPS = ['day', 'project', 'model', 'agent'] as const satisfies readonly GroupKey[];
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** What a day's costs are told apart by. */
export const TREND_KEYS = ['project', 'model', 'agent'] as const satisfies readonly ReportGroup[];
export type TrendKey = (typeof TREND_KEYS)[number];

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

export function createReport({ context, check, policies, replay, dayOf, clean }: ReportSettings): Report {
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
      const findingsOf = groupBy(findings, ({ file, transcript }) => nameOf(file, transcript?.index ?? OF_THE_FILE));
      const missAt = new Map(misses.sessions.flatMap((one) => one.misses).map((miss) => [missName(miss), miss]));
      const contexts = simulations.contexts();
      const transcripts = added.map((one, index): ReportSession => {
        const { transcript, place } = one;
        const own = settled[index]!;
        const found = [
          ...((one.at === 0 && findingsOf.get(nameOf(place.file, OF_THE_FILE))) || []),
          ...(findingsOf.get(nameOf(place.file, one.at)) ?? []),
        ];
        const replayed = without.transcripts[index]!.simulation;
        const missOf = ({ index: message, time }: Pick<CacheMiss, 'index' | 'time'>) =>
          missAt.get(missName({ ...place, index: message, time }));
        return {
          shown: shownOf({ transcript, ...own, findings: found }, () => true),
          title: sessionTitle(transcript, clean),
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
              clean,
            }),
          })),
        };
      });
      return {
        stats: facts,
        cache: misses,
        groups: groupsOf(settled, REPORT_GROUPS, dayOf, []),
        days: groupsOf(settled, TREND_KEYS, dayOf, ['day']),
        without,
        policies: played,
        findings,
        transcripts,
        sessions: wholeSessions(transcripts),
      };
    },
  };
}

/** In place of a transcript: findings of the whole file stand with the first one. */
const OF_THE_FILE = -1;

const nameOf = (file: string, at: number) => JSON.stringify([file, at]);

function missName({ file, line, index, time }: Pick<CacheMiss, 'file' | 'line' | 'index' | 'time'>): string {
  return JSON.stringify([file, line, index, time]);
}

/** By each of the keys, with those of `first` before it. */
function groupsOf<Key extends ReportGroup>(
  settled: readonly Settled[],
  keys: readonly Key[],
  dayOf: (time: number) => string,
  first: readonly GroupKey[],
) {
  const groups = keys.map((by) => {
    const grouping = groupingBy([...first, by], dayOf)!;
    const all = createGroups<TranscriptFacts>({ ...grouping, originOf: (facts) => facts });
    let order = 0;
    for (const { facts, requests } of settled) for (const request of requests) all.add(request, facts, order++);
    return [by, all.close().groups] as const;
  });
  return Object.fromEntries(groups) as unknown as Readonly<Record<Key, readonly GroupFacts[]>>;
}
