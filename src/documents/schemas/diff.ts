/** `diff --format json`, and `--diff --format json` of transforms. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, text } = part;

const side = z.object({ index: count, role: text, tools: part.texts, tokens: count, text }).meta({ id: 'DiffSide' });
const totals = z
  .object({
    messages: count,
    tool_calls: count,
    tool_results: count,
    tokens: count,
    cost_usd: part.dollars,
    tokens_source: part.countSource,
  })
  .meta({ id: 'DiffTotals' });

export const diffSchema = z
  .object({
    version: z.literal(1),
    transcripts: z.array(
      z.object({
        ...part.place,
        model: part.maybe,
        beside: z
          .array(z.object({ name: text, before: part.maybe, after: part.maybe }))
          .describe('What differs beside the messages: model, tools, other fields of the request; values as JSON.'),
        not_compared: part.texts.describe('What was not compared, as the formats differ.'),
        kept: count.describe('Messages that are the same on both sides.'),
        changes: z.array(
          z.object({
            kind: z.enum(['dropped', 'added', 'changed', 'moved']),
            before: side.nullable(),
            after: side.nullable(),
            unshown: part.texts.describe(
              'What changed that no text shows: error mark, name, image, audio, file, signature, citations, ' +
                'annotations, cache_control and their places, white space of arguments.',
            ),
          }),
        ),
        totals: z.object({ before: totals, after: totals }),
      }),
    ),
    ...part.omissions,
  })
  .meta({ id: 'DiffReport' });

const sums = { transcripts: count, before: totals, after: totals };

/** `--summary --format json` of transforms. */
export const summarySchema = z.object({
  version: z.literal(1),
  files: z.array(z.object({ file: text, ...sums, notes: part.texts.describe('Why a step changed nothing.') })),
  total: z.object({ files: count, ...sums }),
});

/** `redact --format json`. */
export const redactSchema = z.object({
  version: z.literal(1),
  files: z.array(z.object({ file: text, secrets: count })).describe('The files with secrets.'),
  kinds: z.array(z.object({ rule: text, title: text, marks: count, places: count })),
  unsearched: z.array(z.object({ kind: text, count })).describe('Files in base64 in which no secrets were looked for.'),
});
