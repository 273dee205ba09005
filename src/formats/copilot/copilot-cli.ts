/**
 * Event logs of GitHub Copilot CLI (`~/.copilot/session-state/<id>/events.jsonl`), and of Copilot Chat in VS Code, which writes the same:
 * lines `{type, data, id, timestamp, parentId}`. `user.message`, `assistant.message` (its calls are `toolRequests`), `system.message` and
 * `tool.execution_complete` are the messages; what a sub-agent says (`agentId`), and a tool that the user ran, is no part of the conversation.
 * https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts
 */
import { type Json, type JsonFields, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role, Usage } from '../../transcript/types.js';
import { addUsage } from '../../transcript/usage.js';
import { defineFormat } from '../format.js';
import { json, jsonValue, metaMessage, optionalObjects, present, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, isResult, joinedText, mediaKind } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { mendEvents } from './copilot-log.js';

const ROLES = table<Role>({
  'user.message': 'user',
  'assistant.message': 'assistant',
  'system.message': 'system',
  'tool.execution_complete': 'tool',
});
const TYPES: Readonly<Partial<Record<Role, string>>> = {
  user: 'user.message',
  assistant: 'assistant.message',
  system: 'system.message',
  tool: 'tool.execution_complete',
};
/** The families of events that only this format has. */
const FAMILIES =
  /^(session|user|assistant|system|tool|subagent|skill|hook|permission|external_tool|elicitation|mcp|command)\.[a-z_]+$/;

export default defineFormat({
  id: 'copilot-cli',
  traits: { flagsErrors: true },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type === undefined || !raw.get('data')?.isObject || raw.get('payload') !== undefined) return 0;
    if (type in ROLES) return 1;
    return FAMILIES.test(type) ? 0.9 : 0;
  },
  read,
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    const data = raw.get('data');
    return message.role === 'meta' || data === undefined ? raw : patch(raw, { data: writeData(message, data) });
  },
  header(line) {
    const type = line.get('type')?.string;
    if (type !== 'session.start' && type !== 'session.resume') return {};
    const data = line.get('data');
    return { id: data?.get('sessionId')?.string, model: data?.get('selectedModel')?.string };
  },
  recorded(raw) {
    const type = raw.get('type')?.string;
    const data = raw.get('data');
    const time = timeOf(raw.get('timestamp'));
    if (type === 'assistant.message')
      return recordedOf({ requestId: data?.get('requestId')?.string, model: data?.get('model')?.string, time });
    if (type === 'assistant.usage')
      return recordedOf({
        responseId: data?.get('apiCallId')?.string,
        requestId: data?.get('providerCallId')?.string,
        model: data?.get('model')?.string,
        time,
        usage: usageIn(data),
      });
    if (type === 'session.shutdown')
      return recordedOf({
        model: data?.get('currentModel')?.string,
        time,
        running: totalIn(data?.get('modelMetrics')),
      });
    return undefined;
  },
  afterRead: withModels,
  beforeWrite: (rows, before) => mendEvents(rows, before, read),
});

/** `inputTokens` is the whole prompt, with what was read from the cache and written to it; `outputTokens` holds the reasoning. */
function usageIn(counts: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(counts, 'inputTokens'), tokens(counts, 'outputTokens'), {
    cacheRead: tokens(counts, 'cacheReadTokens'),
    cacheWrite5m: tokens(counts, 'cacheWriteTokens'),
    reasoning: tokens(counts, 'reasoningTokens'),
  });
}

/** The sum over the models of a session. */
function totalIn(metrics: JsonNode | undefined): Usage | undefined {
  const usages = metrics?.members().flatMap(({ value }) => usageIn(value.get('usage')) ?? []) ?? [];
  return usages.length === 0 ? undefined : usages.reduce(addUsage);
}

/** A message that does not say its model has that which was chosen last. */
function withModels(messages: readonly Message[]): readonly Message[] {
  let model: string | undefined;
  return messages.map((message) => {
    const data = message.raw instanceof JsonNode ? message.raw.get('data') : undefined;
    model = (data?.get('newModel') ?? data?.get('selectedModel'))?.string ?? model;
    return message.role === 'assistant' && message.model === undefined && model !== undefined
      ? { ...message, model }
      : message;
  });
}

// --- reading

