/**
 * Sessions of Gemini CLI: one object `{sessionId, projectHash, startTime, lastUpdated, messages}`, or (since 2026) a log with such a
 * header as its first line and a message in each of the others, with `{"$set": {…}}`, `{"$patch": {…}}` and `{"$rewindTo": id}` lines
 * between them. A message is `{id, timestamp, type, content}`, its content a text or parts of Gemini's; those of the model have
 * `thoughts`, `tokens` and `toolCalls`, in which a call and its result are one value.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts
 */

import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, Usage } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import {
  json,
  jsonValue,
  metaMessage,
  optionalObjects,
  optionalString,
  present,
  stringIn,
  wrongType,
} from '../shared/json-fields.js';
import { recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import {
  answerFields,
  displayFields,
  type Fates,
  fatesOf,
  idOf,
  listIn,
  loadLog,
  mendLog,
  trimPart,
} from './gemini-cli-log.js';
import { readPart, writePart } from './gemini-contents.js';

/** What the CLI itself tells the user never reaches the model. */
const ROLES = table<Role>({
  user: 'user',
  gemini: 'assistant',
  info: 'meta',
  error: 'meta',
  warning: 'meta',
});
/** What a call ends as, where it failed. */
const FAILED = new Set(['error', 'cancelled']);

export default defineFormat({
  id: 'gemini-cli-session',
  traits: { flagsErrors: true, resultsStandInCalls: true },
  messagePaths: ['messages'],
  score(raw) {
    if (raw.get('$set')?.isObject || raw.get('$patch')?.isObject || raw.get('$rewindTo')?.isString) return 1;
    if (raw.get('projectHash') !== undefined) return raw.get('sessionId')?.isString && !listIn(raw)?.length ? 1 : 0;
    const type = raw.get('type')?.string;
    const isOurs =
      type !== undefined &&
      type in ROLES &&
      [raw.get('id'), raw.get('timestamp')].every((node) => node?.isString) &&
      raw.get('role') === undefined;
    if (!isOurs || (raw.get('content') ?? raw.get('toolCalls')) === undefined) return 0;
    return type === 'gemini' ? 1 : 0.7;
  },
  read,
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    return message.role === 'meta' ? raw : writeMessage(message, raw);
  },
  describe(record) {
    const messages = listIn(record)?.items() ?? [];
    return {
      id: record.get('sessionId')?.string,
      model: messages.find((message) => message.get('model')?.isString)?.get('model')?.string,
    };
  },
  header(line) {
    return line.get('projectHash') === undefined ? {} : { id: line.get('sessionId')?.string };
  },
  recorded(raw) {
    if (raw.get('type')?.string !== 'gemini') return undefined;
    return recordedOf({
      responseId: idOf(raw),
      model: raw.get('model')?.string,
      time: timeOf(raw.get('timestamp')),
      usage: usageIn(raw.get('tokens')),
    });
  },
  afterRead: loadLog,
  beforeWrite: (rows, before) => mendLog(rows, before, read),
});

/**
 * `input` holds what was read from the cache, `output` no thoughts, and what tools of the API put into the prompt stands beside both: they
 * are the figures of the API. https://ai.google.dev/api/generate-content#UsageMetadata
 */
function usageIn(counts: JsonNode | undefined): Usage | undefined {
  const input = tokens(counts, 'input');
  const output = tokens(counts, 'output');
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = tokens(counts, 'cached') ?? 0;
  const reasoning = tokens(counts, 'thoughts') ?? 0;
  return usageOf({
    input: Math.max(0, (input ?? 0) - cacheRead) + (tokens(counts, 'tool') ?? 0),
    cacheRead,
    output: (output ?? 0) + reasoning,
    reasoning,
  });
}

// --- reading

function read(raw: JsonNode): Message {
  const type = optionalString(raw, 'type');
  const role = type === undefined ? undefined : ROLES[type];
  if (role === undefined || role === 'meta') return metaMessage(raw, role === 'meta'); // what the CLI told the user
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
  return { role, parts, model: optionalString(raw, 'model'), raw };
}

