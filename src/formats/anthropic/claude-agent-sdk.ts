/**
 * The stream-json protocol of Claude Code and its Agent SDK: lines `{type, session_id, …}`, as written by
 * `claude -p --output-format stream-json`, or `{messages: [{direction, message}]}`, a recording of both directions.
 * `message` is a message of the API; it can be split over several lines with the same `message.id`. `tool_use_result`
 * repeats a result. Lines of other types are not messages but can repeat parts of them: hooks and permissions repeat
 * calls, `stream_event` the deltas, `result` the last text. The execution output of claude-code-action is an array of
 * these lines, in which session and role can be absent.
 * https://docs.claude.com/en/docs/agent-sdk/typescript#message-types
 * https://github.com/anthropics/claude-code-action/blob/main/test/fixtures/sample-turns.json (read 2026-11)
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message, Recorded } from '../../transcript/types.js';
import { type Description, defineFormat, type Row } from '../format.js';
import { adjacentNode } from '../shared/adjacent-record.js';
import { anthropicBilling } from '../shared/billing.js';
import { derivedId } from '../shared/derived-ids.js';
import { metaMessage } from '../shared/json-fields.js';
import { isResult } from '../shared/parts.js';
import { anthropicUsage, costField, recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import anthropic from './anthropic-messages.js';
import { NO_MODEL } from './anthropic-usage.js';
import { lineIn, PARENT, putBack, readInner, syncLines } from './claude-agent-sdk-sync.js';
import { withIterations } from './iterations.js';

/** Types of lines without a message, with a key that identifies each. */
const META_LINES = table<string>({
  system: 'subtype',
  result: 'duration_ms',
  stream_event: 'event',
  control_request: 'request',
  control_response: 'response',
  control_cancel_request: 'request_id',
  rate_limit_event: 'rate_limit_info',
  tool_progress: 'tool_use_id',
  tool_use_summary: 'summary',
  auth_status: 'isAuthenticating',
});

/** Progress, notices and deltas: the complete message follows. */
const DISCARDABLE = new Set(['stream_event', 'tool_progress', 'rate_limit_event', 'auth_status']);

export default defineFormat({
  id: 'claude-agent-sdk',
  traits: { flagsErrors: true },
  messagePaths: ['messages'],
  score(raw) {
    const line = lineIn(raw);
    const type = line.get('type')?.string;
    if (type === undefined || line.get('sessionId') !== undefined) return 0;
    const member = META_LINES[type];
    if (member !== undefined) return line.get(member) !== undefined && isOwn(type, line, raw) ? 0.95 : 0;
    if (type !== 'user' && type !== 'assistant') return 0;
    const role = line.get('message')?.get('role');
    if (role !== undefined) return (line.get('session_id') ?? line.get(PARENT)) === undefined ? 0 : 1;
    return isWithoutRole(line) ? 0.8 : 0;
  },
  read(raw) {
    const line = lineIn(raw);
    const type = line.get('type')?.string;
    const inner = line.get('message');
    const isReplay = line !== raw && line.get('isReplay')?.boolean === true; // the sent message has its own line
    if ((type !== 'user' && type !== 'assistant') || !inner?.isObject || isReplay)
      return metaMessage(raw, DISCARDABLE.has(type ?? ''));
    const message = readInner(inner, type);
    const group = type === 'assistant' ? inner.get('id')?.string : undefined;
    return {
      ...message,
      raw,
      ...(group ? { group } : {}),
      ...(type === 'assistant' ? { model: inner.get('model')?.string } : {}),
    };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return {
        type: message.role === 'assistant' ? 'assistant' : 'user',
        message: anthropic.write(message),
        ...repeatedResult(message),
      };
    const line = lineIn(raw);
    const inner = line.get('message');
    if (message.role === 'meta' || inner === undefined) return raw;
    const written = anthropic.write({ ...message, raw: inner });
    if (written === inner) return raw;
    return putBack(
      raw,
      patch(line, { message: written, ...(line.get('tool_use_result') === undefined ? {} : repeatedResult(message)) }),
    );
  },
  describe(record) {
    const headers = record.get('messages')?.items().map(headerOf) ?? [];
    return headers.find(({ id }) => id !== undefined) ?? {};
  },
  header: headerOf,
  recorded: (raw) => recordedIn(lineIn(raw)),
  threads(messages) {
    const calls = messages.map(({ raw }) => (raw instanceof JsonNode ? lineIn(raw).get(PARENT)?.string : undefined));
    return calls.some((call) => call !== undefined) ? { agentIds: calls } : undefined;
  },
  beforeWrite(rows, before) {
    return syncLines(completeAdded(rows, before), before);
  },
});

/** Whether a line without a message is of this format: others have lines of such types, too. */
function isOwn(type: string, line: JsonNode, raw: JsonNode): boolean {
  if (line !== raw || type.startsWith('control_') || line.get('session_id') !== undefined) return true;
  return type === 'result' && line.get('total_cost_usd') !== undefined;
}

