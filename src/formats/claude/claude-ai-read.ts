/** What messages of claude.ai's export say: attached files, and blocks. */
import type { JsonNode } from '../../json/node.js';
import type { ContentPart, MediaPart, Part, ResultPart } from '../../transcript/types.js';
import { objectsIn, optionalObjects, optionalString, present, stringIn } from '../shared/json-fields.js';
import { mediaKind, readContent, readMedia, readText } from '../shared/parts.js';

/** Blocks that say nothing: they stay where they are. */
const SILENT = new Set(['token_budget']);

export function isSilent(block: JsonNode): boolean {
  return SILENT.has(block.get('type')?.string ?? '');
}

/** The files of a message. Of an attachment the model sees the text that was extracted. `files_v2` repeats `files`. */
export function readFiles(raw: JsonNode): Part[] {
  const attachments = optionalObjects(raw, 'attachments').map((file, index): Part => {
    const text = file.get('extracted_content');
    return text?.isString && text.byteLength > 0
      ? readText('text', file, 'extracted_content', `attachments[${index}]`)
      : { type: 'media', kind: mediaKind(file.get('file_type')?.string), raw: file };
  });
  return [...attachments, ...optionalObjects(raw, 'files').map(readFile)];
}

function readFile(file: JsonNode): MediaPart {
  const isImage = file.get('file_kind')?.string === 'image' || IMAGE.test(file.get('file_name')?.string ?? '');
  return { type: 'media', kind: isImage ? 'image' : 'file', raw: file };
}

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The blocks; of early messages, which have none, the text. */
export function readSaid(raw: JsonNode): Part[] {
  if (hasBlocks(raw))
    return objectsIn(raw.get('content'), 'content').flatMap((block, index) =>
      isSilent(block) ? [] : [readBlock(block, `content[${index}]`)],
    );
  const text = optionalString(raw, 'text');
  return text ? [{ type: 'text', text: raw.get('text')!, raw: raw.get('text')! }] : [];
}

export function hasBlocks(raw: JsonNode): boolean {
  return (present(raw, 'content')?.length ?? 0) > 0;
}

function readBlock(block: JsonNode, path: string): Part {
  const type = optionalString(block, 'type');
  if (type === 'text') return readText('text', block, 'text', path);
  if (type === 'thinking') return readText('thinking', block, 'thinking', path);
  if (type === 'tool_use')
    return {
      type: 'call',
      callId: stringIn(block.get('id'), `${path}.id`) || undefined,
      tool: stringIn(block.get('name'), `${path}.name`) ?? '',
      input: present(block, 'input') ?? '{}',
      raw: block,
    };
  if (type === 'tool_result') return readResult(block, path);
  const isFile = type === undefined && block.get('file_name') !== undefined; // of a message that was written anew
  return isFile ? readFile(block) : readMedia(block, type === 'image' ? 'image' : undefined);
}

function readResult(block: JsonNode, path: string): ResultPart {
  return {
    type: 'result',
    callId: stringIn(block.get('tool_use_id'), `${path}.tool_use_id`) || undefined,
    tool: stringIn(block.get('name'), `${path}.name`),
    content: readContent(block.get('content'), `${path}.content`, readResultBlock),
    isError: block.get('is_error')?.boolean === true,
    raw: block,
  };
}

/** Results of a search are blocks of the type `knowledge` with a text, a title and an address. */
function readResultBlock(block: JsonNode, path: string): ContentPart {
  if (block.get('text')?.isString) return readText('text', block, 'text', path);
  return readMedia(block, block.get('type')?.string === 'image' ? 'image' : undefined);
}
