/** Reads and writes the content of ATIF messages and results. */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { ContentPart } from '../../transcript/types.js';
import { json, objectsIn } from '../shared/json-fields.js';
import { readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';

const MEDIA = table<'image' | 'audio'>({ image: 'image', audio: 'audio' });

/** A text, or (since version 1.6) a list of content parts. Any other value, as NeMo Relay writes it, is one text. */
export function readContent(content: JsonNode | undefined, path: string): ContentPart[] {
  if (content === undefined || content.isNull) return [];
  if (!content.isArray) return [{ type: 'text', text: content, raw: content }];
  return objectsIn(content, path).map((part, index) => {
    const type = part.get('type')?.string ?? '';
    return type === 'text' ? readText(type, part, 'text', `${path}[${index}]`) : readMedia(part, MEDIA[type]);
  });
}

/** A part as an element of a list of content parts. */
export function writePart(part: ContentPart): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type !== 'text') return old ?? { type: part.type };
  return old?.isObject ? patch(old, { text: json(part.text) }) : { type: 'text', text: json(part.text) };
}
