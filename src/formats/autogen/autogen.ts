/**
 * AutoGen: messages of its model clients (`SystemMessage`, `UserMessage`, `AssistantMessage`, `FunctionExecutionResultMessage`), as they
 * stand in recorded calls `{mode, messages, response}`, in the states of agents and in those of teams; and what the agents of AgentChat
 * say and do (`TextMessage`, `ToolCallRequestEvent`, `ToolCallExecutionEvent`, …), as it stands in results of tasks and in the threads of
 * teams. The content of a message with calls is the list of them, the results of its calls share one message. A
 * `ToolCallSummaryMessage` says the results again.
 * https://github.com/microsoft/autogen/blob/main/python/packages/autogen-core/src/autogen_core/models/_types.py
 * https://github.com/microsoft/autogen/blob/main/python/packages/autogen-agentchat/src/autogen_agentchat/messages.py
 */
import { amend, type Json, type JsonFields, ObjectEdit, patch, patchEach } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';
import { json, objectsIn, present, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, isCall, joinedText, writeContent } from '../shared/parts.js';
import { chatUsage, recordedOf, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';

/** What agents say is `assistant` here; what comes from the user is told by its source. */
const ROLES = table<Role>({
  SystemMessage: 'system',
  UserMessage: 'user',
  AssistantMessage: 'assistant',
  FunctionExecutionResultMessage: 'tool',
  TextMessage: 'assistant',
  MultiModalMessage: 'assistant',
  StopMessage: 'assistant',
  HandoffMessage: 'assistant',
  ThoughtEvent: 'assistant',
  CodeGenerationEvent: 'assistant',
  ToolCallRequestEvent: 'assistant',
  ToolCallExecutionEvent: 'tool',
});
const SUMMARY = 'ToolCallSummaryMessage';
/** Events that hold no message, or repeat one. */
const RECORDS = new Set([
  SUMMARY,
  'CodeExecutionEvent',
  'MemoryQueryEvent',
  'ModelClientStreamingChunkEvent',
  'SelectSpeakerEvent',
  'SelectorEvent',
  'UserInputRequestedEvent',
]);
/** Members that AutoGen's models of a response have, which has no type. */
const RESPONSE = ['content', 'finish_reason', 'usage'];
/** Sources that stand for the user. */
const USER = /^user(_?proxy)?$/i;

export default defineFormat({
  id: 'autogen',
  traits: { resultsShareMessage: true, flagsErrors: true },
  messagePaths: ['messages > =response?', 'llm_context.messages', 'llm_messages', 'message_thread'],
  score(raw) {
    const type = raw.get('type')?.string ?? '';
    return (type in ROLES || RECORDS.has(type) || isStructured(type)) &&
      (raw.get('content') !== undefined || raw.get('result') !== undefined)
      ? 1
      : 0;
  },
  read(raw) {
    const type = stringIn(raw.get('type'), 'type') ?? '';
    const said = ROLES[type] ?? (isStructured(type) || isResponse(raw) ? 'assistant' : undefined);
    if (said === undefined) return { role: 'meta', parts: [], raw };
    const source = stringIn(raw.get('source'), 'source');
    const role =
      said === 'assistant' && type !== 'AssistantMessage' && source !== undefined && USER.test(source) ? 'user' : said;
    const thought = present(raw, 'thought');
    const content = raw.get('content');
    if (type === 'ThoughtEvent')
      return {
        role,
        parts: content?.isString ? [{ type: 'thinking', text: content, raw: content }] : [],
        ...named(source),
        raw,
      };
    const parts: Part[] = said === 'tool' ? objectsIn(content, 'content').map(readResult) : readContent(content);
    return {
      role,
      parts: thought?.isString ? [{ type: 'thinking', text: thought, raw: thought }, ...parts] : parts,
      ...named(said === 'tool' ? undefined : source),
      raw,
    };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return writeFresh(message);
    if (message.role === 'meta') return raw;
    const content = raw.get('content');
    if (raw.get('type')?.string === 'ThoughtEvent')
      return patch(raw, { content: joinedText(parts.filter(({ type }) => type === 'thinking')) });
    const thoughts = parts.filter(isThought(parts));
    const thought =
      thoughts.length > 0
        ? { thought: joinedText(thoughts) }
        : present(raw, 'thought')?.isString
          ? { thought: null }
          : {};
    return patch(raw, {
      content: writeContent(
        parts.filter((part) => !thoughts.includes(part)),
        content,
        writePart,
      ),
      ...thought,
    });
  },
  describe(record) {
    return { id: record.get('id')?.string };
  },
  recorded(raw) {
    return recordedOf({
      time: timeOf(raw.get('created_at')),
      usage: chatUsage(raw.get('usage') ?? raw.get('models_usage')),
    });
  },
  beforeWrite,
  envelope: {
    open: (record) => (record.get('agent_states')?.isObject ? listsIn(record).map(({ list }) => list) : undefined),
    close: (record, lists) =>
      listsIn(record).reduce<Json>((now, { path }, index) => put(record, now, path, lists[index]!), record),
  },
});

/** `StructuredMessage[Answer]`: its content is a value of that model. */
function isStructured(type: string): boolean {
  return type.startsWith('StructuredMessage');
}

function isResponse(raw: JsonNode): boolean {
  return raw.get('type') === undefined && RESPONSE.every((key) => raw.get(key) !== undefined);
}

function named(source: string | undefined): { readonly name?: string } {
  return source === undefined ? {} : { name: source };
}

// --- the states of a team

interface Found {
  readonly list: JsonNode;
  readonly path: readonly string[];
}

/** The lists of messages in the states of a team's agents and of its manager, and of teams in them, by where they stand. */
function listsIn(state: JsonNode, path: readonly string[] = []): Found[] {
  if (path.length > DEEPEST) return [];
  return state.members().flatMap(({ key, value }): Found[] => {
    const here = [...path, key.text];
    const isList =
      value.isArray &&
      (here.slice(-2).join('.') === 'llm_context.messages' ||
        key.text === 'llm_messages' ||
        key.text === 'message_thread');
    return isList ? [{ list: value, path: here }] : listsIn(value, here);
  });
}

/** No state of an agent in a team in a team lies deeper. */
const DEEPEST = 50;

/** `json`, an edit of `node` or itself, with another value at a path. */
function put(node: JsonNode, json: Json, [key, ...rest]: readonly string[], value: Json): Json {
  const old = node.get(key!)!;
  const now = (json instanceof ObjectEdit ? json.fields.get(key!) : undefined) ?? old;
  const written = rest.length === 0 ? value : put(old, now, rest, value);
  return written === now ? json : amend(node, json, { [key!]: written });
}

// --- reading

/** A text; or texts and images; or calls; or (of a structured message) any value. */
function readContent(content: JsonNode | undefined): Part[] {
  if (content === undefined || content.isNull) return [];
  if (!content.isArray) return [{ type: 'text', text: content, raw: content }];
  return content.items().map((item, index): Part => {
    if (item.isString) return { type: 'text', text: item, raw: item };
    if (!item.isObject) return wrongType(item, `content[${index}]`, 'a string or an object');
    if (item.get('arguments') !== undefined) return readCall(item, `content[${index}]`);
    return item.get('data') === undefined
      ? { type: 'opaque', text: item, raw: item }
      : { type: 'media', kind: item.get('filename') === undefined ? 'image' : 'file', raw: item };
  });
}

function readCall(call: JsonNode, path: string): CallPart {
  return {
    type: 'call',
    callId: stringIn(call.get('id'), `${path}.id`) ?? '',
    tool: stringIn(call.get('name'), `${path}.name`) ?? '',
    input: call.get('arguments')!,
    raw: call,
  };
}

function readResult(result: JsonNode, index: number): ResultPart {
  const path = `content[${index}]`;
  const text = present(result, 'content');
  const content: ContentPart[] = text === undefined ? [] : [{ type: 'text', text, raw: text }];
  return {
    type: 'result',
    callId: stringIn(result.get('call_id'), `${path}.call_id`) ?? '',
    tool: stringIn(result.get('name'), `${path}.name`),
    content,
    isError: result.get('is_error')?.boolean === true,
    raw: result,
  };
}

// --- writing

function writePart(part: Part): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type === 'text') return json(part.text);
  if (part.type === 'call')
    return old === undefined
      ? { id: part.callId ?? '', arguments: textOf(part.input), name: part.tool }
      : patch(old, { ...idField('id', part), arguments: json(part.input) });
  if (part.type !== 'result') return old ?? { type: part.type };
  const text = joinedText(part.content.filter(({ type }) => type === 'text'));
  if (old === undefined)
    return { content: text, name: part.tool ?? '', call_id: part.callId ?? '', is_error: part.isError === true };
  return patch(old, {
    ...idField('call_id', part),
    ...(part.content.length === 0 && present(old, 'content') === undefined ? {} : { content: text }),
  });
}

