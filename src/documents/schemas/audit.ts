/** `audit --format json`, and the decisions of `audit --explain`. */
import * as z from '../../text/zod.js';
import { findingPlace } from './findings.js';
import * as part from './parts.js';

const { count, maybe, text } = part;
const money = z.number().nullable();

const calls = { calls: count, valid: count, warned: count, denied: count, invalid: count, rate: z.number().nullable() };
const rows = (key: string) => z.array(z.object({ [key]: text, ...calls, wasted: money })).optional();

const alert = {
  rule: text,
  of: text,
  tool: maybe,
  file: maybe,
  rate: z.number(),
  max: z.number(),
  total: count,
  invalid: count,
  denied: count,
  message: text,
};

export const auditSchema = z
  .object({
    version: z.literal(1),
    policy: maybe,
    currency: text,
    transcripts: count,
    tools: z.array(
      z.object({
        tool: text,
        ...calls,
        cost_per_call: money,
        cost_range: z.array(z.number()).optional(),
        wasted: money,
        projected: z.object({ calls_per_day: count, day: money, month: money, year: money }).nullable(),
      }),
    ),
    rules: z.array(z.object({ rule: text, type: text, ...calls, wasted: money })).optional(),
    files: rows('file'),
    days: rows('day'),
    ...part.omissions,
    findings: z.array(z.object({ ...findingPlace, type: text, tool: maybe, instead: z.unknown(), fix: z.null() })),
    alerts: z.array(z.object(alert)),
    held_back: z.array(z.object({ ...alert, min_calls: count })),
    not_exercised: z.array(z.unknown()),
  })
  .meta({ id: 'AuditReport' });

export const decisionSchema = z.object({
  version: z.literal(1).optional(),
  decision: z.enum(['allow', 'deny']),
  confidence: z.number(),
  reason: text,
  words: part.texts,
  intent: maybe,
  tool: maybe,
  hint: maybe,
  warning: text.optional(),
});
