/**
 * What texts, tool calls and results look like in JSON of any origin: the names that providers and agents give them.
 * Only for finding what a format did not read, so the rules are wide; what a message holds is never looked up here.
 */
import type { JsonNode } from '../../json/node.js';
import { type JsonSource, Keys } from '../../json/strings.js';

export type ContentKind = 'text' | 'call' | 'result';

/** A value that looks like content: of a text the string, of a call or a result the object. */
export interface Sign {
  readonly kind: ContentKind;
  readonly node: JsonNode;
}

/** Members that name the kind of a value, or who said it. */
const KIND_KEYS = ['type', 'kind', 'part_kind', 'block_type', 'event', 'say', 'ask'];
const SPEAKER_KEYS = ['role', 'author', 'from', 'speaker', 'sender'];
const TEXT_KEYS = ['content', 'text', 'message', 'value', 'markdown'];
export const NAME_KEYS = ['name', 'tool', 'tool_name', 'toolName', 'function', 'recipient_name'];
const CALL_LISTS = ['tool_calls', 'toolCalls', 'functionCalls', 'tool_uses'];
const CALL_KEYS = ['function_call', 'functionCall', 'toolUse', 'toolCall', 'tool_use', 'tool_call'];
const RESULT_KEYS = ['functionResponse', 'function_response', 'toolResult', 'tool_result', 'tool_call_result'];
const CALL_ID_KEYS = ['tool_call_id', 'tool_use_id', 'toolCallId', 'toolUseId', 'call_id', 'callId', 'tool_id'];
const ANSWER_KEYS = ['output', 'result', 'response', 'content'];

/** Members that describe tools, quote or explain: what looks like content in them is none. */
const ASIDE_KEYS = [
  ...['tools', 'functions', 'tool_choice', 'response_format', 'input_schema', 'schema', 'logprobs'],
  ...['reasoning', 'reasoning_details', 'thinking', 'summary', 'citations', 'annotations'],
];

/** What a member can be, as bits. */
export const KIND = 1;
export const SPEAKER = 2;
export const TEXT = 4;
export const NAME = 8;
export const CALL_LIST = 16;
export const CALL = 32;
export const RESULT = 64;
export const CALL_ID = 128;
export const ANSWER = 256;
export const ASIDE = 512;
export const IGNORED = 1024;
const GROUPS: readonly (readonly [bit: number, names: readonly string[]])[] = [
  [KIND, KIND_KEYS],
  [SPEAKER, SPEAKER_KEYS],
  [TEXT, TEXT_KEYS],
  [NAME, NAME_KEYS],
  [CALL_LIST, CALL_LISTS],
  [CALL, CALL_KEYS],
  [RESULT, RESULT_KEYS],
  [CALL_ID, CALL_ID_KEYS],
  [ANSWER, ANSWER_KEYS],
  [ASIDE, ASIDE_KEYS],
  [IGNORED, ['ignored']], // opencode shows such a part to the user alone
];
export const KEYS = new Keys([...new Set(GROUPS.flatMap(([, names]) => names))]);
export const BITS = KEYS.names.map((name) =>
  GROUPS.reduce((bits, [bit, names]) => (names.includes(name) ? bits | bit : bits), 0),
);

export const CALL_TYPE = /(?:tool|function|mcp|server|custom|shell)[._-]?(?:use|call|invocation)s?$/i;
export const RESULT_TYPE = /(?:tool|function|call)[._-]?(?:results?|responses?|outputs?|returns?)$/i;

/** What a member can be, for plain.ts: `holder` holds a call or a result, `words` a text. */
export const MEMBER = {
  kind: KIND,
  speaker: SPEAKER,
  words: TEXT | ANSWER,
  holder: CALL_LIST | CALL | RESULT,
  callId: CALL_ID,
  answer: ANSWER,
  aside: ASIDE,
} as const;

/** What the member with its name at this tape index can be; 0 if it says nothing. */
export function memberBits(source: JsonSource, nameAt: number): number {
  const index = KEYS.indexOf(source, nameAt);
  return index < 0 ? 0 : BITS[index]!;
}

/** Whether a value of this type is a call or a result as a whole. */
export function isOwnType(type: string): boolean {
  return CALL_TYPE.test(type) || RESULT_TYPE.test(type);
}