/** What is said beside calls is a thought: their list holds nothing else. */
function isThought(parts: readonly Part[]): (part: Part) => boolean {
  const isCalling = parts.some(isCall);
  return ({ type }) => type === 'thinking' || (isCalling && type === 'text');
}

/** A message of a model client; its source is that of its place. */
function writeFresh({ role, parts, name }: Message): Json {
  const calls = parts.filter(isCall);
  const thoughts = parts.filter(isThought(parts));
  const content =
    writeContent(calls.length > 0 ? calls : parts.filter((part) => !thoughts.includes(part)), undefined, writePart) ??
    '';
  if (role === 'tool') return { content: parts.map(writePart), type: 'FunctionExecutionResultMessage' };
  if (role === 'system') return { content, type: 'SystemMessage' };
  if (role === 'user') return { content, source: name, type: 'UserMessage' };
  return {
    content,
    ...(thoughts.length === 0 ? {} : { thought: joinedText(thoughts) }),
    source: name,
    type: 'AssistantMessage',
  };
}

// --- what depends on other messages

/** Messages that were added are spelled as those around them; what says results again says what is left of them. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const kept = new Map(rows.map(({ node, json: now }) => [node, now]));
  const retells = new Map<JsonNode, JsonNode>(); // summaries, and the results that each says again
  let results: JsonNode | undefined;
  for (const node of before) {
    const type = node.get('type')?.string;
    if (type === 'ToolCallExecutionEvent') results = node;
    else if (type === SUMMARY && results !== undefined) retells.set(node, results);
  }
  let speaker = before.map(speakerOf).find((name) => name !== undefined);
  return withAdjacentRecords(rows, before).map(({ node, json: now, adjacent: neighbour }) => {
    if (node === undefined) return added(now as JsonFields, neighbour, speaker ?? 'assistant');
    speaker = speakerOf(node) ?? speaker;
    const told = retells.get(node);
    return told === undefined || kept.get(told) === told ? now : retold(node, told, kept.get(told));
  });
}

/** What a message of a model client is called among the agents. */
const CHAT = table<string>({
  FunctionExecutionResultMessage: 'ToolCallExecutionEvent',
  UserMessage: 'TextMessage',
  AssistantMessage: 'TextMessage',
});

