/**
 * Cohere's chat API. Version 2 is a list of `messages` with reasoning in `tool_plan`, and results as texts or
 * documents. Version 1 is `{message, chat_history, preamble, tool_results}` with uppercase roles; its calls have no
 * ids, and each result repeats its call (cohere-v1.ts).
 * https://docs.cohere.com/reference/chat https://docs.cohere.com/v1/reference/chat
 */
import { amend, type Json, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Message, Part, Recorded, Role } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import {
  firstPresent,
  json,
  objectsIn,
  optionalString,
  present,
  stringIn,
  stringOf,
  wrongMember,
  wrongType,
} from '../shared/json-fields.js';
import { idField, inputField, isContent, isResult, readContent, readText, writeContent } from '../shared/parts.js';
import { tokens, usageFromUncached } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { isCohereMessage, isDocument } from './cohere-detect.js';
import {
  closeV1,
  dataOf,
  inV1,
  onlyText,
  openV1,
  readV1,
  V1_HOLDERS,
  V1_ROLES,
  writeV1,
  writeV1Call,
  writeV1Result,
} from './cohere-v1.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });
/** The score of a message without anything specific to Cohere: other messages of the list decide. */
const PLAIN_MESSAGE = 0.48;

export default defineFormat({
  id: 'cohere-chat',
  traits: {},
  messagePaths: ['request.messages > =response?', 'body.messages', 'messages'],
  score(raw) {
    const role = raw.get('role')?.string ?? '';
    if (role in V1_ROLES)
      return ['message', 'tool_calls', 'tool_results'].some((key) => raw.get(key) !== undefined) &&
        raw.get('content') === undefined
        ? 1
        : 0;
    if (!(role in ROLES) || raw.get('parts') !== undefined) return 0;
    if (isCohereMessage(raw.get('tool_plan'), raw.get('citations'), raw.get('content'))) return 1;
    const blocks = raw.get('content')?.items() ?? [];
    const [call] = raw.get('tool_calls')?.items() ?? [];
    if (call !== undefined && call.get('function') === undefined) return -1;
    return blocks.some((block) => !['text', 'image_url', 'thinking'].includes(block.get('type')?.string ?? ''))
      ? -1
      : PLAIN_MESSAGE;
  },
  read(raw) {
    const message = replyIn(raw) ?? raw;
    const roleName = message.isObject ? (stringIn(message.get('role'), 'role') ?? '') : '';
    if (roleName in V1_ROLES) return { ...readV1(message, V1_ROLES[roleName]!), raw };
    const role = ROLES[roleName];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const content = readContent(message.get('content'), 'content', readBlock);
    if (role === 'tool')
      return {
        role,
        parts: [
          {
            type: 'result',
            callId: optionalString(message, 'tool_call_id') ?? '',
            content: content.filter(isContent),
            raw: message,
          },
        ],
        raw,
      };
    const plan = present(message, 'tool_plan');
    const thoughts: Part[] = plan?.isString ? [{ type: 'thinking', text: plan, raw: plan }] : [];
    return {
      role,
      parts: [...thoughts, ...content, ...objectsIn(message.get('tool_calls'), 'tool_calls').map(readCall)],
      raw,
    };
  },
  write(message, near) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message, (near?.get('role')?.string ?? '') in V1_ROLES);
    if (message.role === 'meta') return raw;
    const inner = replyIn(raw) ?? raw;
    const written =
      (inner.get('role')?.string ?? '') in V1_ROLES ? writeV1(message, inner) : writeMessage(message, inner);
    return inner === raw ? written : patch(raw, { message: written });
  },
  describe(record) {
    const around = [record, record.get('request'), record.get('body')];
    const tools = firstPresent(around, 'tools');
    const response = record.get('response') ?? record;
    return {
      id: firstPresent(around, 'id')?.string,
      model: firstPresent(around, 'model')?.string,
      tools: tools?.isArray ? tools : undefined,
      reply: billedUsage(response),
    };
  },
  recorded: (raw) => (replyIn(raw) === undefined ? undefined : billedUsage(raw)),
  beforeWrite,
  envelope: { open: openV1, close: closeV1, holders: V1_HOLDERS },
});

/** The message in a response of version 2. */
function replyIn(raw: JsonNode): JsonNode | undefined {
  const message = raw.get('finish_reason') === undefined ? undefined : raw.get('message');
  return message?.isObject ? message : undefined;
}

/** Billed usage of a response; `tokens` also counts Cohere's own prompt. */
function billedUsage(response: JsonNode): Recorded | undefined {
  const usage = response.get('usage') ?? response.get('meta');
  const counts = usage?.get('billed_units') ?? usage?.get('tokens');
  const counted = usageFromUncached(tokens(counts, 'input_tokens'), tokens(counts, 'output_tokens'));
  return counted && { responseId: (response.get('generation_id') ?? response.get('id'))?.string, usage: counted };
}

// --- version 2

function readBlock(block: JsonNode, path: string): Part {
  if (block.isString) return { type: 'text', text: block, raw: block };
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (isDocument(block)) return { type: 'text', text: dataIn(block), raw: block };
  if (type === 'image_url') return { type: 'media', kind: 'image', raw: block };
  if (type !== 'text' && type !== 'thinking') return { type: 'opaque', text: block, raw: block };
  return readText(type, block, type, path);
}

