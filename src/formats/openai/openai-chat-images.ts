/**
 * Pictures beside the content of a chat message: Ollama's in base64, and blocks of OpenRouter's, of what a model drew.
 * https://docs.ollama.com/api/chat, https://openrouter.ai/docs/features/multimodal/image-generation; 2026-01
 */
import { type JsonFields, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { ContentPart, Part } from '../../transcript/types.js';

/** The pictures in the member `images`. */
export function readImages(list: JsonNode): ContentPart[] {
  return list
    .items()
    .filter(isImage)
    .map((raw) => ({ type: 'media', kind: 'image', raw }));
}

/** The pictures that are left of those beside the content. */
export function writeImages(parts: readonly Part[], list: JsonNode): JsonFields {
  if (!list.isArray) return {};
  const left = list.items().filter((item) => !isImage(item) || parts.some((part) => item.is(part.raw)));
  return { images: left.length === 0 && list.length > 0 ? undefined : patchItems(list, left) };
}

function isImage(item: JsonNode): boolean {
  return item.isString ? item.byteLength > 0 : item.get('type')?.string === 'image_url';
}