/** The agent that a message is of. */
function speakerOf(message: JsonNode): string | undefined {
  const source = message.get('source')?.string;
  return source === undefined || USER.test(source) ? undefined : source;
}

function added(message: JsonFields, neighbour: JsonNode | undefined, speaker: string): Json {
  const type = message['type'] as string;
  const isChat = neighbour?.get('source') !== undefined && !((neighbour.get('type')?.string ?? '') in CHAT);
  const source = type === 'UserMessage' ? 'user' : speaker;
  if (!isChat)
    return type === 'UserMessage' || type === 'AssistantMessage'
      ? { ...message, source: message['source'] ?? source }
      : message;
  const id = neighbour.get('id') === undefined ? {} : { id: derivedId(neighbour.get('id')!.text, message) };
  return {
    ...id,
    source,
    models_usage: null,
    metadata: {},
    created_at: neighbour.get('created_at'),
    content: message['content'],
    type: CHAT[type] ?? type,
  };
}

/** A summary of which some results went or changed; undefined where all of them went. */
function retold(summary: JsonNode, told: JsonNode, now: Json | undefined): Json | undefined {
  const left = now === undefined ? [] : resultsIn(parse(printed(now)));
  const pairs = resultsIn(told).map(
    (result) =>
      [
        result,
        left.find(({ callId }) => callId === result.callId) ??
          left.find(({ content }) => joinTexts(content) === joinTexts(result.content)),
      ] as const,
  );
  if (pairs.every(([, is]) => is === undefined)) return undefined;
  const text = pairs.reduce(
    (all, [was, is]) => retext(all, joinTexts(was.content), is && joinTexts(is.content)),
    summary.get('content')?.string ?? '',
  );
  const isOf = (item: JsonNode, key: string) => pairs.find(([was]) => was.callId === item.get(key)?.string);
  const list = (key: string, id: string, change: (item: JsonNode, is: ResultPart) => Json) =>
    patchEach(summary.get(key), (item) => {
      const pair = isOf(item, id);
      return pair === undefined ? item : pair[1] && change(item, pair[1]);
    });
  return patch(summary, {
    content: text,
    tool_calls: list('tool_calls', 'id', (item) => item),
    results: list('results', 'call_id', (item, is) => patch(item, { content: joinTexts(is.content) })),
  });
}

function resultsIn(event: JsonNode): ResultPart[] {
  return objectsIn(event.get('content'), 'content').map(readResult);
}

/** A text in which another stands on lines of its own: with what is left of that, or without it. */
function retext(text: string, was: string, is: string | undefined): string {
  const at = was === '' ? -1 : text.indexOf(was);
  if (at < 0 || was === is) return text;
  const [head, tail] = [text.slice(0, at), text.slice(at + was.length)];
  return is !== undefined
    ? head + is + tail
    : tail.startsWith('\n')
      ? head + tail.slice(1)
      : head.replace(/\n$/, '') + tail;
}
