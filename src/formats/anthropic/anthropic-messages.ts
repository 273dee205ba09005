/**
 * Anthropic Messages: content is text or an array of blocks. Calls are `tool_use` blocks of the assistant; their
 * results are `tool_result` blocks at the start of one user message. The system prompt is outside of the message list.
 * https://docs.anthropic.com/en/api/messages
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { ContentPart, Message, Part, ResultPart, Role } from '../../transcript/types.js';
import { NOT_IN_NAMES } from '../encode.js';
import { defineFormat } from '../format.js';
import { callIn, callPaths } from '../shared/api-calls.js';
import { messagelessCalls } from '../shared/call-reply.js';
import { firstPresent, optionalString, present, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { readContent, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { ANTHROPIC_PARAMETERS } from './anthropic-parameters.js';
import { modelInfo, recordedIn, replyIn } from './anthropic-usage.js';
import { freshMessage, textKey, writeBlocks } from './anthropic-write.js';
import { TRAITS, traitsOf } from './prefill.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });
/** What the API refuses, and rules mend: a request is read even so. */
const MEANT = table<Role>({ developer: 'system', tool: 'user', function: 'user', model: 'assistant' });
const MEDIA = table<'image' | 'file'>({ image: 'image', document: 'file' });
/**
 * Blocks that only this format has. Server tools have call and result in one message; both are kept as opaque parts.
 */
const OWN_BLOCKS = commaSet(`
  tool_use, tool_result, thinking, redacted_thinking, server_tool_use, document, container_upload
`);
/** Media types that the API accepts as base64. https://docs.anthropic.com/en/docs/build-with-claude/vision */
const MEDIA_TYPES = { image: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], file: ['application/pdf'] };
/**
 * The lowest output limit of all Claude models: that of Claude 3.
 * https://docs.anthropic.com/en/docs/about-claude/models
 */
const MAX_TOKENS = 4096;
/** Blocks of server tools, and others that the API accepts back unchanged. */
const SERVER_BLOCK = /_tool_use$|_tool_result$|^(?:container_upload|search_result|tool_addition|tool_removal)$/;
/**
 * All keys that the API allows in a block, and those that must be strings. https://docs.anthropic.com/en/api/messages
 */
