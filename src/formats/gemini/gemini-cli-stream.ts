/**
 * The output of Gemini CLI with `--output-format stream-json`: lines `{type, timestamp, …}`. A text of the model comes
 * in pieces (`delta`), which are read as one message; the other pieces are kept or removed with the first one. The
 * `result` line sums up the usage of all requests.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/output/types.ts (read 2026-11)
 */
import { type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart, Message, Part, Recorded, ResultPart, Usage } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { isJoined } from '../shared/joined-pieces.js';
import { jsonValue, metaMessage, optionalString, present, wrongMember } from '../shared/json-fields.js';
import { idField, inputField, isResult, joinedString } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { afterRead, beforeWrite, requestsBefore } from './gemini-cli-stream-list.js';

/** The members that a line of each type must have. */
const MEMBERS = table<readonly string[]>({
  init: ['session_id', 'model'],
  message: ['role', 'content'],
  tool_use: ['tool_name', 'tool_id'],
  tool_result: ['tool_id', 'status'],
  error: ['severity', 'message'],
  result: ['status'],
});

export default defineFormat({
  id: 'gemini-cli-stream',
  traits: { flagsErrors: true, piecesStandAlone: true },
  byteHints: { toolCalls: ['"tool_'], usage: ['"init"', '"result"'] },
  messagePaths: [],
  score(raw) {
    const members = MEMBERS[raw.get('type')?.string ?? ''];
    const isTimed = (raw.get('timestamp') ?? raw.get('ts'))?.isString;
    return isTimed && members?.every((key) => raw.get(key)?.isString) ? 1 : 0;
  },
  read(raw) {
    const type = raw.get('type')?.string;
    if (type === 'message') return readText(raw);
    if (type === 'tool_use') return { role: 'assistant', parts: [readCall(raw)], raw };
    if (type === 'tool_result') return { role: 'tool', parts: [readResult(raw)], raw };
    return metaMessage(raw, false);
  },
  write(message) {
    const { raw, parts, role } = message;
    if (!(raw instanceof JsonNode)) return freshLine(message);
    return role === 'meta' || isJoined(parts) ? raw : writeLine(parts, raw);
  },
  header(line) {
    return line.get('type')?.string === 'init'
      ? { id: line.get('session_id')?.string, model: line.get('model')?.string }
      : {};
  },
  recorded(raw) {
    const type = raw.get('type')?.string;
    const time = timeOf(raw.get('timestamp') ?? raw.get('ts'));
    if (type === 'init')
      return recordedOf({ sessionId: raw.get('session_id')?.string, model: raw.get('model')?.string, time });
    if (type !== 'result') return type === 'message' || type === 'tool_use' ? recordedOf({ time }) : undefined;
    return recordedOf({ requestId: raw.get('timestamp')?.string, time, ...sumIn(raw) });
  },
  afterRead,
  beforeWrite,
});

// --- usage

/** The sum of all requests, and that of each model in later versions. */
function sumIn(result: JsonNode): Recorded {
  const stats = result.get('stats');
  const usage = usageIn(stats);
  const requests = requestsBefore(result);
  const billing = usage !== undefined && requests > 1 ? { requests } : undefined;
  const models = stats?.get('models')?.members() ?? [];
  const byModel = models.map(({ key, value }) => ({
    model: key.text,
    usage: usageIn(value),
    billing: models.length === 1 ? billing : undefined,
  }));
  return { usage, billing, byModel: byModel.length === 0 ? undefined : byModel };
}

/**
 * `input_tokens` includes cache reads. `output_tokens` excludes thoughts; they are what `total_tokens` has beyond both.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/output/stream-json-formatter.ts
 */
function usageIn(stats: JsonNode | undefined): Usage | undefined {
  const prompt = tokens(stats, 'input_tokens');
  const candidates = tokens(stats, 'output_tokens');
  const reasoning = Math.max(0, (tokens(stats, 'total_tokens') ?? 0) - (prompt ?? 0) - (candidates ?? 0));
  const output = candidates === undefined ? undefined : candidates + reasoning;
  return usageFromTotals(prompt, output, { cacheRead: tokens(stats, 'cached'), reasoning });
}

// --- reading

