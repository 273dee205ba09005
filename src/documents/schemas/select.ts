/** `select --format json`. */
import * as z from '../../text/zod.js';
import { count, omissions, text } from './parts.js';

const unread = omissions.unread.describe('Of the first 200 messages of each file, and of all rows without a message.');

const counts = {
  records: count,
  kept: count,
  dropped: z.array(z.object({ by: text, records: count })).describe('By the first condition that a record fails.'),
  bad_lines: count.describe('Lines that are not JSON, copied or dropped.'),
};

export const selectSchema = z
  .object({
    version: z.literal(1),
    files: z.array(z.object({ file: text, ...counts })),
    splits: z.array(z.object({ name: text, records: count })),
    total: z.object({ files: count, ...counts }),
    unread,
  })
  .meta({ id: 'SelectReport' });
