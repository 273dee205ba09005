/**
 * OpenAI Responses: each item stands alone, be it a message, reasoning, a call or its output; outputs name their call in `call_id`.
 * What the server runs by itself (searches, code, MCP) is one item that holds call and result.
 * https://platform.openai.com/docs/api-reference/responses
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type {
  CallPart,
  ContentPart,
  Message,
  Part,
  Recorded,
  ResultPart,
  Role,
  TextPart,
  ThinkingPart,
} from '../../transcript/types.js';
import { mediaUrl } from '../encode.js';
import { defineFormat } from '../format.js';
import {
  json,
  jsonValue,
  optionalObjects,
  optionalString,
  present,
  stringIn,
  wrongMember,
  wrongType,
} from '../shared/json-fields.js';
import {
  idField,
  isCall,
  isContent,
  isResult,
  joinedString,
  readContent,
  readMedia,
  writeContent,
} from '../shared/parts.js';
import { responseInfo, responsesUsage } from '../shared/recorded.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
});
const TEXTS = new Set(['input_text', 'output_text', 'text']);
const MEDIA = table<'image' | 'audio' | 'file'>({
  input_image: 'image',
  computer_screenshot: 'image',
  input_audio: 'audio',
  input_file: 'file',
});
const OWN_BLOCKS = new Set(['input_text', 'output_text', 'refusal', ...Object.keys(MEDIA)]);
/** Where a call's arguments stand: a function's, a custom tool's, a shell's or a computer's, a patch's. */
const INPUTS = ['arguments', 'input', 'action', 'actions', 'operation'];
const INPUT_OF = table<string>({
  custom_tool_call: 'input',
  tool_search_call: 'arguments',
  apply_patch_call: 'operation',
});
/** Items that only this format has, beside calls and outputs. */
const OWN_ITEM =
  /^(?!tool_)[a-z_]+_call(?:_output)?$|^(?:tool_search_(?:call|output)|mcp_list_tools|mcp_approval_(?:request|response)|compaction|item_reference|additional_tools)$/;
const TOOL_LISTS = ['', 'responses_create_params', 'request', 'body', 'response'];

