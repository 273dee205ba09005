/** `stats --format json`: the documented shape, which `stats --merge` reads. */

import { joined, pieces, type SafeText, safe, sliced, spaces, trimmed } from '../safe/text.js';
import type { AuditFacts } from '../stats/audit.js';
import type { Calibration } from '../stats/calibrate.js';
import type { Carried } from '../stats/carried.js';
import type { Totals, TranscriptFacts } from '../stats/facts.js';
import { type RequestSum, sumRequests } from '../stats/groups.js';
import type { RequestFacts } from '../stats/request.js';
import { promptTokens } from '../transcript/usage.js';
import { calibrationRows } from './calibration.js';
import { carriedByTool } from './carried.js';
import { jsonText } from './json.js';
import type { UsageRow } from './usage-rows.js';

/** The document in pieces: one transcript after the other, then the totals. */
export interface StatsJson {
  transcript(
    facts: TranscriptFacts,
    requests: readonly RequestFacts[],
    carried: readonly Carried[] | undefined,
  ): SafeText;
  end(facts: AuditFacts, more: StatsJsonEnd): SafeText;
}

export interface StatsJsonEnd {
  /** The rows of `--by` if it is not by message. */
  readonly rows: readonly UsageRow[] | undefined;
  /** Whether the cost of carried tool results is reported. */
  readonly carries: boolean;
  /** The result of `--calibrate`. */
  readonly calibrations: readonly Calibration[] | undefined;
}

/** Costs are exact decimals; unknown values are null. */
export function createStatsJson(): StatsJson {
  let count = 0;
  return {
    transcript(facts, requests, carried) {
      const more =
        carried === undefined
          ? {}
          : {
              carried: carried.map(({ index, tool, tokens, requests: times, carriedTokens, cost }) => ({
                index,
                tool,
                tokens,
                requests: times,
                carried_tokens: carriedTokens,
                cost_usd: cost ?? null,
              })),
            };
      const before = count++ === 0 ? safe`{\n  "version": 1,\n  "transcripts": [\n` : safe`,\n`;
      return safe`${before}${indented(trimmed(jsonText({ ...transcriptJson(facts, requests), ...more })), 4)}`;
    },
    end(facts, { rows, carries, calibrations }) {
      const { totals, paid, carried, duplicates } = facts;
      const rest = jsonText({
        ...(rows === undefined
          ? {}
          : {
              rows: rows.map((row) =>
                Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? null])),
              ),
            }),
        ...(carries
          ? {
              tools: carriedByTool(carried, paid).map(({ tool, results, tokens, carriedTokens, cost, share }) => ({
                tool,
                results,
                tokens,
                carried_tokens: carriedTokens,
                cost_usd: cost ?? null,
                share,
              })),
            }
          : {}),
        ...(calibrations === undefined ? {} : { calibrations: calibrationRows(calibrations) }),
        totals: { ...totalsJson(totals, paid), duplicates_dropped: duplicates },
      });
      return safe`\n  ],\n${sliced(rest, rest.indexOf('\n') + 1)}`;
    },
  };
}

/** JSON has line feeds only between values, never inside of a string. */
function indented(json: SafeText, columns: number): SafeText {
  const space = spaces(columns);
  return joined(
    pieces(json, '\n').map((line) => safe`${space}${line}`),
    '\n',
  );
}

function transcriptJson(facts: TranscriptFacts, requests: readonly RequestFacts[]) {
  const {
    file,
    line,
    id,
    format,
    model,
    contextWindow,
    messages,
    roles,
    tools,
    definitionTokens,
    requestTokens,
    hints,
    turnStarts,
    totals,
  } = facts;
  return {
    file,
    line,
    id: id ?? null,
    format,
    model: model ?? null,
    context_window: contextWindow ?? null,
    messages,
    roles,
    tools,
    definition_tokens: definitionTokens,
    request_tokens: requestTokens,
    hints,
    turn_starts: turnStarts,
    requests: requests.map(requestJson),
    totals: totalsJson(totals, sumRequests(requests)),
  };
}

function requestJson({ key, index, model, session, time, usage, cost, costSource, tokensSource }: RequestFacts) {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = usage;
  const counts = {
    input,
    cache_read: cacheRead,
    cache_write_5m: cacheWrite5m,
    cache_write_1h: cacheWrite1h,
    output,
    reasoning,
  };
  return {
    key: key ?? null,
    index,
    model: model ?? null,
    session: session ?? null,
    time: time === undefined ? null : new Date(time).toISOString(),
    ...counts,
    cost_usd: cost ?? null,
    cost_source: costSource,
    tokens_source: tokensSource,
  };
}

/** `cost_usd` is the cost of the transcript as one request, `replay_cost_usd` that of all its requests. */
function totalsJson({ messages, toolCalls, toolResults, tokens, cost, tokensSource }: Totals, paid: RequestSum) {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = paid.usage;
  return {
    messages,
    tool_calls: toolCalls,
    tool_results: toolResults,
    tokens,
    tokens_source: tokensSource,
    cost_usd: cost ?? null,
    requests: paid.requests,
    input,
    cache_read: cacheRead,
    cache_write_5m: cacheWrite5m,
    cache_write_1h: cacheWrite1h,
    output,
    reasoning,
    replay_tokens: promptTokens(paid.usage),
    replay_cost_usd: paid.cost ?? null,
    known_cost_usd: paid.knownCost,
    unpriced_requests: paid.unpriced,
    cost_source: paid.costSource,
    requests_source: paid.tokensSource,
  };
}
