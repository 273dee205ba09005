/**
 * Version 1 of Cohere's chat API: `{message, chat_history, preamble, tool_results}` with uppercase roles. Calls have no
 * ids; each result repeats its call. A result is any object; an object with a single text is read as that text.
 * https://docs.cohere.com/v1/reference/chat
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Message, ResultPart, Role, Text } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { fieldsOf, madeHere } from '../shared/fields.js';
import { jsonValue, objectsIn, optionalString, present, stringOf, wrongType } from '../shared/json-fields.js';
import { inputField, isContent, joinedText } from '../shared/parts.js';
import { table } from '../shared/table.js';

export const V1_ROLES = table<Role>({ SYSTEM: 'system', USER: 'user', CHATBOT: 'assistant', TOOL: 'tool' });
/** Keys of the text in an output that has nothing else. */
const TEXT_KEYS = new Set(['text', 'result', 'output', 'content']);

/** The text of an object that has nothing but a text under a known key. */
export function onlyText(object: JsonNode): JsonNode | undefined {
  const [member, ...rest] = object.members();
  return rest.length === 0 && member?.value.isString && TEXT_KEYS.has(member.key.text) ? member.value : undefined;
}

/** Writes a text in place of the data of a document. An object with more than a text is replaced. */
export function dataOf(text: Text, old: JsonNode): Json {
  if (old.is(text)) return old;
  if (old.isString) return stringOf(text);
  const [member] = old.members();
  return onlyText(old) === undefined ? { text: stringOf(text) } : patch(old, { [member!.key.text]: stringOf(text) });
}

/** Reads a message of the history: text and calls, or results. */
export function readV1(message: JsonNode, role: Role): Message {
  const text = present(message, 'message');
  if (text !== undefined && !text.isString) return wrongType(text, 'message', 'a string');
  if (role === 'tool') return { role, parts: objectsIn(message.get('tool_results'), 'tool_results').map(readV1Result) };
  const calls = objectsIn(message.get('tool_calls'), 'tool_calls').map(
    (call): CallPart => ({
      type: 'call',
      callId: undefined,
      tool: optionalString(call, 'name') ?? '',
      input: present(call, 'parameters') ?? '{}',
      raw: call,
    }),
  );
  return { role, parts: [...(text === undefined ? [] : [{ type: 'text', text, raw: text } as const]), ...calls] };
}

function readV1Result(result: JsonNode): ResultPart {
  const text = outputIn(result.get('outputs'));
  const tool = result.get('call')?.get('name')?.string;
  return {
    type: 'result',
    callId: undefined,
    ...(tool === undefined ? {} : { tool }),
    content: text === undefined ? [] : [{ type: 'text', text, raw: text }],
    raw: result,
  };
}

/** The text of the outputs if there is nothing else, else their JSON. */
function outputIn(outputs: JsonNode | undefined): JsonNode | undefined {
  if (outputs === undefined || outputs.isNull || (outputs.isArray && outputs.length === 0)) return undefined;
  const [only, ...more] = outputs.items();
  return (more.length === 0 && only !== undefined ? onlyText(only) : undefined) ?? outputs;
}

/** Writes an edited message. */
export function writeV1({ parts }: Message, old: JsonNode): Json {
  const list = present(old, 'tool_results');
  if (list !== undefined)
    return patch(old, {
      tool_results: patchItems(list, parts.filter((part) => part.type === 'result').map(writeV1Result)),
    });
  const calls = parts.filter((part) => part.type === 'call');
  const texts = parts.filter((part) => part.type === 'text');
  const before = old.get('message');
  const emptied = before?.isString ? '' : before;
  const text = texts.length > 0 ? joinedText(texts) : emptied;
  const own = present(old, 'tool_calls');
  return patch(old, {
    message: text,
    ...(own === undefined
      ? {}
      : { tool_calls: calls.length === 0 && own.length > 0 ? undefined : patchItems(own, calls.map(writeV1Call)) }),
  });
}

