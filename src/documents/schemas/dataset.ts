/** `dataset --format json`. */
import * as z from '../../text/zod.js';
import { count, omissions, text } from './parts.js';

const reasons = z.array(z.object({ reason: text, rows: count }));

export const datasetSchema = z
  .object({
    version: z.literal(1),
    rows: count.describe('Conversations, values without messages and lines that are not JSON.'),
    kept: count,
    changed: count,
    dropped: count,
    unchecked: count.describe('Rows with calls that no tool definitions of the row can be compared with.'),
    changes: reasons.describe('A row can have several.'),
    drops: reasons.describe('A row has one.'),
    unread: omissions.unread.describe('Of the first 200 messages of each file, and of all rows without a message.'),
  })
  .meta({ id: 'DatasetReport' });
