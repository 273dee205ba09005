/** `show --format json`: transcripts message by message, texts as recorded. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, maybe, text } = part;

const content = [
  z.object({ type: z.literal('media'), kind: text }),
  z.object({ type: z.enum(['text', 'opaque']), text: maybe }),
] as const;

const messagePart = z.union([
  ...content,
  z.object({ type: z.literal('call'), id: maybe, tool: text, input: text }),
  z.object({
    ...{ type: z.literal('result'), id: maybe, tool: maybe, is_error: z.boolean().nullable() },
    content: z.array(z.union(content)),
  }),
  z.object({ type: z.literal('thinking'), text }),
]);

const finding = z.object({ rule: text, severity: part.severity, message: text, line: count, column: count });

export const message = z
  .object({
    index: count,
    role: text,
    attachment: text.optional().describe('With `--role meta`: the kind of what the agent sends beside messages.'),
    name: maybe,
    tokens: count.nullable(),
    request: z
      .object({
        ...{ model: maybe, time: maybe, input_tokens: count, cache_read_tokens: count, cache_write_tokens: count },
        ...{ output_tokens: count, cost_usd: part.dollars },
      })
      .nullable(),
    carried: z.array(z.object(part.carried)),
    parts: z.array(messagePart),
    findings: z.array(finding),
  })
  .meta({ id: 'ShownMessage' });

export const showSchema = z
  .object({
    version: z.literal(1),
    transcripts: z.array(
      z.object({
        ...part.place,
        ...{ format: text, subagent: maybe, model: maybe, message_count: count, tokens_source: part.tokensSource },
        messages: z.array(message),
        findings: z.array(finding).describe('With `--findings`: those of no single message.'),
      }),
    ),
    ...part.omissions,
  })
  .meta({ id: 'ShowReport' });
