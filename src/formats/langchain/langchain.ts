/**
 * LangChain messages, in three spellings: `{lc, type: "constructor", id: […, "AIMessage"], kwargs}` (dumps and LangSmith),
 * `{type: "ai", content, …}` (model_dump, LangGraph), `{type: "ai", data}` (messages_to_dict). A call stands up to five times: in
 * `tool_calls`, as block of the content, and as the provider and the stream spelled it. It is read once, and written everywhere.
 * https://python.langchain.com/api_reference/core/messages.html
 */
import { ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  Part,
  ResultPart,
  Role,
  ThinkingPart,
} from '../../transcript/types.js';
import { mediaUrl } from '../encode.js';
import { type Description, defineFormat } from '../format.js';
import openaiChat from '../openai/openai-chat.js';
import { hashId } from '../shared/derived-ids.js';
import { json, stringIn, wrongType } from '../shared/json-fields.js';
import { mapDeep, REMOVED } from '../shared/map-values.js';
import { isContent, isResult, readMedia, readText } from '../shared/parts.js';
import { chatUsage, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { argumentsOf, callsIn, isCallBlock, writeCopy } from './langchain-calls.js';
import { modelOf, recordedIn } from './langchain-usage.js';

type Kind = 'human' | 'ai' | 'system' | 'tool' | 'function' | 'chat' | 'remove';
/** By the names of the classes and of the types, those of streamed pieces without their `Chunk`. */
const KINDS = table<Kind>({
  HumanMessage: 'human',
  AIMessage: 'ai',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'function',
  ChatMessage: 'chat',
  RemoveMessage: 'remove',
  human: 'human',
  ai: 'ai',
  system: 'system',
  tool: 'tool',
  function: 'function',
  chat: 'chat',
  generic: 'chat',
  remove: 'remove',
});

const CLASSES = table<string>({
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
  function: 'FunctionMessage',
});
const ROLES: Readonly<Record<Exclude<Kind, 'chat' | 'remove'>, Role>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
  function: 'tool',
};
const CHAT_ROLES = table<Role>({
  assistant: 'assistant',
  ai: 'assistant',
  system: 'system',
  developer: 'system',
});
const MEDIA = table<MediaPart['kind']>({
  image_url: 'image',
  image: 'image',
  input_image: 'image',
  audio: 'audio',
  input_audio: 'audio',
  file: 'file',
  document: 'file',
  input_file: 'file',
  video: 'file',
  media: 'file',
});
/** Blocks of reasoning, and where their text is. */
const THINKING = table<readonly string[]>({
  thinking: ['thinking'],
  reasoning: ['reasoning'],
  reasoning_content: ['reasoning_content', 'text'],
  redacted_thinking: [],
});
/** Members of `additional_kwargs` that hold something for each call, by its id. */
const BY_CALL_ID = ['__openai_function_call_ids__', '__gemini_function_call_thought_signatures__'];
/** Where runs, states and checkpoints hold their messages: the list that holds the most of them first. */
const STATES: readonly (readonly string[])[] = [
  ['outputs', 'messages'],
  ['output', 'messages'],
  ['values', 'messages'],
  ['channel_values', 'messages'],
  ['checkpoint', 'channel_values', 'messages'],
  ['inputs', 'messages'],
  ['input', 'messages'],
];

