/**
 * Session files of pi (the coding agent of pi-mono): lines `{type, timestamp, …}`; those of type `message` have a
 * message in `message`. Also reads bare messages, as extensions get them in the `context` event. Calls are `toolCall`
 * blocks, each result is a message of role `toolResult`, and a shell command of the user is a message of role
 * `bashExecution`. Summaries, and what extensions say, are lines of their own. Since version 2, lines link to their
 * parents (`parentId`), and what the user left by going back is an abandoned branch; before, a compaction refers to
 * lines by index (`firstKeptEntryIndex`).
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, Usage } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { applyCuts } from '../shared/apply-cuts.js';
import { json, jsonValue, optionalString, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
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
import { costField, isEmpty, recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { beforeWrite, messageIn, SENT_LINES, treeIn } from './pi-session-sync.js';

/**
 * `custom` and (before version 3) `hookMessage` come from extensions, and summaries from pi, in the role of the user.
 */
const ROLES = table<Role>({
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  toolResult: 'tool',
  bashExecution: 'user',
  custom: 'user',
  hookMessage: 'user',
  branchSummary: 'user',
  compactionSummary: 'user',
});
/** Types of the other lines without a message. */
const META_LINES = commaSet('session, model_change, thinking_level_change, custom, label, session_info');
/** Stop reasons of messages that pi does not send to the model. */
const CUT_OFF = new Set(['aborted', 'error']);
/** Members with the texts of messages without a content. */
const TEXT_KEYS = table<readonly string[]>({
  bashExecution: ['command', 'output'],
  branchSummary: ['summary'],
  compactionSummary: ['summary'],
});

export default defineFormat({
  id: 'pi-session',
  traits: { flagsErrors: true, outputsAreFinal: true, repliesStateUsage: true },
  byteHints: { usage: ['"usage"', '"session"'] },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type !== undefined && type !== 'message')
      return (META_LINES.has(type) || type in SENT_LINES) && raw.get('timestamp')?.isString ? 0.7 : 0;
    const message = messageIn(raw);
    const role = message.get('role')?.string;
    if (role === undefined) return 0;
    if (role === 'toolResult' && message.get('toolCallId') !== undefined) return 1;
    const [textKey] = TEXT_KEYS[role] ?? [];
    if (textKey !== undefined && message.get(textKey) !== undefined) return 1;
    if (!(role in ROLES) || message.get('content') === undefined) return 0;
    if (message !== raw) return raw.get('timestamp') !== undefined && raw.get('sessionId') === undefined ? 0.95 : 0.6;
    const blocks = message.get('content')!.items();
    if (blocks.some((block) => block.get('type')?.string === 'toolCall')) return 1;
    if (role === 'custom' && message.get('customType')?.isString) return 1;
    if (role === 'assistant' && ['api', 'provider', 'stopReason'].every((key) => message.get(key)?.isString)) return 1;
    return message.get('timestamp')?.number === undefined ? 0 : 0.45;
  },
  read(raw) {
    const message = messageIn(raw);
    const path = message === raw ? '' : 'message.';
    const type = optionalString(raw, 'type');
    if (message === raw && type !== undefined && !(type in SENT_LINES))
      return type === 'message'
        ? wrongMember(raw.get('message'), raw, 'message', 'an object')
        : { role: 'meta', parts: [], raw };
    const roleName = roleIn(message, path);
    const role = ROLES[roleName];
    // Of messages in memory, pi leaves those out of the next request: a result of their calls would answer no call.
    const isCutOff = CUT_OFF.has(message.get('stopReason')?.string ?? '');
    const isExcluded = message.get('excludeFromContext')?.boolean === true || (isCutOff && message === raw);
    if (role === undefined || isExcluded) return { role: 'meta', parts: [], raw };
    const textKeys = TEXT_KEYS[roleName];
    if (textKeys !== undefined) {
      const parts = textKeys.flatMap((key) => readKey(message, key, path));
      return type === 'compaction' ? { role, parts, raw, keeps: (sent) => keptBy(raw, sent) } : { role, parts, raw };
    }
    const parts = readContent(message.get('content'), `${path}content`, readBlock);
    if (role === 'tool') return { role, parts: [readResult(message, parts.filter(isContent), path)], raw };
    const model = role === 'assistant' ? stringIn(message.get('model'), `${path}model`) : undefined;
    return { role, parts, model, raw, ...(isCutOff && { cutOff: true }) };
  },
  /** What was called right before a compaction is in its summary, and not sent again. */
  afterRead: (messages) =>
    messages.map((message, index) => {
      const next = messages[index + 1]?.raw;
      const isLost = next instanceof JsonNode && next.get('type')?.string === 'compaction';
      return isLost && message.parts.some(({ type }) => type === 'call') ? { ...message, cutOff: true } : message;
    }),
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return { type: 'message', message: freshMessage(message) };
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
    const id = type === 'session' ? line.get('id')?.string : undefined;
    const forkOf = (line.get('parentSession') ?? line.get('branchedFrom'))?.string; // the second in early versions
    return { id, model: line.get('modelId')?.string, project: line.get('cwd')?.string, forkOf };
  },
  titleIn: (messages) => {
    const isInfo = ({ raw }: Message) => raw instanceof JsonNode && raw.get('type')?.string === 'session_info';
    return (messages.findLast(isInfo)?.raw as JsonNode | undefined)?.get('name')?.string;
  },
  recorded(raw) {
    const message = messageIn(raw);
    const isCutOff = CUT_OFF.has(message.get('stopReason')?.string ?? '');
    const counted = usageIn(message.get('usage'));
    const failed = isCutOff && (counted === undefined || isEmpty(counted)); // pi writes zeros
    const usage = failed ? undefined : counted;
    return recordedOf({
      responseId: message.get('responseId')?.string,
      requestId: usage && requestId(message),
      sessionId: raw.get('type')?.string === 'session' ? raw.get('id')?.string : undefined,
      model: message.get('model')?.string ?? raw.get('modelId')?.string,
      time: timeOf(message.get('timestamp') ?? raw.get('timestamp')),
      usage,
      cost: usage && costField(message.get('usage')?.get('cost'), 'total'),
      failed: failed || undefined,
    });
  },
  threads(messages) {
    const tree = treeIn(messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined)));
    return tree && { agentIds: tree.branchOf, branches: tree.branches, order: tree.order };
  },
  beforeWrite,
});

