/** Writes the messages of Gemini CLI sessions. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, optionalObjects, present } from '../shared/json-fields.js';
import { answerFields, type CallEdits, callEdits, displayFields, editPart } from './gemini-cli-call-edits.js';
import { isSiblingResult, itemsIn, readMessage, readResult, repeatedCalls } from './gemini-cli-read.js';
import { writePart } from './gemini-parts.js';

/** A call and its result, written as one value. */
interface Slot {
  call?: CallPart;
  result?: ResultPart;
}

/** Writes an edited message. */
export function writeMessage(message: Message, raw: JsonNode): Json {
  const items = itemsIn(raw.get('content'));
  const entries = optionalObjects(raw, 'toolCalls');
  const { slots, added, thoughts, content } = sortParts(message.parts, items, entries);
  const repeated = repeatedCalls(items, entries);
  const holdsSiblings = entries.some((entry) =>
    itemsIn(entry.get('result')).some((item) => isSiblingResult(item, entry.get('id')?.string, entries)),
  );
  const edits: CallEdits = holdsSiblings ? callEdits([[readMessage(raw), message]]) : new Map();
  const old = raw.get('content');
  const written = writeContent(old, content, (index) => {
    const at = repeated.get(index);
    return at === undefined ? undefined : writeRepeated(items[index]!, slots.get(at)?.call, entries[at]!);
  });
  const calls = [
    ...entries.flatMap((entry, index) =>
      slots.has(index) ? [writeEntry(entry, slots.get(index)!, entries, edits)] : [],
    ),
    ...added.map(freshEntry),
  ];
  return patch(raw, {
    content: written,
    ...(written === old ? {} : { displayContent: undefined }), // a copy for display
    thoughts: writeThoughts(thoughts, raw.get('thoughts')),
    toolCalls: entries.length > 0 && calls.length === 0 ? undefined : writeList(calls, raw.get('toolCalls')),
  });
}

/** Assigns each part to an entry of `toolCalls`, a new entry, `thoughts`, or the content. */
function sortParts(parts: readonly Part[], items: readonly JsonNode[], entries: readonly JsonNode[]) {
  const slots = new Map<number, Slot>();
  const added: Slot[] = [];
  const thoughts: Part[] = [];
  const content: Part[] = [];
  let last: Slot = {}; // the slot of the call before
  for (const part of parts) {
    const at = entries.findIndex((entry) => entry.is(part.raw));
    const isInContent = items.some((item) => item.is(part.raw));
    if (part.type === 'thinking' && !isInContent) thoughts.push(part);
    else if (isInContent || (part.type !== 'call' && part.type !== 'result')) content.push(part);
    if (part.type === 'call') {
      last = { call: part };
      if (at >= 0) slots.set(at, last);
      else if (!isInContent) added.push(last);
    } else if (part.type === 'result' && !isInContent) {
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
  const added = parts.flatMap((part, at) => (items.some((item) => item.is(part.raw)) ? [] : [at]));
  const addedBefore = (end: number) => {
    const next = added.findIndex((at) => at >= end);
    return added.splice(0, next < 0 ? added.length : next).map((at) => writePart(parts[at]!));
  };
  const kept = items.flatMap((item, index): Json[] => {
    const at = parts.findIndex(({ raw }) => item.is(raw));
    return repeated(index) ?? (at < 0 ? [] : [...addedBefore(at), writeItem(parts[at]!)]);
  });
  const isOne = added.length === 0 && kept.length === 1;
  const written = [...kept, ...addedBefore(parts.length)];
  if (old?.isArray) return patchItems(old, written);
  if (written.length === 0) return emptied(old);
  return old !== undefined && isOne ? written[0] : written;
}

/** A content without items, in the shape of the old one. */
function emptied(old: JsonNode | undefined): Json | undefined {
  if (old?.isString) return '';
  return old?.isObject ? [] : old;
}

function writeItem(part: Part): Json {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString ? json(part.text) : writePart(part);
}

function writeRepeated(item: JsonNode, call: CallPart | undefined, entry: JsonNode): Json[] {
  if (call === undefined) return [];
  return isAsRead(call, entry) ? [item] : [writePart({ ...call, raw: item })];
}

/** Whether a call is unchanged. */
function isAsRead(call: CallPart, entry: JsonNode): boolean {
  return call.callId === entry.get('id')?.string && hasArguments(entry, call);
}

function hasArguments(entry: JsonNode, { input }: CallPart): boolean {
  return input instanceof JsonNode
    ? input.is(entry.get('args'))
    : input === '{}' && present(entry, 'args') === undefined;
}

function writeEntry(entry: JsonNode, { call, result }: Slot, entries: readonly JsonNode[], edits: CallEdits): Json {
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
    result: writeResult(old, result, { entry, entries, edits }),
    ...(isSame ? {} : displayFields(entry, text)),
  });
}

/** The fields of a call. A changed call loses its description, which describes the old arguments. */
function callFields(call: CallPart, entry: JsonNode): JsonFields {
  const id: JsonFields = call.callId === undefined ? {} : { id: call.callId };
  return hasArguments(entry, call) ? id : { ...id, args: jsonValue(call.input), description: undefined };
}

function writeResult(
  old: JsonNode,
  result: ResultPart,
  { entry, entries, edits }: { entry: JsonNode; entries: readonly JsonNode[]; edits: CallEdits },
): Json {
  const items = itemsIn(old);
  const ownId = entry.get('id')?.string;
  const siblings = items.filter((item) => isSiblingResult(item, ownId, entries));
  const response = items.find((item) => item.get('functionResponse') !== undefined && !siblings.includes(item));
  const others = items.filter((item) => item !== response && !siblings.includes(item));
  const inside = result.content.filter((part) => !others.some((item) => item.is(part.raw)));
  const isNamed = response?.get('functionResponse')?.get('id')?.string === ownId;
  const written = items.flatMap((item): Json[] => {
    if (item === response)
      return [writePart({ ...result, callId: isNamed ? result.callId : undefined, content: inside, raw: item })];
    const part = result.content.find((candidate) => item.is(candidate.raw));
    const kept = siblings.includes(item) ? editPart(item, edits) : part && writeItem(part);
    return kept === undefined ? [] : [kept];
  });
  if (response === undefined)
    addAll(
      written,
      inside.map((part) => writePart(part)),
    );
  if (old.isArray) return patchItems(old, written);
  if (written.length === 1) return written[0]!;
  return written.length === 0 && old.isString ? '' : written;
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

/** A message that was added. */
export function freshMessage({ role, parts, model }: Message): Json {
  if (role !== 'assistant') return { type: 'user', content: parts.map((part) => writePart(part)) };
  const firstContent = parts.findIndex(({ type }) => type !== 'thinking');
  const start = firstContent < 0 ? parts.length : firstContent;
  // Calls before other content are written as part of the content, calls after it as `toolCalls`.
  const end = parts.findLastIndex(({ type }) => type !== 'call' && type !== 'result') + 1;
  const { added } = sortParts(parts.slice(Math.max(start, end)).map(withoutSource), [], []);
  return {
    type: 'gemini',
    content: freshContent(parts.slice(start, end)),
    ...(start === 0 ? {} : { thoughts: parts.slice(0, start).map((part) => freshThought(part)) }),
    model,
    ...(added.length === 0 ? {} : { toolCalls: added.map(freshEntry) }),
  };
}

function freshContent(parts: readonly Part[]): Json {
  const [first, ...others] = parts;
  if (first === undefined) return '';
  return others.length === 0 && first.type === 'text' ? json(first.text) : parts.map((part) => writePart(part));
}

function withoutSource<P extends Part>(part: P): P {
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
