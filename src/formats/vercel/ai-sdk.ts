/** What the surfaces of the Vercel AI SDK share: values that tools return, usage, and lists that hold more than what is read. */
import { type Json, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart, MediaPart, Recorded, Usage } from '../../transcript/types.js';
import { json, stringOf } from '../shared/json-fields.js';
import { readMedia } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';

// --- what a tool returned

/** The members of a result of an MCP tool. https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result */
const MCP = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Any JSON: a string is a text, the blocks of an MCP result are its content, everything else is its JSON. */
export function readValue(value: JsonNode | undefined): ContentPart[] {
  if (value === undefined || value.isNull) return [];
  return isMcp(value) ? value.get('content')!.items().map(readBlock) : [{ type: 'text', text: value, raw: value }];
}

/** A value keeps its shape for as long as what is left fits in it. What repeats a text that changed goes. */
export function writeValue(
  content: readonly ContentPart[],
  old: JsonNode | undefined,
  isError = false,
): Json | undefined {
  const blocks = old?.get('content');
  if (old !== undefined && isMcp(old)) {
    const written = writeBlocks(content, blocks);
    return written === blocks ? old : patch(old, { content: written, structuredContent: undefined });
  }
  const [first] = content;
  if (first === undefined) return old === undefined || old.isNull ? old : '';
  if (content.length === 1 && first.type === 'text' && !isError) return json(first.text);
  return { content: content.map(writeBlock), ...(isError ? { isError } : {}) };
}

/** Whether a result of an MCP tool says that it is an error. */
export function saysError(value: JsonNode | undefined): boolean {
  return isMcp(value) && value?.get('isError')?.boolean === true;
}

function isMcp(value: JsonNode | undefined): boolean {
  return isBlocks(value?.get('content')) && value!.members().every(({ key }) => MCP.has(key.text));
}

/** Whether a value is a list of content blocks: each has a type, and those of texts a text. */
export function isBlocks(list: JsonNode | undefined): list is JsonNode {
  return (
    list?.isArray === true &&
    list
      .items()
      .every(
        (block) => block.get('type')?.isString && (block.get('type')!.text !== 'text' || block.get('text')?.isString),
      )
  );
}

/** A block of a result: a text, media, or what nobody here knows. */
export function readBlock(block: JsonNode): ContentPart {
  if (block.get('type')?.string === 'text') return { type: 'text', text: block.get('text')!, raw: block };
  return readMedia(block, mediaKind(block));
}

const MEDIA = table<MediaPart['kind']>({
  image: 'image',
  'image-data': 'image',
  'image-url': 'image',
  'image-file-id': 'image',
  audio: 'audio',
  file: 'file',
  media: 'file',
  'file-data': 'file',
  'file-url': 'file',
  'file-id': 'file',
});

/** Undefined where a block holds no image, sound or file. The media type says more than the block's own; an attachment has no other. */
export function mediaKind(block: JsonNode): MediaPart['kind'] | undefined {
  const kind = MEDIA[block.get('type')?.string ?? (block.get('contentType') === undefined ? '' : 'file')];
  const [said] = (
    ['mediaType', 'mimeType', 'contentType'].map((key) => block.get(key)?.string).find((type) => type !== undefined) ??
    ''
  ).split('/');
  return kind !== undefined && (said === 'image' || said === 'audio') ? said : kind;
}

/** Blocks in the place of a list of them, or as a new one. */
export function writeBlocks(content: readonly ContentPart[], old: JsonNode | undefined): Json {
  const blocks = content.map(writeBlock);
  return old?.isArray ? patchItems(old, blocks) : blocks;
}

function writeBlock(part: ContentPart): Json {
  const old = part.raw instanceof JsonNode && part.raw.isObject ? part.raw : undefined;
  if (part.type !== 'text') return old ?? { type: part.type };
  return old?.get('type')?.string === 'text'
    ? patch(old, { text: stringOf(part.text) })
    : { type: 'text', text: stringOf(part.text) };
}

// --- lists that hold more than what is read