export default defineFormat({
  id: 'langchain',
  traits: { flagsErrors: true },
  messagePaths: [
    'inputs.messages[0] > outputs.generations[0][0].message',
    'inputs.messages[]',
    'messages',
    'messages[]',
  ],
  score(raw) {
    const kind = kindOf(raw);
    if (kind === undefined) return isPlain(raw) ? 0.2 : 0;
    if (raw.get('type')!.string === 'constructor') return 1;
    const fields = fieldsOf(raw);
    if (kind === 'remove') return raw.get('id')?.isString ? 0.5 : 0;
    if (fields.get('content') === undefined || (kind !== 'chat' && fields.get('role') !== undefined)) return 0;
    if (['uuid', 'sessionId', 'timestamp'].some((key) => raw.get(key) !== undefined)) return 0; // lines of other logs
    if (
      fields !== raw ||
      ['additional_kwargs', 'response_metadata', 'tool_call_id', 'usage_metadata', 'invalid_tool_calls'].some(
        (key) => fields.get(key) !== undefined,
      )
    )
      return 1;
    return kind === 'human' || kind === 'ai' ? 0.8 : kind === 'system' ? 0.5 : 0.4;
  },
  read(raw) {
    const kind = kindOf(raw);
    if (kind === undefined && isPlain(raw)) return openaiChat.read(raw);
    if (kind === undefined || kind === 'remove') return { role: 'meta', parts: [], raw };
    const fields = fieldsOf(raw);
    const path = fields === raw ? '' : raw.get('kwargs') === undefined ? 'data.' : 'kwargs.';
    const role =
      kind === 'chat' ? (CHAT_ROLES[stringIn(fields.get('role'), `${path}role`) ?? ''] ?? 'user') : ROLES[kind];
    const parts = readContent(fields.get('content'), `${path}content`);
    if (role === 'tool')
      return { role, parts: [readResult(fields, kind === 'function', parts.filter(isContent), path, raw)], raw };
    if (role !== 'assistant') return { role, parts, raw };
    return {
      role,
      parts: [...readThinking(fields), ...parts, ...callsIn(fields, path).map(({ part }) => part)],
      model: modelOf(fields),
      raw,
    };
  },
  write(message, near) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return near !== undefined && isPlain(near) ? openaiChat.write(message) : fresh(message, near);
    if (message.role === 'meta') return raw;
    if (isPlain(raw)) return openaiChat.write(message);
    const fields = fieldsOf(raw);
    const written = patch(
      fields,
      message.role === 'tool'
        ? resultFields(message, fields)
        : message.role === 'assistant'
          ? spokenFields(message, fields)
          : { content: writeContent(message.parts, fields.get('content'), new Map()) },
    );
    if (fields === raw) return written;
    return patch(raw, { [raw.get('kwargs')?.is(fields) ? 'kwargs' : 'data']: written });
  },
  describe(record): Description {
    const extra = record.get('extra');
    const parameters = extra?.get('invocation_params');
    const tools = parameters?.get('tools');
    const output = record.get('outputs')?.get('llm_output');
    const strings = (...nodes: (JsonNode | undefined)[]) =>
      nodes.find((node) => node?.isString && node.byteLength > 0)?.string;
    const usage = chatUsage(output?.get('token_usage') ?? output?.get('tokenUsage'));
    const model = strings(
      extra?.get('metadata')?.get('ls_model_name'),
      parameters?.get('model'),
      parameters?.get('model_name'),
      output?.get('model_name'),
    );
    return {
      id: strings(
        record.get('id'),
        record.get('thread_id'),
        record.get('config')?.get('configurable')?.get('thread_id'),
        record.get('metadata')?.get('thread_id'),
      ),
      model,
      tools: tools?.isArray ? tools : undefined,
      reply:
        usage === undefined || repliesWithUsage(record)
          ? undefined
          : { usage, model, time: timeOf(record.get('end_time')) },
    };
  },
  recorded(raw) {
    return kindOf(raw) === 'ai' ? recordedIn(fieldsOf(raw)) : undefined;
  },
  envelope: {
    open(record) {
      const list = stateIn(record);
      return list === undefined ? undefined : [list];
    },
    close(record, [list]) {
      return alike(record, stateIn(record)!, list!);
    },
  },
  encode: {
    messages: 'messages',
    media: (media) => (media.kind === 'image' ? { type: 'image_url', image_url: { url: mediaUrl(media) } } : undefined),
    acceptsNames: true,
    objectArgumentsOnly: true,
  },
});

// --- telling

function kindOf(raw: JsonNode): Kind | undefined {
  const type = raw.get('type')?.string;
  if (type === undefined) return undefined;
  if (type !== 'constructor') return KINDS[type.replace(/Chunk$/, '')];
  const path = raw.get('lc') === undefined ? undefined : raw.get('id')?.items();
  return KINDS[path?.[path.length - 1]?.string?.replace(/Chunk$/, '') ?? ''];
}

