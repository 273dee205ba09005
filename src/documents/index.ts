/** The documents of `--format json`, by the name of their JSON Schema: dist/schema/<name>.schema.json. */
import { z } from 'zod';
import { auditDocument, decisionDocument } from './audit.js';
import { cacheDocument } from './cache.js';
import { diffDocument } from './diff.js';
import { checkDocument } from './findings.js';
import * as listings from './listings.js';
import { reportDocument } from './report.js';
import { showDocument } from './show.js';
import { retriesDocument, simulateDocument, sweepDocument } from './simulate.js';
import { statsDocument } from './stats.js';

export const documents: Readonly<Record<string, z.ZodObject>> = {
  audit: auditDocument,
  'audit-explain': decisionDocument,
  check: checkDocument,
  diff: diffDocument,
  formats: listings.formatsDocument,
  'formats-detected': listings.detectedDocument,
  'policy-lint': listings.lintDocument,
  'policy-test': listings.policyTestDocument,
  prices: listings.pricesDocument,
  'prices-update': listings.priceChangesDocument,
  report: reportDocument,
  rules: listings.rulesDocument,
  sessions: listings.sessionsDocument,
  show: showDocument,
  simulate: simulateDocument,
  'simulate-retries': retriesDocument,
  'simulate-sweep': sweepDocument,
  stats: statsDocument,
  'stats-cache': cacheDocument,
};

const HOME = 'https://raw.githubusercontent.com/ctx-trim/ctx-trim/main/dist/schema/';

/**
 * The JSON Schema of a document. A later version of the program may add members; `closed` schemas, for tests, allow
 * none.
 */
export function jsonSchemaOf(name: string, closed = false): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(documents[name]!, { io: closed ? 'output' : 'input' });
  return { $id: `${HOME}${name}.schema.json`, title: `ctx-trim ${name} --format json`, ...schema };
}