/** Whether a line holds a message that states no role, and nothing that a session log would add. */
function isWithoutRole(line: JsonNode): boolean {
  const content = line.get('message')?.get('content');
  return content?.isArray === true && line.get('uuid') === undefined && line.get('timestamp') === undefined;
}

/** The line's copy of the result: what was cut from the result must not survive there. */
function repeatedResult({ parts }: Message): Record<string, Json> {
  const result = parts.find(isResult);
  return result === undefined ? {} : { tool_use_result: joinTexts(result.content) };
}

/** Metadata of the session, from its first line. */
function headerOf(raw: JsonNode): Description {
  const line = lineIn(raw);
  if (line.get('type')?.string !== 'system' || line.get('subtype')?.string !== 'init') return {};
  const project = line.get('cwd')?.string;
  return { id: line.get('session_id')?.string, model: line.get('model')?.string, project, tools: line.get('tools') };
}

/**
 * Usage of a line's request, or of the whole session for a `result` line. Also reads the camelCase keys of Claude Code.
 */
export function recordedIn(line: JsonNode): Recorded | undefined {
  const sessionId = line.get('session_id')?.string ?? line.get('sessionId')?.string;
  const time = timeOf(line.get('timestamp'));
  if (line.get('type')?.string === 'result') return recordedOf({ sessionId, time, ...totalIn(line) });
  const message = line.get('message');
  const requestId = line.get('request_id')?.string ?? line.get('requestId')?.string;
  const isPaid = message?.get('model')?.string !== NO_MODEL;
  const usage = isPaid ? message?.get('usage') : undefined;
  return recordedOf({
    responseId: message?.get('id')?.string,
    requestId,
    sessionId,
    model: isPaid ? message?.get('model')?.string : undefined,
    time,
    ...withIterations(usage, message?.get('model')?.string),
    billing: anthropicBilling(usage),
    failed: isPaid ? undefined : true,
  });
}

/**
 * The totals of a `result` line. A turn is a request, but requests of smaller models beside the turns are no turns.
 * https://docs.claude.com/en/docs/agent-sdk/typescript#sdkresultmessage
 */
function totalIn(result: JsonNode): Recorded {
  const models = result.get('modelUsage')?.members() ?? [];
  const runningRequests = tokens(result, 'num_turns');
  const own = models.length === 1 ? runningRequests : undefined;
  return {
    running: anthropicUsage(result.get('usage')),
    runningCost: costField(result, 'total_cost_usd'),
    runningRequests,
    byModel: models.length === 0 ? undefined : models.map(({ key, value }) => totalOf(modelName(key.text), value, own)),
  };
}

/** A model as messages name it: without the platform's prefix and version, and without `[1m]` of Claude Code. */
function modelName(key: string): string {
  return key
    .replace(/\[[^\]]*\]$/, '')
    .replace(/^.*[./](?=claude-)/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace('@', '-');
}

function totalOf(model: string, usage: JsonNode, runningRequests: number | undefined): Recorded {
  const running = usageFromUncached(tokens(usage, 'inputTokens'), tokens(usage, 'outputTokens'), {
    cacheRead: tokens(usage, 'cacheReadInputTokens'),
    cacheWrite5m: tokens(usage, 'cacheCreationInputTokens'),
  });
  return { model, running, runningCost: costField(usage, 'costUSD'), runningRequests };
}

// --- added lines

/** Fields that adjacent lines share. */
const SHARED = [PARENT, 'session_id'];

/** Completes added lines with the session and time of the adjacent line, a derived id, and the direction. */
function completeAdded(rows: readonly Row[], before: readonly JsonNode[]): readonly Row[] {
  const hasMessage = (node: JsonNode | undefined) => node !== undefined && lineIn(node).get('message') !== undefined;
  let adjacent = rows.find(({ node }) => hasMessage(node))?.node ?? before.find(hasMessage);
  let previous: string | undefined;
  return rows.map((row) => {
    const beside = hasMessage(row.node) ? row.node : adjacentNode(row.message);
    if (beside !== undefined && beside !== adjacent) [adjacent, previous] = [beside, undefined];
    if (row.node !== undefined || adjacent === undefined) return row;
    const line = lineIn(adjacent);
    const { type, message, ...rest } = row.json as JsonFields;
    const shared = Object.fromEntries(SHARED.map((key) => [key, line.get(key)]));
    previous = derivedId(previous ?? line.get('uuid')?.text ?? '', row.json);
    const added = {
      type,
      message,
      ...shared,
      uuid: line.get('uuid') && previous,
      timestamp: line.get('timestamp'),
      ...(line.get('tool_use_result') === undefined ? {} : rest),
    };
    const direction = type === 'user' && rest['tool_use_result'] === undefined ? 'send' : 'recv';
    return { ...row, json: line === adjacent ? added : { direction, message: added } };
  });
}