export default defineFormat({
  id: 'openai-responses',
  traits: { piecesStandAlone: true },
  byteHints: { toolCalls: ['_call'] },
  messagePaths: [
    '=responses_create_params.instructions? + responses_create_params.input > response.output',
    '=request.instructions? + request.input > response.output',
    '=body.instructions? + body.input',
    '=instructions? + input > output',
    '=instructions? + input',
    '=request.instructions? + request.input',
    '> output',
    '> response.output',
    '> response.body.output',
    'items',
    'data',
  ],
  score(raw) {
    const type = raw.get('type')?.string;
    const role = raw.get('role')?.string;
    if (type === 'reasoning') return raw.get('summary')?.isArray ? 1 : 0;
    if (type === 'function_call' || type === 'function_call_output') return raw.get('call_id') !== undefined ? 1 : 0;
    if (type !== undefined && type !== 'message')
      return OWN_ITEM.test(type) && (raw.get('id') ?? raw.get('call_id') ?? raw.get('role')) !== undefined ? 0.9 : 0;
    if (role === undefined || raw.get('content') === undefined) return 0;
    return !(role in ROLES) || raw.get('tool_calls') !== undefined || raw.get('stop_reason') !== undefined
      ? -1
      : recognisesContent(raw.get('content')!, type);
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readBlocks(raw, 'instructions'), raw }; // the instructions beside the items
    switch (kindOf(raw)) {
      case 'message': {
        const role = ROLES[optionalString(raw, 'role') ?? ''];
        return role === undefined
          ? { role: 'meta', parts: [], raw }
          : { role, parts: readBlocks(raw.get('content'), 'content'), raw };
      }
      case 'reasoning':
        return { role: 'assistant', parts: readReasoning(raw), raw };
      case 'call':
        return { role: 'assistant', parts: [readCall(raw, 'call_id')], raw };
      case 'result':
        return { role: 'tool', parts: [readResult(raw, 'call_id')], raw };
      case 'answered call':
        return {
          role: 'assistant',
          parts: [...(raw.get('name') === undefined ? [] : [readCall(raw, 'id')]), readResult(raw, 'id')],
          raw,
        };
      default:
        return {
          role: roleOfOther(raw),
          parts: [
            raw.get('encrypted_content') === undefined ? { type: 'opaque', text: raw, raw } : { type: 'opaque', raw },
          ],
          raw,
        };
    }
  },
  write(message) {
    const { raw, parts, role } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (role === 'meta') return raw;
    if (!raw.isObject) return writeBlocks(parts.filter(isContent), raw, role) ?? raw;
    const call = parts.find(isCall);
    const result = parts.find(isResult);
    switch (kindOf(raw)) {
      case 'message':
        return patch(raw, { content: writeBlocks(parts.filter(isContent), raw.get('content'), role) });
      case 'reasoning':
        return patch(raw, {
          summary: writeReasoning(parts, raw, 'summary'),
          content: writeReasoning(parts, raw, 'content'),
        });
      case 'call':
        return call === undefined ? fresh(message) : patch(raw, callFields(call, raw, 'call_id'));
      case 'result':
        return result === undefined ? fresh(message) : patch(raw, resultFields(result, raw, 'call_id'));
      case 'answered call':
        if (result === undefined) return fresh(message);
        return patch(raw, {
          ...(call === undefined ? { name: undefined, arguments: undefined } : callFields(call, raw, 'id')),
          ...resultFields(result, raw, 'id'),
        });
      default:
        return raw;
    }
  },
  describe(record) {
    const around = TOOL_LISTS.flatMap((key) => (key === '' ? record : record.get(key)) ?? []);
    const first = (key: string, fits: (node: JsonNode) => boolean) =>
      around.map((node) => node.get(key)).find((found) => found !== undefined && fits(found));
    const id = ['id', 'task_id', 'instance_id', 'custom_id']
      .map((key) => record.get(key))
      .find((node) => node?.isString);
    return {
      id: id?.text,
      model: first('model', (node) => node.isString)?.text,
      tools: first('tools', (node) => node.length > 0),
      reply: replyIn(record),
    };
  },
  encode: {
    messages: 'input',
    model: 'model',
    system: { key: 'instructions', write: (text) => text },
    tools: (definitions) => ({ tools: definitions.map((definition) => ({ type: 'function', ...definition })) }),
    media: (media) => {
      if (media.kind === 'image') return { type: 'input_image', detail: 'auto', image_url: mediaUrl(media) };
      if (media.kind === 'file')
        return media.base64 === undefined
          ? { type: 'input_file', file_url: media.url }
          : { type: 'input_file', filename: media.name ?? 'file', file_data: mediaUrl(media) };
      return undefined;
    },
    canReuse: (raw, kind) => kind === 'item' && isTaken(raw),
  },
});

/** What an item has to have, by its type: texts. Others, which the server ran, have an id. https://platform.openai.com/docs/api-reference/responses/create */
const NEEDS = table<readonly string[]>({
  reasoning: [],
  function_call: ['call_id', 'name', 'arguments'],
  custom_tool_call: ['call_id', 'name', 'input'],
  function_call_output: ['call_id'],
  custom_tool_call_output: ['call_id'],
});
const SAID = {
  model: new Set(['output_text', 'refusal']),
  others: new Set(['input_text', 'input_image', 'input_file']),
};

/** Whether the API takes an item as it is. */
function isTaken(raw: JsonNode): boolean {
  const kind = kindOf(raw);
  const type = optionalString(raw, 'type') ?? 'message';
  const isServers = kind !== 'message' && NEEDS[type] === undefined; // some of its members are null where nothing is known
  if (!isServers && raw.members().some(({ value }) => value.isNull)) return false;
  const isTyped = (list: JsonNode | undefined, types: ReadonlySet<string>) =>
    list?.isString === true ||
    (list?.isArray === true &&
      list
        .items()
        .every(
          (block) => types.has(block.get('type')?.string ?? '') && block.members().every(({ value }) => !value.isNull),
        ));
  if (kind === 'message')
    return isTyped(raw.get('content'), raw.get('role')?.string === 'assistant' ? SAID.model : SAID.others);
  if (kind === 'reasoning') return raw.get('summary')?.isArray === true;
  const needs = NEEDS[type] ?? (OWN_ITEM.test(type) ? ['id'] : ['']);
  const execution = raw.get('execution')?.string;
  return (
    needs.every((key) => raw.get(key)?.isString) &&
    (isServers || kind !== 'result' || isTyped(raw.get('output'), SAID.others)) &&
    raw.get('error')?.isString !== true &&
    (execution === undefined || execution === 'server' || execution === 'client')
  );
}