/** Progress and notices. */
const SPARE =
  /^(tool\.execution_(partial_result|progress)|permission\.(requested|completed)|assistant\.(\w+_delta|intent)|session\.(info|warning|idle)|hook\.(start|end))$/;

function read(raw: JsonNode): Message {
  const type = raw.get('type')?.string ?? '';
  const role = ROLES[type];
  const data = raw.get('data');
  if (role === undefined || !data?.isObject || isApart(raw, data)) return metaMessage(raw, SPARE.test(type));
  if (role === 'tool') return { role, parts: [readResult(data)], raw };
  if (role === 'user')
    return {
      role,
      parts: [
        ...readText(data, 'transformedContent', 'content'),
        ...optionalObjects(data, 'attachments').map(readAttachment),
      ],
      raw,
    };
  if (role === 'system') return { role, parts: readText(data, 'content'), raw };
  const thoughts = readText(data, 'reasoningText').map((part): Part => ({ ...part, type: 'thinking' }));
  const parts = [...thoughts, ...readText(data, 'content'), ...optionalObjects(data, 'toolRequests').map(readCall)];
  return { role, parts, model: stringIn(data.get('model'), 'data.model'), raw };
}

/** Whether it belongs to the conversation of a sub-agent, or to what the user did. */
function isApart(raw: JsonNode, data: JsonNode): boolean {
  return (
    present(raw, 'agentId') !== undefined ||
    present(data, 'parentToolCallId') !== undefined ||
    data.get('isUserRequested')?.boolean === true
  );
}

/** The text of the first of the members that is there. */
function readText(data: JsonNode, ...keys: readonly string[]): (Part & { type: 'text' })[] {
  const key = keys.find((candidate) => present(data, candidate) !== undefined);
  const text = key === undefined ? undefined : data.get(key)!;
  if (text === undefined) return [];
  return text.isString ? [{ type: 'text', text, raw: text }] : wrongType(text, `data.${key}`, 'a string');
}

function readAttachment(attachment: JsonNode): ContentPart {
  const text = attachment.get('text');
  if (text?.isString) return { type: 'opaque', text, raw: attachment };
  return { type: 'media', kind: mediaKind(attachment.get('mimeType')?.string), raw: attachment };
}

/** Arguments are a value; Copilot Chat in VS Code, and tools of a grammar of their own, have a text. */
function readCall(request: JsonNode, index: number): CallPart {
  const path = `data.toolRequests[${index}]`;
  const callId = stringIn(request.get('toolCallId'), `${path}.toolCallId`) ?? '';
  return {
    type: 'call',
    callId,
    tool: stringIn(request.get('name') ?? request.get('toolName'), `${path}.name`) ?? '',
    input: present(request, 'arguments') ?? '{}',
    raw: request,
  };
}

function readResult(data: JsonNode): ResultPart {
  const callId = stringIn(data.get('toolCallId'), 'data.toolCallId') ?? '';
  const tool = stringIn(data.get('toolName'), 'data.toolName');
  const text = resultText(data);
  const media = mediaIn(data.get('result')).map(
    (raw): ContentPart => ({ type: 'media', kind: raw.get('type')!.string as 'image' | 'audio', raw }),
  );
  const content: ContentPart[] = [
    ...(text === undefined ? [] : [{ type: 'text' as const, text, raw: text }]),
    ...media,
  ];
  return {
    type: 'result',
    callId,
    ...(tool === undefined ? {} : { tool }),
    content,
    ...(data.get('success')?.boolean === false ? { isError: true } : {}),
    raw: data,
  };
}

/** What the model is told: the result's content, or the message of the error. */
function resultText(data: JsonNode): JsonNode | undefined {
  const result = present(data, 'result');
  const text = result?.isString
    ? result
    : (result && present(result, 'content')) || (present(data, 'error')?.get('message') ?? undefined);
  return text === undefined || text.isString ? text : wrongType(text, 'data.result.content', 'a string');
}

/** A result's own blocks beside its text: what they say repeats it, what they show does not. */
function mediaIn(result: JsonNode | undefined): readonly JsonNode[] {
  return (
    result
      ?.get('contents')
      ?.items()
      .filter((block) => ['image', 'audio'].includes(block.get('type')?.string ?? '')) ?? []
  );
}

