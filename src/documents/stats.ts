/** `stats --format json`, which `stats --merge` reads. */

import type { z } from 'zod';
import { type CarriedTool, carriedByTool } from '../engine/stats/carried-by-tool.js';
import type { statisticsOf } from '../engine/stats/statistics.js';
import { knownCost, USAGE_KEYS, type UsageRow } from '../engine/stats/usage-rows.js';
import { agentOf } from '../formats/agents.js';
import type { AuditFacts } from '../measure/stats/audit.js';
import type { Calibration } from '../measure/stats/calibrate.js';
import type { Carried } from '../measure/stats/carried.js';
import type { Totals, TranscriptFacts } from '../measure/stats/facts.js';
import { shareBasis } from '../measure/stats/groups.js';
import type { RequestFacts } from '../measure/stats/request.js';
import { type RequestSum, sumRequests, type Unexplained } from '../measure/stats/request-sum.js';
import { type SafeText, safe, sliced } from '../safe/text.js';
import type { Usage } from '../transcript/types.js';
import { omissionsJson } from './omissions.js';
import { type Exact, printed } from './print.js';
import type { statsSchema } from './schemas/stats.js';

export interface StatsEnd {
  /** The rows of `--by`. */
  readonly rows: readonly UsageRow[];
  /** The most entries of `tools`. */
  readonly top: number | undefined;
  /** Whether the cost of carried tool results is reported. */
  readonly carries: boolean;
  /** The result of `--calibrate`. */
  readonly calibrations: readonly Calibration[] | undefined;
}

type Report = Exact<z.output<typeof statsSchema>>;

/** An entry of `transcripts`. Costs are exact; unknown values are null. */
export function statsTranscript(
  facts: TranscriptFacts,
  requests: readonly RequestFacts[],
  carried: readonly Carried[] | undefined,
): Report['transcripts'][number] {
  return {
    file: facts.file,
    line: facts.line,
    id: facts.id ?? null,
    format: facts.format,
    agent: agentOf(facts.format, facts.file) ?? null,
    subagent: facts.agent ?? null,
    project: facts.project ?? null,
    title: facts.title ?? null,
    model: facts.model ?? null,
    context_window: facts.contextWindow ?? null,
    messages: facts.messages,
    roles: facts.roles,
    tools: facts.tools,
    definition_tokens: facts.definitionTokens,
    request_tokens: facts.requestTokens,
    ...(facts.attachments === undefined ? {} : { attachments: facts.attachments }),
    hints: facts.hints,
    turn_starts: facts.turnStarts,
    requests: requests.map(requestJson),
    totals: totalsJson(facts.totals, sumRequests(requests)),
    ...(carried === undefined ? {} : { carried: carried.map((one) => ({ index: one.index, ...carriedJson(one) })) }),
  };
}

/** The members after `transcripts`. */
export function statsEnd(
  { totals, paid, carried, attachments, duplicates, priceList, omissions }: AuditFacts,
  { rows, top, carries, calibrations }: StatsEnd,
): Omit<Report, 'version' | 'transcripts'> {
  return {
    rows: rows.map(rowJson),
    ...(carries ? { tools: carriedByTool(carried, paid, top).map(toolJson) } : {}),
    ...(calibrations === undefined ? {} : { calibrations: calibrations.map(calibrationJson) }),
    ...(attachments === undefined ? {} : { attachments }),
    ...omissionsJson(omissions),
    prices: priceList ?? null,
    totals: { ...totalsJson(totals, paid), share_of: shareBasis(paid), duplicates_dropped: duplicates },
  };
}

function rowJson(row: UsageRow) {
  return Object.fromEntries(USAGE_KEYS.map((key) => [key, row[key] ?? null])) as Report['rows'][number];
}

/** The whole document, of what was gathered of one input. */
export function statsDocument({ transcripts, facts, ...end }: Awaited<ReturnType<typeof statisticsOf>>): Report {
  const listed = transcripts.map(([transcript, requests, carried]) =>
    statsTranscript(transcript, requests, end.carries ? carried : undefined),
  );
  return { version: 2, transcripts: listed, ...statsEnd(facts, end) };
}

/** A result, and the requests that carried it. */
export function carriedJson({ tool, tokens, requests, carriedTokens, cost }: Omit<Carried, 'file' | 'line' | 'index'>) {
  return { tool, tokens, requests, carried_tokens: carriedTokens, cost_usd: cost ?? null };
}

