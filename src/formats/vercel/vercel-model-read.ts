/** Reads the content of model messages of the Vercel AI SDK, in the spellings of versions 4 and 5. */
import type { JsonNode } from '../../json/node.js';
import type { ContentPart, Part, ResultPart } from '../../transcript/types.js';
import { optionalString, stringIn, wrongType } from '../shared/json-fields.js';
import { readMedia, readText } from '../shared/parts.js';
import { isBlocks, isErrorValue, mediaKind, readBlock, readValue } from './ai-sdk.js';

/** Types of the parts that ask whether a call may run, and that answer this. */
export const APPROVAL_REQUEST = 'tool-approval-request';
export const APPROVAL_RESPONSE = 'tool-approval-response';
/** Types of outputs that are errors. */
const ERROR_TYPES = new Set(['error-text', 'error-json', 'execution-denied']);

export function readContent(content: JsonNode | undefined, role: string): Part[] {
  if (content === undefined || content.isNull) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, 'content', 'a string or an array of parts');
  const items = content.items();
  const beside =
    items.length < 2 ? ALONE : { requested: callsOf(items, APPROVAL_REQUEST), answered: callsOf(items, 'tool-result') };
  return items.flatMap((part, index) => (isApproval(part) ? [] : [readPart(part, `content[${index}]`, role, beside)]));
}

/** The ids of the calls that the other parts of a message are about. */
interface Beside {
  /** The user is asked to allow these. */
  readonly requested: ReadonlySet<string | undefined>;
  readonly answered: ReadonlySet<string | undefined>;
}

const ALONE: Beside = { requested: new Set(), answered: new Set() };

function callsOf(items: readonly JsonNode[], type: string): ReadonlySet<string | undefined> {
  const about = items.filter((part) => part.get('type')?.string === type);
  return new Set(about.map((part) => part.get('toolCallId')?.string));
}

function readPart(part: JsonNode, path: string, role: string, { requested, answered }: Beside): Part {
  if (!part.isObject) return wrongType(part, path, 'an object');
  const type = stringIn(part.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'reasoning') return readText(type === 'text' ? type : 'thinking', part, 'text', path);
  if (type === 'redacted-reasoning') return { type: 'thinking', text: '', raw: part };
  const id = part.get('toolCallId')?.string;
  // the provider ran the tool: the part says so, or its result is in the same message
  const isProviders = part.get('providerExecuted')?.boolean === true || answered.has(id);
  if (type === 'tool-call' && !isProviders)
    return {
      type: 'call',
      callId: idOf(part, path),
      tool: optionalString(part, 'toolName') ?? '',
      input: part.get('input') ?? part.get('args') ?? '{}',
      ...(requested.has(id) ? { awaitsApproval: true } : {}),
      raw: part,
    };
  if (type === 'tool-result' && role === 'tool') return readResult(part, path);
  return readMedia(part, mediaKind(part));
}

/** Whether a part requests or answers an approval. */
export function isApproval(part: JsonNode): boolean {
  const type = part.get('type')?.string;
  return type === APPROVAL_REQUEST || type === APPROVAL_RESPONSE;
}

function readResult(part: JsonNode, path: string): ResultPart {
  const output = typedOutput(part);
  const isError =
    output === undefined
      ? part.get('isError')?.boolean === true || isErrorValue(part.get('result'))
      : ERROR_TYPES.has(output.get('type')!.text) || isErrorValue(output.get('value'));
  return {
    type: 'result',
    callId: idOf(part, path),
    tool: stringIn(part.get('toolName'), `${path}.toolName`),
    content: output === undefined ? readVersion4Result(part) : readOutput(output),
    isError,
    raw: part,
  };
}

/** The typed output of version 5; undefined if the part holds the bare value of version 4. */
export function typedOutput(part: JsonNode): JsonNode | undefined {
  const output = part.get('output');
  return output?.get('type')?.isString ? output : undefined;
}

function readOutput(output: JsonNode): ContentPart[] {
  const key = valueKey(output);
  const value = output.get(key);
  if (output.get('type')?.string === 'content' && isBlocks(value)) return value.items().map(readBlock);
  return readValue(value);
}

/** The member of a typed output that holds its value. */
export function valueKey(output: JsonNode): string {
  return output.get('type')?.string === 'execution-denied' ? 'reason' : 'value';
}

/** In version 4, blocks that a tool made for the model are in the result and repeated in `experimental_content`. */
function readVersion4Result(part: JsonNode): ContentPart[] {
  const value = part.get(version4ResultKey(part));
  return part.get('experimental_content') !== undefined && isBlocks(value)
    ? value.items().map(readBlock)
    : readValue(value);
}

/** The member that holds a bare result. */
export function version4ResultKey(part: JsonNode): string {
  return part.get('output') === undefined ? 'result' : 'output';
}

function idOf(part: JsonNode, path: string): string {
  return stringIn(part.get('toolCallId'), `${path}.toolCallId`) ?? '';
}