/** The parts of a content: a text, a part, or a list of either. */
function itemsIn(content: JsonNode | undefined): readonly JsonNode[] {
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

/** Calls may stand in the content, too: which of its parts repeat which of `toolCalls`, by id, or by name and order where they have none. */
function repeatedCalls(items: readonly JsonNode[], entries: readonly JsonNode[]): ReadonlyMap<number, number> {
  const repeated = new Map<number, number>();
  const taken = new Set<number>();
  items.forEach((item, index) => {
    const call = item.get('functionCall');
    if (call === undefined) return;
    const key = present(call, 'id') === undefined ? 'name' : 'id';
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

/** A call, and its result where there is one. An entry without a name is a result that lost its call. */
function readEntry(entry: JsonNode, entries: readonly JsonNode[], path: string): Part[] {
  const callId = stringIn(entry.get('id'), `${path}.id`);
  const tool = stringIn(entry.get('name'), `${path}.name`);
  const result = readResult(entry, callId, entries, path);
  const call: CallPart[] =
    tool === undefined ? [] : [{ type: 'call', callId, tool, input: present(entry, 'args') ?? '{}', raw: entry }];
  return [...call, ...result];
}

function readResult(
  entry: JsonNode,
  callId: string | undefined,
  entries: readonly JsonNode[],
  path: string,
): ResultPart[] {
  const own = itemsIn(entry.get('result')).filter((item) => !isSiblings(item, callId, entries));
  if (own.length === 0) return [];
  const parts = own.map((item, index) => readItem(item, `${path}.result[${index}]`));
  const content = parts.flatMap((part): readonly ContentPart[] =>
    part.type === 'result'
      ? part.content
      : part.type === 'call' || part.type === 'thinking'
        ? [{ type: 'opaque', text: part.raw as JsonNode, raw: part.raw }]
        : [part],
  );
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

/** The result of a call may hold those of the calls beside it. */
function isSiblings(item: JsonNode, callId: string | undefined, entries: readonly JsonNode[]): boolean {
  const id = item.get('functionResponse')?.get('id')?.string;
  return id !== undefined && id !== callId && entries.some((entry) => entry.get('id')?.string === id);
}

// --- writing

/** A call and its result, to be written as one value. */
interface Slot {
  call?: CallPart;
  result?: ResultPart;
}

function writeMessage(message: Message, raw: JsonNode): Json {
  const items = itemsIn(raw.get('content'));
  const entries = optionalObjects(raw, 'toolCalls');
  const { slots, added, thoughts, content } = sortParts(message.parts, items, entries);
  const repeated = repeatedCalls(items, entries);
  const holdsSiblings = entries.some((entry) =>
    itemsIn(entry.get('result')).some((item) => isSiblings(item, entry.get('id')?.string, entries)),
  );
  const fates: Fates = holdsSiblings ? fatesOf([[read(raw), message]]) : new Map();
  const old = raw.get('content');
  const written = writeContent(old, content, (index) => {
    const at = repeated.get(index);
    return at === undefined ? undefined : writeRepeated(items[index]!, slots.get(at)?.call, entries[at]!);
  });
  const calls = [
    ...entries.flatMap((entry, index) =>
      slots.has(index) ? [writeEntry(entry, slots.get(index)!, entries, fates)] : [],
    ),
    ...added.map(freshEntry),
  ];
  return patch(raw, {
    content: written,
    ...(written === old ? {} : { displayContent: undefined }), // what is shown in its stead
    thoughts: writeThoughts(thoughts, raw.get('thoughts')),
    toolCalls: entries.length > 0 && calls.length === 0 ? undefined : writeList(calls, raw.get('toolCalls')),
  });
}

/** Where each part goes: into the entries of `toolCalls`, new ones, `thoughts`, or the content. */
function sortParts(parts: readonly Part[], items: readonly JsonNode[], entries: readonly JsonNode[]) {
  const slots = new Map<number, Slot>();
  const added: Slot[] = [];
  const thoughts: Part[] = [];
  const content: Part[] = [];
  let last: Slot = {}; // of the call before
  for (const part of parts) {
    const at = entries.findIndex((entry) => entry.is(part.raw));
    const stands = items.some((item) => item.is(part.raw));
    if (part.type === 'thinking' && !stands) thoughts.push(part);
    else if (stands || (part.type !== 'call' && part.type !== 'result')) content.push(part);
    if (part.type === 'call') {
      last = { call: part };
      if (at >= 0) slots.set(at, last);
      else if (!stands) added.push(last);
    } else if (part.type === 'result' && !stands) {
      const answers =
        at < 0 && last.result === undefined && last.call !== undefined && last.call.callId === part.callId;
      const slot = answers ? last : (slots.get(at) ?? {});
      slot.result = part;
      if (at >= 0) slots.set(at, slot);
      else if (!added.includes(slot) && ![...slots.values()].includes(slot)) added.push(slot);
    }
  }
  return { slots, added, thoughts, content };
}

function writeContent(
  old: JsonNode | undefined,
  parts: readonly Part[],
  repeated: (index: number) => Json[] | undefined,
): Json | undefined {
  const items = itemsIn(old);
  const kept = items.flatMap((item, index): Json[] => {
    const part = parts.find((candidate) => item.is(candidate.raw));
    return repeated(index) ?? (part === undefined ? [] : [writeItem(part)]);
  });
  const written = [
    ...kept,
    ...parts.filter((part) => !items.some((item) => item.is(part.raw))).map((part) => writePart(part)),
  ];
  if (old?.isArray) return patchItems(old, written);
  if (written.length === 0) return old?.isString ? '' : old?.isObject ? [] : old;
  return old !== undefined && written.length === 1 && kept.length === 1 ? written[0] : written;
}

function writeItem(part: Part): Json {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString ? json(part.text) : writePart(part);
}

function writeRepeated(item: JsonNode, call: CallPart | undefined, entry: JsonNode): Json[] {
  if (call === undefined) return [];
  return isAsRead(call, entry) ? [item] : [writePart({ ...call, raw: item })];
}

function isAsRead(call: CallPart, entry: JsonNode): boolean {
  return call.callId === entry.get('id')?.string && hasArguments(entry, call);
}

function hasArguments(entry: JsonNode, { input }: CallPart): boolean {
  return input instanceof JsonNode
    ? input.is(entry.get('args'))
    : input === '{}' && present(entry, 'args') === undefined;
}

function writeEntry(entry: JsonNode, { call, result }: Slot, entries: readonly JsonNode[], fates: Fates): Json {
  const fields: JsonFields =
    call === undefined ? { name: undefined, args: undefined, description: undefined } : callFields(call, entry);
  if (result === undefined)
    return patch(entry, {
      ...fields,
      ...(present(entry, 'result') === undefined ? {} : { result: undefined, resultDisplay: undefined }),
    });
  const id: JsonFields = result.callId === undefined || call !== undefined ? {} : { id: result.callId };
  const old = present(entry, 'result');
  if (!entry.is(result.raw) || old === undefined) return patch(entry, { ...fields, ...id, ...answerFields(result) });
  const text = joinTexts(result.content);
  const isSame = readResult(entry, entry.get('id')?.string, entries, '').every(
    ({ content }) => joinTexts(content) === text,
  );
  return patch(entry, {
    ...fields,
    ...id,
    result: writeResult(old, result, entry, entries, fates),
    ...(isSame ? {} : displayFields(entry, text)),
  });
}

/** A description says the arguments in words of the tool: it goes where they change. */
function callFields(call: CallPart, entry: JsonNode): JsonFields {
  const id: JsonFields = call.callId === undefined ? {} : { id: call.callId };
  return hasArguments(entry, call) ? id : { ...id, args: jsonValue(call.input), description: undefined };
}

function writeResult(
  old: JsonNode,
  result: ResultPart,
  entry: JsonNode,
  entries: readonly JsonNode[],
  fates: Fates,
): Json {
  const items = itemsIn(old);
  const ownId = entry.get('id')?.string;
  const siblings = items.filter((item) => isSiblings(item, ownId, entries));
  const response = items.find((item) => item.get('functionResponse') !== undefined && !siblings.includes(item));
  const beside = items.filter((item) => item !== response && !siblings.includes(item));
  const inside = result.content.filter((part) => !beside.some((item) => item.is(part.raw)));
  const isNamed = response?.get('functionResponse')?.get('id')?.string === ownId;
  const written = items.flatMap((item): Json[] => {
    if (item === response)
      return [writePart({ ...result, callId: isNamed ? result.callId : undefined, content: inside, raw: item })];
    const part = result.content.find((candidate) => item.is(candidate.raw));
    const kept = siblings.includes(item) ? trimPart(item, fates) : part && writeItem(part);
    return kept === undefined ? [] : [kept];
  });
  if (response === undefined)
    addAll(
      written,
      inside.map((part) => writePart(part)),
    );
  if (old.isArray) return patchItems(old, written);
  return written.length === 1 ? written[0]! : written.length === 0 && old.isString ? '' : written;
}

function writeThoughts(thoughts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const written = thoughts.flatMap((part): Json[] => {
    if (part.type !== 'thinking') return [];
    if (!(part.raw instanceof JsonNode)) return [freshThought(part)];
    return [
      part.text === '' && present(part.raw, 'description') === undefined
        ? part.raw
        : patch(part.raw, { description: json(part.text) }),
    ];
  });
  return writeList(written, old);
}

function writeList(items: readonly Json[], old: JsonNode | undefined): Json | undefined {
  return old?.isArray ? patchItems(old, items) : items.length === 0 ? old : items;
}

// --- what was added

function fresh({ role, parts, model }: Message): Json {
  if (role !== 'assistant') return { type: 'user', content: parts.map((part) => writePart(part)) };
  const firstSaid = parts.findIndex(({ type }) => type !== 'thinking');
  const start = firstSaid < 0 ? parts.length : firstSaid;
  const end = parts.findLastIndex(({ type }) => type !== 'call' && type !== 'result') + 1; // what is said before stands in the content
  const said = parts.slice(start, end);
  const [first] = said;
  const { added } = sortParts(parts.slice(Math.max(start, end)).map(unread), [], []);
  return {
    type: 'gemini',
    content:
      first === undefined
        ? ''
        : said.length === 1 && first.type === 'text'
          ? json(first.text)
          : said.map((part) => writePart(part)),
    ...(start === 0 ? {} : { thoughts: parts.slice(0, start).map((part) => freshThought(part)) }),
    model,
    ...(added.length === 0 ? {} : { toolCalls: added.map(freshEntry) }),
  };
}

function unread<P extends Part>(part: P): P {
  return { ...part, raw: undefined };
}

function freshThought(part: Part): Json {
  return { subject: '', description: part.type === 'thinking' ? json(part.text) : '' };
}

function freshEntry({ call, result }: Slot): Json {
  const { id, name, args }: JsonFields =
    call === undefined ? { id: result?.callId } : { id: call.callId, name: call.tool, args: jsonValue(call.input) };
  return { id, name, args, ...(result === undefined ? {} : answerFields(result)) };
}
