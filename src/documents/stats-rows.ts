/** `stats --format ndjson` and `parquet`: a row for each request. */
import type { SchemaElement } from 'hyparquet';
import type * as z from 'zod';
import type { RowGrouping } from '../measure/stats/audit.js';
import type { TranscriptFacts } from '../measure/stats/facts.js';
import { columnsOf } from '../measure/stats/group-keys.js';
import type { RequestFacts } from '../measure/stats/request.js';
import { promptTokens } from '../transcript/usage.js';
import type { Exact } from './print.js';
import type { requestRow } from './schemas/stats.js';
import { usageJson } from './stats.js';

type Row = Exact<z.output<typeof requestRow>>;

export function statsRow(request: RequestFacts, of: TranscriptFacts, naming: Pick<RowGrouping, 'dayOf'>): Row {
  const { file, line, index, session, day, project, agent, branch } = columnsOf(request, of, naming);
  return {
    file: file!,
    line: line!,
    index: index!,
    session: session ?? null,
    key: request.key ?? null,
    time: request.time === undefined ? null : new Date(request.time).toISOString(),
    day: day ?? null,
    model: request.model ?? null,
    requests: request.requests,
    ...usageJson(request.usage),
    total: promptTokens(request.usage) + request.usage.output,
    cost_usd: request.cost ?? null,
    cost_source: request.costSource,
    tokens_source: request.tokensSource,
    project: project ?? null,
    branch: branch ?? null,
    agent: agent ?? null,
    subagent: request.agent ?? of.agent ?? null,
    tier: request.billing?.tier ?? null,
    region: request.billing?.region ?? null,
    unanswered: request.isUnanswered,
    unexplained: request.isRemainder,
  };
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const count = { type: 'INT64' } as const;
const flag = { type: 'BOOLEAN' } as const;
const time = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;
/** Costs are 1e-12 US dollars: exact, and up to a million dollars a request. */
const dollars = { type: 'INT64', converted_type: 'DECIMAL', scale: 12, precision: 18 } as const;

const COLUMNS: Readonly<Record<keyof Row, Omit<SchemaElement, 'name'>>> = {
  ...{ file: text, line: count, index: count, session: text, key: text, time },
  ...{ day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }, model: text, requests: count },
  ...{ input: count, cache_read: count, cache_write_5m: count, cache_write_1h: count, output: count },
  ...{ reasoning: count, total: count, cost_usd: dollars, cost_source: text, tokens_source: text },
  ...{ project: text, branch: text, agent: text, subagent: text, tier: text, region: text },
  ...{ unanswered: flag, unexplained: flag },
};

/** The columns of Parquet. */
export const statsColumns: readonly SchemaElement[] = [
  { name: 'schema', num_children: Object.keys(COLUMNS).length },
  ...Object.entries(COLUMNS).map(([name, element]) => ({ name, repetition_type: 'OPTIONAL' as const, ...element })),
];
