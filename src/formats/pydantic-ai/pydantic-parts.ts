/** The parts of Pydantic AI's requests and responses. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  Part,
  ResultPart,
  Role,
  Text,
} from '../../transcript/types.js';
import { json, jsonValue, present, stringIn, stringOf, wrongMember } from '../shared/json-fields.js';
import { idField, isContent, isResult, joinedText, mediaKind, readContent, writeContent } from '../shared/parts.js';
import { table } from '../shared/table.js';

const MEDIA = table<MediaPart['kind']>({
  'image-url': 'image',
  'audio-url': 'audio',
  'video-url': 'file',
  'document-url': 'file',
});
const REQUEST_ROLES = table<Role>({
  'system-prompt': 'system',
  'user-prompt': 'user',
  'tool-return': 'tool',
  'retry-prompt': 'tool',
  'tool-availability-delta': 'meta', // names of tools that were added
});
/** Outcomes of a result that are no success; `interrupted` is what Pydantic AI itself answers, and no error to it. */
const FAILED = new Set(['failed', 'denied']);

/** Parts of a request as a message: one of them, or all of a request that was added. */
export function readRequest(parts: readonly JsonNode[], raw: JsonNode): Message {
  const read = parts.map(readRequestPart);
  const [first] = read;
  return { role: first?.role ?? 'user', parts: read.flatMap((message) => message.parts), raw };
}

/** A retry without the name of a tool is the user's. */
function readRequestPart(part: JsonNode): Pick<Message, 'role' | 'parts'> {
  const kind = part.get('part_kind')?.string ?? '';
  const role = REQUEST_ROLES[kind];
  if (role === 'meta') return { role, parts: [] };
  if (role === undefined) return { role: 'user', parts: [{ type: 'opaque', text: part, raw: part }] };
  const content = part.get('content');
  if (kind === 'retry-prompt' && present(part, 'tool_name') === undefined)
    return { role: 'user', parts: wholeText(content) };
  if (role === 'tool') return { role, parts: [readResult(part, kind === 'retry-prompt')] };
  if (content === undefined) return wrongMember(content, part, 'content', 'a string or an array');
  return { role, parts: readContent(content, 'content', readItem) };
}

/** A value of any type as one text: the model gets its JSON. */
function wholeText(content: JsonNode | undefined): ContentPart[] {
  return content === undefined || content.isNull ? [] : [{ type: 'text', text: content, raw: content }];
}

function readItem(item: JsonNode): ContentPart {
  if (item.isString) return { type: 'text', text: item, raw: item };
  const kind = item.get('kind')?.string ?? '';
  const text = item.get('content');
  if (kind === 'text-content' && text?.isString) return { type: 'text', text, raw: item };
  if (kind === 'cache-point') return { type: 'opaque', text: '', raw: item };
  return readMediaItem(item) ?? { type: 'opaque', text: item, raw: item };
}

function readMediaItem(item: JsonNode): MediaPart | undefined {
  const kind = item.get('kind')?.string ?? '';
  if (kind in MEDIA) return { type: 'media', kind: MEDIA[kind]!, raw: item };
  if (kind !== 'binary' && kind !== 'uploaded-file') return undefined;
  return { type: 'media', kind: mediaKind(item.get('media_type')?.string), raw: item };
}

function readResult(raw: JsonNode, isRetry: boolean): ResultPart {
  const tool = stringIn(raw.get('tool_name'), 'tool_name');
  return {
    type: 'result',
    callId: stringIn(raw.get('tool_call_id'), 'tool_call_id'),
    ...(tool === undefined ? {} : { tool }),
    content: readReturn(raw.get('content')),
    isError: isRetry || FAILED.has(raw.get('outcome')?.string ?? ''),
    raw,
  };
}

/** Files in a list stand apart from what else a tool returned; a list without any is one value to the model. */
function readReturn(content: JsonNode | undefined): ContentPart[] {
  if (content === undefined) return [];
  const alone = content.isObject ? readMediaItem(content) : undefined;
  if (alone !== undefined) return [alone];
  const items = content.items();
  if (!isBlocks(content)) return wholeText(content);
  return items.map((item): ContentPart => {
    const media = readMediaItem(item);
    if (media !== undefined || item.isString || item.get('kind')?.string === 'text-content')
      return media ?? readItem(item);
    return { type: 'text', text: item, raw: item };
  });
}

/** Whether a list of what a tool returned holds files or tagged texts. */
function isBlocks(content: JsonNode): boolean {
  return content
    .items()
    .some((item) => readMediaItem(item) !== undefined || item.get('kind')?.string === 'text-content');
}

/** A part of a response. What the provider's own tools did is kept as it is. */
export function readResponsePart(raw: JsonNode, index: number): Part {
  const kind = raw.get('part_kind')?.string ?? '';
  const content = raw.get('content');
  if (kind === 'text' || kind === 'thinking')
    return content?.isString
      ? { type: kind, text: content, raw }
      : wrongMember(content, raw, `parts[${index}].content`, 'a string');
  if (kind === 'tool-call') return readCall(raw, index);
  if (kind === 'file' && content !== undefined)
    return { type: 'media', kind: mediaKind(content.get('media_type')?.string), raw: content };
  if (/^(?:builtin|native)-tool-/.test(kind))
    return { type: 'opaque', text: present(raw, 'args') ?? content ?? '', raw };
  if (kind === 'compaction') return { type: 'opaque', text: content?.string ?? '', raw };
  return { type: 'opaque', text: raw, raw };
}

