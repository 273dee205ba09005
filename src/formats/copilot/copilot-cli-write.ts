/** Writes the messages of a Copilot CLI event log. */
import { type Json, type JsonFields, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, present, wrongType } from '../shared/json-fields.js';
import { idField, isResult, joinedText } from '../shared/parts.js';

/** Writes the `data` of an event. */
export function writeData({ role, parts }: Message, data: JsonNode): Json {
  const result = parts.find(isResult);
  if (role === 'tool') return result === undefined ? data : writeResult(result, data);
  const text = writeText(parts, 'text');
  if (role === 'user') return writeUser(text, parts, data);
  if (role === 'system') return patch(data, { content: textOrEmpty(data, 'content', text) });
  const thinking = writeText(parts, 'thinking');
  const requests = parts.flatMap((part): Json[] => (part.type === 'call' ? [writeCall(part)] : []));
  const old = data.get('toolRequests');
  const withoutThinking: JsonFields =
    thinking === undefined && present(data, 'reasoningText') !== undefined
      ? { reasoningText: undefined, reasoningOpaque: undefined, encryptedContent: undefined }
      : {};
  return patch(data, {
    content: textOrEmpty(data, 'content', text),
    reasoningText: thinking ?? data.get('reasoningText'),
    ...withoutThinking,
    toolRequests: listOr(old, requests),
  });
}

/** The joined text of all parts of a type; undefined if there are none. */
function writeText(parts: readonly Part[], type: 'text' | 'thinking'): Json | undefined {
  const texts = parts.filter((part) => part.type === type);
  return texts.length === 0 ? undefined : joinedText(texts);
}

/** The text, or '' for a text that was removed. */
function textOrEmpty(data: JsonNode, key: string, text: Json | undefined): Json | undefined {
  return text ?? (data.get(key)?.isString ? '' : data.get(key));
}

/** Writes a user message: `content` is the text as typed, `transformedContent` as sent. */
function writeUser(text: Json | undefined, parts: readonly Part[], data: JsonNode): Json {
  const attachments = data.get('attachments');
  const kept = parts.flatMap((part): Json[] =>
    (part.type === 'media' || part.type === 'opaque') && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  const list = listOr(attachments, kept);
  const sent = present(data, 'transformedContent');
  if (sent === undefined) return patch(data, { content: textOrEmpty(data, 'content', text), attachments: list });
  const isSame = text instanceof JsonNode && text.is(sent);
  return patch(data, { ...(isSame ? {} : { transformedContent: text ?? '', content: text ?? '' }), attachments: list });
}

/** The items in place of a list; without a list and without items, what was there. */
function listOr(old: JsonNode | undefined, items: readonly Json[]): Json | undefined {
  if (old?.isArray) return patchItems(old, items);
  return items.length === 0 ? old : items;
}

function writeCall(part: CallPart): Json {
  const { raw, callId, tool, input } = part;
  if (!(raw instanceof JsonNode))
    return { toolCallId: callId ?? '', name: tool, arguments: jsonValue(input), type: 'function' };
  const old = present(raw, 'arguments');
  const id = idField('toolCallId', part);
  if (input instanceof JsonNode ? input.is(old) : input === '{}' && old === undefined) return patch(raw, id);
  // The summary describes the arguments.
  return patch(raw, { ...id, arguments: old?.isString ? json(input) : jsonValue(input), intentionSummary: undefined });
}

function writeResult(part: ResultPart, data: JsonNode): Json {
  const old = resultText(data);
  const text = joinTexts(part.content);
  const id = idField('toolCallId', part);
  const [first] = part.content;
  const result = present(data, 'result');
  const isSame =
    old === undefined
      ? text === ''
      : first?.type === 'text' &&
        first.text instanceof JsonNode &&
        first.text.is(old) &&
        !part.content.some((other) => other !== first && other.type === 'text');
  const hasAll = mediaIn(result).every((block) => part.content.some(({ raw }) => block.is(raw)));
  if (isSame && hasAll) return patch(data, id);
  if (
    result === undefined ||
    (result.isObject && present(result, 'content') === undefined && present(data, 'error') !== undefined)
  ) {
    const error = present(data, 'error');
    return patch(data, {
      ...id,
      ...(error === undefined ? { result: { content: text } } : { error: patch(error, { message: text }) }),
    });
  }
  return patch(data, {
    ...id,
    result: result.isString ? text : patch(result, { content: text, ...copiesOf(result, text, part.content) }),
  });
}

/** Updates the copies of a result's text: `detailedContent`, and the text blocks of `contents`. */
function copiesOf(result: JsonNode, text: string, content: readonly ContentPart[]): JsonFields {
  const detailed = present(result, 'detailedContent');
  return {
    ...(detailed?.isString && detailed.text.length > text.length ? { detailedContent: text } : {}),
    contents: patchEach(result.get('contents'), (block) =>
      content.some(({ raw }) => block.is(raw)) ? block : undefined,
    ),
  };
}

/** An event for a message that was added. */
export function freshMessage({ role, parts, model }: Message): Json {
  const result = parts.find(isResult);
  if (result !== undefined) return { type: 'tool.execution_complete', data: freshResult(result) };
  const content = writeText(parts, 'text') ?? '';
  if (role === 'system') return { type: 'system.message', data: { role: 'system', content } };
  const attachments = parts.flatMap((part): Json[] =>
    (part.type === 'media' || part.type === 'opaque') && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  if (role !== 'assistant') return { type: 'user.message', data: { content, attachments } };
  const requests = parts.flatMap((part): Json[] =>
    part.type === 'call' ? [writeCall({ ...part, raw: undefined })] : [],
  );
  return {
    type: 'assistant.message',
    data: { content, toolRequests: requests, reasoningText: writeText(parts, 'thinking'), model },
  };
}

function freshResult({ callId, tool, content, isError }: ResultPart): JsonFields {
  const text = joinTexts(content);
  const media = content.flatMap((part): Json[] =>
    part.type === 'media' && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  const head: JsonFields = { toolCallId: callId ?? '', toolName: tool, success: isError !== true };
  return isError && media.length === 0
    ? { ...head, error: { message: text } }
    : { ...head, result: { content: text, ...(media.length === 0 ? {} : { contents: media }) } };
}

/** The text that the model gets: the content of the result, or the error message. */
export function resultText(data: JsonNode): JsonNode | undefined {
  const result = present(data, 'result');
  const text = result?.isString
    ? result
    : (result && present(result, 'content')) || (present(data, 'error')?.get('message') ?? undefined);
  return text === undefined || text.isString ? text : wrongType(text, 'data.result.content', 'a string');
}

/** The media blocks of a result. Its text blocks repeat the content. */
export function mediaIn(result: JsonNode | undefined): readonly JsonNode[] {
  return (
    result
      ?.get('contents')
      ?.items()
      .filter((block) => ['image', 'audio'].includes(block.get('type')?.string ?? '')) ?? []
  );
}
