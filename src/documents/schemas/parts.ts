/** Members that several documents share. Costs are US dollars. */
import * as z from '../../text/zod.js';

export const text = z.string();
export const count = z.number().nonnegative();
export const texts = z.array(text);
/** Unknown where a price is missing. */
export const dollars = z.number().nullable();
export const maybe = text.nullable();

export const costSource = z.enum(['recorded', 'computed', 'estimated', 'unpriced']);
export const tokensSource = z.enum(['recorded', 'exact', 'estimated']);
/** Where tokens were counted. */
export const countSource = z.enum(['exact', 'estimated']);
export const severity = z.enum(['error', 'warning', 'info']);
export const safety = z.enum(['safe', 'lossy', 'synthetic']);
export const fix = z.object({ safety, summary: text });

/** Tokens of requests. */
export const usage = {
  input: count.describe('Input tokens that were neither read from the cache nor written to it.'),
  cache_read: count,
  cache_write_5m: count,
  cache_write_1h: count,
  output: count,
  reasoning: count.describe('Part of `output`.'),
};

/** Tokens of requests, with one figure for cache writes. */
export const shortUsage = { input: count, cache_read: count, cache_write: count, output: count };

const unread = z
  .object({
    ...{ file: text, line: count.describe('The line of the first.'), format: text },
    ...{ rows: count, calls: count, results: count, texts: count },
  })
  .meta({ id: 'UnreadRows', description: 'Texts, calls and results of a file that no message holds.' });

const badLines = z
  .object({
    file: text,
    line: count.describe('The first of them.'),
    bad: count,
    lines: count.describe('All lines with a value.'),
    reason: text,
  })
  .meta({ id: 'BadLines', description: 'Lines of a file that are not JSON.' });

/** `sessions`: how many, if known. */
export const leftOut = z.array(z.object({ agent: text, path: text, sessions: count.nullable(), why: text }));

/** What a document is without. */
export const omissions = {
  unreadable: z
    .array(z.object({ file: text, message: text }))
    .optional()
    .describe('Inputs that cannot be read; absent if there are none.'),
  unread: z.array(unread),
  bad_lines: z.array(badLines),
};

/** Where a transcript stands. */
export const place = { file: text, line: count, id: maybe };

/** A tool result, followed through the requests that carried it. */
export const carried = { tool: text, tokens: count, requests: count, carried_tokens: count, cost_usd: dollars };