function readCall(raw: JsonNode, index: number): CallPart {
  return {
    type: 'call',
    callId: stringIn(raw.get('tool_call_id'), `parts[${index}].tool_call_id`),
    tool: stringIn(raw.get('tool_name'), `parts[${index}].tool_name`) ?? '',
    input: present(raw, 'args') ?? '{}',
    raw,
  };
}

// --- writing

/** A part of a request after an edit. */
export function writeRequestPart({ parts }: Message, old: JsonNode): Json {
  const result = parts.find(isResult);
  const said = result?.content ?? parts.filter(isContent);
  const before = old.get('content');
  const write = old.get('part_kind')?.string === 'retry-prompt' ? writeRetry : result ? writeReturn : writeItems;
  return patch(old, { ...(result && idField('tool_call_id', result)), content: write(said, before) });
}

/** A text, or a list of errors as it was. */
function writeRetry(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  return parts.length === 0 && (old === undefined || old.isNull) ? old : joinedText(parts);
}

function writeItems(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray && parts.some(({ raw }) => old.is(raw))) return joinedText(parts);
  return writeContent(parts, old, writeItem);
}

function writeReturn(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  if (old?.isArray && isBlocks(old)) return patchItems(old, parts.map(writeItem));
  const [only] = parts;
  if (only?.type === 'text' && parts.length === 1) return json(only.text);
  if (only === undefined) return old === undefined || old.isNull ? old : '';
  if (parts.every(({ type }) => type === 'text')) return parts.map(textContent);
  return only.type !== 'text' && old?.is(only.raw) && parts.length === 1 ? old : parts.map(writeItem);
}

function writeItem(part: ContentPart): Json {
  const node = part.raw instanceof JsonNode ? part.raw : undefined;
  if (part.type !== 'text') return node ?? { kind: part.type };
  const holder = node?.isObject && node.get('kind')?.string === 'text-content' ? node : undefined;
  return holder === undefined || holder.is(part.text) ? json(part.text) : patch(holder, { content: json(part.text) });
}

/** A text of several that a tool returned: else they would be one value. */
function textContent({ text }: { readonly text?: Text } & ContentPart): Json {
  return { content: stringOf(text ?? ''), kind: 'text-content' };
}

/** The parts of a response after an edit, in place of `old`. */
export function writeResponseParts(parts: readonly Part[], old: JsonNode | undefined): readonly Json[] {
  const files = new Map((old?.items() ?? []).map((part) => [part.get('content')?.at, part]));
  return parts.map((part): Json => {
    const node = part.raw instanceof JsonNode ? part.raw : undefined;
    if (part.type === 'media') {
      const holder = old !== undefined && node?.source === old.source ? files.get(node.at) : undefined;
      return holder ?? { content: node ?? {}, part_kind: 'file' };
    }
    if (part.type === 'opaque') return node ?? { part_kind: part.type };
    if (part.type === 'result') return writeFreshResult(part);
    if (part.type === 'call') return writeCall(part, node);
    const isOwn = node?.get('part_kind')?.string === part.type;
    return isOwn ? patch(node!, { content: json(part.text) }) : { content: stringOf(part.text), part_kind: part.type };
  });
}

function writeCall(call: CallPart, old: JsonNode | undefined): Json {
  const args = old && present(old, 'args');
  const value = args?.isString ? undefined : jsonValue(call.input);
  const isValue = value instanceof JsonNode && (value.isObject || value.is(args));
  const written = isValue ? value : textOf(call.input); // a text or an object
  if (old?.get('part_kind') === undefined)
    return { tool_name: call.tool, args: written, ...idField('tool_call_id', call), part_kind: 'tool-call' };
  return patch(old, {
    ...idField('tool_call_id', call),
    ...(call.input === '{}' && args === undefined ? {} : { args: written }),
  });
}

function writeFreshResult(result: ResultPart): JsonFields {
  return {
    tool_name: result.tool ?? '',
    content: writeReturn(result.content, undefined) ?? '',
    ...idField('tool_call_id', result),
    ...(result.isError ? { outcome: 'failed' } : {}),
    part_kind: 'tool-return',
  };
}

/** A message that was added, as a request or response. */
export function writeFresh({ role, parts }: Message): Json {
  if (role === 'assistant') return { parts: writeResponseParts(parts, undefined), kind: 'response' };
  const said = parts.filter(isContent);
  const content = writeContent(said, undefined, writeItem) ?? '';
  const prompt = { content, part_kind: role === 'system' ? 'system-prompt' : 'user-prompt' };
  const results = parts.filter(isResult).map(writeFreshResult);
  return { parts: [...results, ...(said.length > 0 || results.length === 0 ? [prompt] : [])], kind: 'request' };
}
