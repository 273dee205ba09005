/** `handover --format json`: what was written where, and what was lost. */
import * as z from '../../text/zod.js';
import { count, maybe, text } from './parts.js';

export const handoverSchema = z
  .object({
    version: z.literal(1),
    id: text.describe('Of the new session. Each run draws another one, also after --dry-run.'),
    to: text.describe('The format of the new session.'),
    project: text.describe('The folder in which the agent works.'),
    file: text,
    written: z.boolean().describe('False with --dry-run.'),
    messages: count,
    calls: count,
    results: count,
    resume: maybe.describe('The command that goes on with it; null if its agent does not look for it there.'),
    remove: text.describe('The command that removes what was written.'),
    lost: z.array(
      z.object({
        what: text,
        loss: z.boolean().describe('Text, calls, results, images or tools are lost, not only their form.'),
        messages: z.array(count).describe('Indices of messages of the old session.'),
      }),
    ),
  })
  .meta({ id: 'HandoverReport' });
