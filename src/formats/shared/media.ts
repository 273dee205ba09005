/** Pictures and files, read from the block of any format. */

import { JsonNode } from '../../json/node.js';
import type { MediaPart } from '../../transcript/types.js';
import type { Media } from '../encode.js';

/** What a block shows; undefined where it only names something that the provider keeps. */
export function mediaOf({ kind, raw }: MediaPart): Media | undefined {
  if (!(raw instanceof JsonNode) || !raw.isObject) return undefined;
  const holder = HOLDERS.map((key) => raw.get(key)).find((found) => found?.isObject) ?? raw;
  const inner = holder.get('source')?.isObject ? holder.get('source')! : holder;
  const type = textAt(inner, TYPES) ?? typeOf(kind, textAt(inner, ['format']) ?? textAt(holder, ['format']));
  const data = textAt(inner, DATA) ?? (inner === raw ? textAt(raw, ['image_url', 'image']) : undefined);
  const name = textAt(holder, ['filename', 'name', 'title']);
  if (data === undefined) return undefined;
  const url = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(data);
  if (url !== null) return { kind, type: url[1] || type, base64: url[2]!, name };
  return /^[a-z][a-z0-9+.-]*:/i.test(data) ? { kind, type, url: data, name } : { kind, type, base64: data, name };
}

/** Members that hold the data in a value of their own: OpenAI's, Gemini's in both spellings, Bedrock's. */
const HOLDERS = [
  'image_url',
  'input_audio',
  'file',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'image',
  'document',
  'video',
  'audio',
];
const TYPES = ['media_type', 'mediaType', 'mimeType', 'mime_type'];
const DATA = ['url', 'data', 'base64', 'bytes', 'file_data', 'file_url', 'fileUri', 'file_uri'];

function textAt(node: JsonNode, keys: readonly string[]): string | undefined {
  return keys.map((key) => node.get(key)?.string).find((text) => text !== undefined && text !== '');
}

/** A media type from its short name: `png`, `wav`. */
function typeOf(kind: Media['kind'], format: string | undefined): string | undefined {
  return format === undefined
    ? undefined
    : format.includes('/')
      ? format
      : `${kind === 'file' ? 'application' : kind}/${format}`;
}

/** How closely a model is asked to look: OpenAI's `detail`, Gemini's media resolution; undefined where nothing says it. */
export function detailOf({ raw }: MediaPart): string | undefined {
  if (!(raw instanceof JsonNode)) return undefined;
  const resolution = raw.get('mediaResolution') ?? raw.get('media_resolution');
  const said = raw.get('image_url')?.get('detail') ?? raw.get('detail') ?? resolution?.get('level') ?? resolution;
  return said?.string?.toLowerCase().replace(/^media_resolution_/, '');
}