/** What a message says, in its spelling. */
function fieldsOf(raw: JsonNode): JsonNode {
  const inner = raw.get('kwargs') ?? raw.get('data');
  return inner?.isObject && raw.get('content') === undefined ? inner : raw;
}

/** LangGraph takes messages as OpenAI spells them, too, and LangSmith shows them as they were given. */
function isPlain(raw: JsonNode): boolean {
  return raw.get('type') === undefined && raw.get('role')?.isString === true && raw.get('content') !== undefined;
}

function stateIn(record: JsonNode): JsonNode | undefined {
  for (const path of STATES) {
    const found = path.reduce<JsonNode | undefined>((node, key) => node?.get(key), record);
    if (found?.isArray && (found.length > 0 || path[0] !== 'outputs')) return found;
  }
  return undefined;
}

/** Whether the message that ends a run says itself what the request used. */
function repliesWithUsage(record: JsonNode): boolean {
  const reply = record.get('outputs')?.get('generations')?.items()[0]?.items()[0]?.get('message');
  return reply !== undefined && recordedIn(fieldsOf(reply))?.usage !== undefined;
}

// --- reading

function readContent(content: JsonNode | undefined, path: string): Part[] {
  if (content === undefined || content.isNull) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, path, 'a string or an array of blocks');
  return content.items().flatMap((block, index) => (isCallBlock(block) ? [] : [readBlock(block, `${path}[${index}]`)]));
}

function readBlock(block: JsonNode, path: string): Part {
  if (block.isString) return { type: 'text', text: block, raw: block };
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (type === 'text') return readText('text', block, 'text', path);
  const thought = THINKING[type];
  if (thought !== undefined) {
    const text = thought.reduce<JsonNode | undefined>((node, key) => node?.get(key), block);
    return { type: 'thinking', text: text?.isString ? text : '', raw: block };
  }
  return readMedia(block, MEDIA[type]);
}

/** DeepSeek's reasoning, and that of who follows it, stands beside the content. */
function readThinking(fields: JsonNode): ThinkingPart[] {
  const text = thoughtBeside(fields);
  return text === undefined ? [] : [{ type: 'thinking', text, raw: text }];
}

function thoughtBeside(fields: JsonNode): JsonNode | undefined {
  const text = fields.get('additional_kwargs')?.get('reasoning_content');
  return text?.isString && text.byteLength > 0 ? text : undefined;
}

function readResult(
  fields: JsonNode,
  legacy: boolean,
  content: readonly ContentPart[],
  path: string,
  raw: JsonNode,
): ResultPart {
  const tool = stringIn(fields.get('name'), `${path}name`) || undefined;
  if (legacy) return { type: 'result', callId: undefined, tool, content, legacy, raw };
  const callId = stringIn(fields.get('tool_call_id'), `${path}tool_call_id`) ?? '';
  return { type: 'result', callId, tool, content, isError: fields.get('status')?.string === 'error', raw };
}

// --- writing

function resultFields({ parts }: Message, fields: JsonNode): JsonFields {
  const result = parts.find(isResult);
  const content = writeContent(result?.content ?? [], fields.get('content'), new Map());
  return result?.callId ? { content, tool_call_id: result.callId } : { content };
}

