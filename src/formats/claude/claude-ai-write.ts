/** Writes messages of claude.ai's export. */
import { type Json, type JsonFields, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { idField, inputField, writeContent } from '../shared/parts.js';
import { nodeMap } from '../shared/traces.js';
import { hasBlocks, isSilent } from './claude-ai-read.js';

/** The members of a message with other parts. */
export function writtenFields(parts: readonly Part[], raw: JsonNode): JsonFields {
  const isFile = nodeMap(FILE_KEYS.flatMap((key) => raw.get(key)?.items() ?? []).map((file) => [file, true] as const));
  const said = parts.filter((part) => !(part.raw instanceof JsonNode && isFile(part.raw)));
  return { ...fileFields(parts, raw), ...saidFields(said, raw) };
}

const FILE_KEYS = ['attachments', 'files'];

/** A file of `files_v2` goes with that of `files` which it repeats. */
function fileFields(parts: readonly Part[], raw: JsonNode): JsonFields {
  const gone = new Set<string | undefined>();
  const partAt = partOf(parts);
  const kept = (file: JsonNode): Json | undefined => {
    const part = partAt(file);
    if (part === undefined) gone.add(file.get('file_uuid')?.string);
    return part?.type === 'text' ? patch(file, { extracted_content: json(part.text) }) : part && file;
  };
  const fields = FILE_KEYS.map((key) => [key, patchEach(raw.get(key), kept)] as const);
  const repeated = patchEach(raw.get('files_v2'), (file) => {
    const id = file.get('file_uuid')?.string;
    return id !== undefined && gone.has(id) ? undefined : file;
  });
  return { ...Object.fromEntries(fields), files_v2: repeated };
}

function saidFields(parts: readonly Part[], raw: JsonNode): JsonFields {
  const old = raw.get('text');
  const [first] = parts;
  if (!hasBlocks(raw)) {
    if (first === undefined) return old?.isString ? { text: '' } : {};
    if (parts.length === 1 && first.type === 'text' && old?.is(first.raw)) return { text: json(first.text) };
    if (parts.length === 1 && first.type === 'text' && old?.isString) return { text: textOf(first.text) };
    return { content: parts.map(writeBlock), text: textsOf(parts).join('\n\n') };
  }
  const list = raw.get('content')!;
  const content = patchItems(list, withSilent(parts, list));
  if (content === list) return {};
  return { content, ...(old?.isString && old.byteLength > 0 ? { text: repeatedText(old.text, parts, list) } : {}) };
}

/** The blocks, with those that say nothing in front of the block that they stood before. */
function withSilent(parts: readonly Part[], list: JsonNode): Json[] {
  const blocks = list.items();
  const indexOf = nodeMap(blocks.map((block, index) => [block, index] as const));
  let at = 0;
  const written = parts.flatMap((part): Json[] => {
    const index = (part.raw instanceof JsonNode ? indexOf(part.raw) : undefined) ?? -1;
    const before = index < at ? [] : blocks.slice(at, index).filter(isSilent);
    if (index >= at) at = index + 1;
    return [...before, writeBlock(part)];
  });
  return [...written, ...blocks.slice(at).filter(isSilent)];
}

/** `text` repeats the texts of blocks, in early exports with remarks between them, which stay. */
function repeatedText(text: string, parts: readonly Part[], list: JsonNode): string {
  if (parts.length === 0) return ''; // else it would be all that is said
  const blocks = list.items();
  const partAt = partOf(parts);
  let from = 0;
  let written = '';
  for (const block of blocks) {
    const before = block.get('type')?.string === 'text' ? (block.get('text')?.string ?? '').trim() : '';
    if (before === '') continue;
    const after = partAt(block);
    const at = text.indexOf(before, from);
    if (at < 0) return textsOf(parts).join('\n\n');
    written += text.slice(from, at) + (after?.type === 'text' ? textOf(after.text).trim() : '');
    from = at + before.length;
  }
  const isOld = nodeMap(blocks.map((block) => [block, true] as const));
  const added = parts.filter(({ raw }) => !(raw instanceof JsonNode && isOld(raw)));
  return [written + text.slice(from), ...textsOf(added)].join('\n\n');
}

function partOf(parts: readonly Part[]): (node: JsonNode) => Part | undefined {
  return nodeMap(parts.flatMap((part) => (part.raw instanceof JsonNode ? [[part.raw, part] as const] : [])));
}

function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : []));
}

// --- blocks

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return patch(raw, { text: json(part.text) });
  if (part.type === 'thinking') return patch(raw, { thinking: json(part.text) });
  if (part.type === 'call')
    return withoutCopies(raw, { ...idField('id', part), ...inputField('input', part, present(raw, 'input')) });
  return part.type === 'result' ? withoutCopies(raw, resultFields(part, raw)) : raw;
}

function resultFields(part: ResultPart, raw: JsonNode): JsonFields {
  const old = raw.get('content');
  return { ...idField('tool_use_id', part), content: writeContent(part.content, old, writeBlock) };
}

/** What the user is shown of a call or a result repeats it: where that changes, it goes. */
function withoutCopies(raw: JsonNode, fields: JsonFields): Json {
  if (patch(raw, fields) === raw) return raw;
  const copies = COPIES.filter((key) => raw.get(key)?.isNull === false);
  return patch(raw, { ...fields, ...Object.fromEntries(copies.map((key) => [key, null])) });
}

const COPIES = ['display_content', 'structured_content'];

function freshBlock(part: Part): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: json(part.text), citations: [] };
    case 'thinking':
      return { type: 'thinking', thinking: json(part.text) };
    case 'call':
      return { type: 'tool_use', id: part.callId ?? null, name: part.tool, input: jsonValue(part.input) };
    case 'result':
      return {
        type: 'tool_result',
        tool_use_id: part.callId ?? null,
        name: part.tool ?? null,
        content: part.content.map(writeBlock),
        is_error: part.isError === true,
      };
    default:
      return part.raw instanceof JsonNode ? part.raw : { type: part.type };
  }
}

export function freshMessage({ role, parts }: Message): Json {
  return {
    text: textsOf(parts).join('\n\n'),
    content: parts.map(writeBlock),
    sender: role === 'user' || role === 'system' ? 'human' : 'assistant',
    attachments: [],
    files: [],
  };
}