/** Of a response, or of all that were made for a rollout of NeMo Gym: those are counted together. */
function replyIn(record: JsonNode): Recorded | undefined {
  const response = record.get('response')?.get('body') ?? record.get('response') ?? record;
  const reply = responseInfo(response, responsesUsage(response.get('usage')));
  if (reply === undefined || record.get('responses_create_params') === undefined) return reply;
  const { usage, ...rest } = reply;
  return { ...rest, responseId: undefined, running: usage };
}

type Kind = 'message' | 'reasoning' | 'call' | 'result' | 'answered call' | 'other';

/** A call that its client answers has a `call_id`, one that the server ran has its result in the same item. */
function kindOf(raw: JsonNode): Kind {
  const type = optionalString(raw, 'type') ?? 'message';
  if (type === 'message' || type === 'reasoning') return type;
  if (type === 'function_call' || type === 'custom_tool_call') return 'call';
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return 'result';
  if (type === 'mcp_call') return raw.get('output')?.isString ? 'answered call' : 'other';
  if (!raw.get('call_id')?.isString || raw.get('execution')?.string === 'server') return 'other';
  return type.endsWith('_call') ? 'call' : type.endsWith('_output') ? 'result' : 'other';
}

function roleOfOther(raw: JsonNode): Role {
  return ROLES[raw.get('role')?.string ?? ''] ?? 'assistant';
}

function recognisesContent(content: JsonNode, type: string | undefined): number {
  if (content.isString) return type === undefined ? 0.52 : 0.75; // without a type it may be chat
  const types = content.items().map((block) => block.get('type')?.string ?? '');
  if (types.length === 0) return content.isArray ? 0.3 : 0;
  return types.every((known) => OWN_BLOCKS.has(known)) ? 1 : types.some((known) => OWN_BLOCKS.has(known)) ? 0.8 : -1;
}

// --- reading

function readBlocks(content: JsonNode | undefined, path: string): ContentPart[] {
  return readContent(content, path, readBlock, 'a string or an array of parts');
}

function readBlock(block: JsonNode, path: string): ContentPart {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (TEXTS.has(type) || textKey(block) !== 'text') return readTextOf(block, path);
  return readMedia(block, MEDIA[type]);
}

function readTextOf(block: JsonNode, path: string): TextPart {
  const text = block.get(textKey(block));
  return text?.isString ? { type: 'text', text, raw: block } : wrongMember(text, block, `${path}.text`, 'a string');
}

/** What a shell printed stands in `stdout`, or in `stderr` where it printed nothing there. */
function textKey(block: JsonNode): string {
  if (block.get('type') !== undefined) return 'text';
  return ['stdout', 'stderr'].find((key) => block.get(key)?.string) ?? 'text';
}

/** Reasoning that is not shown is a thought without words. */
function readReasoning(raw: JsonNode): ThinkingPart[] {
  const shown = ['summary', 'content'].flatMap((key) =>
    optionalObjects(raw, key).map(
      (block, index) => ({ ...readTextOf(block, `${key}[${index}]`), type: 'thinking' }) as const,
    ),
  );
  return shown.length > 0 ? shown : [{ type: 'thinking', text: '', raw }];
}

/** A tool without a name of its own goes by its item's type. */
function readCall(raw: JsonNode, id: string): CallPart {
  const key = INPUTS.find((name) => raw.get(name) !== undefined);
  const type = raw.get('type')!.text;
  return {
    type: 'call',
    callId: optionalString(raw, id) ?? '',
    tool: optionalString(raw, 'name') ?? type,
    input: key === undefined ? '' : raw.get(key)!,
    ...sortOf(type),
    raw,
  };
}

/** The type of the calls that outputs of this type answer. */
function callOf(type: string): string {
  const name = type.replace(/_output$/, '');
  return name.endsWith('_call') ? name : `${name}_call`;
}

/** Functions are the usual sort, and what the server ran has its result inside. */
function sortOf(type: string): { kind?: string } {
  return type === 'function_call' || type === 'mcp_call' ? {} : { kind: type };
}

function readResult(raw: JsonNode, id: string): ResultPart {
  const output = raw.get('output');
  const content = output?.isObject ? [readBlock(output, 'output')] : readBlocks(output, 'output');
  return {
    type: 'result',
    callId: optionalString(raw, id) ?? '',
    content,
    ...sortOf(callOf(raw.get('type')!.text)),
    raw,
  };
}

// --- writing

function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined, role: Role): Json | undefined {
  if (old?.isObject && parts.length === 1) return writeBlock(parts[0]!, role);
  return writeContent(parts, old, (part) => writeBlock(part, role));
}