/** The data of a document: a text or an object. */
function dataIn(block: JsonNode): JsonNode {
  const document = block.get('document')!;
  const data = document.get('data') ?? document;
  return onlyText(data) ?? data;
}

function readCall(call: JsonNode, index: number): CallPart {
  const path = `tool_calls[${index}]`;
  const inner = call.get('function');
  if (!inner?.isObject) return wrongMember(inner, call, `${path}.function`, 'an object');
  return {
    type: 'call',
    callId: stringIn(call.get('id'), `${path}.id`) ?? '',
    tool: stringIn(inner.get('name'), `${path}.function.name`) ?? '',
    input: present(inner, 'arguments') ?? '{}',
    raw: call,
  };
}

function writeMessage({ parts }: Message, old: JsonNode): Json {
  const result = parts.find(isResult);
  if (result !== undefined)
    return patch(old, { ...idField('tool_call_id', result), content: writeBlocks(result.content, old.get('content')) });
  const plan = old.get('tool_plan');
  const thought = parts.find((part) => part.type === 'thinking' && plan?.is(part.raw) === true);
  const calls = parts.filter((part) => part.type === 'call');
  const list = present(old, 'tool_calls');
  const content = parts.filter((part) => part !== thought && part.type !== 'call');
  return patch(old, {
    ...(plan?.isString ? { tool_plan: thought === undefined ? undefined : plan } : {}),
    content: writeBlocks(content, old.get('content')),
    ...(list === undefined
      ? {}
      : { tool_calls: calls.length === 0 && list.length > 0 ? undefined : patchItems(list, calls.map(writeCall)) }),
  });
}

function writeBlocks(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  return writeContent(parts, old, writeBlock, ({ text }) => stringOf(text));
}

function writeBlock(part: Part): Json {
  const node = part.raw instanceof JsonNode ? part.raw : undefined;
  if (part.type !== 'text' && part.type !== 'thinking') return node ?? { type: part.type };
  if (node === undefined || (node.isString && part.type === 'thinking'))
    return { type: part.type, [part.type]: stringOf(part.text) };
  if (node.isString) return json(part.text);
  if (!isDocument(node)) return patch(node, { [part.type]: json(part.text) });
  const document = node.get('document')!;
  const data = document.get('data');
  return patch(node, {
    document: data === undefined ? dataOf(part.text, document) : patch(document, { data: dataOf(part.text, data) }),
  });
}

function writeCall(call: CallPart): Json {
  const { raw, callId, tool, input } = call;
  if (!(raw instanceof JsonNode))
    return { id: callId ?? '', type: 'function', function: { name: tool, arguments: json(input) } };
  const inner = raw.get('function')!;
  return patch(raw, {
    ...idField('id', call),
    function: patch(inner, inputField('arguments', call, present(inner, 'arguments'), json(input))),
  });
}

/** A message that was added; without call ids it is one of version 1. */
function freshMessage({ role, parts }: Message, isV1: boolean): Json {
  const results = parts.filter((part) => part.type === 'result');
  const calls = parts.filter((part) => part.type === 'call');
  const others = parts.filter((part) => part.type !== 'result' && part.type !== 'call');
  if (results[0] !== undefined)
    return isV1 || results[0].callId === undefined
      ? { role: 'TOOL', tool_results: results.map(writeV1Result) }
      : { role: 'tool', tool_call_id: results[0].callId, content: writeBlocks(results[0].content, undefined) ?? '' };
  if (calls.length > 0 && (isV1 || calls[0]!.callId === undefined))
    return { role: 'CHATBOT', message: joinTexts(others.filter(isContent)), tool_calls: calls.map(writeV1Call) };
  const content = writeBlocks(others, undefined);
  return {
    role: role === 'meta' ? 'user' : role,
    ...(content === undefined && calls.length > 0 ? {} : { content: content ?? '' }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
  };
}

// --- before writing

/** Writes added lines in the version of the others, and removes outputs of changed results from citations. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const isV1 = before.some((node) => (node.get('role')?.string ?? '') in V1_ROLES);
  return isV1 ? inV1(rows) : withoutStaleSources(rows, before);
}

/** A source of a citation is `{type: "tool", id: "<call>:0", tool_output}`, which repeats the output of a call. */
function withoutStaleSources(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const kept = new Map(
    rows.flatMap(({ node, json }): [JsonNode, Json][] => (node === undefined ? [] : [[node, json]])),
  );
  const stale = new Set(
    before.flatMap((node) =>
      node.get('role')?.string === 'tool' && kept.get(node) !== node ? (node.get('tool_call_id')?.string ?? []) : [],
    ),
  );
  if (stale.size === 0) return rows.map(({ json }) => json);
  return rows.map(({ node, json }) => {
    const citations = node?.get('citations');
    if (node === undefined || !citations?.isArray) return json;
    const isStale = (source: JsonNode) => stale.has((source.get('id')?.string ?? '').replace(/:\d+$/, ''));
    const withoutStale = (citation: JsonNode) =>
      patch(citation, {
        sources: patchEach(citation.get('sources'), (source) =>
          isStale(source) ? patch(source, { tool_output: undefined }) : source,
        ),
      });
    return amend(node, json, { citations: patchEach(citations, withoutStale) });
  });
}
