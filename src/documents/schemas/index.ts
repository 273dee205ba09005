/** The documents of `--format json`, by the name of their JSON Schema: dist/schema/<name>.schema.json. */

import { toJSONSchema } from 'zod';
import type * as z from '../../text/zod.js';
import { auditSchema, decisionSchema } from './audit.js';
import { cacheSchema } from './cache.js';
import { datasetSchema } from './dataset.js';
import { diffSchema, redactSchema, summarySchema } from './diff.js';
import { checkSchema } from './findings.js';
import { handoverSchema } from './handover.js';
import * as listings from './listings.js';
import { reportSchema } from './report.js';
import { selectSchema } from './select.js';
import { showSchema } from './show.js';
import { retriesSchema, simulateSchema, sweepSchema } from './simulate.js';
import { requestRow, statsSchema } from './stats.js';

export const documents: Readonly<Record<string, z.ZodObject>> = {
  audit: auditSchema,
  'audit-explain': decisionSchema,
  check: checkSchema,
  dataset: datasetSchema,
  diff: diffSchema,
  fork: listings.forkSchema,
  formats: listings.formatsSchema,
  'formats-detected': listings.detectedSchema,
  handover: handoverSchema,
  'policy-lint': listings.lintSchema,
  'policy-test': listings.policyTestSchema,
  prices: listings.pricesSchema,
  'prices-update': listings.priceChangesSchema,
  report: reportSchema,
  rules: listings.rulesSchema,
  select: selectSchema,
  sessions: listings.sessionsSchema,
  show: showSchema,
  simulate: simulateSchema,
  'simulate-retries': retriesSchema,
  'simulate-sweep': sweepSchema,
  stats: statsSchema,
  'stats-cache': cacheSchema,
};

/** What else the schema of a document defines. */
const BESIDE: ReadonlyMap<string, Readonly<Record<string, z.ZodObject>>> = new Map<string, Record<string, z.ZodObject>>(
  [
    ['stats', { StatsRequestRow: requestRow }],
    ['diff', { RewriteSummary: summarySchema, RedactReport: redactSchema }],
  ],
);

const HOME = 'https://raw.githubusercontent.com/ctx-trim/ctx-trim/main/dist/schema/';

/**
 * The JSON Schema of a document. A later version of the program may add members; `closed` schemas, for tests, allow
 * none.
 */
export function jsonSchemaOf(name: string, closed = false): Readonly<Record<string, unknown>> {
  const io = closed ? 'output' : 'input';
  const { $defs, ...schema } = toJSONSchema(documents[name]!, { io });
  const more = Object.entries(BESIDE.get(name) ?? {}).map(([id, other]) => {
    const { $schema: _, $defs: __, ...own } = toJSONSchema(other, { io });
    return [id, own];
  });
  return {
    ...{ $id: `${HOME}${name}.schema.json`, title: `ctx-trim ${name} --format json`, ...schema },
    ...(($defs || more.length > 0) && { $defs: { ...$defs, ...Object.fromEntries(more) } }),
  };
}
