/**
 * Transcripts of Cursor's agent, of the editor and the CLI
 * (`~/.cursor/projects/<project>/agent-transcripts/<id>/<id>.jsonl`): lines `{role, message: {content}}` with blocks as
 * in Anthropic Messages, and `{type: "turn_ended", status}`. Calls have no ids, and neither results nor model nor usage
 * are in them. The time stands in the text of the user. No documentation; seen in versions to 2026.09:
 * https://github.com/JoakimCarlsson/wasa-cli/blob/main/internal/record/testdata/cursor/session.jsonl (read 2026-11)
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import anthropic, { readAs } from '../anthropic/anthropic-messages.js';
import { defineFormat } from '../format.js';
import { metaMessage, optionalString } from '../shared/json-fields.js';
import { recordedOf, validTime } from '../shared/recorded.js';

const ROLES = new Set(['user', 'assistant']);
/** Members of lines of other logs that wrap a message. */
const FOREIGN = ['type', 'id', 'uuid', 'timestamp', 'session_id', 'sessionId', 'message_id'];

export default defineFormat({
  id: 'cursor-agent',
  traits: { flagsErrors: true, resultsShareMessage: true, resultsLeadText: true, omitsResults: true },
  messagePaths: [],
  score(raw) {
    if (raw.get('type')?.string === 'turn_ended') return raw.get('status')?.isString ? 1 : 0;
    const content = messageIn(raw)?.get('content');
    if (content === undefined || messageIn(raw)!.get('role') !== undefined) return 0;
    const isKnown = ROLES.has(raw.get('role')?.string ?? '') && (content.isArray || content.isString);
    return isKnown && FOREIGN.every((key) => raw.get(key) === undefined) ? 1 : 0;
  },
  read(raw) {
    const role = optionalString(raw, 'role') ?? '';
    const inner = messageIn(raw);
    if (!ROLES.has(role) || inner === undefined) return metaMessage(raw, false);
    const message = readAs(role, inner);
    return { ...message, parts: message.parts.map(withoutEmptyId), raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return freshLine(message);
    const inner = messageIn(raw);
    if (message.role === 'meta' || inner === undefined) return raw;
    return patch(raw, { message: anthropic.write({ ...message, raw: inner }) });
  },
  recorded(raw) {
    if (raw.get('role')?.string !== 'user') return undefined;
    const [text] = readAs('user', messageIn(raw) ?? raw).parts.filter((part) => part.type === 'text');
    return recordedOf({ time: text === undefined ? undefined : timeIn(textOf(text.text)) });
  },
});

function messageIn(raw: JsonNode): JsonNode | undefined {
  const message = raw.get('message');
  return message?.isObject ? message : undefined;
}

/** Calls, and results if somebody adds them, pair by order. */
function withoutEmptyId(part: Part): Part {
  return (part.type === 'call' || part.type === 'result') && part.callId === '' ? { ...part, callId: undefined } : part;
}

const TIMESTAMP = new RegExp(
  '<timestamp>\\s*\\w+, (?<date>\\w+ \\d+, \\d+), (?<clock>\\d+:\\d+ [AP]M) ' +
    '\\(UTC(?:(?<sign>[+-])(?<hours>\\d+)(?::(?<minutes>\\d+))?)?\\)',
);

/** The time that Cursor puts before what the user typed: `Sunday, July 5, 2026, 2:40 PM (UTC+2)`. */
function timeIn(text: string): number | undefined {
  const found = TIMESTAMP.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { date, clock, sign = '+', hours = '0', minutes = '0' } = found;
  const time = Date.parse(`${date} ${clock} GMT${sign}${hours.padStart(2, '0')}${minutes.padStart(2, '0')}`);
  return validTime(time);
}

/** An added line; its content is a list. */
function freshLine(message: Message): Json {
  const { content } = anthropic.write({ ...message, raw: undefined }) as JsonFields;
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    message: { content: message.parts.length === 0 ? [] : blocks },
  };
}