const BLOCK_KEYS: ReadonlyMap<string, { readonly all: readonly string[]; readonly strings: readonly string[] }> =
  new Map([
    ['text', { all: ['type', 'text', 'cache_control', 'citations'], strings: ['text'] }],
    ['thinking', { all: ['type', 'thinking', 'signature'], strings: ['thinking', 'signature'] }],
    ['redacted_thinking', { all: ['type', 'data'], strings: ['data'] }],
    ['tool_use', { all: ['type', 'id', 'name', 'input', 'cache_control'], strings: ['id', 'name'] }],
    ['tool_result', { all: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'], strings: ['tool_use_id'] }],
  ]);
/** Block types of other formats. */
const FOREIGN_BLOCKS = new Set(['image_url', 'input_text', 'output_text', 'tool_call', 'tool-call', 'toolCall']);
/** Roles of other formats. */
const FOREIGN_ROLES = new Set(['tool', 'function', 'developer', 'model', 'toolResult', 'exit']);

const PATHS = callPaths({ request: ['=system?', 'messages'], response: '=' });

export default defineFormat({
  id: 'anthropic-messages',
  traits: TRAITS,
  byteHints: { toolCalls: ['"tool_'] },
  messagePaths: [
    '=request.system? + request.messages > =response?',
    ...PATHS.pairs,
    ...PATHS.requests,
    '=system_prompt? + =system? + messages',
    ...PATHS.responses.filter((path) => path !== '> ='),
  ],
  envelope: messagelessCalls,
  score(raw) {
    const role = raw.get('role')?.string;
    if (role !== undefined && FOREIGN_ROLES.has(role)) return -1;
    if (role === undefined || !(role in ROLES)) return 0;
    if (
      present(raw, 'tool_calls') !== undefined ||
      present(raw, 'function_call') !== undefined ||
      raw.get('parts') !== undefined
    )
      return -1;
    if (isSystemSetting(raw)) return 1;
    const content = raw.get('content');
    if (content === undefined || content.isNull) return -1;
    const types = content.items().map((block) => block.get('type')?.string ?? '');
    if (types.some((type) => OWN_BLOCKS.has(type))) return 1;
    if (types.some((type) => FOREIGN_BLOCKS.has(type))) return -1;
    return types.length > 0 ? 0.55 : 0.5;
  },
  isResponse: (value) =>
    value.get('type')?.string === 'message' &&
    value.get('role')?.string === 'assistant' &&
    value.get('content')?.isArray === true &&
    value.get('usage')?.isObject === true,
  /** A Claude model, the `max_tokens` that only this API requires, and no system prompt among the messages. */
  claimsRecord(record) {
    const body = ['request', 'body'].map((key) => record.get(key)).find((node) => node?.isObject) ?? record;
    const first = body.get('messages')?.items(1)[0];
    // Bedrock and Vertex AI name the model elsewhere, and have a version in the body
    const isOwn = /^claude-/.test(body.get('model')?.string ?? '') || body.get('anthropic_version')?.isString === true;
    return (
      isOwn &&
      (body.get('max_tokens')?.number !== undefined ||
        body.get('tools')?.items(1)[0]?.get('input_schema') !== undefined) &&
      first?.get('role')?.string !== 'system'
    );
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: readContent(raw, 'content', readBlock), raw };
    const isRoleless = raw.get('role') === undefined;
    const isError = isRoleless && raw.get('content') === undefined; // in place of a reply
    if (isError) return { role: 'meta', parts: [], raw };
    if (isRoleless && raw.get('usage')?.isObject) return readAs('assistant', raw); // a reply of which little was logged
    return readAs(optionalString(raw, 'role') ?? wrongMember(undefined, raw, 'role', 'a string'), raw);
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message);
    if (message.role === 'meta') return raw;
    if (!raw.isObject) return writeBlocks(parts, raw) ?? raw;
    return patch(raw, { content: writeBlocks(parts, raw.get('content')) });
  },
  describe(record) {
    const { id, request, response } = callIn(record) ?? {};
    const around = [record, record.get('request'), record.get('body'), record.get('response'), request, response];
    const tools = firstPresent(around, 'tools');
    const model = firstPresent(around, 'model')?.string ?? modelInfo(record.get('messages')?.items().find(modelInfo));
    return {
      id: id ?? record.get('id')?.string ?? record.get('sessionId')?.string,
      model,
      traits: traitsOf(model, firstPresent(around, 'thinking')?.get('type')?.string === 'enabled'),
      tools: tools?.isArray ? tools : undefined,
      reply: replyIn(record),
    };
  },
  recorded: recordedIn,
  encode: {
    mediaFrom: ['user', 'tool'],
    notInNames: NOT_IN_NAMES,
    longestName: 128, // anthropics/claude-code#96152, 2026
    messages: 'messages',
    model: 'model',
    parameters: ANTHROPIC_PARAMETERS,
    system: { key: 'system', write: (text) => text, cannotBeMessage: true },
    tools: (definitions, entries) => ({
      tools: [
        ...definitions.map(({ name, description, parameters, strict }) => ({
          ...{ name, description, strict: strict || undefined },
          input_schema: parameters,
        })),
        ...entries,
      ],
    }),
    isOwnTool: (entry) =>
      entry.get('input_schema')?.isObject === true || OWN_TOOL.test(entry.get('type')?.string ?? ''),
    media: ({ kind, type, base64, url, name, context, citations }) => {
      if (kind === 'audio') return undefined;
      const media_type = type ?? (kind === 'image' ? 'image/png' : 'application/pdf');
      const source = base64 === undefined ? { type: 'url', url } : { type: 'base64', media_type, data: base64 };
      const isAccepted = base64 === undefined || MEDIA_TYPES[kind].includes(media_type);
      if (!isAccepted) return undefined;
      return kind === 'image'
        ? { type: 'image', source }
        : { type: 'document', source, title: name, context, citations };
    },
    signedThinking: (proof) =>
      'redacted' in proof
        ? { type: 'redacted_thinking', data: proof.redacted }
        : { type: 'thinking', thinking: proof.text, signature: proof.signature },
    textDocument: ({ kind, title, source, context, texts, citations }) => {
      const blocks = texts.map((text) => ({ type: 'text', text }));
      if (kind === 'search result')
        return { type: 'search_result', source: source ?? '', title: title ?? '', content: blocks, citations };
      const held =
        texts.length === 1
          ? { type: 'text', media_type: 'text/plain', data: texts[0]! }
          : { type: 'content', content: blocks };
      return { type: 'document', source: held, title, context, citations };
    },
    objectArgumentsOnly: true,
    maxTokens: { key: 'max_tokens', default: MAX_TOKENS },
    canReuse(raw, kind) {
      const type = raw.get('type')?.string ?? '';
      const source = raw.get('source');
      if (kind === 'media')
        return (
          source?.get('type')?.string !== 'base64' ||
          MEDIA_TYPES[type === 'image' ? 'image' : 'file'].includes(source.get('media_type')?.string ?? '')
        );
      if (kind === 'opaque') return SERVER_BLOCK.test(type);
      const keys = BLOCK_KEYS.get(type);
      const content = raw.get('content');
      return (
        keys !== undefined &&
        raw.members().every(({ key }) => keys.all.includes(key.text)) &&
        keys.strings.every((key) => raw.get(key)?.isString) &&
        (kind !== 'call' || raw.get('input')?.isObject === true) &&
        (content === undefined || content.isString || content.items().every(isResultBlock))
      );
    },
  },
});

