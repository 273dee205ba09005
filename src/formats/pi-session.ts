/**
 * pi's session files (coding agent of pi-mono): lines `{type, timestamp, …}`, of which those of type `message` hold one in
 * `message`; also such a message alone. Calls are `toolCall` blocks, each result is a message of role `toolResult`; what the
 * user ran in the shell is a message of role `bashExecution`. Lines of all other types pass through.
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md
 */
import { type Json, patch, patchItems } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { joinTexts } from '../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role } from '../transcript/types.js';
import { defineFormat } from './format.js';
import { json, jsonValue, optionalString, present, stringIn, wrongType } from './inside.js';

/** `custom` and (before version 3) `hookMessage` are what extensions say in the place of the user. */
const ROLES: Readonly<Record<string, Role>> = { user: 'user', assistant: 'assistant', toolResult: 'tool', bashExecution: 'user', custom: 'user', hookMessage: 'user' };
/** Types of lines that hold no message. */
const RECORDS = new Set(['session', 'model_change', 'thinking_level_change', 'compaction', 'branch_summary', 'custom', 'custom_message', 'label', 'session_info']);
/** The members of a `bashExecution` that are text. */
const SHELL = ['command', 'output'] as const;

export default defineFormat({
  id: 'pi-session',
  title: 'pi session files',
  traits: { flagsErrors: true },
  places: [],
  recognises(raw) {
    const type = raw.get('type')?.string;
    if (type !== undefined && type !== 'message') return RECORDS.has(type) && raw.get('timestamp')?.isString ? 0.7 : 0;
    const message = messageIn(raw);
    const role = message.get('role')?.string;
    if (role === undefined) return 0;
    if (role === 'toolResult' && message.get('toolCallId') !== undefined) return 1;
    if (role === 'bashExecution' && message.get('command') !== undefined) return 1;
    if (!(role in ROLES) || message.get('content') === undefined) return 0;
    if (message !== raw) return raw.get('timestamp') !== undefined && raw.get('sessionId') === undefined ? 0.95 : 0.6;
    const blocks = message.get('content')!.items();
    if (blocks.some((block) => block.get('type')?.string === 'toolCall')) return 1;
    if (role === 'assistant' && ['api', 'provider', 'stopReason'].every((key) => message.get(key)?.isString)) return 1;
    return message.get('timestamp')?.number === undefined ? 0 : 0.45;
  },
  read(raw) {
    const message = messageIn(raw);
    const path = message === raw ? '' : 'message.';
    const type = optionalString(raw, 'type');
    if (message === raw && type !== undefined) return type === 'message' ? wrongType(raw.get('message') ?? raw, 'message', 'an object') : { role: 'record', parts: [], raw };
    const said = stringIn(message.get('role'), `${path}role`) ?? '';
    const role = ROLES[said];
    if (role === undefined) return { role: 'record', parts: [], raw };
    if (said === 'bashExecution') return { role, parts: SHELL.flatMap((key) => readShell(message, key, path)), raw };
    const parts = readContent(message.get('content'), `${path}content`);
    if (role === 'tool') return { role, parts: [readResult(message, parts.filter(isContent), path)], raw };
    const model = role === 'assistant' ? stringIn(message.get('model'), `${path}model`) : undefined;
    return model === undefined ? { role, parts, raw } : { role, parts, model, raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return { type: 'message', message: fresh(message) };
    if (message.role === 'record') return raw;
    const old = messageIn(raw);
    const written = writeMessage(message, old);
    return old === raw ? written : patch(raw, { message: written });
  },
  describe(record) {
    return { id: record.get('id')?.string };
  },
});

/** The message that a line holds; what is given, where it is no such line. */
function messageIn(raw: JsonNode): JsonNode {
  const message = raw.get('type')?.string === 'message' ? raw.get('message') : undefined;
  return message?.isObject ? message : raw;
}

// --- reading

function readContent(content: JsonNode | undefined, path: string): Part[] {
  if (content === undefined || content.isNull) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, path, 'a string or an array of blocks');
  return content.items().map((block, index) => readBlock(block, `${path}[${index}]`));
}

