/** Examples of rules say in hints (`x-…`) what would not fit into a few lines: here it is spelled out. */

import type { JsonNode } from '../../src/json/node.js';
import { parse } from '../../src/json/node.js';
import type { Transcript } from '../../src/transcript/types.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * `x-bytes` and `x-width` are those of a picture, `x-images` of as many small ones before the first message;
 * `x-tools` is the number of tools.
 */
export function spelledOut(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(spelledOut);
  if (typeof example !== 'object' || example === null) return example;
  const {
    'x-bytes': bytes,
    'x-width': width,
    'x-images': images,
    'x-tools': tools,
    ...rest
  } = Object.fromEntries(Object.entries(example).map(([key, value]) => [key, spelledOut(value)])) as Fields;
  if (bytes !== undefined || width !== undefined)
    return { ...rest, data: png(Number(width ?? 1), Number(bytes ?? 24)) };
  if (tools !== undefined) return { ...rest, tools: Array.from({ length: Number(tools) }, functionTool) };
  if (images === undefined) return rest;
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(1, 24) } };
  return {
    ...rest,
    messages: [
      { role: 'user', content: Array.from({ length: Number(images) }, () => image) },
      ...(rest['messages'] as unknown[]),
    ],
  };
}

function functionTool(_: unknown, index: number) {
  return { type: 'function', function: { name: `t${index}`, parameters: { type: 'object', properties: {} } } };
}

/** The head of a picture, and nothing behind it. */
function png(side: number, bytes: number): string {
  const data = Buffer.alloc(bytes);
  data.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  data.writeUInt32BE(side, 16);
  data.writeUInt32BE(side, 20);
  return data.toString('base64');
}

/** `x-original` is what the content of the last message of the assistant was before it was edited. */
export function withOrigin(transcript: Transcript, record: JsonNode | undefined): Transcript {
  const original = record?.get('x-original');
  if (original === undefined) return transcript;
  const last = transcript.messages.findLastIndex(({ role }) => role === 'assistant');
  const origin = parse(`{"role": "assistant", "content": ${original.text}}`);
  return {
    ...transcript,
    messages: transcript.messages.map((message, index) => (index === last ? { ...message, origin } : message)),
  };
}