/** Types of tools that have no schema: https://docs.claude.com/en/docs/agents-and-tools/tool-use/overview, 2026-11 */
const OWN_TOOL = /_\d{8}$|^mcp_toolset$/;

// --- reading

/** Reads a message of this role, which logs can state beside it. */
export function readAs(role: string, raw: JsonNode): Message {
  const known = ROLES[role] ?? MEANT[role];
  const isSetting = raw.get('content') === undefined && isSystemSetting(raw);
  if (known === undefined || isSetting) return { role: 'meta', parts: [], raw };
  const parts = readContent(raw.get('content'), 'content', readBlock);
  return { role: parts.some((part) => part.type === 'result') ? 'tool' : known, parts, model: modelInfo(raw), raw };
}

export function readBlock(block: JsonNode, path: string): Part {
  if (block.isString) return { type: 'text', text: block, raw: block }; // occurs in session logs
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = optionalString(block, 'type') ?? '';
  if (type === 'text') return readText('text', block, 'text', path);
  if (type === 'thinking') return { type: 'thinking', text: block.get('thinking') ?? '', raw: block };
  if (type === 'redacted_thinking') return { type: 'thinking', text: '', raw: block };
  if (type === 'tool_use')
    return {
      type: 'call',
      callId: stringIn(block.get('id'), `${path}.id`) ?? '',
      tool: stringIn(block.get('name'), `${path}.name`) ?? '',
      input: block.get('input') ?? '{}',
      raw: block,
    };
  if (type === 'tool_result') return readResult(block, path);
  return readMedia(block, MEDIA[type]);
}

function readResult(block: JsonNode, path: string): ResultPart {
  return {
    type: 'result',
    callId: stringIn(block.get('tool_use_id'), `${path}.tool_use_id`) ?? '',
    content: readContent(block.get('content'), `${path}.content`, readResultBlock),
    isError: block.get('is_error')?.boolean === true,
    raw: block,
  };
}

/** Whether the API accepts a block of a result. */
function isResultBlock(block: JsonNode): boolean {
  const type = block.get('type')?.string;
  return type === 'text' ? block.get('text')?.isString === true : type !== undefined && type !== 'tool_result';
}

function readResultBlock(block: JsonNode, path: string): ContentPart {
  const key = textKey(block);
  return key === undefined
    ? readMedia(block, MEDIA[block.get('type')?.string ?? ''])
    : readText('text', block, key, path);
}

/** A system message amid a conversation that only this API has: it changes a setting, with or without a text. */
function isSystemSetting(raw: JsonNode): boolean {
  const isOwn = raw.get('output_config')?.isObject === true || raw.get('clear_at')?.isString === true;
  return isOwn && raw.get('role')?.string === 'system';
}
