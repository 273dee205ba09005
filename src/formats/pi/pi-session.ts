/**
 * pi's session files (coding agent of pi-mono): lines `{type, timestamp, …}`, of which those of type `message` hold one in
 * `message`; also such a message alone. Calls are `toolCall` blocks, each result is a message of role `toolResult`; what the
 * user ran in the shell is a message of role `bashExecution`. Lines of all other types pass through.
 * From version 2 on lines name their parents (`parentId`); before, a compaction counts lines (`firstKeptEntryIndex`).
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md
 */
import { amend, type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, Usage } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { applyCuts } from '../shared/apply-cuts.js';
import { json, jsonValue, optionalString, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';
import {
  idField,
  inputField,
  isContent,
  isResult,
  joinedString,
  readContent,
  readMedia,
  readText,
  writeContent,
} from '../shared/parts.js';
import { costField, recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { table } from '../shared/table.js';

/** `custom` and (before version 3) `hookMessage` are what extensions say in the place of the user. */
const ROLES = table<Role>({
  user: 'user',
  assistant: 'assistant',
  toolResult: 'tool',
  bashExecution: 'user',
  custom: 'user',
  hookMessage: 'user',
});
/** Types of lines that hold no message. */
const RECORDS = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
]);
/** How a message ends that pi leaves out of what it sends. */
const CUT_OFF = new Set(['aborted', 'error']);
const LINK: Link = {
  id: 'id',
  parent: 'parentId',
  idLength: 8,
  startPointers: ['firstKeptEntryId'],
  nullPointer: 'root',
  contentKeys: ['message', 'data', 'details', 'summary', 'content'],
};
/** The members of a `bashExecution` that are text. */
const SHELL = ['command', 'output'] as const;

export default defineFormat({
  id: 'pi-session',
  traits: { flagsErrors: true },
  byteHints: { usage: ['"usage"', '"session"'] },
  messagePaths: [],
  score(raw) {
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
    if (message === raw && type !== undefined)
      return type === 'message'
        ? wrongMember(raw.get('message'), raw, 'message', 'an object')
        : { role: 'meta', parts: [], raw };
    const said = stringIn(message.get('role'), `${path}role`) ?? '';
    const role = ROLES[said];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    if (said === 'bashExecution') return { role, parts: SHELL.flatMap((key) => readShell(message, key, path)), raw };
    const parts = readContent(message.get('content'), `${path}content`, readBlock);
    if (role === 'tool') return { role, parts: [readResult(message, parts.filter(isContent), path)], raw };
    const model = role === 'assistant' ? stringIn(message.get('model'), `${path}model`) : undefined;
    return { role, parts, model, raw, ...(CUT_OFF.has(message.get('stopReason')?.string ?? '') && { cutOff: true }) };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return { type: 'message', message: fresh(message) };
    if (message.role === 'meta') return raw;
    const old = messageIn(raw);
    const written = writeMessage(message, old);
    return old === raw ? written : patch(raw, { message: written });
  },
  describe(record) {
    return { id: record.get('id')?.string };
  },
  header(line) {
    const type = line.get('type')?.string;
    if (type !== 'session' && type !== 'model_change') return {};
    return { id: type === 'session' ? line.get('id')?.string : undefined, model: line.get('modelId')?.string };
  },
  recorded(raw) {
    const message = messageIn(raw);
    return recordedOf({
      responseId: message.get('responseId')?.string,
      sessionId: raw.get('type')?.string === 'session' ? raw.get('id')?.string : undefined,
      model: message.get('model')?.string ?? raw.get('modelId')?.string,
      time: timeOf(message.get('timestamp') ?? raw.get('timestamp')),
      usage: usageIn(message.get('usage')),
      cost: costField(message.get('usage')?.get('cost'), 'total'),
    });
  },
  beforeWrite,
});

/** Input is only what no cache had to do with. */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  return usageFromUncached(tokens(usage, 'input'), tokens(usage, 'output'), {
    cacheRead: tokens(usage, 'cacheRead'),
    cacheWrite5m: tokens(usage, 'cacheWrite'),
  });
}

/** The message that a line holds; what is given, where it is no such line. */
function messageIn(raw: JsonNode): JsonNode {
  const message = raw.get('type')?.string === 'message' ? raw.get('message') : undefined;
  return message?.isObject ? message : raw;
}

// --- reading

function readBlock(block: JsonNode, path: string): Part {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'thinking') return readText(type, block, type, path);
  if (type === 'toolCall') return readCall(block, path);
  return readMedia(block, type === 'image' ? type : undefined);
}

function readCall(block: JsonNode, path: string): CallPart {
  const callId = stringIn(block.get('id'), `${path}.id`) ?? '';
  return {
    type: 'call',
    callId,
    tool: stringIn(block.get('name'), `${path}.name`) ?? '',
    input: block.get('arguments') ?? '{}',
    raw: block,
  };
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
  const result = parts.find(isResult);
  const before = old.get('content');
  const content = writeContent(result?.content ?? parts, before, writeBlock, ({ text }) =>
    before?.isString ? json(text) : undefined,
  );
  if (result === undefined) return patch(old, { content });
  return patch(old, {
    ...idField('toolCallId', result),
    content,
    ...(content === before ? {} : writeDetails(result, old)),
  });
}

