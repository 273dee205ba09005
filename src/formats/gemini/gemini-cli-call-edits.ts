/** Edits of calls and results, applied to every copy of them in a Gemini CLI session. */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart, Text } from '../../transcript/types.js';
import { jsonValue, present } from '../shared/json-fields.js';
import { readPart, writePart } from './gemini-parts.js';

/** Edits by call id. */
export type CallEdits = ReadonlyMap<string, CallEdit>;

interface CallEdit {
  readonly isRemoved?: boolean;
  /** The new id. */
  readonly id?: string | undefined;
  /** The new arguments. */
  readonly input?: Text;
  /** The new or added result. */
  readonly result?: ResultPart;
}

/** The edits of all calls and results in these messages. An id that another call still has counts as unchanged. */
export function callEdits(changes: readonly (readonly [before: Message, after: Message | undefined])[]): CallEdits {
  const edits = new Map<string, CallEdit>();
  for (const [before, after] of changes)
    for (const part of before.parts)
      if ((part.type === 'call' || part.type === 'result') && part.callId !== undefined)
        edits.set(part.callId, { ...edits.get(part.callId), ...editOf(part, part.callId, after?.parts ?? []) });
  for (const { parts } of changes.flatMap(([, after]) => after ?? [])) {
    for (const part of parts) {
      const edit = part.type === 'call' && part.callId !== undefined ? edits.get(part.callId) : undefined;
      if (edit !== undefined) edits.set((part as CallPart).callId!, { ...edit, isRemoved: false, id: undefined });
    }
  }
  for (const [id, edit] of edits)
    if (Object.values(edit).every((value) => value === undefined || value === false)) edits.delete(id);
  return edits;
}

function editOf(part: CallPart | ResultPart, callId: string, after: readonly Part[]): CallEdit {
  const edited = after.find(
    (candidate) => candidate.type === part.type && candidate.raw instanceof JsonNode && candidate.raw.is(part.raw),
  );
  if (part.type === 'result')
    return edited?.type === 'result' && joinTexts(edited.content) !== joinTexts(part.content) ? { result: edited } : {};
  if (edited?.type !== 'call') return { isRemoved: true };
  const answer = after.find(
    (candidate) => candidate.type === 'result' && candidate.raw === undefined && candidate.callId === edited.callId,
  );
  return {
    ...(edited.callId === callId ? {} : { id: edited.callId }),
    ...(isSameText(edited.input, part.input) ? {} : { input: edited.input }),
    ...(answer?.type === 'result' ? { result: answer } : {}),
  };
}

function isSameText(text: Text, other: Text): boolean {
  return text === other || (text instanceof JsonNode && text.is(other));
}

/** Applies edits to a copy of a message; undefined if nothing is left of it. */
export function editMessage(node: JsonNode, edits: CallEdits): Json | undefined {
  const calls = node.get('toolCalls');
  const content = node.get('content');
  const keptCalls = patchEach(calls, (entry) => editEntry(entry, edits));
  const keptContent = patchEach(content, (part) => editPart(part, edits));
  if (keptCalls === calls && keptContent === content) return node;
  if (isEmpty(keptCalls) && isEmpty(keptContent)) return undefined;
  return patch(node, {
    content: keptContent,
    toolCalls: calls !== undefined && isEmpty(keptCalls) ? undefined : keptCalls,
  });
}

/** Applies edits to an entry of `toolCalls`. */
function editEntry(entry: JsonNode, edits: CallEdits): Json | undefined {
  const edit = edits.get(entry.get('id')?.string ?? '');
  if (edit?.isRemoved) return undefined;
  const result = present(entry, 'result');
  if (result === undefined) {
    const fields = edit?.result === undefined ? {} : answerFields(edit.result);
    return patch(entry, { ...inputFields(edit), ...fields });
  }
  const text = edit?.result === undefined ? undefined : joinTexts(edit.result.content);
  return patch(entry, {
    ...inputFields(edit),
    result: editResult(result, text, edits),
    ...(text === undefined ? {} : displayFields(entry, text)),
  });
}

function editResult(result: JsonNode, text: string | undefined, edits: CallEdits): Json | undefined {
  if (result.isArray) return patchEach(result, (part) => editPart(part, edits));
  if (result.isString) return text !== undefined && result.text.length > text.length ? text : result;
  return result.isObject ? (editPart(result, edits) ?? []) : result;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined) return true;
  if (value instanceof JsonNode) return value.isNull || value.string === '' || value.text === '[]';
  return 'items' in (value as object) && (value as { items: readonly Json[] }).items.length === 0;
}

function inputFields(edit: CallEdit | undefined): JsonFields {
  return {
    ...(edit?.id === undefined ? {} : { id: edit.id }),
    ...(edit?.input === undefined ? {} : { args: jsonValue(edit.input), description: undefined }),
  };
}

/** The fields of an added result, as the CLI writes them. */
export function answerFields({ raw: _, ...answer }: ResultPart): JsonFields {
  return { result: [writePart(answer)], status: answer.isError ? 'cancelled' : 'success' };
}

/** Shortens `resultDisplay`, which can repeat the result, to the new text. */
export function displayFields(entry: JsonNode, text: string): JsonFields {
  const display = present(entry, 'resultDisplay');
  if (display === undefined || (display.isString ? display.text.length : display.byteLength) <= text.length) return {};
  return { resultDisplay: display.isString ? text : undefined };
}

/** Applies edits to a part that repeats a call or result; undefined if it was removed. */
export function editPart(part: JsonNode, edits: CallEdits): Json | undefined {
  const inner = part.get('functionCall') ?? part.get('functionResponse');
  const edit = edits.get(inner?.get('id')?.string ?? '');
  if (edit === undefined) return part;
  if (edit.isRemoved) return undefined;
  const read = readPart(part, '');
  const id = edit.id === undefined ? {} : { callId: edit.id };
  if (read.type === 'call')
    return writePart({ ...read, ...id, ...(edit.input === undefined ? {} : { input: edit.input }) });
  if (read.type !== 'result') return part;
  const text = edit.result === undefined ? undefined : joinTexts(edit.result.content);
  const isLonger = text !== undefined && joinTexts(read.content).length > text.length;
  return writePart({
    ...read,
    ...id,
    ...(isLonger ? { content: [{ type: 'text', text }, ...read.content.filter(({ type }) => type !== 'text')] } : {}),
  });
}
