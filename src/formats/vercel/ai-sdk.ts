/** What the formats of the Vercel AI SDK share: values that tools return, lists with unread elements, and usage. */
import { type Json, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart, MediaPart, Recorded, Usage } from '../../transcript/types.js';
import { addUsage } from '../../transcript/usage.js';
import { withGeminiMedia } from '../gemini/media-tokens.js';
import { json, present, stringOf } from '../shared/json-fields.js';
import { readMedia } from '../shared/parts.js';
import {
  anthropicUsage,
  chatUsage,
  recordedOf,
  responsesUsage,
  timeOf,
  tokens,
  usageOf,
  wholeOutput,
} from '../shared/recorded.js';
import { table } from '../shared/table.js';

// --- what a tool returned

/**
 * The members of an MCP tool's result.
 * https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result
 */
const MCP_MEMBERS = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Reads any value that a tool returned: an MCP result as its blocks, everything else as one text (its JSON). */
export function readValue(value: JsonNode | undefined): ContentPart[] {
  if (value === undefined || value.isNull) return [];
  return isMcp(value) ? value.get('content')!.items().map(readBlock) : [{ type: 'text', text: value, raw: value }];
}

/**
 * Writes a result's value in the shape of the old one; `structuredContent` is removed because it repeats the old text.
 */
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

/** Whether a value is an MCP result with `isError`. */
export function isErrorValue(value: JsonNode | undefined): boolean {
  return isMcp(value) && value?.get('isError')?.boolean === true;
}

function isMcp(value: JsonNode | undefined): boolean {
  return isBlocks(value?.get('content')) && value!.members().every(({ key }) => MCP_MEMBERS.has(key.text));
}

/** Whether a value is a list of content blocks: each has a type, and each text block has a text. */
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

/** A block of a result as a text, media or opaque part. */
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

/**
 * What a block shows; undefined if it is no image, sound or file. The media type is more exact than the block's type;
 * an attachment of version 4 has no block type at all.
 */
export function mediaKind(block: JsonNode): MediaPart['kind'] | undefined {
  const kind = MEDIA[block.get('type')?.string ?? (block.get('contentType') === undefined ? '' : 'file')];
  const mediaType =
    ['mediaType', 'mimeType', 'contentType'].map((key) => block.get(key)?.string).find((type) => type !== undefined) ??
    '';
  const [family] = mediaType.split('/');
  return kind !== undefined && (family === 'image' || family === 'audio') ? family : kind;
}

/** Writes blocks in place of the old list, or as a new list. */
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

// --- lists with elements that are not read

/** An element to write, and the element it was read from. */
export interface WrittenElement {
  readonly from: unknown;
  readonly json: Json;
}

/**
 * The list with its readable elements replaced by `written`. All other elements stay in their places; `keep` returns
 * what to write for one of them (undefined removes it).
 */
export function mergeIntoList(
  list: JsonNode,
  isReadable: (item: JsonNode) => boolean,
  written: readonly WrittenElement[],
  keep: (item: JsonNode, index: number, items: readonly JsonNode[]) => Json | undefined,
): Json {
  const items = list.items();
  const merged: Json[] = [];
  let next = 0;
  const keepUntil = (end: number) => {
    for (; next < end; next++) {
      const kept = isReadable(items[next]!) ? undefined : keep(items[next]!, next, items);
      if (kept !== undefined) merged.push(kept);
    }
  };
  for (const { from, json: value } of written) {
    const at = from instanceof JsonNode ? items.findIndex((item) => item.is(from)) : -1;
    if (at >= next) {
      keepUntil(at);
      next = at + 1;
    }
    merged.push(value);
  }
  keepUntil(items.length);
  return patchItems(list, merged);
}

/** The node that was read: the value itself, or the base of an edit. */
export function nodeOf(value: Json | undefined): JsonNode | undefined {
  return value instanceof JsonNode ? value : value instanceof ObjectEdit ? value.base : undefined;
}

// --- what is recorded about the request

/**
 * Model, time and usage in the metadata of a message, under the names of the guide's example, which most apps use.
 * https://ai-sdk.dev/docs/ai-sdk-ui/message-metadata
 */