/** Writes a call: name, and arguments as a JSON value. */
export function writeV1Call(call: CallPart): Json {
  const { raw, tool, input } = call;
  if (!(raw instanceof JsonNode)) return { name: tool, parameters: jsonValue(input) };
  return patch(raw, inputField('parameters', call, present(raw, 'parameters')));
}

/** Writes a result, with its call. */
export function writeV1Result({ raw, tool, content }: ResultPart): Json {
  const texts = content.filter((part) => part.type === 'text');
  const text = texts.length === 1 ? texts[0]!.text : joinTexts(texts);
  if (!(raw instanceof JsonNode))
    return { call: { name: tool ?? '' }, outputs: texts.length === 0 ? [] : [{ text: stringOf(text) }] };
  const outputs = raw.get('outputs');
  const before = outputIn(outputs);
  if (texts.length === 0) return before === undefined ? raw : patch(raw, { outputs: [] });
  if (before?.is(text)) return raw;
  const [only] = outputs?.items() ?? [];
  return patch(raw, {
    outputs:
      only === undefined || before?.is(outputs)
        ? [{ text: stringOf(text) }]
        : patchItems(outputs!, [dataOf(text, only)]),
  });
}

export const V1_HOLDERS = ['preamble', 'chat_history', 'message', 'tool_results', 'text', 'tool_calls'];

/** The messages of a request or response: its preamble, message and results become messages around the history. */
export function openV1(record: JsonNode): readonly JsonNode[] | undefined {
  const history = record.get('chat_history');
  const results = record.get('tool_results');
  if (
    !(history?.isArray && (record.get('message') ?? record.get('text'))?.isString) &&
    !(results?.isArray && record.get('message')?.isString)
  )
    return undefined;
  const texts = objectsIn(history, 'chat_history').map((item) => item.text);
  if (hasText(record, 'preamble')) texts.unshift(`{"role":"SYSTEM","message":${record.get('preamble')!.json}}`);
  if (hasText(record, 'message')) texts.push(`{"role":"USER","message":${record.get('message')!.json}}`);
  if (results?.isArray && results.length > 0) {
    if (hasText(record, 'message'))
      texts.push(
        `{"role":"CHATBOT","tool_calls":[${results
          .items()
          .flatMap((result) => result.get('call')?.text ?? [])
          .join()}]}`,
      );
    texts.push(`{"role":"TOOL","tool_results":${results.text}}`);
  }
  return [parse(`[${texts.join()}]`)];
}

/** Puts the messages back into the record. Added messages go into the history. */
export function closeV1(record: JsonNode, [list]: readonly Json[]): Json {
  const items = reparsed(list!).items();
  const roleOf = (item: JsonNode | undefined) => item?.get('role')?.string;
  const fields: Record<string, Json | undefined> = {};
  if (hasText(record, 'preamble'))
    fields['preamble'] = roleOf(items[0]) === 'SYSTEM' ? items.shift()!.get('message') : undefined;
  const results = record.get('tool_results');
  if (results?.isArray && results.length > 0) {
    fields['tool_results'] = roleOf(items.at(-1)) === 'TOOL' ? items.pop()!.get('tool_results') : [];
    const called = items.at(-1);
    // The results repeat the calls, so a message with nothing else is not written.
    const isRepeated = roleOf(called) === 'CHATBOT' && called!.get('message') === undefined;
    if (hasText(record, 'message') && isRepeated) items.pop();
  }
  const history = record.get('chat_history');
  const isNew = (item: JsonNode | undefined) =>
    roleOf(item) === 'USER' &&
    (hasText(record, 'message') || !history?.items().some(({ text }) => text === item!.text));
  if (record.get('message') !== undefined) fields['message'] = isNew(items.at(-1)) ? items.pop()!.get('message') : '';
  if (history === undefined) return patch(record, items.length === 0 ? fields : { ...fields, chat_history: items });
  const own = history.items();
  const kept = items.map((item) => {
    const at = own.findIndex(({ text }) => text === item.text);
    return at < 0 ? item : own.splice(0, at + 1)[at]!;
  });
  return patch(record, { ...fields, ...replyFields(record, items), chat_history: patchItems(history, kept) });
}

