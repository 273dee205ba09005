/** Reads the items of OpenAI Responses. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, Message, ResultPart, Role, ThinkingPart } from '../../transcript/types.js';
import { optionalObjects, optionalString, stringIn, wrongType } from '../shared/json-fields.js';
import { readContent, readMedia, readText } from '../shared/parts.js';
import { argumentsKey, callKey, type ItemKind, MEDIA } from './openai-responses-items.js';
import { readStreams } from './shell-output.js';

const TEXTS = new Set(['input_text', 'output_text', 'text']);

/** Reads content: a text or a list of blocks. */
export function readBlocks(content: JsonNode | undefined, path: string, media: Media = MEDIA): ContentPart[] {
  return readContent(content, path, (block, at) => readBlock(block, at, media), 'a string or an array of parts');
}

type Media = typeof MEDIA;

function readBlock(block: JsonNode, path: string, media: Media = MEDIA): ContentPart {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (TEXTS.has(type)) return readText('text', block, 'text', path);
  return readMedia(block, media[type]);
}

/** What differs among the formats that have items of this kind. */
interface Items {
  readonly roles: Readonly<Record<string, Role | undefined>>;
  readonly media?: Media;
  /** The keys of visible reasoning. */
  readonly reasoning: readonly string[];
  readonly otherRole?: Role;
  /** `key`: of the id, where the item is both call and result. */
  call(raw: JsonNode, key?: 'id'): CallPart;
  result(raw: JsonNode, key?: 'id'): ResultPart;
  /** Whether a server call says what was called. */
  saysCall(raw: JsonNode): boolean;
}

/** Reads an item by its kind. */
export function readItem(raw: JsonNode, kind: ItemKind, items: Items): Message {
  switch (kind) {
    case 'message': {
      const role = items.roles[optionalString(raw, 'role') ?? ''];
      return role === undefined
        ? { role: 'meta', parts: [], raw }
        : { role, parts: readBlocks(raw.get('content'), 'content', items.media), raw };
    }
    case 'reasoning':
      return { role: 'assistant', parts: readReasoning(raw, items.reasoning), raw };
    case 'call':
      return { role: 'assistant', parts: [items.call(raw)], raw };
    case 'result':
      return { role: 'tool', parts: [items.result(raw)], raw };
    case 'server call':
      return {
        role: 'assistant',
        parts: [...(items.saysCall(raw) ? [items.call(raw, 'id')] : []), items.result(raw, 'id')],
        raw,
      };
    default:
      return {
        role: items.otherRole ?? 'assistant',
        parts: [
          raw.get('encrypted_content') === undefined ? { type: 'opaque', text: raw, raw } : { type: 'opaque', raw },
        ],
        raw,
      };
  }
}

/** Reads a reasoning item. Hidden reasoning becomes thinking without text. */
function readReasoning(raw: JsonNode, keys: readonly string[]): ThinkingPart[] {
  const visible = keys.flatMap((key) =>
    optionalObjects(raw, key).map((block, index) => readText('thinking', block, 'text', `${key}[${index}]`)),
  );
  return visible.length > 0 ? visible : [{ type: 'thinking', text: '', raw }];
}

/** Reads a call. A tool without a name gets the type of its item. */
export function readCall(raw: JsonNode, id = 'call_id'): CallPart {
  const key = argumentsKey(raw);
  const type = raw.get('type')!.text;
  return {
    type: 'call',
    callId: optionalString(raw, id) ?? '',
    tool: optionalString(raw, 'name') ?? type,
    input: key === undefined ? '' : raw.get(key)!,
    ...callKind(type),
    raw,
  };
}

/** The type of the calls that an output of this type answers. */
function callTypeOf(type: string): string {
  const name = type.replace(/_output$/, '');
  return name.endsWith('_call') ? name : `${name}_call`;
}

/** `CallPart.kind`: the type of the item, but for functions and server calls. */
function callKind(type: string): { kind?: string } {
  return type === 'function_call' || type === 'mcp_call' ? {} : { kind: type };
}

/** Reads what a call put out: a text, a block, or a list of blocks. */
export function readOutput(output: JsonNode | undefined, media: Media = MEDIA): ContentPart[] {
  const content = output?.isObject ? [readBlock(output, 'output', media)] : readBlocks(output, 'output', media);
  return content.flatMap(readStreams);
}

/** Reads the output of a call. */
export function readResult(raw: JsonNode, id: string = callKey(raw)): ResultPart {
  return {
    type: 'result',
    callId: optionalString(raw, id) ?? '',
    content: readOutput(raw.get('output')),
    ...callKind(callTypeOf(raw.get('type')!.text)),
    raw,
  };
}