function spokenFields({ parts }: Message, fields: JsonNode): JsonFields {
  const written = new Map<number, Json | undefined>(); // by where the copy stands: undefined where its call went
  const renamed = new Map<string, string | undefined>();
  for (const call of callsIn(fields)) {
    const part = parts.find(
      (other): other is CallPart => other.type === 'call' && (call.part.raw as JsonNode).is(other.raw),
    );
    for (const copy of call.copies) written.set(copy.node.at, part && writeCopy(copy, part, call.part));
    if (call.part.callId && part?.callId !== call.part.callId) renamed.set(call.part.callId, part?.callId);
  }
  const around = fields.get('additional_kwargs');
  const response = fields.get('response_metadata');
  const added = parts
    .filter((part): part is CallPart => part.type === 'call' && !(part.raw instanceof JsonNode))
    .map(freshCall);
  const thought = thoughtBeside(fields);
  const old = fields.get('additional_kwargs')?.get('function_call');
  return {
    content: writeContent(parts, fields.get('content'), written),
    tool_calls: writeList(fields.get('tool_calls'), written, added),
    invalid_tool_calls: writeList(fields.get('invalid_tool_calls'), written),
    additional_kwargs: around?.isObject
      ? patch(around, {
          tool_calls: withoutEmpty(around.get('tool_calls'), written),
          function_call: old !== undefined && written.has(old.at) ? written.get(old.at) : old,
          ...(thought !== undefined && !parts.some(({ raw }) => thought.is(raw))
            ? { reasoning_content: undefined }
            : {}),
          ...Object.fromEntries(BY_CALL_ID.map((key) => [key, rename(around.get(key), renamed)])),
        })
      : around,
    tool_call_chunks: writeList(fields.get('tool_call_chunks'), written),
    response_metadata: response?.isObject
      ? patch(response, { output: writeList(response.get('output'), written) })
      : response,
  };
}

/** A list whose elements are calls, or may be. */
function writeList(
  list: JsonNode | undefined,
  written: ReadonlyMap<number, Json | undefined>,
  added: readonly Json[] = [],
): Json | undefined {
  if (list === undefined || !list.isArray) return added.length === 0 ? list : added;
  const kept = list.items().flatMap((item) => (written.has(item.at) ? (written.get(item.at) ?? []) : item));
  return patchItems(list, [...kept, ...added]);
}

/** OpenAI takes no empty list of calls. */
function withoutEmpty(list: JsonNode | undefined, written: ReadonlyMap<number, Json | undefined>): Json | undefined {
  const calls = writeList(list, written);
  return calls instanceof ArrayEdit && calls.items.length === 0 ? undefined : calls;
}

function rename(byId: JsonNode | undefined, renamed: ReadonlyMap<string, string | undefined>): Json | undefined {
  if (byId === undefined || !byId.isObject) return byId;
  const changes = [...renamed].flatMap(([id, name]) =>
    byId.get(id) === undefined
      ? []
      : [[id, undefined] as const, ...(name === undefined ? [] : [[name, byId.get(id)] as const])],
  );
  return patch(byId, Object.fromEntries(changes));
}

/** What stays stands where it stood, with the calls between it. */
function writeContent(
  parts: readonly Part[],
  old: JsonNode | undefined,
  written: ReadonlyMap<number, Json | undefined>,
): Json | undefined {
  const said = parts.filter((part) => isContent(part) || part.type === 'thinking');
  if (old?.isArray) {
    const items = old.items();
    const partOf = new Map(items.map((item) => [item.at, said.find((part) => item.is(part.raw))]));
    const kept = items.flatMap((item): Json => {
      const part = partOf.get(item.at);
      if (part !== undefined) return writeBlock(part, item);
      if (written.has(item.at)) return written.get(item.at) ?? [];
      return isCallBlock(item) ? item : [];
    });
    const placed = new Set(partOf.values());
    return patchItems(old, [...kept, ...said.filter((part) => !placed.has(part)).flatMap(freshBlock)]);
  }
  const loose = said.filter((part) => part.type !== 'thinking' || isFresh(part)); // reasoning beside the content stays there
  const [first] = loose;
  if (first === undefined) return old === undefined || old.isNull ? old : '';
  return loose.length === 1 && first.type === 'text' ? json(first.text) : loose.flatMap(freshBlock);
}

function writeBlock(part: Part, item: JsonNode): Json {
  if (part.type !== 'text') return item;
  return item.isString ? json(part.text) : patch(item, { text: json(part.text) });
}

function isFresh({ raw }: Part): boolean {
  return !(raw instanceof JsonNode);
}