/** The copy of the reply in a response. */
function replyFields(record: JsonNode, items: readonly JsonNode[]): JsonFields {
  const reply = items.findLast((item) => item.get('role')?.string === 'CHATBOT');
  if (!record.get('text')?.isString) return {};
  return {
    text: reply?.get('message') ?? '',
    ...(record.get('tool_calls')?.isArray ? { tool_calls: reply?.get('tool_calls') ?? [] } : {}),
  };
}

function hasText(record: JsonNode, key: string): boolean {
  const text = record.get(key);
  return text?.isString === true && text.byteLength > 0;
}

/** Writes added lines in version 1, and calls that changed also where results repeat them. */
export function inV1(rows: readonly Row[]): readonly Json[] {
  let calls: JsonNode[] = [];
  let changed: ReadonlyMap<number, Json> = new Map();
  return rows.map(({ node, json, message }) => {
    const ownCalls = node?.get('tool_calls')?.items();
    if (ownCalls !== undefined) [calls, changed] = [ownCalls, changedCalls(message)];
    if (node !== undefined) {
      const written = changed.size === 0 ? json : withCalls(json, [...calls], changed);
      for (const result of node.get('tool_results')?.items() ?? []) takeCall(result.get('call'), calls);
      return written;
    }
    const { role, tool_results: results, tool_calls: added } = json as JsonFields;
    if (added !== undefined) [calls, changed] = [[...reparsed(json).get('tool_calls')!.items()], new Map()];
    if (results !== undefined)
      return {
        role: 'TOOL',
        tool_results: (results as readonly Json[]).map((result) => {
          const { call, ...rest } = fieldsOf(result);
          const own = takeCall(call, calls);
          // a result whose id no call has names no tool
          return madeHere(result) === undefined ? result : { call: own ?? call ?? {}, ...rest };
        }),
      };
    return typeof role === 'string' && !(role in V1_ROLES)
      ? {
          role: role === 'assistant' ? 'CHATBOT' : role.toUpperCase(),
          message: joinTexts(message.parts.filter(isContent)),
        }
      : json;
  });
}

/** The calls of a message that are not written as they were read, by where they stood. */
function changedCalls({ parts }: Message): ReadonlyMap<number, Json> {
  return new Map(
    parts.flatMap((part) => {
      if (part.type !== 'call' || !(part.raw instanceof JsonNode)) return [];
      const now = writeV1Call(part);
      return now === part.raw ? [] : [[part.raw.at, now] as const];
    }),
  );
}

function withCalls(json: Json, calls: JsonNode[], changed: ReadonlyMap<number, Json>): Json {
  const row = reparsed(json);
  const results = row.get('tool_results');
  if (!results?.isArray) return json;
  const written = results.items().map((result) => {
    const now = changed.get(takeCall(result.get('call'), calls)?.at ?? -1);
    return now === undefined ? result : patch(result, { call: now });
  });
  return patch(row, { tool_results: patchItems(results, written) });
}

/** Takes the call that a result repeats out of `calls`, or the first with its name. */
function takeCall(call: Json | undefined, calls: JsonNode[]): JsonNode | undefined {
  const name = call && fieldsOf(call)['name'];
  const text = name instanceof JsonNode ? name.text : name;
  const same = call instanceof JsonNode ? calls.findIndex((one) => one.text === call.text) : -1;
  const at = same >= 0 ? same : calls.findIndex((one) => one.get('name')?.text === text);
  return at < 0 ? undefined : calls.splice(at, 1)[0];
}
