/** `report --format json`: the data of the page. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';
import { message } from './show.js';

const { count, dollars, maybe, text } = part;

const cost = { cost_usd: dollars.describe('Null if a price is not known.') };
const sum = { requests: count, ...part.shortUsage, ...cost, unpriced_requests: count };
const group = (by: string) => z.array(z.object({ [by]: text, share: z.number(), ...sum }));
const replayed = {
  ...{ requests: count, ...part.shortUsage, ...cost },
  results: count.describe('Tool results in all requests together.'),
  results_kept: count,
};
const index = count.nullable().describe('The index of a message.');
const kinds = ['unrecorded', 'tools', 'system', 'user', 'assistant', 'calls', 'results'] as const;

const request = z
  .object({
    message: count.describe('The first message of the reply.'),
    model: maybe,
    time: maybe,
    ...part.shortUsage,
    ...cost,
    context: z.partialRecord(z.enum(kinds), count).describe('The tokens of the prompt by what they are.'),
    without_policy_usd: dollars,
    policies_usd: z.array(dollars),
  })
  .meta({ id: 'ReportRequest' });

const session = z
  .object({
    ...part.place,
    session: count.describe('The number of the session, from 1: sub-agents have that of their session.'),
    ...{ subagent: maybe, project: maybe, format: text, model: maybe, tokens_source: part.tokensSource },
    totals: z.object({ ...sum, messages: count, tool_calls: count, prompt_tokens: count }),
    requests: z.array(request),
    cache_misses: z.array(
      z.object({
        message: count,
        time: maybe,
        cause: text,
        idle: z.number().nullable().describe('Seconds since the request before.'),
        tokens: count,
        ...cost,
      }),
    ),
    carried: z.array(z.object({ index: count, ...part.carried })),
    findings: z.array(
      z.object({ rule: text, severity: part.severity, message: text, index, line: count, column: count }),
    ),
    policies: z.array(
      z.object({
        policy: text,
        ...replayed,
        changes: z.array(
          z.object({
            kind: z.enum(['moved', 'changed', 'dropped', 'added']),
            before: index,
            after: index,
            tokens_before: count.nullable(),
            tokens_after: count.nullable(),
          }),
        ),
      }),
    ),
    messages: z.array(message),
  })
  .meta({ id: 'ReportSession' });

const { requests: _, ...carriedSum } = part.carried;

export const reportSchema = z
  .object({
    version: z.literal(1),
    price_list: z.object({ source: text, date: text, files: part.texts.optional() }).nullable(),
    ...part.omissions,
    totals: z.object({ sessions: count, transcripts: count, findings: count, ...sum }),
    cache_misses: z.object({ requests: count, tokens: count, ...cost }),
    by: z.object({ day: group('day'), project: group('project'), model: group('model'), agent: group('agent') }),
    tools: z.array(z.object({ ...carriedSum, results: count, share: z.number() })),
    without_policy: z.object({ ...part.shortUsage, ...cost }),
    policies: z.array(
      z.object({
        policy: text,
        verdict: z.enum(['saves', 'costs', 'same', 'unsure', 'inexact', 'unpriced']),
        saved_usd: dollars,
        ...replayed,
      }),
    ),
    sessions: z.array(session).describe('A transcript each: sub-agents have their own.'),
  })
  .meta({ id: 'ReportDocument' });