function readBlock(block: JsonNode, path: string): Part {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'thinking') {
    const text = block.get(type);
    return text?.isString ? { type, text, raw: block } : wrongType(text ?? block, `${path}.${type}`, 'a string');
  }
  if (type === 'toolCall') return readCall(block, path);
  return type === 'image' ? { type: 'media', kind: 'image', raw: block } : { type: 'opaque', text: block, raw: block };
}

function readCall(block: JsonNode, path: string): CallPart {
  const callId = stringIn(block.get('id'), `${path}.id`) ?? '';
  return { type: 'call', callId, tool: stringIn(block.get('name'), `${path}.name`) ?? '', input: block.get('arguments') ?? '{}', raw: block };
}

function readResult(message: JsonNode, content: readonly ContentPart[], path: string): ResultPart {
  const callId = stringIn(message.get('toolCallId'), `${path}toolCallId`) ?? '';
  const tool = stringIn(message.get('toolName'), `${path}toolName`);
  return { type: 'result', callId, tool, content, isError: message.get('isError')?.boolean === true, raw: message };
}

function readShell(message: JsonNode, key: string, path: string): Part[] {
  const text = present(message, key);
  if (text === undefined) return [];
  return text.isString ? [{ type: 'text', text, raw: text }] : wrongType(text, `${path}${key}`, 'a string');
}

// --- writing

function writeMessage({ parts }: Message, old: JsonNode): Json {
  if (old.get('role')?.string === 'bashExecution') return writeShell(parts, old);
  const [result] = parts.filter((part) => part.type === 'result');
  const before = old.get('content');
  const content = writeContent(result?.content ?? parts, before);
  if (result === undefined) return patch(old, { content });
  return patch(old, { ...(result.callId ? { toolCallId: result.callId } : {}), content, ...(content === before ? {} : writeDetails(result, old)) });
}

/** Details repeat the text of a result that the tool itself had cut: there, too, only what is left of it stays. */
function writeDetails(result: ResultPart, old: JsonNode): { details?: Json } {
  const details = old.get('details');
  const truncation = details?.get('truncation');
  if (details === undefined || !truncation?.get('content')?.isString) return {};
  return { details: patch(details, { truncation: patch(truncation, { content: joinTexts(result.content) }) }) };
}

function writeShell(parts: readonly Part[], old: JsonNode): Json {
  const texts = SHELL.filter((key) => old.get(key)?.isString).map((key): [string, Json] => {
    const part = parts.find((candidate) => candidate.type === 'text' && old.get(key)!.is(candidate.raw));
    return [key, part?.type === 'text' ? json(part.text) : ''];
  });
  return patch(old, Object.fromEntries(texts));
}

function writeContent(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray) return patchItems(old, parts.map(writeBlock));
  const [first] = parts;
  if (first === undefined) return old?.isString ? '' : old;
  return old?.isString && parts.length === 1 && first.type === 'text' ? json(first.text) : parts.map(writeBlock);
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return patch(raw, { text: json(part.text) });
  if (part.type === 'thinking') return patch(raw, { thinking: json(part.text) });
  if (part.type !== 'call') return raw;
  const input = part.input === '{}' && raw.get('arguments') === undefined ? {} : { arguments: jsonValue(part.input) };
  return patch(raw, { ...(part.callId ? { id: part.callId } : {}), ...input });
}

function freshBlock(part: Part): Json {
  if (part.type === 'text') return { type: 'text', text: json(part.text) };
  if (part.type === 'thinking') return { type: 'thinking', thinking: json(part.text) };
  if (part.type === 'call') return { type: 'toolCall', id: part.callId ?? '', name: part.tool, arguments: jsonValue(part.input) };
  return part.type !== 'result' && part.raw instanceof JsonNode ? part.raw : { type: part.type };
}

function fresh({ role, parts, model }: Message): Json {
  const [result] = parts.filter((part) => part.type === 'result');
  if (result === undefined) return { role: role === 'assistant' ? role : 'user', content: parts.map(freshBlockOf), model };
  return { role: 'toolResult', toolCallId: result.callId ?? '', toolName: result.tool, content: result.content.map(freshBlockOf), isError: result.isError === true };
}

/** A text in a message that is added stands in a block, wherever it was read. */
function freshBlockOf(part: Part): Json {
  return part.type === 'text' ? freshBlock(part) : writeBlock(part);
}

function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'media' || part.type === 'opaque';
}
