/** Reads the messages of Gemini CLI sessions. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role } from '../../transcript/types.js';
import { metaMessage, optionalObjects, optionalString, present, stringIn, wrongType } from '../shared/json-fields.js';
import { isContent } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { readPart } from './gemini-parts.js';

/** Notices of the CLI are not sent to the model. */
export const ROLES = table<Role>({ user: 'user', gemini: 'assistant', info: 'meta', error: 'meta', warning: 'meta' });
/** States of failed calls. */
const FAILED = new Set(['error', 'cancelled']);

/** Reads a message. */
export function readMessage(raw: JsonNode): Message {
  const type = optionalString(raw, 'type');
  const role = type === undefined ? undefined : ROLES[type];
  if (role === undefined || role === 'meta') return metaMessage(raw, role === 'meta'); // notices of the CLI
  const items = itemsIn(raw.get('content'));
  if (role === 'user') {
    const parts = items.map((item, index) => readItem(item, `content[${index}]`));
    return { role: parts.some((part) => part.type === 'result') ? 'tool' : role, parts, raw };
  }
  const entries = optionalObjects(raw, 'toolCalls');
  const repeated = repeatedCalls(items, entries);
  const thoughts = optionalObjects(raw, 'thoughts').map(
    (thought, index): Part => ({
      type: 'thinking',
      text: textIn(thought, 'description', `thoughts[${index}].description`),
      raw: thought,
    }),
  );
  const content = items.flatMap((item, index) => (repeated.has(index) ? [] : [readItem(item, `content[${index}]`)]));
  const parts = [
    ...thoughts,
    ...content,
    ...entries.flatMap((entry, index) => readEntry(entry, entries, `toolCalls[${index}]`)),
  ];
  // the CLI leaves out what holds nothing
  return { role, parts, model: optionalString(raw, 'model'), raw, ...(parts.length === 0 && { cutOff: true }) };
}

/** The items of a content: a text, a part, or a list of either. */
export function itemsIn(content: JsonNode | undefined): readonly JsonNode[] {
  if (content === undefined || content.isNull) return [];
  return content.isArray ? content.items() : [content];
}

function readItem(item: JsonNode, path: string): Part {
  if (item.isString) return { type: 'text', text: item, raw: item };
  return item.isObject ? readPart(item, path) : wrongType(item, path, 'a string or an object');
}

function textIn(node: JsonNode, key: string, path: string): JsonNode | string {
  const text = present(node, key);
  return text === undefined ? '' : text.isString ? text : wrongType(text, path, 'a string');
}

/**
 * Parts of the content that repeat entries of `toolCalls`, by index. Matched by id, or by name and order if a call has
 * none.
 */
export function repeatedCalls(items: readonly JsonNode[], entries: readonly JsonNode[]): ReadonlyMap<number, number> {
  const repeated = new Map<number, number>();
  const taken = new Set<number>();
  items.forEach((item, index) => {
    const call = item.get('functionCall');
    if (call === undefined) return;
    const key = call.get('id')?.string ? 'id' : 'name';
    const at = entries.findIndex(
      (entry, candidate) =>
        !taken.has(candidate) && call.get(key)?.isString && entry.get(key)?.string === call.get(key)!.string,
    );
    if (at < 0) return;
    taken.add(at);
    repeated.set(index, at);
  });
  return repeated;
}

/** Reads a call and its result, if any. An entry without a name is a result whose call was removed. */
function readEntry(entry: JsonNode, entries: readonly JsonNode[], path: string): Part[] {
  const callId = stringIn(entry.get('id'), `${path}.id`);
  const tool = stringIn(entry.get('name'), `${path}.name`);
  const result = readResult(entry, callId, entries, path);
  const call: CallPart[] =
    tool === undefined ? [] : [{ type: 'call', callId, tool, input: present(entry, 'args') ?? '{}', raw: entry }];
  return [...call, ...result];
}

/** The result of an entry, if any. */
export function readResult(
  entry: JsonNode,
  callId: string | undefined,
  entries: readonly JsonNode[],
  path: string,
): ResultPart[] {
  const own = itemsIn(entry.get('result')).filter((item) => !isSiblingResult(item, callId, entries));
  if (own.length === 0) return [];
  const parts = own.map((item, index) => readItem(item, `${path}.result[${index}]`));
  const content = parts.flatMap((part): readonly ContentPart[] => {
    if (part.type === 'result') return part.content;
    return isContent(part) ? [part] : [{ type: 'opaque', text: part.raw as JsonNode, raw: part.raw }];
  });
  const failed =
    FAILED.has(entry.get('status')?.string ?? '') || parts.some((part) => part.type === 'result' && part.isError);
  const named = parts.find((part) => part.type === 'result')?.tool;
  return [
    {
      type: 'result',
      callId,
      ...(named === undefined ? {} : { tool: named }),
      content,
      ...(failed ? { isError: true } : {}),
      raw: entry,
    },
  ];
}

/** Whether an item of a result is the result of another entry. */
export function isSiblingResult(item: JsonNode, callId: string | undefined, entries: readonly JsonNode[]): boolean {
  const id = item.get('functionResponse')?.get('id')?.string;
  return id !== undefined && id !== callId && entries.some((entry) => entry.get('id')?.string === id);
}
