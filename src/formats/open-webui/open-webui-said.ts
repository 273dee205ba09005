/**
 * What a message of Open WebUI says, as items: those of `output`, which are OpenAI Responses items, the same made of
 * its content where that is all there is, and its files.
 */
import { type Json, type JsonFields, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part, Role, Text } from '../../transcript/types.js';
import openaiResponses from '../openai/openai-responses.js';
import { json, present } from '../shared/json-fields.js';
import { nodeMap } from '../shared/traces.js';
import { expanded } from './open-webui-code.js';
import { type Item, type Piece, piecesOf } from './open-webui-details.js';

/** Where a message has its words. */
export type Place = 'merged' | 'output' | 'blocks' | 'content';

export interface Said {
  readonly place: Place;
  /** The JSON of the items. */
  readonly items: readonly string[];
  /** Of `output`: the index there of each item. */
  readonly origins?: readonly number[];
  /** Of `blocks`. */
  readonly pieces?: readonly Piece[];
}

/**
 * What is sent of a message: what several answers were merged to, or `output`, or the content.
 * https://github.com/open-webui/open-webui/blob/main/src/lib/components/chat/Chat.svelte (2026-11-30)
 */
export function saidIn(node: JsonNode): Said {
  const merged = node.get('merged')?.get('content');
  if (merged?.string) return { place: 'merged', items: [messageItem(node, merged)] };
  const output = node.get('output');
  if (output?.isArray && output.length > 0) {
    const items = output.items().map(expanded);
    return { place: 'output', items: items.flat(), origins: items.flatMap((own, index) => own.map(() => index)) };
  }
  const content = present(node, 'content');
  const isReply = node.get('role')?.string === 'assistant';
  const pieces = isReply && content?.isString ? piecesOf(content.text) : undefined;
  if (pieces !== undefined)
    return { place: 'blocks', items: itemsIn(pieces).map((item) => JSON.stringify(item)), pieces };
  const isEmpty = content === undefined || content.string === '';
  return { place: 'content', items: isEmpty ? [] : [messageItem(node, content)] };
}

function itemsIn(pieces: readonly Piece[]): Item[] {
  return pieces.flatMap(({ items }) => items);
}

function messageItem(node: JsonNode, content: JsonNode): string {
  const role = node.get('role')?.string ?? 'assistant';
  return `{"type":"message","role":${JSON.stringify(role)},"content":${content.json}}`;
}

/** The files of a message, each as an item. Of most, only the server has what is in them. */
export function fileItems(node: JsonNode): string[] {
  return (node.get('files')?.items() ?? []).map((file) => {
    const isHere = /^(?:data|https?):/.test(file.get('url')?.string ?? '');
    return `{"${isHere ? 'file' : 'stored_file'}":${file.json}}`;
  });
}

export function fileIn(item: JsonNode): JsonNode | undefined {
  return item.get('file') ?? item.get('stored_file');
}

// --- reading

export function readItem(item: JsonNode): readonly Part[] {
  const file = fileIn(item);
  if (file !== undefined) return [{ type: 'media', kind: isImage(file) ? 'image' : 'file', raw: item }];
  return openaiResponses.read(item).parts.map(asMedia);
}

function isImage(file: JsonNode): boolean {
  return file.get('type')?.string === 'image' || (file.get('content_type')?.string ?? '').startsWith('image/');
}

/** Blocks of Chat Completions, in contents of some clients. */
function asMedia(part: Part): Part {
  const isBlock = part.type === 'opaque' && part.raw instanceof JsonNode;
  if (!isBlock || (part.raw as JsonNode).get('type')?.string !== 'image_url') return part;
  return { type: 'media', kind: 'image', raw: part.raw };
}

// --- writing

/** The items of a message, those that say the same as before as they were. */
export function itemsAfter(message: Pick<Message, 'role' | 'parts'>, list: JsonNode | undefined): Json[] {
  const before = list?.items() ?? [];
  const indexOf = nodeMap(before.flatMap((item, index) => rawsOf(item).map((raw) => [raw, index] as const)));
  const groups: { readonly item: JsonNode | undefined; readonly parts: Part[] }[] = [];
  const ofItem = new Map<JsonNode, Part[]>();
  for (const part of message.parts) {
    const index = part.raw instanceof JsonNode ? indexOf(part.raw) : undefined;
    const item = index === undefined ? undefined : before[index]!;
    const known = item && ofItem.get(item);
    if (known !== undefined) known.push(part);
    else {
      const group = { item, parts: [part] };
      if (item !== undefined) ofItem.set(item, group.parts);
      groups.push(group);
    }
  }
  return groups.map(({ item, parts }) => (item ? itemAfter(item, parts) : freshItem(parts[0]!, message.role)));
}

export function saidAfter(message: Pick<Message, 'role' | 'parts'>, list: JsonNode): Json {
  return patchItems(list, itemsAfter(message, list));
}

function rawsOf(item: JsonNode): JsonNode[] {
  return readItem(item).flatMap(({ raw }) => (raw instanceof JsonNode ? [raw] : []));
}

function itemAfter(item: JsonNode, parts: readonly Part[]): Json {
  if (fileIn(item) !== undefined) return item;
  const role = (item.get('role')?.string ?? 'assistant') as Role;
  return openaiResponses.write({ role, parts: [...parts], raw: item });
}

function freshItem(part: Part, role: Role): Json {
  const isFile = part.type === 'media' && part.raw instanceof JsonNode;
  if (isFile) return { file: fileIn(part.raw as JsonNode) ?? (part.raw as JsonNode) };
  const isUsers = role === 'user' || role === 'system';
  if (part.type === 'text' && !isUsers) return replyItem(json(part.text));
  const speaker = isUsers ? role : 'assistant';
  if (part.type !== 'result') return openaiResponses.write({ role: speaker, parts: [part] });
  const content = part.content.map((one) => (one.type === 'text' ? { ...one, text: plainText(one.text) } : one));
  const item = openaiResponses.write({ role: 'tool', parts: [{ ...part, content }] }) as JsonFields;
  return { ...item, output: asBlocks(item['output'], 'input_text') };
}

function plainText(text: Text): Text {
  return text instanceof JsonNode && !text.isString ? text.text : text;
}

/** Open WebUI reads contents of items and outputs only as lists. */
export function replyItem(text: Json): JsonFields {
  return { type: 'message', role: 'assistant', status: 'completed', content: asBlocks(text, 'output_text') };
}

function asBlocks(value: Json | undefined, type: string): Json {
  const isText = typeof value === 'string' || (value instanceof JsonNode && value.isString);
  return isText ? [{ type, text: value }] : (value ?? []);
}