export function toolJson({ tool, results, tokens, carriedTokens, cost, share }: CarriedTool) {
  return { tool, results, tokens, carried_tokens: carriedTokens, cost_usd: cost ?? null, share };
}

/** The document in pieces, as one transcript after the other is read. */
export interface StatsPrinter {
  transcript(...facts: Parameters<typeof statsTranscript>): SafeText;
  end(...facts: Parameters<typeof statsEnd>): Iterable<SafeText>;
}

const START = safe`{\n  "version": 2,\n  "transcripts": [`;

export function statsPrinter(): StatsPrinter {
  let count = 0;
  return {
    transcript(...facts) {
      const before = count++ === 0 ? safe`${START}\n` : safe`,\n`;
      return safe`${before}${nested(statsTranscript(...facts))}`;
    },
    *end(facts, end) {
      yield safe`${count === 0 ? START : safe`\n  `}],\n  "rows": [`;
      for (const [index, row] of end.rows.entries())
        yield safe`${index === 0 ? safe`` : safe`,`}\n${nested(rowJson(row))}`;
      const rest = printed(statsEnd(facts, { ...end, rows: [] }));
      yield safe`${end.rows.length === 0 ? safe`` : safe`\n  `}${sliced(rest, rest.indexOf(']'))}`;
    },
  };
}

/** Within two lists, as it stands in the document. */
function nested(value: unknown): SafeText {
  return sliced(printed([[value]]), '[\n  [\n'.length, -'\n  ]\n]\n'.length);
}

function requestJson(request: RequestFacts) {
  const { key, index, model, session, branch, time, requests, agent, isUnanswered, isRemainder, billing } = request;
  return {
    key: key ?? null,
    index,
    model: model ?? null,
    session: session ?? null,
    branch: branch ?? null,
    time: time === undefined ? null : new Date(time).toISOString(),
    requests,
    subagent: agent ?? null,
    unanswered: isUnanswered,
    unexplained: isRemainder,
    ...usageJson(request.usage),
    tier: billing?.tier ?? null,
    region: billing?.region ?? null,
    tool_uses: billing?.toolUses ?? null,
    cost_usd: request.cost ?? null,
    cost_source: request.costSource,
    tokens_source: request.tokensSource,
  };
}

export function usageJson({ input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning }: Usage) {
  return {
    input,
    cache_read: cacheRead,
    cache_write_5m: cacheWrite5m,
    cache_write_1h: cacheWrite1h,
    output,
    reasoning,
  };
}

/** `cost_usd` is what the requests cost, `prompt_cost_usd` the cost of the transcript sent once as a prompt. */
function totalsJson(totals: Totals, paid: RequestSum) {
  const { tokens, cost, costSource, tokensSource, isUncounted } = totals;
  const prompt = isUncounted === true ? undefined : tokens;
  const promptCost = isUncounted === true ? undefined : cost;
  const { unexplained } = paid;
  return {
    messages: totals.messages,
    tool_calls: totals.toolCalls,
    tool_results: totals.toolResults,
    requests: paid.requests,
    ...usageJson(paid.usage),
    total: paid.total,
    cost_usd: knownCost(paid) ?? null,
    cost_source: paid.costSource ?? null,
    tokens_source: paid.tokensSource ?? null,
    unpriced_requests: paid.unpriced,
    replayed_requests: paid.replayed,
    ...(totals.unstated === undefined ? {} : { unstated_replies: totals.unstated }),
    unexplained: unexplained === undefined ? null : unexplainedJson(unexplained),
    prompt_tokens: prompt ?? null,
    prompt_tokens_source: prompt === undefined ? null : tokensSource,
    prompt_cost_usd: promptCost ?? null,
    prompt_cost_source: isUncounted === true ? null : costSource,
  };
}

function unexplainedJson({ usage, cost }: Unexplained) {
  return { ...usageJson(usage), cost_usd: cost ?? null };
}

/** Shares are from 0 to 1. */
export function calibrationJson(calibration: Calibration) {
  const { model, pairs, dropped, recorded, factor, fitted, ratio, error, errorLeft } = calibration;
  return {
    model,
    pairs,
    dropped,
    recorded_tokens: recorded,
    factor: rounded(factor),
    fitted_factor: rounded(fitted),
    ratio: rounded(ratio.median),
    ratio_p10: rounded(ratio.low),
    ratio_p90: rounded(ratio.high),
    error: rounded(error),
    error_left: rounded(errorLeft),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
