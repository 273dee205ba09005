/** `check --format json` and the findings of `audit`. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, maybe, text } = part;

export const findingPlace = {
  rule: text,
  severity: part.severity,
  message: text,
  file: text,
  line: count,
  column: count,
  transcript: z.object({ index: count, id: maybe }).nullable(),
  index: count.nullable().describe('The message, by index in the transcript.'),
  call_id: maybe,
};

export const checkSchema = z
  .object({
    version: z.literal(1),
    findings: z.array(z.object({ ...findingPlace, fix: part.fix.nullable() })),
    ...part.omissions,
    unreadable: z
      .array(z.object({ file: text, line: count.nullable(), column: count.nullable(), message: text }))
      .optional(),
    summary: z.object({
      files: count,
      transcripts: count,
      errors: count,
      warnings: count,
      fixed: count,
      would_fix: count.optional(),
      suppressed: count.optional(),
    }),
  })
  .meta({ id: 'CheckReport' });
