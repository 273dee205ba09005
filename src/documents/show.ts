/** `show --format json`: the same messages for programs. Texts are as recorded, nothing is folded. */
import type { z } from 'zod';
import type { ShownMessage, ShownTranscript } from '../engine/show/show.js';
import type { Finding } from '../findings.js';
import type { Omissions } from '../omissions.js';
import { safeJson } from '../safe/json.js';
import { joined, type SafeText, safe, shown, trimmed } from '../safe/text.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, Part } from '../transcript/types.js';
import { omissionsJson } from './omissions.js';
import { type Exact, printed } from './print.js';
import type { showSchema } from './schemas/show.js';
import { carriedJson } from './stats.js';

/** The document in pieces: one transcript after the other. */
export interface ShowPrinter {
  transcript(transcript: ShownTranscript): SafeText;
  end(omissions: Omissions): SafeText;
}

export function showPrinter(): ShowPrinter {
  let count = 0;
  const start = () => (count++ === 0 ? safe`{ "version": 1, "transcripts": [\n` : safe`,\n`);
  return {
    transcript: (transcript) => safe`${start()}${trimmed(printed(showTranscript(transcript)))}`,
    end(omissions) {
      const members = Object.entries(omissionsJson(omissions)).map(
        ([key, value]) => safe`"${shown(key)}": ${safeJson(value)}`,
      );
      const rest = safe`], ${joined(members, ', ')} }\n`;
      return count === 0 ? safe`${start()}${rest}` : safe`\n${rest}`;
    },
  };
}

type Report = Exact<z.output<typeof showSchema>>;

/** An entry of `transcripts`. Costs are exact; unknown values are null. */
function showTranscript({ facts, count, messages, findings }: ShownTranscript): Report['transcripts'][number] {
  const { file, line, id, format, agent, model, totals } = facts;
  return {
    file,
    line,
    id: id ?? null,
    format,
    subagent: agent ?? null,
    model: model ?? null,
    message_count: count,
    tokens_source: totals.tokensSource,
    messages: messages.map(messageJson),
    findings: findings.map(findingJson),
  };
}

/** A message with its parts, figures and findings. */
export function messageJson({ index, message, attachment, facts, request, carried, findings }: ShownMessage) {
  return {
    index,
    role: message.role,
    ...(attachment === undefined ? {} : { attachment }),
    name: message.name ?? null,
    tokens: facts?.tokens ?? null,
    request:
      request === undefined
        ? null
        : {
            model: request.model ?? null,
            time: request.time === undefined ? null : new Date(request.time).toISOString(),
            input_tokens: request.usage.input,
            cache_read_tokens: request.usage.cacheRead,
            cache_write_tokens: request.usage.cacheWrite5m + request.usage.cacheWrite1h,
            output_tokens: request.usage.output,
            cost_usd: request.cost ?? null,
          },
    carried: carried.map(carriedJson),
    parts: message.parts.map(partJson),
    findings: findings.map(findingJson),
  };
}

function findingJson({ rule, severity, message, line, column }: Finding) {
  return { rule, severity, message, line, column };
}

type Shown = Report['transcripts'][number]['messages'][number]['parts'][number];

function partJson(part: Part): Shown {
  switch (part.type) {
    case 'call':
      return { type: 'call', id: part.callId ?? null, tool: part.tool, input: textOf(part.input) };
    case 'result':
      return {
        type: 'result',
        id: part.callId ?? null,
        tool: part.tool ?? null,
        is_error: part.isError ?? null,
        content: part.content.map(contentJson),
      };
    case 'thinking':
      return { type: 'thinking', text: textOf(part.text) };
    default:
      return contentJson(part);
  }
}

function contentJson(part: ContentPart) {
  if (part.type === 'media') return { type: part.type, kind: part.kind };
  return { type: part.type, text: part.text === undefined ? null : textOf(part.text) };
}
