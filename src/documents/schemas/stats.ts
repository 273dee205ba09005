/** `stats --format json`, and the same document as `stats --merge` reads it. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, dollars, maybe, text } = part;

const request = z
  .object({
    key: maybe,
    index: z.number(),
    model: maybe,
    session: maybe,
    branch: maybe,
    time: maybe,
    requests: count.describe('How many requests this stands for.'),
    subagent: maybe.describe('The sub-agent or abandoned branch (`branch-…`); null for the main agent.'),
    unanswered: z.boolean().describe('No message of the transcript answers it.'),
    unexplained: z.boolean().describe('The rest of a stated total: what its requests do not explain.'),
    ...part.usage,
    tier: z.enum(['batch', 'flex', 'priority', 'fast']).nullable(),
    region: maybe,
    tool_uses: z.record(text, count).nullable().describe('How often tools of the provider ran that have a price.'),
    cost_usd: dollars,
    cost_source: part.costSource,
    tokens_source: part.tokensSource,
  })
  .meta({ id: 'StatsRequest' });

const totals = z
  .object({
    messages: count,
    tool_calls: count,
    tool_results: count,
    requests: count,
    ...part.usage,
    total: count.describe('Prompt and output tokens.'),
    cost_usd: dollars.describe('What the requests cost: the sum of the known costs; null where none is known.'),
    cost_source: part.costSource.nullable().describe('Null without requests.'),
    tokens_source: part.tokensSource.nullable(),
    unpriced_requests: count.describe('The requests that `cost_usd` does not include.'),
    replayed_requests: count
      .optional()
      .describe('Those without recorded usage: each is counted as if it sent all messages before it.'),
    unstated_replies: count
      .optional()
      .describe('Replies that state no usage in sessions whose others do: no figure has them. Absent if 0.'),
    unexplained: z
      .object({ ...part.usage, cost_usd: dollars })
      .nullable()
      .describe('The part of recorded totals that no recorded request explains.'),
    prompt_tokens: count.nullable().describe('The transcript sent once as a prompt; null with `--recorded`.'),
    prompt_tokens_source: part.countSource.nullable(),
    prompt_cost_usd: dollars,
    prompt_cost_source: z.enum(['estimated', 'unpriced']).nullable(),
  })
  .meta({ id: 'StatsTotals' });

const message = z
  .object({ index: z.number(), role: text, tools: part.texts, tokens: count, cumulative: count, share: z.number() })
  .meta({ id: 'StatsMessage' });

const attachments = z
  .array(
    z
      .object({
        kind: text.describe('As the agent names it: `file`, `nested_memory`, …'),
        records: count,
        tokens: count.describe('Of the words in the records. No other figure includes them.'),
        media: count.describe('Images and files, which are not counted.'),
        known: z.boolean().describe('Whether the agent is known to send it; else it may be.'),
      })
      .meta({ id: 'StatsAttachment' }),
  )
  .optional()
  .describe('What the agent sends beside messages; absent if there is nothing.');

const transcript = z
  .object({
    ...part.place,
    format: text,
    agent: maybe.describe('The program that wrote the log; null for formats that any program writes.'),
    subagent: maybe.describe('The sub-agent, or the branch (`branch-…`) that the user left by going back.'),
    project: maybe,
    title: maybe.describe('As the agent or the user named the session, else its first prompt.'),
    model: maybe,
    context_window: count.nullable(),
    messages: z.array(message),
    roles: z.array(z.object({ role: text, messages: count, tokens: count })),
    tools: z.array(z.object({ tool: text, calls: count, results: count, tokens: count })),
    definition_tokens: count,
    request_tokens: count,
    attachments,
    hints: part.texts,
    turn_starts: z.array(z.number()),
    requests: z.array(request),
    totals,
    carried: z.array(z.object({ index: z.number(), ...part.carried })).optional(),
  })
  .meta({ id: 'StatsTranscript' });

const key = maybe.describe('Null where it differs among the requests of the row.');
const figure = count.nullable();
const row = z
  .object({
    ...{ session: key, day: key, model: key, role: key, tool: key, requests: figure },
    ...{ input: figure, cache_read: figure, cache_write_5m: figure, cache_write_1h: figure },
    ...{ output: figure, reasoning: figure, total: count, cost_usd: dollars },
    ...{ cost_source: maybe, tokens_source: maybe },
    share: z.number().describe('Share of cost, or of tokens where a price is missing, 0 to 1.'),
    ...{ unpriced_requests: figure, file: key, line: figure, index: figure },
    ...{ project: key, agent: key, week: key, month: key, branch: key, title: key },
  })
  .meta({ id: 'StatsRow' });

/** A line of `--format ndjson`, and a row of `--format parquet`. */
export const requestRow = z
  .object({
    ...{ file: text, line: count, index: z.number().describe('The message with the reply.') },
    ...{ session: maybe, key: maybe, time: maybe.describe('In UTC.'), day: maybe.describe('By `--timezone`.') },
    ...{ model: maybe, requests: count.describe('How many requests this stands for.'), ...part.usage },
    total: count.describe('Prompt and output tokens.'),
    ...{ cost_usd: dollars, cost_source: part.costSource, tokens_source: part.tokensSource },
    ...{ project: maybe, branch: maybe, agent: maybe, subagent: maybe, tier: request.shape.tier, region: maybe },
    ...{ unanswered: request.shape.unanswered, unexplained: request.shape.unexplained },
  })
  .describe('A line of `stats --format ndjson`.');