function writeBlock(part: ContentPart, role: Role): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : { type: part.type };
  if (raw instanceof JsonNode && raw.isObject) return patch(raw, { [textKey(raw)]: json(part.text) });
  return role === 'assistant'
    ? { type: 'output_text', text: json(part.text), annotations: [] }
    : { type: 'input_text', text: json(part.text) };
}

/** The thoughts that stand in this member. */
function writeReasoning(parts: readonly Part[], raw: JsonNode, key: string): Json | undefined {
  const old = present(raw, key);
  if (old === undefined) return raw.get(key);
  const items = old.items();
  const thoughts = parts.filter(
    (part): part is ThinkingPart => part.type === 'thinking' && items.some((item) => item.is(part.raw)),
  );
  return patchItems(
    old,
    thoughts.map((part) => patch(part.raw as JsonNode, { text: json(part.text) })),
  );
}

function callFields(call: CallPart, raw: JsonNode, id: string): JsonFields {
  const key = INPUTS.find((name) => raw.get(name) !== undefined);
  const old = key === undefined ? undefined : raw.get(key);
  const input =
    key === undefined
      ? call.input === ''
        ? {}
        : { arguments: json(call.input) }
      : { [key]: old!.isString ? json(call.input) : jsonValue(call.input) };
  return { ...idField(id, call), ...input };
}

function resultFields(result: ResultPart, raw: JsonNode, id: string): JsonFields {
  const isText = raw.get('type')?.string === 'mcp_call' && result.content.length > 0; // its output is a string
  const output = isText ? joinedString(result.content) : writeBlocks(result.content, raw.get('output'), 'tool');
  return { ...idField(id, result), output };
}

function fresh({ role, parts }: Message): Json {
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  const called = call && { name: call.tool, arguments: json(call.input) };
  if (result !== undefined && role === 'assistant')
    return {
      type: 'mcp_call',
      id: result.callId ?? '',
      ...called,
      output: writeBlocks(result.content, undefined, 'tool') ?? '',
    };
  if (result !== undefined) return freshResult(result);
  if (call !== undefined) return freshCall(call);
  const thoughts = parts.filter((part) => part.type === 'thinking');
  if (thoughts.length > 0)
    return { type: 'reasoning', summary: thoughts.map(({ text }) => ({ type: 'summary_text', text: json(text) })) };
  const [first] = parts;
  if (first?.type === 'opaque' && first.raw instanceof JsonNode && isItem(first.raw, role)) return first.raw;
  return {
    type: 'message',
    role: role === 'tool' || role === 'meta' ? 'user' : role,
    content: writeBlocks(parts.filter(isContent), undefined, role) ?? '',
  };
}

function freshCall({ kind, callId, tool, input }: CallPart): Json {
  if (kind === undefined) return { type: 'function_call', call_id: callId ?? '', name: tool, arguments: json(input) };
  const name = tool === kind ? {} : { name: tool };
  const key = INPUT_OF[kind] ?? 'action';
  return { type: kind, call_id: callId ?? '', ...name, [key]: key === 'input' ? json(input) : jsonValue(input) };
}

/** Each sort of call wants its own sort of output; where that has no room for a text, it is an output of nothing. */
function freshResult({ kind, callId, content }: ResultPart): Json {
  const output = writeBlocks(content, undefined, 'tool') ?? '';
  const call_id = callId ?? '';
  switch (kind) {
    case undefined:
      return { type: 'function_call_output', call_id, output };
    case 'tool_search_call':
      return { type: 'tool_search_output', call_id, status: 'completed', execution: 'client', tools: [] };
    case 'apply_patch_call':
      return { type: 'apply_patch_call_output', call_id, status: 'failed', output };
    case 'shell_call':
      return {
        type: 'shell_call_output',
        call_id,
        output: content.map((part) =>
          part.type === 'text'
            ? { stdout: '', stderr: json(part.text), outcome: { type: 'exit', exit_code: 1 } }
            : writeBlock(part, 'tool'),
        ),
      };
    default:
      return { type: `${kind}_output`, call_id, output };
  }
}

/** Whether an opaque part was an item of its own, not a block of one. */
function isItem(raw: JsonNode, role: Role): boolean {
  return (
    raw.get('type')?.isString === true &&
    !OWN_BLOCKS.has(raw.get('type')!.text) &&
    kindOf(raw) === 'other' &&
    roleOfOther(raw) === role
  );
}
