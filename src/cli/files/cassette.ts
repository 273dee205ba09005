/**
 * Reads cassettes in YAML, recorded HTTP requests with their responses, as one JSON value. Links as of 2026-11-24.
 * VCR.py: https://vcrpy.readthedocs.io/en/latest/usage.html VCR for Ruby: https://benoittgt.github.io/vcr/
 */
import { isUtf8 } from 'node:buffer';
import { isTranscriptError, TranscriptError } from '../../errors.js';
import type { Read } from '../../json/rows.js';
import { parseYaml } from '../../text/yaml.js';

/** How a cassette begins. No JSON begins with a letter of these words. */
export const CASSETTE =
  /^(?:\xef\xbb\xbf)?(?:#.*\r?\n|---.*\r?\n|\s+|version:.*\n|recorded_with:.*\n)*(?:http_)?interactions:/;
/** So many bytes decide whether a file is a cassette. */
export const CASSETTE_HEAD = 256;
export const READ_ONLY_CASSETTE =
  'a cassette in YAML is read only and nothing was written; make JSON of it first, as VCR.py does with ' +
  "`serializer='json'`";

/** A file is in memory as a whole, and its text is one JavaScript string. */
const LARGEST = 2 ** 28;
const CHUNK = 1 << 16;

/** The cassette as JSON. Throws TranscriptError if it is no YAML. */
export async function openCassette(read: Read): Promise<Read> {
  const { value } = await parsed(allOf(read).toString());
  const json = Buffer.from(`${JSON.stringify(await withBodies(value))}\n`);
  let at = 0;
  return (buffer, start, length) => {
    const taken = json.copy(buffer, start, at, Math.min(json.length, at + length));
    at += taken;
    return taken;
  };
}

function allOf(read: Read): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const got = read(chunk, 0, CHUNK);
    if (got === 0) return Buffer.concat(chunks);
    size += got;
    if (size > LARGEST)
      throw new TranscriptError('file', 'the cassette is larger than 256 MB; convert it to JSON first');
    chunks.push(chunk.subarray(0, got));
  }
}

async function parsed(text: string): ReturnType<typeof parseYaml> {
  try {
    return await parseYaml(text, 'cassette.yaml');
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    const { line = 1, column = 1 } = error.place;
    throw new TranscriptError('file', `the cassette cannot be read: ${error.message}`, { line, column });
  }
}

/**
 * Bodies that recorders wrote in other shapes, in the shape of VCR.py: bytes as text, and bodies that were parsed
 * (https://github.com/pydantic/pydantic-ai/blob/main/tests/json_body_serializer.py) as JSON in a string.
 */
async function withBodies(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return textIn(Buffer.from(value));
  if (Array.isArray(value)) return Promise.all(value.map(withBodies));
  if (typeof value !== 'object' || value === null) return value;
  const { parsed_body: body, ...rest } = value as { parsed_body?: unknown };
  const entries = Object.entries(rest).map(async ([key, member]) => [key, await withBodies(member)] as const);
  const members = Object.fromEntries(await Promise.all(entries));
  if (body === undefined || 'body' in members) return body === undefined ? members : { ...members, parsed_body: body };
  const string = JSON.stringify(body);
  return { ...members, body: 'status' in members ? { string } : string };
}

/** A body in bytes: a text that may be compressed, or else base64. */
async function textIn(bytes: Buffer): Promise<string> {
  const content = await readable(bytes);
  return isUtf8(content) ? content.toString() : content.toString('base64');
}

/** Bytes without the gzip around them. */
async function readable(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return bytes;
  }
}