// --- writing

function writeData({ role, parts }: Message, data: JsonNode): Json {
  const result = parts.find(isResult);
  if (role === 'tool') return result === undefined ? data : writeResult(result, data);
  const text = writeText(parts, 'text');
  if (role === 'user') return writeUser(text, parts, data);
  if (role === 'system') return patch(data, { content: inPlaceOf(data, 'content', text) });
  const thought = writeText(parts, 'thinking');
  const requests = parts.flatMap((part): Json[] => (part.type === 'call' ? [writeCall(part)] : []));
  const old = data.get('toolRequests');
  const sealed: JsonFields =
    thought === undefined && present(data, 'reasoningText') !== undefined
      ? { reasoningText: undefined, reasoningOpaque: undefined, encryptedContent: undefined }
      : {};
  return patch(data, {
    content: inPlaceOf(data, 'content', text),
    reasoningText: thought ?? data.get('reasoningText'),
    ...sealed,
    toolRequests: old?.isArray ? patchItems(old, requests) : requests.length === 0 ? old : requests,
  });
}

/** The text of all parts of a type; undefined where there are none. */
function writeText(parts: readonly Part[], type: 'text' | 'thinking'): Json | undefined {
  const texts = parts.filter((part) => part.type === type);
  return texts.length === 0 ? undefined : joinedText(texts);
}

/** Where no text is left, there stands an empty one. */
function inPlaceOf(data: JsonNode, key: string, text: Json | undefined): Json | undefined {
  return text ?? (data.get(key)?.isString ? '' : data.get(key));
}

/** The text as it was typed stands beside the text as it was sent. */
function writeUser(text: Json | undefined, parts: readonly Part[], data: JsonNode): Json {
  const attachments = data.get('attachments');
  const kept = parts.flatMap((part): Json[] =>
    (part.type === 'media' || part.type === 'opaque') && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  const list = attachments?.isArray ? patchItems(attachments, kept) : kept.length === 0 ? attachments : kept;
  const sent = present(data, 'transformedContent');
  if (sent === undefined) return patch(data, { content: inPlaceOf(data, 'content', text), attachments: list });
  const isSame = text instanceof JsonNode && text.is(sent);
  return patch(data, { ...(isSame ? {} : { transformedContent: text ?? '', content: text ?? '' }), attachments: list });
}

function writeCall(part: CallPart): Json {
  const { raw, callId, tool, input } = part;
  if (!(raw instanceof JsonNode))
    return { toolCallId: callId ?? '', name: tool, arguments: jsonValue(input), type: 'function' };
  const old = present(raw, 'arguments');
  const id = idField('toolCallId', part);
  if (input instanceof JsonNode ? input.is(old) : input === '{}' && old === undefined) return patch(raw, id);
  return patch(raw, { ...id, arguments: old?.isString ? json(input) : jsonValue(input), intentionSummary: undefined }); // it says the arguments in words
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
    result: result.isString ? text : patch(result, { content: text, ...repeatedIn(result, text, part.content) }),
  });
}

/** What is shown of a result, and its own blocks, repeat it: no more of them stays than of its text. */
function repeatedIn(result: JsonNode, text: string, content: readonly ContentPart[]): JsonFields {
  const detailed = present(result, 'detailedContent');
  return {
    ...(detailed?.isString && detailed.text.length > text.length ? { detailedContent: text } : {}),
    contents: patchEach(result.get('contents'), (block) =>
      content.some(({ raw }) => block.is(raw)) ? block : undefined,
    ),
  };
}

// --- what was added

function fresh({ role, parts, model }: Message): Json {
  const result = parts.find(isResult);
  if (result !== undefined) return { type: TYPES.tool, data: freshResult(result) };
  const content = writeText(parts, 'text') ?? '';
  if (role === 'system') return { type: TYPES.system, data: { role: 'system', content } };
  const shown = parts.flatMap((part): Json[] =>
    (part.type === 'media' || part.type === 'opaque') && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  if (role !== 'assistant') return { type: TYPES.user, data: { content, attachments: shown } };
  const requests = parts.flatMap((part): Json[] =>
    part.type === 'call' ? [writeCall({ ...part, raw: undefined })] : [],
  );
  return {
    type: TYPES.assistant,
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
