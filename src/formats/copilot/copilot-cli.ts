/**
 * Event logs of GitHub Copilot CLI (`~/.copilot/session-state/<id>/events.jsonl`) and of Copilot Chat in VS Code: lines
 * `{type, data, id, timestamp, parentId}`. The messages are `user.message`, `assistant.message` (its calls are
 * `toolRequests`), `system.message` and `tool.execution_complete`. Messages of sub-agents (`agentId`) and tools run by
 * the user are not part of the conversation. What a request used stands in `assistant.usage`, which is not kept in
 * files, or in `session.usage_record` (1.0.102), and the totals in `session.shutdown`.
 * https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type {
  CallPart,
  ContentPart,
  Message,
  Part,
  Recorded,
  ResultPart,
  Role,
  Usage,
} from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { metaMessage, optionalObjects, present, stringIn, wrongType } from '../shared/json-fields.js';
import { mediaKind } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, totalOfModels, usageFromTotals } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { freshMessage, mediaIn, resultText, writeData } from './copilot-cli-write.js';
import { isCompaction, readCompaction, writeCompaction } from './copilot-compaction.js';
import { syncEvents } from './copilot-log.js';

const ROLES = table<Role>({
  'user.message': 'user',
  'assistant.message': 'assistant',
  'system.message': 'system',
  'tool.execution_complete': 'tool',
});
/** Event types of this format. */
const EVENT_TYPE = new RegExp(
  '^(session|user|assistant|system|tool|subagent|skill|hook|permission|external_tool|elicitation|mcp|command)' +
    '\\.[a-z_]+$',
);
/** Progress and notices. */
const DISCARDABLE = new RegExp(
  '^(tool\\.execution_(partial_result|progress)|permission\\.(requested|completed)|assistant\\.(\\w+_delta|intent)|' +
    'session\\.(info|warning|idle)|hook\\.(start|end))$',
);

export default defineFormat({
  id: 'copilot-cli',
  traits: { flagsErrors: true },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    const isForeign = raw.get('payload') !== undefined || raw.get('traceSchema') !== undefined;
    if (type === undefined || !raw.get('data')?.isObject || isForeign) return 0;
    if (type in ROLES) return 1;
    return EVENT_TYPE.test(type) ? 0.9 : 0;
  },
  read,
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message);
    const data = raw.get('data');
    if (message.role === 'meta' || data === undefined) return raw;
    const write = isCompaction(raw) ? writeCompaction(data, message.parts) : writeData(message, data);
    return patch(raw, { data: write });
  },
  header(line) {
    const type = line.get('type')?.string;
    if (type !== 'session.start' && type !== 'session.resume') return {};
    const data = line.get('data');
    const project = data?.get('context')?.get('cwd')?.string;
    return { id: data?.get('sessionId')?.string, model: data?.get('selectedModel')?.string, project };
  },
  /** As the user wrote the first prompt: Copilot sends it with the time before it. */
  titleIn: (messages) => {
    const prompt = messages.find(({ role }) => role === 'user')?.raw;
    return prompt instanceof JsonNode ? prompt.get('data')?.get('content')?.string : undefined;
  },
  recorded(raw) {
    const type = raw.get('type')?.string;
    const data = raw.get('data');
    const time = timeOf(raw.get('timestamp'));
    if (type === 'assistant.message')
      return recordedOf({ requestId: data?.get('requestId')?.string, model: data?.get('model')?.string, time });
    const counts = type === 'assistant.usage' ? data : type === 'session.usage_record' ? data?.get('usage') : undefined;
    if (counts !== undefined)
      return recordedOf({
        responseId: counts.get('apiCallId')?.string,
        requestId: (counts.get('providerCallId') ?? counts.get('accounting')?.get('usageId') ?? raw.get('id'))?.string,
        agent: raw.get('agentId')?.string,
        model: counts.get('model')?.string,
        time,
        usage: usageIn(counts),
      });
    if (type === 'session.start' || type === 'session.resume')
      return recordedOf({ branch: data?.get('context')?.get('branch')?.string });
    if (type === 'session.shutdown')
      return recordedOf({ model: data?.get('currentModel')?.string, time, ...totalIn(data?.get('modelMetrics')) });
    return undefined;
  },
  beside: wordsIn,
  afterRead: withModels,
  beforeWrite: (rows, before) => syncEvents(rows, before, read),
});

/** `inputTokens` includes cache reads and writes, `outputTokens` includes reasoning. */
function usageIn(counts: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(counts, 'inputTokens'), tokens(counts, 'outputTokens'), {
    cacheRead: tokens(counts, 'cacheReadTokens'),
    cacheWrite5m: tokens(counts, 'cacheWriteTokens'),
    reasoning: tokens(counts, 'reasoningTokens'),
  });
}

/** The totals of a session. The `cost` of its requests counts premium requests, not dollars. */
function totalIn(metrics: JsonNode | undefined): Recorded {
  return totalOfModels(
    (metrics?.members() ?? []).map(({ key, value }) => ({
      model: key.text,
      running: usageIn(value.get('usage')),
      runningRequests: tokens(value.get('requests'), 'count'),
    })),
  );
}

/** Messages that state no model get the one selected last. */
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

/**
 * A skill, and a notice of the agent's, which a `user.message` mostly repeats.
 * https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts (2026-11-29)
 */
const WORDS = table<string>({
  'skill.invoked': 'content',
  'system.notification': 'content',
});

function wordsIn(raw: JsonNode): readonly (JsonNode | undefined)[] {
  const [key, data] = [WORDS[raw.get('type')?.string ?? ''], raw.get('data')];
  return key === undefined || data === undefined || isOutside(raw, data) ? [] : [data.get(key)];
}

function read(raw: JsonNode): Message {
  const type = raw.get('type')?.string ?? '';
  const role = ROLES[type];
  const data = raw.get('data');
  if (!data?.isObject || isOutside(raw, data)) return metaMessage(raw, DISCARDABLE.test(type));
  if (role === undefined) return readCompaction(raw, data) ?? metaMessage(raw, DISCARDABLE.test(type));
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

/** Whether an event belongs to a sub-agent, or to a tool that the user ran. */
function isOutside(raw: JsonNode, data: JsonNode): boolean {
  return (
    present(raw, 'agentId') !== undefined ||
    present(data, 'parentToolCallId') !== undefined ||
    data.get('isUserRequested')?.boolean === true
  );
}

/** The text under the first key that is present. */
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

/** Reads a call. Arguments are an object, or a text in VS Code and for tools with a grammar. */
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
