/** Writes the members of LangChain messages, with every copy of each call, and whole messages that were added. */
import { ArrayEdit, type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, Role } from '../../transcript/types.js';
import { hashId } from '../shared/derived-ids.js';
import { isCall, isContent, isResult } from '../shared/parts.js';
import { argumentsOf, callsIn, writeCopy } from './langchain-calls.js';
import {
  reasoningBeside,
  summariesBeside,
  summariesLeft,
  type WrittenCopies,
  withSummaries,
  writeContent,
} from './langchain-content.js';
import { contentKey, fieldsOf, type Kind } from './langchain-kinds.js';

const CLASSES: Readonly<Partial<Record<Kind, string>>> = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
  function: 'FunctionMessage',
};
/** Members of `additional_kwargs` that hold a value for each call, by its id. */
const BY_CALL_ID = [
  '__openai_function_call_ids__',
  '__openai_custom_tool_call_ids__',
  '__gemini_function_call_thought_signatures__',
];

/** The members of a tool's message. */
export function resultFields({ parts }: Message, fields: JsonNode): JsonFields {
  const result = parts.find(isResult);
  const content = contentFields(result?.content ?? [], fields);
  return result?.callId ? { ...content, tool_call_id: result.callId } : content;
}

/** The member with the content. */
export function contentFields(parts: readonly Part[], fields: JsonNode, written?: WrittenCopies): JsonFields {
  const key = contentKey(fields);
  return { [key]: writeContent(parts, fields.get(key), written) };
}

/** The members of an assistant's message: its content, and every copy of its calls. */
export function assistantFields({ parts }: Message, fields: JsonNode, isJs: boolean): JsonFields {
  const written = new Map<number, Json | undefined>();
  const renamed = new Map<string, string | undefined>(); // old ids to new ones; undefined where the call was removed
  for (const call of callsIn(fields, isJs)) {
    const part = parts.find(
      (other): other is CallPart => other.type === 'call' && (call.part.raw as JsonNode).is(other.raw),
    );
    for (const copy of call.copies) written.set(copy.node.at, part && writeCopy(copy, part, call.part));
    if (call.part.callId && part?.callId !== call.part.callId) renamed.set(call.part.callId, part?.callId);
  }
  const kwargs = fields.get('additional_kwargs');
  const response = fields.get('response_metadata');
  const added = parts
    .filter((part): part is CallPart => part.type === 'call' && !(part.raw instanceof JsonNode))
    .map(freshCall);
  const summaries = summariesBeside(fields);
  const left = summariesLeft(parts, summaries);
  if (summaries.length > 0)
    for (const item of response?.get('output')?.items() ?? [])
      if (item.get('type')?.string === 'reasoning') written.set(item.at, withSummaries(item, left));
  const reasoning = reasoningBeside(fields);
  const hasLostReasoning = reasoning !== undefined && !parts.some(({ raw }) => reasoning.is(raw));
  const legacy = kwargs?.get('function_call');
  // LangChain.js sends these, invalid ones included, as soon as `tool_calls` is empty.
  const isEmptied = isJs && !parts.some((part) => isCall(part) && !part.legacy);
  return {
    ...contentFields(parts, fields, written),
    tool_calls: writeList(fields.get('tool_calls'), written, added),
    invalid_tool_calls: writeList(fields.get('invalid_tool_calls'), written),
    additional_kwargs: kwargs?.isObject
      ? patch(kwargs, {
          tool_calls: isEmptied ? undefined : undefinedIfEmptied(writeList(kwargs.get('tool_calls'), written)),
          tool_outputs: undefinedIfEmptied(writeList(kwargs.get('tool_outputs'), written)),
          function_call: legacy !== undefined && written.has(legacy.at) ? written.get(legacy.at) : legacy,
          ...(hasLostReasoning ? { reasoning_content: undefined } : {}),
          ...(summaries.length > 0 ? { reasoning: withSummaries(kwargs.get('reasoning')!, left) } : {}),
          ...Object.fromEntries(BY_CALL_ID.map((key) => [key, renameMembers(kwargs.get(key), renamed)])),
        })
      : kwargs,
    tool_call_chunks: writeList(fields.get('tool_call_chunks'), written),
    response_metadata: response?.isObject
      ? patch(response, { output: writeList(response.get('output'), written) })
      : response,
  };
}

/**
 * What an instance keeps of its constructor's arguments, with what was written: LangChain makes copies of a message
 * from them, and a call that is still there would come back.
 */
