/** `report --format json`: the data of the page for programs. */
import type { z } from 'zod';
import { REPORT_GROUPS, type ReportFacts } from '../engine/report/report.js';
import type { ReportRequest, ReportSession, WholeSession } from '../engine/report/sessions.js';
import { carriedByTool } from '../engine/stats/carried-by-tool.js';
import { knownCost } from '../engine/stats/usage-rows.js';
import type { SimulationFacts } from '../measure/simulation/facts.js';
import type { Side, Totals } from '../measure/simulation/simulate.js';
import type { CacheMiss } from '../measure/stats/cache-figures.js';
import type { RequestSum } from '../measure/stats/request-sum.js';
import { type Clean, cleanedParts } from '../transcript/cleaned.js';
import type { Usage } from '../transcript/types.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { reportSchema } from './schemas/report.js';
import { messageJson } from './show.js';
import { carriedJson, toolJson } from './stats.js';

type Report = Exact<z.output<typeof reportSchema>>;

/** Costs are exact; unknown values are null. `clean`: redacts a text. */
export function reportDocument(facts: ReportFacts, clean: Clean): Report {
  const { stats, cache, groups, policies, without, transcripts, sessions, findings } = facts;
  const numbers = new Map(sessions.flatMap(numbered));
  const document = {
    version: 1,
    price_list: stats.priceList ?? null,
    ...omissionsJson(facts.omissions),
    totals: {
      sessions: sessions.length,
      transcripts: transcripts.length,
      findings: findings.length,
      ...sumJson(stats.paid),
    },
    cache_misses: { requests: cache.missed.requests, tokens: cache.missed.missed, cost_usd: cache.missed.cost ?? null },
    by: Object.fromEntries(
      REPORT_GROUPS.map((by) => [
        by,
        groups[by].map((group) => ({ [by]: group.names[0], share: group.share, ...sumJson(group) })),
      ]),
    ),
    tools: carriedByTool(stats.carried, stats.paid).map(toolJson),
    without_policy: sideJson(without.totals.without),
    policies: policies.map(policyJson),
    sessions: transcripts.map((one) => sessionJson(one, numbers.get(one)!, clean)),
  };
  return cleaned(document, clean) as Report;
}

function numbered({ main, subagents }: WholeSession, index: number): [ReportSession, number][] {
  return [main, ...subagents].map((one) => [one, index + 1]);
}

/** The same value with all its texts redacted. */
function cleaned(value: unknown, clean: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), cleaned(member, clean)]));
}

function sumJson(sum: RequestSum) {
  const { requests, usage, unpriced } = sum;
  return { requests, ...usageJson(usage), cost_usd: knownCost(sum) ?? null, unpriced_requests: unpriced };
}

function usageJson({ input, cacheRead, cacheWrite5m, cacheWrite1h, output }: Usage) {
  return { input, cache_read: cacheRead, cache_write: cacheWrite5m + cacheWrite1h, output };
}

function sideJson({ usage, cost }: Side) {
  return { ...usageJson(usage), cost_usd: cost ?? null };
}

function policyJson({ policy, totals, verdict }: SimulationFacts) {
  return { policy, verdict: verdict.kind, saved_usd: verdict.saved ?? null, ...totalsJson(totals) };
}

function totalsJson({ requests, with: sent, resultsBefore, resultsKept }: Totals) {
  return { requests, ...sideJson(sent), results: resultsBefore, results_kept: resultsKept };
}

function sessionJson(session: ReportSession, number: number, clean: Clean) {
  const { shown, paid, requests, misses, carried, findings, policies, tokensSource } = session;
  const { file, line, id, agent, project, format, model, totals } = shown.facts;
  return {
    file,
    line,
    id: id ?? null,
    session: number,
    subagent: agent ?? null,
    project: project ?? null,
    format,
    model: model ?? null,
    tokens_source: tokensSource,
    totals: { ...sumJson(paid), messages: totals.messages, tool_calls: totals.toolCalls, prompt_tokens: totals.tokens },
    requests: requests.map(requestJson),
    cache_misses: misses.map(missJson),
    carried: carried.map((one) => ({ index: one.index, ...carriedJson(one) })),
    findings: findings.map(({ rule, severity, message, index, line: at, column }) => ({
      ...{ rule, severity, message, index: index ?? null, line: at, column },
    })),
    policies: policies.map(({ written, totals: replayed, difference: { differences } }) => ({
      policy: written,
      ...totalsJson(replayed),
      changes: differences
        .filter(({ kind }) => kind !== 'kept')
        .map(({ kind, before, after }) => ({
          ...{ kind, before: before?.index ?? null, after: after?.index ?? null },
          ...{ tokens_before: before?.tokens ?? null, tokens_after: after?.tokens ?? null },
        })),
    })),
    messages: shown.messages.map(({ message, ...rest }) =>
      messageJson({ ...rest, message: { ...message, parts: cleanedParts(message.parts, clean) } }),
    ),
  };
}

function requestJson({ message, model, time, usage, context, paid, without, with: sides }: ReportRequest) {
  return {
    message,
    model: model ?? null,
    time: timeJson(time),
    ...usageJson(usage),
    cost_usd: paid ?? null,
    context,
    without_policy_usd: without.cost ?? null,
    policies_usd: sides.map(({ cost }) => cost ?? null),
  };
}

function missJson({ index, time, cause, idle, missed, cost }: CacheMiss) {
  return { message: index, time: timeJson(time), cause, idle: idle ?? null, tokens: missed, cost_usd: cost ?? null };
}

function timeJson(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
