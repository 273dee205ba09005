/** `--format json` of commands that list: formats, rules, prices, sessions, convert, policy. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, dollars, maybe, text } = part;
const version = z.literal(1);

export const formatsSchema = z.object({ version, formats: z.array(z.object({ id: text, title: text })) });

export const detectedSchema = z.object({
  version,
  files: z.array(
    z.object({
      ...{ file: text, format: text, container: text, transcripts: count, messages: count },
      attachments: count.optional().describe('Records that the agent sends beside messages.'),
      ...{ confidence: z.number().min(0).max(1), why: text },
      ...part.omissions,
    }),
  ),
  unreadable: part.omissions.unreadable,
});

export const rulesSchema = z.object({
  version,
  rules: z.array(
    z.object({
      ...{ id: text, summary: text, severity: part.severity, providers: part.texts, error: text, cause: text },
      as_request: z.boolean().describe('Checked only for a history that is about to be sent.'),
      fix: part.fix.nullable(),
      example: z.object({ bad: z.unknown(), repaired: z.unknown() }),
      reported: part.texts.describe('Issues that report it: `owner/repository#number`.'),
    }),
  ),
});

const rates = z.record(text, z.number().nullable()).describe('US dollars for a million tokens; `request`: for one.');

export const pricesSchema = z.object({
  version,
  date: text,
  models: z.array(
    z.object({
      ...{ model: text, matched: maybe, source: maybe, source_url: maybe, notes: part.texts },
      prices: rates.nullable(),
      tiers: z.array(z.object({ above: count.describe('Tokens of the prompt.'), prices: rates })),
    }),
  ),
});

const change = z.object({ before: z.number().nullable(), after: z.number().nullable() });

export const priceChangesSchema = z.object({
  version,
  ...{ source: text, date: text, file: text, models: count, added: count, changed: count },
  changes: z.array(z.object({ model: text, input: change, cache_read: change, output: change })),
});

const paid = {
  ...{ requests: count, tokens: count.nullable(), cost_usd: dollars, cost_source: part.costSource.nullable() },
  unpriced_requests: count.describe('Those that `cost_usd` does not include.'),
};

export const sessionsSchema = z.object({
  version,
  sessions: z.array(
    z.object({
      ...{ id: text, agent: text, project: maybe, file: text, started: maybe, ended: maybe, changed: text },
      title: maybe.describe('As the agent or the user named it, else its first prompt.'),
      ...{ model: maybe, branch: maybe, subagents: count, messages: count, ...paid },
      copied_requests: count.describe('Repeated of another session, as a fork does, and counted there.'),
      resume: maybe.describe('The command of the agent that goes on with it, in its folder.'),
      findings: count.nullable().describe('Null unless `--findings` asks for them.'),
      matches: z
        .array(z.object({ index: count, subagent: maybe, text }))
        .nullable()
        .describe('The messages that `--grep` finds, each with a line that matches; null without it.'),
      ...part.omissions,
    }),
  ),
  total: z.object({ sessions: count, ...paid }).describe('Of all sessions, also of those that are not listed.'),
  left_out: part.leftOut.describe(
    'What is there and cannot be read, has no cost, or is about to be deleted. `sessions`: how many, if known.',
  ),
});

export const lintSchema = z.object({ version, faults: z.array(z.object({ place: text, message: text })) });

export const policyTestSchema = z.object({ version, examples: z.array(z.record(text, z.unknown())), failed: count });

export const forkSchema = z.object({
  version,
  agent: text,
  id: text.describe('Of the new session. Each run draws another one, also after --dry-run.'),
  ...{ from: text, files: z.array(text), messages: count, of: count },
  shortfalls: z.array(text).describe('What `--steps` could not do; exit code 1.'),
  ...{ resume: maybe, remove: text, dry_run: z.boolean() },
});