export function constructorFields(fields: JsonNode, written: JsonFields): JsonFields {
  const kept = fields.get('lc_kwargs');
  if (!kept?.isObject) return {};
  const changes = Object.entries(written).flatMap(([key, value]) => {
    const isUnchanged = value === undefined || fields.get(key)?.is(value) !== false;
    const names = key === 'content' ? ['content', 'contentBlocks'] : [key];
    return isUnchanged ? [] : names.flatMap((name) => (kept.get(name) === undefined ? [] : [[name, value] as const]));
  });
  return { lc_kwargs: patch(kept, Object.fromEntries(changes)) };
}

/** A list with calls among its elements. */
function writeList(list: JsonNode | undefined, written: WrittenCopies, added: readonly Json[] = []): Json | undefined {
  if (list === undefined || !list.isArray) return added.length === 0 ? list : added;
  const kept = list.items().flatMap((item) => (written.has(item.at) ? (written.get(item.at) ?? []) : item));
  return patchItems(list, [...kept, ...added]);
}

/** OpenAI refuses an empty list of calls. */
function undefinedIfEmptied(calls: Json | undefined): Json | undefined {
  return calls instanceof ArrayEdit && calls.items.length === 0 ? undefined : calls;
}

/** An object whose members are named by call ids, with the new ids. */
function renameMembers(byId: JsonNode | undefined, renamed: ReadonlyMap<string, string | undefined>): Json | undefined {
  if (byId === undefined || !byId.isObject) return byId;
  const changes = [...renamed].flatMap(([id, name]) =>
    byId.get(id) === undefined
      ? []
      : [[id, undefined] as const, ...(name === undefined ? [] : [[name, byId.get(id)] as const])],
  );
  return patch(byId, Object.fromEntries(changes));
}
function freshCall({ callId, tool, input }: CallPart): Json {
  return { name: tool, args: argumentsOf(input), id: callId ?? '', type: 'tool_call' };
}

const KIND_OF_ROLE: Readonly<Record<Role, Kind>> = {
  assistant: 'ai',
  system: 'system',
  tool: 'tool',
  user: 'human',
  meta: 'human',
};

/** A whole message that was added, in the spelling of the message near it and with the members that are usual there. */
export function fresh(message: Message, near: JsonNode | undefined): Json {
  const { role, parts } = message;
  const result = parts.find(isResult);
  const kind = result?.legacy ? 'function' : KIND_OF_ROLE[role];
  const nearFields = near && fieldsOf(near);
  const empty = Object.fromEntries(
    ['additional_kwargs', 'response_metadata'].map((key) => [key, nearFields?.get(key)?.isObject ? {} : undefined]),
  );
  const own: JsonFields =
    result === undefined
      ? { ...freshCalls(parts) }
      : { name: result.tool, tool_call_id: result.callId, status: result.isError ? 'error' : undefined };
  const content = writeContent(result?.content ?? parts, undefined) ?? '';
  const id = freshId(nearFields?.get('id'), [
    kind,
    result?.callId ?? '',
    joinTexts(result?.content ?? parts.filter(isContent)),
  ]);
  const classPath = near?.get('kwargs') === undefined ? undefined : near.get('id')?.items();
  if (classPath !== undefined)
    return {
      lc: near!.get('lc'),
      type: 'constructor',
      id: [...classPath.slice(0, -1), CLASSES[kind]!],
      kwargs: { content, ...empty, type: nearFields?.get('type') && kind, id, ...own },
    };
  const flat = { content, ...empty, type: kind, id, ...own };
  return nearFields === near ? flat : { type: kind, data: flat };
}

/** An id if the message near it has one, null if that has null, else undefined. */
function freshId(nearId: JsonNode | undefined, content: readonly string[]): string | null | undefined {
  if (nearId === undefined) return undefined;
  return nearId.isString ? hashId(content.join('\n')) : null;
}

/** The calls of a message that was added. Calls whose arguments are no JSON are invalid calls. */
function freshCalls(parts: readonly Part[]): JsonFields {
  const calls = parts.filter(isCall);
  const legacy = calls.find((call) => call.legacy);
  const listed = calls.filter((call) => !call.legacy);
  const isValid = ({ input }: CallPart) => typeof argumentsOf(input) !== 'string';
  const invalid = listed
    .filter((call) => !isValid(call))
    .map(({ callId, tool, input }) => ({
      name: tool,
      args: textOf(input),
      id: callId ?? '',
      error: null,
      type: 'invalid_tool_call',
    }));
  return {
    tool_calls: listed.length === 0 ? undefined : listed.filter(isValid).map(freshCall),
    invalid_tool_calls: invalid.length === 0 ? undefined : invalid,
    ...(legacy === undefined
      ? {}
      : { additional_kwargs: { function_call: { name: legacy.tool, arguments: textOf(legacy.input) } } }),
  };
}
