/** Reads the items of OpenAI Responses. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, ResultPart, TextPart, ThinkingPart } from '../../transcript/types.js';
import { optionalObjects, optionalString, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { readContent, readMedia } from '../shared/parts.js';
import { argumentsKey, MEDIA, textKey } from './openai-responses-items.js';

const TEXTS = new Set(['input_text', 'output_text', 'text']);

/** Reads content: a text or a list of blocks. */
export function readBlocks(content: JsonNode | undefined, path: string): ContentPart[] {
  return readContent(content, path, readBlock, 'a string or an array of parts');
}

function readBlock(block: JsonNode, path: string): ContentPart {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (TEXTS.has(type) || textKey(block) !== 'text') return readTextBlock(block, path);
  return readMedia(block, MEDIA[type]);
}

function readTextBlock(block: JsonNode, path: string): TextPart {
  const text = block.get(textKey(block));
  return text?.isString ? { type: 'text', text, raw: block } : wrongMember(text, block, `${path}.text`, 'a string');
}

/** Reads a reasoning item. Hidden reasoning becomes thinking without text. */
export function readReasoning(raw: JsonNode): ThinkingPart[] {
  const visible = ['summary', 'content'].flatMap((key) =>
    optionalObjects(raw, key).map(
      (block, index) => ({ ...readTextBlock(block, `${key}[${index}]`), type: 'thinking' }) as const,
    ),
  );
  return visible.length > 0 ? visible : [{ type: 'thinking', text: '', raw }];
}

/** Reads a call. A tool without a name gets the type of its item. */
export function readCall(raw: JsonNode, id: string): CallPart {
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

/** Reads the output of a call. */
export function readResult(raw: JsonNode, id: string): ResultPart {
  const output = raw.get('output');
  const content = output?.isObject ? [readBlock(output, 'output')] : readBlocks(output, 'output');
  return {
    type: 'result',
    callId: optionalString(raw, id) ?? '',
    content,
    ...callKind(callTypeOf(raw.get('type')!.text)),
    raw,
  };
}