function freshBlock(part: Part): Json[] {
  if (part.type === 'text') return [{ type: 'text', text: json(part.text) }];
  if (part.type === 'thinking') return isFresh(part) ? [{ type: 'thinking', thinking: json(part.text) }] : [];
  return part.raw instanceof JsonNode ? [part.raw] : [];
}

function freshCall({ callId, tool, input }: CallPart): Json {
  return { name: tool, args: argumentsOf(input), id: callId ?? '', type: 'tool_call' };
}

/** A message that is added is a whole one, spelled as its neighbour is and with the members that all messages there have. */
function fresh(message: Message, near: JsonNode | undefined): Json {
  const { role, parts } = message;
  const result = parts.find(isResult);
  const kind = result?.legacy
    ? 'function'
    : role === 'assistant'
      ? 'ai'
      : role === 'system'
        ? role
        : role === 'tool'
          ? role
          : 'human';
  const around = near && fieldsOf(near);
  const empty = Object.fromEntries(
    ['additional_kwargs', 'response_metadata'].map((key) => [key, around?.get(key)?.isObject ? {} : undefined]),
  );
  const own: JsonFields =
    result === undefined
      ? { ...freshCalls(parts) }
      : { name: result.tool, tool_call_id: result.callId, status: result.isError ? 'error' : undefined };
  const content = writeContent(result?.content ?? parts, undefined, new Map()) ?? '';
  const id =
    around?.get('id') === undefined
      ? undefined
      : around.get('id')!.isString
        ? hashId([kind, result?.callId ?? '', joinTexts(result?.content ?? parts.filter(isContent))].join('\n'))
        : null;
  const path = near?.get('type')?.string === 'constructor' ? near.get('id')!.items() : undefined;
  if (path !== undefined)
    return {
      lc: near!.get('lc'),
      type: 'constructor',
      id: [...path.slice(0, -1), CLASSES[kind]!],
      kwargs: { content, ...empty, type: around?.get('type') && kind, id, ...own },
    };
  const flat = { content, ...empty, type: kind, id, ...own };
  return around === near ? flat : { type: kind, data: flat };
}

/** Arguments that are no JSON make an invalid call. */
function freshCalls(parts: readonly Part[]): JsonFields {
  const calls = parts.filter((part) => part.type === 'call');
  const legacy = calls.find((call) => call.legacy);
  const listed = calls.filter((call) => !call.legacy);
  const isValid = ({ input }: CallPart) => typeof argumentsOf(input) !== 'string';
  const invalid = listed
    .filter((call) => !isValid(call))
    .map(({ callId, tool, input }) => ({
      name: tool,
      args: textOf(input),
      id: callId ?? '',
      error: null,
      type: 'invalid_tool_call',
    }));
  return {
    tool_calls: listed.length === 0 ? undefined : listed.filter(isValid).map(freshCall),
    invalid_tool_calls: invalid.length === 0 ? undefined : invalid,
    ...(legacy === undefined
      ? {}
      : { additional_kwargs: { function_call: { name: legacy.tool, arguments: textOf(legacy.input) } } }),
  };
}

// --- states and runs

/** A run repeats its input in its output, a state what was written last: messages of the same id become what they became in the list. */
function alike(record: JsonNode, before: JsonNode, after: Json): Json {
  const items = after instanceof ArrayEdit ? after.items : [];
  const left = new Map<number, JsonNode | ObjectEdit>();
  for (const item of items)
    if (item instanceof JsonNode || item instanceof ObjectEdit)
      left.set(item instanceof JsonNode ? item.at : item.base.at, item);
  const became = new Map(before.items().map((item) => [keyOf(item), left.get(item.at)]));
  return mapDeep(record, (node, _, isItem) => {
    if (node.is(before)) return after;
    if (!isItem || !node.isObject || kindOf(node) === undefined || !became.has(keyOf(node))) return undefined;
    const now = became.get(keyOf(node));
    return now === undefined ? REMOVED : now instanceof JsonNode ? node : now;
  }) as Json;
}

/** Its id, or all that it says. */
function keyOf(message: JsonNode): string {
  return fieldsOf(message).get('id')?.string ?? message.text;
}