/** Details repeat the text of a result that the tool itself had cut: there, too, only what is left of it stays. */
function writeDetails(result: ResultPart, old: JsonNode): { details?: Json } {
  const details = old.get('details');
  if (details === undefined) return {};
  const before = joinTexts(readContent(old.get('content'), 'content', readBlock).filter(isContent));
  return { details: applyCuts(details, [{ before, after: joinTexts(result.content) }]) };
}

function writeShell(parts: readonly Part[], old: JsonNode): Json {
  const keys = SHELL.filter((key) => old.get(key)?.isString);
  const texts = new Map(keys.map((key) => [key, [] as Part[]]));
  let at = keys[0];
  for (const part of parts) {
    at = keys.find((key) => old.get(key)!.is(part.raw)) ?? at; // what was added stands where that before it stands
    if (at !== undefined) texts.get(at)!.push(part);
  }
  return patch(old, Object.fromEntries(keys.map((key) => [key, joinedString(texts.get(key)!)])));
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return patch(raw, { text: json(part.text) });
  if (part.type === 'thinking') return patch(raw, { thinking: json(part.text) });
  if (part.type !== 'call') return raw;
  return patch(raw, { ...idField('id', part), ...inputField('arguments', part, raw.get('arguments')) });
}

function freshBlock(part: Part): Json {
  if (part.type === 'text') return { type: 'text', text: json(part.text) };
  if (part.type === 'thinking') return { type: 'thinking', thinking: json(part.text) };
  if (part.type === 'call')
    return { type: 'toolCall', id: part.callId ?? '', name: part.tool, arguments: jsonValue(part.input) };
  return part.type !== 'result' && part.raw instanceof JsonNode ? part.raw : { type: part.type };
}

function fresh({ role, parts, model }: Message): Json {
  const result = parts.find(isResult);
  if (result === undefined)
    return { role: role === 'assistant' ? role : 'user', content: parts.map(freshBlockOf), model };
  return {
    role: 'toolResult',
    toolCallId: result.callId ?? '',
    toolName: result.tool,
    content: result.content.map(freshBlockOf),
    isError: result.isError === true,
  };
}

/** A text in a message that is added stands in a block, wherever it was read. */
function freshBlockOf(part: Part): Json {
  return part.type === 'text' ? freshBlock(part) : writeBlock(part);
}

// --- what goes and comes with lines

/** Links stay whole, labels of lines that went go, lines that were added are whole records. Among bare messages they are such. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const bare = before.every((node) => node.get('type') === undefined);
  const left = new Set(rows.map(({ node }) => node));
  const gone = new Set(before.flatMap((node) => (left.has(node) ? [] : (node.get('id')?.string ?? []))));
  const followed = rows.map((row, index): Row | undefined => {
    if (row.node === undefined) return { ...row, json: whole(row.json as JsonFields, rows, index) };
    const target = row.node.get('type')?.string === 'label' ? row.node.get('targetId')?.string : undefined;
    return target !== undefined && gone.has(target) ? undefined : row;
  });
  const kept = followed.filter((row) => row !== undefined);
  const linked = bare
    ? kept.map(({ node, json }) => (node === undefined ? (json as JsonFields)['message']! : json))
    : relink(kept, before, LINK, []);
  const jsonOf = new Map(kept.map((row, index) => [row, recount(row, linked[index]!, kept, before)]));
  return followed.map((row) => row && jsonOf.get(row));
}

/** An added message has what pi reads of every one: the time of the one before it, and of the assistant's the model and no usage. */
function whole(json: JsonFields, rows: readonly Row[], index: number): Json {
  const message = json['message'] as JsonFields;
  const near = [...rows.slice(0, index).reverse(), ...rows.slice(index)].flatMap(({ node }) =>
    node === undefined ? [] : [messageIn(node)],
  );
  const timestamp = near.find((node) => node.get('timestamp')?.number !== undefined)?.get('timestamp');
  if (message['role'] !== 'assistant') return { ...json, message: { ...message, timestamp } };
  const speaker = near.find((node) => node.get('role')?.string === 'assistant');
  const { role, content } = message;
  const [api, provider, model] = ['api', 'provider', 'model'].map((key) => speaker?.get(key));
  return {
    ...json,
    message: {
      role,
      content,
      api,
      provider,
      model: message['model'] ?? model,
      usage: NOTHING_USED,
      stopReason: 'stop',
      timestamp,
    },
  };
}

const NOTHING_USED = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** An early compaction counts the lines, the header among them, up to the first that it kept: that, or the next one that is left. */
function recount({ node }: Row, json: Json, kept: readonly Row[], before: readonly JsonNode[]): Json {
  const old = node?.get('firstKeptEntryIndex')?.number;
  if (node === undefined || old === undefined) return json;
  const from = new Set(before.slice(old));
  const index = kept.findIndex((row) => row.node !== undefined && from.has(row.node));
  return index < 0 || index === old ? json : amend(node, json, { firstKeptEntryIndex: index });
}
