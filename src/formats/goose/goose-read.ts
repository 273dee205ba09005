/**
 * Reads the messages of goose, in its database and in what `goose session export --format json` writes. A result is a
 * list of content in early versions, a `CallToolResult` of MCP since; what could not be called, or failed before it
 * ran, is an error. Neither notices to the user are sent to the model, nor content whose annotations name another
 * audience: https://github.com/aaif-goose/goose/blob/main/crates/goose/src/conversation/message.rs and
 * https://github.com/block/goose/blob/main/crates/goose/src/conversation/tool_result_serde.rs (2026-11-30)
 */
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  OpaquePart,
  Part,
  ResultPart,
  Role,
} from '../../transcript/types.js';
import { metaMessage, optionalString, present, stringIn } from '../shared/json-fields.js';
import { readContent, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';

export const ROLES = table<Role>({ user: 'user', assistant: 'assistant' });
const MEDIA = table<MediaPart['kind']>({ image: 'image', audio: 'audio' });
export const CALLS = commaSet('toolRequest, frontendToolRequest');
/** What is said to the user alone, in this version or in early ones. */
export const NOTICES = commaSet(`
  actionRequired, contextLengthExceeded, conversationCompacted, summarizationRequested, systemNotification,
  toolConfirmationRequest
`);

/**
 * What goose hides from the model is sent no more from the next summary on, which it hides from the user: that of a
 * compaction stands for all before it, that of `summarize_tool_call` for a call and its result.
 * https://github.com/aaif-goose/goose/blob/main/crates/goose/src/context_mgmt/mod.rs (2026-11-30)
 */
export function readGoose(raw: JsonNode): Message {
  const role = ROLES[optionalString(raw, 'role') ?? ''];
  const parts = readContent(raw.get('content'), 'content', readGooseContent);
  if (role === undefined || (parts.length > 0 && parts.every(isNotice))) return metaMessage(raw, false);
  const isAnswer = parts.some((part) => part.type === 'result');
  const isSummary = role === 'user' && !isAnswer && isShown(raw, 'agent') && !isShown(raw, 'user');
  return {
    role: isAnswer ? 'tool' : role,
    parts,
    raw,
    ...((parts.length === 0 || !isShown(raw, 'agent')) && { cutOff: true }), // goose leaves it out
    ...(isSummary && { keeps: (sent: readonly Message[]) => sent.filter(isSent) }),
  };
}

function isSent({ raw }: Message): boolean {
  return !(raw instanceof JsonNode) || isShown(raw, 'agent');
}

/** Whether a message says whom it is for. */
export function isMarked(raw: JsonNode): boolean {
  return raw.get('metadata')?.get('agentVisible')?.boolean !== undefined;
}

/** Early versions do not say so: each message is for both. */
function isShown(raw: JsonNode, to: 'agent' | 'user'): boolean {
  return raw.get('metadata')?.get(`${to}Visible`)?.boolean !== false;
}

export function readGooseContent(block: JsonNode, path: string): Part {
  const type = typeOf(block);
  if (CALLS.has(type)) return readCall(block, path);
  if (type === 'toolResponse') return readResult(block, path);
  const key = thoughtKey(block);
  if (key !== undefined) return readText('thinking', block, key, path);
  if (type === 'redactedThinking') return { type: 'thinking', text: '', raw: block };
  return NOTICES.has(type) ? forUser(block) : readPiece(block, path);
}

export function typeOf(block: JsonNode): string {
  return block.get('type')?.string ?? '';
}

/** The member with what the model thought: `reasoning` is the name of early versions. */
export function thoughtKey(block: JsonNode): string | undefined {
  const type = typeOf(block);
  return type === 'thinking' ? 'thinking' : type === 'reasoning' ? 'text' : undefined;
}

function isNotice({ raw }: Part): boolean {
  return NOTICES.has(typeOf(raw as JsonNode));
}

/** It is kept, and says nothing to the model. */
function forUser(block: JsonNode): OpaquePart {
  return { type: 'opaque', text: '', raw: block };
}

// --- calls and results

/** Undefined for a call that the model spelled wrong. */
export function calledIn(block: JsonNode): JsonNode | undefined {
  const called = block.get('toolCall')?.get('value');
  return called?.isObject ? called : undefined;
}

function readCall(block: JsonNode, path: string): CallPart {
  const called = calledIn(block);
  return {
    type: 'call',
    callId: stringIn(block.get('id'), `${path}.id`),
    tool: called?.get('name')?.string ?? '',
    input: (called && present(called, 'arguments')) ?? '{}',
    raw: block,
  };
}

/** Where the content of a result is: a list, or that of a `CallToolResult`. Undefined for an error. */
export function outputIn(block: JsonNode): JsonNode | undefined {
  const value = block.get('toolResult')?.get('value');
  return value?.isObject ? value.get('content') : value;
}

export function errorIn(block: JsonNode): JsonNode | undefined {
  const error = block.get('toolResult')?.get('error');
  return error?.isString ? error : undefined;
}

export function isFailed(block: JsonNode): boolean {
  const result = block.get('toolResult');
  return errorIn(block) !== undefined || result?.get('value')?.get('isError')?.boolean === true;
}

function readResult(block: JsonNode, path: string): ResultPart {
  const callId = stringIn(block.get('id'), `${path}.id`);
  const content = readContent<ContentPart>(errorIn(block) ?? outputIn(block), `${path}.toolResult`, readPiece);
  return { type: 'result', callId, content, isError: isFailed(block), raw: block };
}

/** Content of MCP. */
function readPiece(block: JsonNode, path: string): ContentPart {
  const type = typeOf(block);
  const audience = block.get('annotations')?.get('audience');
  if (audience?.isArray && !audience.items().some((role) => role.string === 'assistant')) return forUser(block);
  if (type === 'text') return readText('text', block, 'text', path);
  const held = textHeld(block);
  return held === undefined ? readMedia(block, MEDIA[type]) : { type: 'text', text: held, raw: block };
}

/** The text of a resource. */
export function textHeld(block: JsonNode): JsonNode | undefined {
  const text = typeOf(block) === 'resource' ? block.get('resource')?.get('text') : undefined;
  return text?.isString ? text : undefined;
}