/** An element that is written, and the one it was read from. */
export interface Written {
  readonly from: unknown;
  readonly json: Json;
}

/**
 * A list out of the elements that were read, which come in `written`, and its others, which stay where they stand. `keep` says what
 * becomes of one of those; it is not asked of a list that keeps everything.
 */
export function weave(
  list: JsonNode,
  isRead: (item: JsonNode) => boolean,
  written: readonly Written[],
  keep: (item: JsonNode, index: number, items: readonly JsonNode[]) => Json | undefined,
): Json {
  const items = list.items();
  const woven: Json[] = [];
  let next = 0;
  const keepUntil = (end: number) => {
    for (; next < end; next++) {
      const kept = isRead(items[next]!) ? undefined : keep(items[next]!, next, items);
      if (kept !== undefined) woven.push(kept);
    }
  };
  for (const { from, json: value } of written) {
    const at = from instanceof JsonNode ? items.findIndex((item) => item.is(from)) : -1;
    if (at >= next) {
      keepUntil(at);
      next = at + 1;
    }
    woven.push(value);
  }
  keepUntil(items.length);
  return patchItems(list, woven);
}

/** The node that a value is, or is an edit of. */
export function nodeOf(value: Json | undefined): JsonNode | undefined {
  return value instanceof JsonNode ? value : value instanceof ObjectEdit ? value.base : undefined;
}

// --- what is said of the request

/** What stands in the metadata of a message, as the guide's example and most apps have it. https://ai-sdk.dev/docs/ai-sdk-ui/message-metadata */
export function metadataSays(metadata: JsonNode | undefined, createdAt?: JsonNode): Recorded | undefined {
  return recordedOf({
    model: modelIn(metadata),
    time: timeOf(metadata?.get('createdAt') ?? metadata?.get('timestamp') ?? createdAt),
    usage: aiSdkUsage(metadata?.get('totalUsage')) ?? aiSdkUsage(metadata?.get('usage')),
    responseId: metadata?.get('responseId')?.string,
  });
}

/** What stands beside the messages, as a result of `generateText` has it. https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text */
export function replySays(record: JsonNode): Recorded | undefined {
  const response = record.get('response');
  const usage = aiSdkUsage(record.get('totalUsage')) ?? aiSdkUsage(record.get('usage'));
  return (
    usage &&
    recordedOf({
      usage,
      responseId: response?.get('id')?.string,
      model: modelIn(response),
      time: timeOf(response?.get('timestamp')),
    })
  );
}

/** The model, in the spellings of requests, responses and metadata. */
export function modelIn(node: JsonNode | undefined): string | undefined {
  return [node?.get('model'), node?.get('modelId'), node?.get('model')?.get('modelId')].find((found) => found?.isString)
    ?.text;
}

/**
 * Input holds what a cache had to do with; version 6 tells it apart in details, 5 tells what was read, 4 nothing. Where more was read
 * than came in, the provider did not count it in (Anthropic's, in version 5). https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text#usage
 */
export function aiSdkUsage(usage: JsonNode | undefined): Usage | undefined {
  const input = tokens(usage, 'inputTokens') ?? tokens(usage, 'promptTokens');
  const output = tokens(usage, 'outputTokens') ?? tokens(usage, 'completionTokens');
  if (input === undefined && output === undefined) return undefined;
  const details = usage?.get('inputTokenDetails');
  const cacheRead = tokens(details, 'cacheReadTokens') ?? tokens(usage, 'cachedInputTokens') ?? 0;
  const cacheWrite5m = tokens(details, 'cacheWriteTokens') ?? 0;
  const cached = cacheRead + cacheWrite5m;
  const reasoning =
    tokens(usage?.get('outputTokenDetails'), 'reasoningTokens') ?? tokens(usage, 'reasoningTokens') ?? 0;
  return usageOf({
    input: tokens(details, 'noCacheTokens') ?? ((input ?? 0) < cached ? (input ?? 0) : (input ?? 0) - cached),
    cacheRead,
    cacheWrite5m,
    output: output ?? 0,
    reasoning,
  });
}
