/** The three spellings of a LangChain message: its kind, and where its members are. */
import type { JsonNode } from '../../json/node.js';
import { table } from '../shared/table.js';

export type Kind = 'human' | 'ai' | 'system' | 'tool' | 'function' | 'chat' | 'remove';
/** Kinds by class name and by type, both without the suffix `Chunk` of streamed pieces. */
const KINDS = table<Kind>({
  HumanMessage: 'human',
  AIMessage: 'ai',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'function',
  ChatMessage: 'chat',
  RemoveMessage: 'remove',
  human: 'human',
  ai: 'ai',
  system: 'system',
  tool: 'tool',
  function: 'function',
  chat: 'chat',
  generic: 'chat',
  remove: 'remove',
});

/** The kind of a message; undefined for a value that is no LangChain message. */
export function kindOf(raw: JsonNode): Kind | undefined {
  const type = raw.get('type')?.string;
  if (type === undefined) return undefined;
  if (type !== 'constructor') return KINDS[type.replace(/Chunk$/, '')];
  const classPath = raw.get('lc') === undefined ? undefined : raw.get('id')?.items();
  return KINDS[classPath?.at(-1)?.string?.replace(/Chunk$/, '') ?? ''];
}

/** The object that holds a message's content: `kwargs`, `data`, or the message itself. */
export function fieldsOf(raw: JsonNode): JsonNode {
  const inner = raw.get('kwargs') ?? raw.get('data');
  return inner?.isObject && raw.get('content') === undefined ? inner : raw;
}

/** The member with the content. JSON of LangChain.js has it under the name that the constructor got. */
export function contentKey(fields: JsonNode): 'content' | 'content_blocks' {
  return fields.get('content') === undefined && fields.get('content_blocks')?.isArray ? 'content_blocks' : 'content';
}

/** Whether a message is in OpenAI's spelling: LangGraph accepts it too, and LangSmith records it unchanged. */
export function isPlain(raw: JsonNode): boolean {
  return raw.get('type') === undefined && raw.get('role')?.isString === true && raw.get('content') !== undefined;
}

/** Whether a message is of LangChain.js: an instance, seen as the object that it is, or what it is as JSON. */
export function isOfJs(raw: JsonNode): boolean {
  if (raw.get('type')?.string === 'constructor') return raw.get('id')?.items(1)[0]?.string === 'langchain_core';
  return raw.get('lc_kwargs')?.isObject === true && raw.get('lc_namespace')?.isArray === true;
}
