/**
 * Claude Code session logs: one record per line, linked by `parentUuid`. `message` is a message of the API; it can be
 * split over several lines with the same `message.id`. `toolUseResult` repeats a result: as an object whose shape
 * depends on the tool, or as a string for errors. Lines of other types are not messages, but some refer to a call
 * (`toolUseID`, `parentToolUseID`). The format is undocumented; the shapes come from recorded logs.
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { type Description, defineFormat } from '../format.js';
import { applyCuts, cutsBetween } from '../shared/apply-cuts.js';
import { metaMessage } from '../shared/json-fields.js';
import { isResult, readContent } from '../shared/parts.js';
import anthropic, { readBlock } from './anthropic-messages.js';
import { writeBlocks } from './anthropic-write.js';
import { keptAcross } from './claude-code-compaction.js';
import { ledgerLine, linkOf, modelOf, recognize, recorded, threads } from './claude-code-ledger.js';
import { beforeWrite, echoes, messageIn } from './claude-code-sync.js';

/** Types of lines without a message that only this format has. */
const META_LINES = commaSet(`
  summary, file-history-snapshot, queue-operation, attachment, progress, permission-mode, last-prompt, ai-title,
  custom-title
`);
/** Progress and notices, by type or by the subtype of a system line: the agent never reads them. */
const DISCARDABLE = commaSet(`
  progress, queue-operation, last-prompt, api_error, turn_duration, stop_hook_summary
`);
export default defineFormat({
  id: 'claude-code',
  traits: { flagsErrors: true, repliesStateUsage: true },
  wraps: { format: 'anthropic-messages', inner: (raw) => raw.get('message') },
  byteHints: { usage: ['"usage"', '"assistant"'] },
  messagePaths: ['loglines'],
  score(raw) {
    const type = raw.get('type')?.string;
    const message = raw.get('message');
    const has = (...keys: readonly string[]) => keys.some((key) => raw.get(key) !== undefined);
    // lines of early versions that only state usage
    if (type === undefined && has('sessionId') && message?.get('usage') !== undefined) return 0.8;
    if (type === undefined || has('payload', 'role')) return 0;
    if (type === 'user' || type === 'assistant')
      // Qwen Code's messages have parts
      return message?.get('role') && !message.get('parts') && has('uuid', 'sessionId', 'timestamp') ? 1 : 0;
    if (type === 'system') return has('sessionId') && has('uuid') ? 0.9 : 0;
    return META_LINES.has(type) && has('sessionId', 'uuid', 'leafUuid', 'messageId') ? 0.9 : 0;
  },
  read(raw) {
    const inner = messageIn(raw);
    if (inner === undefined) return readQueued(raw) ?? readOther(raw);
    const message = anthropic.read(inner);
    const { model } = modelOf(inner.get('model')?.string);
    const group = raw.get('type')?.string === 'assistant' && inner.get('id')?.string;
    return { ...message, raw, ...(group && { group }), ...(model && { model }) };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return {
        type: message.role === 'assistant' ? 'assistant' : 'user',
        message: anthropic.write(message),
        ...repeatedResult(message),
      };
    const inner = raw.get('message');
    if (message.role === 'meta') return raw;
    if (inner === undefined) return writeQueued(message, raw);
    const written = anthropic.write({ ...message, raw: inner });
    return written === inner ? raw : patch(raw, { message: written, ...editedCopy(message, raw) });
  },
  describe: (record) => headerOf(record.get('loglines')?.items()[0]),
  header: headerOf,
  titleIn,
  recorded,
  threads: (messages) => threads(messages.map(({ raw }) => (raw instanceof JsonNode ? linkOf(raw) : undefined))),
  ledger: { recognize, read: ledgerLine, threads },
  beforeWrite,
  echoes,
});

function readOther(raw: JsonNode): Message {
  const kind = (raw.get('subtype') ?? raw.get('type'))?.string ?? '';
  const line = metaMessage(raw, DISCARDABLE.has(kind));
  return kind === 'compact_boundary' ? { ...line, keeps: (sent) => keptAcross(raw, sent) } : line;
}

/**
 * What the user writes while the agent works has no other line. The agent sends it as a message of the user:
 * `normalizeAttachmentForAPI` of Claude Code 2.1.88 (2026-11-29).
 */
function readQueued(raw: JsonNode): Message | undefined {
  const prompt = queuedIn(raw)?.get('prompt');
  return prompt?.isString || prompt?.isArray
    ? { role: 'user', parts: readContent(prompt, 'attachment.prompt', readBlock), raw }
    : undefined;
}

function writeQueued({ parts }: Message, raw: JsonNode): Json {
  const queued = queuedIn(raw);
  if (queued === undefined) return raw;
  return patch(raw, { attachment: patch(queued, { prompt: writeBlocks(parts, queued.get('prompt')) }) });
}

function queuedIn(raw: JsonNode): JsonNode | undefined {
  const queued = raw.get('type')?.string === 'attachment' ? raw.get('attachment') : undefined;
  return queued?.get('type')?.string === 'queued_command' ? queued : undefined;
}

/**
 * The last title of a kind counts. A summary is that of a session only if it names one of its messages: early versions
 * wrote those of others, too.
 */
function titleIn(messages: readonly Message[]): string | undefined {
  const rows = messages.flatMap(({ role, raw }) => (role === 'meta' && raw instanceof JsonNode ? [raw] : []));
  const newest = (type: string, key: string) =>
    rows.findLast((row) => row.get('type')?.string === type && row.get(key)?.string)?.get(key)?.string;
  const summary = rows.findLast((row) => row.get('summary')?.isString && row.get('leafUuid')?.isString);
  const leaf = summary?.get('leafUuid')?.string;
  const isLeaf = ({ raw }: Message) => raw instanceof JsonNode && raw.get('uuid')?.string === leaf;
  return (
    newest('custom-title', 'customTitle') ??
    newest('ai-title', 'aiTitle') ??
    (summary && messages.some(isLeaf) ? summary.get('summary')!.string : undefined)
  );
}

/** Metadata of the session, from any line. */
function headerOf(line: JsonNode | undefined): Description {
  const forkOf = line?.get('forkedFrom')?.get('sessionId')?.string;
  return { id: line?.get('sessionId')?.string, project: line?.get('cwd')?.string, forkOf };
}

/** The copy of the result in an added line: a string. */
function repeatedResult({ parts }: Message): JsonFields {
  const result = parts.find(isResult);
  return result === undefined ? {} : { toolUseResult: joinTexts(result.content) };
}

/** The copy of the result in an edited line: it keeps its shape, without what was cut from the result. */
function editedCopy(message: Message, raw: JsonNode): JsonFields {
  const copy = raw.get('toolUseResult');
  if (copy === undefined) return {};
  const { toolUseResult } = repeatedResult(message);
  if (toolUseResult === undefined) return { toolUseResult };
  const before = anthropic.read(raw.get('message')!);
  const cut = applyCuts(copy, cutsBetween(before, message));
  return {
    toolUseResult:
      cut === copy && copy.isString && copy.text.length > (toolUseResult as string).length ? toolUseResult : cut,
  };
}