/** The time and length of a request: forks copy both, and servers such as Ollama repeat response ids. */
function requestId(message: JsonNode): string | undefined {
  const time = message.get('timestamp')?.text;
  return time === undefined ? undefined : `${time} ${message.get('usage')?.get('totalTokens')?.text ?? ''}`;
}

/** `input` excludes cache reads and writes. */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  return usageFromUncached(tokens(usage, 'input'), tokens(usage, 'output'), {
    cacheRead: tokens(usage, 'cacheRead'),
    cacheWrite5m: tokens(usage, 'cacheWrite'),
  });
}

// --- reading

function roleIn(message: JsonNode, path = ''): string {
  return SENT_LINES[message.get('type')?.string ?? ''] ?? stringIn(message.get('role'), `${path}role`) ?? '';
}

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

function readKey(message: JsonNode, key: string, path: string): Part[] {
  const text = present(message, key);
  if (text === undefined) return [];
  return text.isString ? [{ type: 'text', text, raw: text }] : wrongType(text, `${path}${key}`, 'a string');
}

// --- writing

function writeMessage({ parts }: Message, old: JsonNode): Json {
  const textKeys = TEXT_KEYS[roleIn(old)];
  if (textKeys !== undefined) return writeKeys(parts, old, textKeys);
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

/** Applies the cut of a result to `details`, which can repeat its text. */
function writeDetails(result: ResultPart, old: JsonNode): { details?: Json } {
  const details = old.get('details');
  if (details === undefined) return {};
  const before = joinTexts(readContent(old.get('content'), 'content', readBlock).filter(isContent));
  return { details: applyCuts(details, [{ before, after: joinTexts(result.content) }]) };
}

function writeKeys(parts: readonly Part[], old: JsonNode, textKeys: readonly string[]): Json {
  const keys = textKeys.filter((key) => old.get(key)?.isString);
  const texts = new Map(keys.map((key) => [key, [] as Part[]]));
  let at = keys[0];
  for (const part of parts) {
    at = keys.find((key) => old.get(key)!.is(part.raw)) ?? at; // added parts go where the part before them is
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

/** A message that was added. */
function freshMessage({ role, parts, model }: Message): Json {
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

/** A part of an added message; its texts are always blocks. */
function freshBlockOf(part: Part): Json {
  return part.type === 'text' ? freshBlock(part) : writeBlock(part);
}

/** Those from the first entry on that a compaction keeps, without earlier summaries. */
function keptBy(compaction: JsonNode, sent: readonly Message[]): readonly Message[] {
  const id = compaction.get('firstKeptEntryId')?.string;
  const first = sent.findIndex(({ raw }) => raw instanceof JsonNode && raw.get('id')?.string === id);
  return first < 0 || id === undefined ? [] : sent.slice(first).filter(({ keeps }) => keeps === undefined);
}
