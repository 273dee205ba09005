/** Reads the items of the OpenAI Agents SDK. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, ResultPart, TextPart, ThinkingPart } from '../../transcript/types.js';
import { optionalObjects, optionalString, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { readContent, readMedia } from '../shared/parts.js';
import { CALL_OF, idKey, inputKey, MEDIA, textKey } from './openai-agents-items.js';

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
  const visible = ['content', 'rawContent'].flatMap((key) =>
    optionalObjects(raw, key).map(
      (block, index) => ({ ...readTextBlock(block, `${key}[${index}]`), type: 'thinking' }) as const,
    ),
  );
  return visible.length > 0 ? visible : [{ type: 'thinking', text: '', raw }];
}

/** Reads a call. A tool without a name gets the type of its item. */
export function readCall(raw: JsonNode, id = idKey(raw)): CallPart {
  const type = raw.get('type')!.text;
  return {
    type: 'call',
    callId: optionalString(raw, id) ?? '',
    tool: optionalString(raw, 'name') ?? type,
    input: raw.get(inputKey(raw)) ?? '',
    ...kindOf(type),
    raw,
  };
}

/** Reads the result of a call: a text, a block, or a list of blocks. */
export function readResult(raw: JsonNode, id = idKey(raw)): ResultPart {
  const output = raw.get('output');
  const type = raw.get('type')!.text;
  const tool = optionalString(raw, 'name');
  return {
    type: 'result',
    callId: optionalString(raw, id) ?? '',
    ...(tool === undefined ? {} : { tool }),
    content: output?.isObject ? [readBlock(output, 'output')] : readBlocks(output, 'output'),
    ...kindOf(CALL_OF[type] ?? type),
    raw,
  };
}

/** `kind` of a part: the type of the call, but for functions and what runs on the server. */
function kindOf(type: string): { kind?: string } {
  return type === 'function_call' || type === 'hosted_tool_call' ? {} : { kind: type };
}
