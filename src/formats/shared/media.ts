/** Images, audio and files, read from the media block of any format. */

import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import type { MediaPart } from '../../transcript/types.js';
import type { Media } from '../encode.js';
import { citationsOf } from './documents.js';
import { typeOfBytes } from './image-types.js';

/** The media in a block; undefined if the block only refers to a file stored by the provider. */
export function mediaOf({ kind, raw }: MediaPart): Media | undefined {
  if (!(raw instanceof JsonNode)) return undefined;
  if (raw.isString) return mediaInText(kind, raw.text);
  if (!raw.isObject || raw.get('transcript') !== undefined) return undefined; // no one states the format of speech
  const holder = HOLDERS.map((key) => raw.get(key)).find((found) => found?.isObject) ?? raw;
  const inner = holder.get('source')?.isObject ? holder.get('source')! : holder;
  const type = textAt(inner, TYPES) ?? typeOf(kind, textAt(inner, ['format']) ?? textAt(holder, ['format']));
  const data = textAt(inner, DATA) ?? (inner === raw ? textAt(raw, ['image_url', 'image']) : undefined);
  const name = textAt(holder, ['filename', 'name', 'title']);
  if (data === undefined) return undefined;
  if (inner.get('type')?.string === 'text')
    return { kind, type: type ?? 'text/plain', base64: Buffer.from(data).toString('base64'), name };
  const said = { name, context: textAt(holder, ['context']), citations: citationsOf(holder) };
  const url = dataUrlOf(kind, data, type);
  if (url !== undefined) return { ...url, ...said };
  return { kind, type, ...said, ...(/^[a-z][a-z0-9+.-]*:/i.test(data) ? { url: data } : { base64: data }) };
}

function dataUrlOf(kind: Media['kind'], data: string, type?: string): Media | undefined {
  const url = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(data);
  return url === null ? undefined : { kind, type: url[1] || type, base64: url[2]! };
}

/** A data URL, or the base64 of an image. */
function mediaInText(kind: Media['kind'], text: string): Media | undefined {
  const type = typeOfBytes(text);
  return dataUrlOf(kind, text) ?? (type === undefined ? undefined : { kind, type, base64: text });
}

/** Keys of objects that hold the data: OpenAI's, Gemini's in both spellings, Bedrock's. */
const HOLDERS = commaList(`
  image_url, input_audio, file, inlineData, inline_data, fileData, file_data, image, document, video, audio, data
`);
const TYPES = ['media_type', 'mediaType', 'mimeType', 'mime_type'];
const DATA = ['url', 'data', 'base64', 'bytes', 'file_data', 'file_url', 'fileUri', 'file_uri'];

function textAt(node: JsonNode, keys: readonly string[]): string | undefined {
  return keys.map((key) => node.get(key)?.string).find((text) => text !== undefined && text !== '');
}

/** The media type of a short name such as `png` or `wav`. */
function typeOf(kind: Media['kind'], format: string | undefined): string | undefined {
  if (format === undefined || format.includes('/')) return format;
  return `${kind === 'file' ? 'application' : kind}/${format}`;
}

/** The image resolution that a request asks for: OpenAI's `detail`, Gemini's media resolution; undefined if not set. */
export function detailOf({ raw }: MediaPart): string | undefined {
  if (!(raw instanceof JsonNode)) return undefined;
  const resolution = raw.get('mediaResolution') ?? raw.get('media_resolution');
  const detail = raw.get('image_url')?.get('detail') ?? raw.get('detail') ?? resolution?.get('level') ?? resolution;
  return detail?.string?.toLowerCase().replace(/^media_resolution_/, '');
}