function readText(raw: JsonNode): Message {
  const role = optionalString(raw, 'role') ?? wrongMember(undefined, raw, 'role', 'a string');
  if (role !== 'user' && role !== 'assistant') return metaMessage(raw, false);
  const text = raw.get('content');
  if (!text?.isString) return wrongMember(text, raw, 'content', 'a string');
  return { role, parts: [{ type: 'text', text, raw: text }], raw };
}

function readCall(raw: JsonNode): Part {
  return {
    type: 'call',
    callId: optionalString(raw, 'tool_id') ?? '',
    tool: optionalString(raw, 'tool_name') ?? '',
    input: present(raw, 'parameters') ?? '{}',
    raw,
  };
}

/** An error repeats its message as output, or has no output. */
function readResult(raw: JsonNode): ResultPart {
  const output = optionalString(raw, 'output');
  const texts = [present(raw, 'output'), errorIn(raw)].filter((text) => text !== undefined);
  const said = texts.filter((text, index) => index === 0 || text.string !== output);
  return {
    type: 'result',
    callId: optionalString(raw, 'tool_id') ?? '',
    content: said.map((text): ContentPart => ({ type: 'text', text, raw: text })),
    isError: raw.get('status')?.string === 'error',
    raw,
  };
}

/** The text of a result's error. */
function errorIn(raw: JsonNode): JsonNode | undefined {
  const text = raw.get('error')?.get('message');
  return text?.isString ? text : undefined;
}

// --- writing

function writeLine(parts: readonly Part[], raw: JsonNode): Json {
  const [part] = parts;
  if (raw.get('type')?.string === 'message') return writeText(parts, raw);
  if (part?.type === 'call')
    return patch(raw, { ...idField('tool_id', part), ...inputField('parameters', part, present(raw, 'parameters')) });
  if (part?.type === 'result') return patch(raw, { ...idField('tool_id', part), ...resultFields(part, raw) });
  if (raw.get('type')?.string === 'tool_result') return raw;
  const cleared = { tool_name: undefined, tool_id: undefined, parameters: undefined };
  return patch(raw, { ...cleared, type: 'message', role: 'assistant', content: joinedString(parts) });
}

/** A changed piece holds the whole text from now on, also if that equals the piece. */
function writeText(parts: readonly Part[], raw: JsonNode): Json {
  const content = joinedString(parts);
  const isSame = content instanceof JsonNode && content.is(raw.get('content'));
  return isSame || raw.get('delta') === undefined
    ? patch(raw, { content })
    : new ObjectEdit(raw, new Map([['content', content]]));
}

/** The texts of a result where they stood. What was added goes to the output, or to the error if there is no output. */
function resultFields({ content }: ResultPart, raw: JsonNode): JsonFields {
  const output = present(raw, 'output');
  const message = errorIn(raw);
  if (output === undefined && message === undefined)
    return content.length === 0 ? {} : { output: joinedString(content) };
  const isOwn = message !== undefined && message.string !== output?.string;
  const ofError = content.filter((part) => output === undefined || (isOwn && message.is(part.raw)));
  const text = joinedString(content.filter((part) => !ofError.includes(part)));
  const copy = text instanceof JsonNode && text.is(output) ? message : text;
  const error = message && patch(raw.get('error')!, { message: isOwn ? joinedString(ofError) : copy });
  return { ...(output === undefined ? {} : { output: text }), ...(error === undefined ? {} : { error }) };
}

function freshLine({ role, parts }: Message): Json {
  const call = parts.find((part) => part.type === 'call');
  const result = parts.find(isResult);
  if (call !== undefined)
    return { type: 'tool_use', tool_name: call.tool, tool_id: call.callId ?? '', parameters: jsonValue(call.input) };
  if (result === undefined)
    return { type: 'message', role: role === 'assistant' ? role : 'user', content: joinedString(parts) };
  const text = joinedString(result.content);
  const head = { type: 'tool_result', tool_id: result.callId ?? '' };
  // The type is what the CLI states of an error without one.
  return result.isError
    ? { ...head, status: 'error', output: text, error: { type: 'TOOL_EXECUTION_ERROR', message: text } }
    : { ...head, status: 'success', output: text };
}