export function recordedInMetadata(
  metadata: JsonNode | undefined,
  { createdAt, steps }: { readonly createdAt?: JsonNode | undefined; readonly steps?: number } = {},
): Recorded | undefined {
  return recordedOf({
    model: modelIn(metadata),
    time: timeOf(metadata?.get('createdAt') ?? metadata?.get('timestamp') ?? createdAt),
    ...usageAndSteps(metadata, steps),
    responseId: metadata?.get('responseId')?.string,
  });
}

/** The usage of all steps, each of them a request, or that of the last one. */
function usageAndSteps(holder: JsonNode | undefined, steps: number | undefined): Pick<Recorded, 'usage' | 'billing'> {
  const total = aiSdkUsage(holder?.get('totalUsage'));
  const isSum = total !== undefined && steps !== undefined && steps > 1;
  return { usage: total ?? aiSdkUsage(holder?.get('usage')), billing: isSum ? { requests: steps } : undefined };
}

/**
 * What is recorded beside the messages, in the shape of a result of `generateText`.
 * https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text
 */
export function recordedReply(record: JsonNode): Recorded | undefined {
  const response = record.get('response');
  const steps = record.get('steps')?.items() ?? [];
  const recorded = usageAndSteps(record, steps.length);
  return (
    recorded.usage &&
    recordedOf({
      ...recorded,
      usage: anthropicRequests(recorded.billing === undefined ? [record] : steps) ?? recorded.usage,
      responseId: response?.get('id')?.string,
      model: modelIn(response),
      time: timeOf(response?.get('timestamp')),
    })
  );
}

/** The sum of requests to Anthropic, whose provider states cache writes beside the usage before version 6. */
function anthropicRequests(holders: readonly JsonNode[]): Usage | undefined {
  const usages = holders.flatMap((holder) => anthropicRequest(holder) ?? []);
  return usages.length === holders.length ? usages.reduce(addUsage) : undefined;
}

/** https://ai-sdk.dev/v5/providers/ai-sdk-providers/anthropic#cache-control */
function anthropicRequest(holder: JsonNode): Usage | undefined {
  const usage = aiSdkUsage(holder.get('usage'));
  const stated = present(holder, 'providerMetadata')?.get('anthropic');
  const hasWrites = tokens(holder.get('usage')?.get('inputTokenDetails'), 'cacheWriteTokens') !== undefined;
  if (usage === undefined || stated === undefined || hasWrites) return undefined;
  const { output, reasoning } = usage;
  const exact = anthropicUsage(stated.get('usage'));
  if (exact !== undefined) return { ...exact, output, reasoning };
  const cacheRead = usage.cacheRead || (tokens(stated, 'cacheReadInputTokens') ?? 0);
  return { ...usage, cacheRead, cacheWrite5m: tokens(stated, 'cacheCreationInputTokens') ?? 0 };
}

/** The model, in the spellings of requests, responses and metadata. */
export function modelIn(node: JsonNode | undefined): string | undefined {
  return [node?.get('model'), node?.get('modelId'), node?.get('model')?.get('modelId')].find((found) => found?.isString)
    ?.text;
}

/**
 * Usage in any version. Input tokens include cached ones; version 6 details cache reads and writes, version 5 only
 * reads, version 4 neither. If more was read than came in, the provider left cached tokens out of the input
 * (Anthropic's provider in version 5). https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text#usage
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
  const reported = input ?? 0;
  const read = usageOf({
    input: tokens(details, 'noCacheTokens') ?? (reported < cached ? reported : reported - cached),
    cacheRead,
    cacheWrite5m,
    output: wholeOutput(output ?? 0, reported, reasoning, tokens(usage, 'totalTokens')),
    reasoning,
  });
  const raw = usage?.get('raw');
  return raw === undefined ? read : withRawMedia(read, raw);
}

/**
 * With the audio, images and video of the provider's own figures, which version 6 keeps.
 * https://github.com/vercel/ai/blob/main/packages/google/src/convert-google-generative-ai-usage.ts
 */
function withRawMedia(usage: Usage, raw: JsonNode): Usage {
  const { media } = chatUsage(raw) ?? responsesUsage(raw) ?? withGeminiMedia(usage, raw);
  return media === undefined || Object.keys(media).length === 0 ? usage : { ...usage, media };
}