export const statsSchema = z
  .object({
    version: z.literal(2),
    transcripts: z.array(transcript),
    rows: z.array(row),
    tools: z.array(z.object({ ...carriedTools(), share: z.number() })).optional(),
    attachments,
    calibrations: z.array(z.record(text, z.union([text, z.number()]).nullable())).optional(),
    ...part.omissions,
    left_out: part.leftOut.optional().describe('Of names such as `@all`: what is there and cannot be read.'),
    prices: z
      .object({ source: text, date: text, files: part.texts.optional() })
      .nullable()
      .describe(
        'The price list of computed costs, and files that win over it; null if merged parts used different lists.',
      ),
    totals: totals.extend({
      share_of: z.enum(['cost', 'tokens']).describe('What `share` in rows is a share of.'),
      duplicates_dropped: count,
    }),
  })
  .meta({ id: 'StatsReport' });

function carriedTools() {
  const { requests: _, ...rest } = part.carried;
  return { ...rest, results: count };
}

/** What `--merge` needs of a transcript of a part. Version 1, which older programs wrote, has fewer members. */
export const statsPartTranscript = transcript.omit({ agent: true }).extend({
  subagent: maybe.default(null),
  project: maybe.default(null),
  title: maybe.default(null),
  requests: z.array(
    request.omit({ cost_usd: true }).extend({
      subagent: maybe.default(null),
      branch: maybe.default(null),
      unanswered: z.boolean().default(false),
      requests: count.default(1),
      unexplained: z.boolean().default(false),
      tier: request.shape.tier.default(null),
      region: maybe.default(null),
      tool_uses: request.shape.tool_uses.default(null),
    }),
  ),
  carried: z.array(z.object({ index: z.number(), ...part.carried }).omit({ cost_usd: true })).optional(),
  totals: totals.pick({
    ...{ messages: true, tool_calls: true, tool_results: true },
    ...{ prompt_tokens: true, prompt_tokens_source: true, unstated_replies: true },
  }),
});
export type StatsPartTranscript = z.infer<typeof statsPartTranscript>;

/** What it needs of the rest. */
export const statsPart = z.object({
  version: z.literal([1, 2]),
  unreadable: part.omissions.unreadable,
  unread: part.omissions.unread.default([]),
  bad_lines: part.omissions.bad_lines.default([]),
  prices: statsSchema.shape.prices.default(null),
  totals: z.object({ duplicates_dropped: count }),
});
