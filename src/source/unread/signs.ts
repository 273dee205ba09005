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
const NAME_KEYS = ['name', 'tool', 'tool_name', 'toolName', 'function', 'recipient_name'];
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
const KIND = 1;
const SPEAKER = 2;
const TEXT = 4;
const NAME = 8;
const CALL_LIST = 16;
const CALL = 32;
const RESULT = 64;
const CALL_ID = 128;
const ANSWER = 256;
const ASIDE = 512;
const IGNORED = 1024;
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
const KEYS = new Keys([...new Set(GROUPS.flatMap(([, names]) => names))]);
const BITS = KEYS.names.map((name) =>
  GROUPS.reduce((bits, [bit, names]) => (names.includes(name) ? bits | bit : bits), 0),
);

const CALL_TYPE = /(?:tool|function|mcp|server|custom|shell)[._-]?(?:use|call|invocation)s?$/i;
const RESULT_TYPE = /(?:tool|function|call)[._-]?(?:results?|responses?|outputs?|returns?)$/i;
const TEXT_TYPE = /text|message|markdown|prompt|^(?:user|assistant|system|human|ai|model|agent|bot)$/i;
const RESULT_ROLE = /^(?:tool|function|observation)$/i;
/** A type or role is a short word. */
const LONGEST_WORD = 64;

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

export interface Looks {
  /** What the object itself looks like. */
  readonly signs: readonly Sign[];
  /** Its members that may hold more. */
  readonly inside: readonly JsonNode[];
}

type Member = readonly [bits: number, value: JsonNode];

/** What an object looks like, and where to look on. */
export function looksOf(object: JsonNode): Looks {
  const known: Member[] = [];
  const inside: JsonNode[] = [];
  let all = 0;
  object.eachMember(KEYS, (index, value) => {
    const bits = index < 0 ? 0 : BITS[index]!;
    const isContainer = value.isObject || value.isArray;
    if (isContainer && (bits & ASIDE) === 0) inside.push(value);
    if (bits === 0 || value.isNull) return;
    all |= bits === IGNORED && value.boolean !== true ? 0 : bits;
    known.push([bits, value]);
  });
  if ((all & IGNORED) !== 0) return { signs: [], inside: [] };
  const isTelling = (all & (CALL_LIST | CALL | RESULT | KIND | SPEAKER | CALL_ID)) !== 0;
  return { signs: isTelling ? signsAmong(object, known, all) : [], inside };
}

function signsAmong(object: JsonNode, members: readonly Member[], all: number): readonly Sign[] {
  const own = ownKind(members, all);
  if (own !== undefined) return [{ kind: own, node: object }];
  const signs: Sign[] = [];
  const isText = (all & SPEAKER) !== 0 || isOf(members, KIND, TEXT_TYPE);
  for (const [bits, value] of members) {
    if ((bits & CALL_LIST) !== 0)
      for (const call of value.items()) if (call.isObject) signs.push({ kind: 'call', node: call });
    if ((bits & CALL) !== 0 && hasName(value)) signs.push({ kind: 'call', node: value });
    if ((bits & RESULT) !== 0 && value.isObject) signs.push({ kind: 'result', node: value });
    if (isText && (bits & TEXT) !== 0)
      for (const text of value.isArray ? value.items() : [value])
        if (text.isString && text.byteLength > 0) signs.push({ kind: 'text', node: text });
  }
  return signs;
}

/** Whether the object as a whole is a call or a result. */
function ownKind(members: readonly Member[], all: number): ContentKind | undefined {
  const isAnswered = members.some(([bits, value]) => (bits & ANSWER) !== 0 && !isEmpty(value));
  if ((all & (CALL_ID | ANSWER)) !== 0 && isOf(members, KIND, RESULT_TYPE)) return 'result';
  if ((all & NAME) !== 0 && isOf(members, KIND, CALL_TYPE)) return 'call';
  if (isAnswered && (all & CALL_ID) !== 0) return 'result';
  const isSaid = members.some(([bits, value]) => (bits & ANSWER) !== 0 && value.isString && value.byteLength > 0);
  return isSaid && isOf(members, SPEAKER, RESULT_ROLE) ? 'result' : undefined;
}

function isOf(members: readonly Member[], group: number, pattern: RegExp): boolean {
  return members.some(([bits, value]) => (bits & group) !== 0 && wordsIn(value).some((word) => pattern.test(word)));
}

function wordsIn(node: JsonNode): readonly string[] {
  if (node.isObject) return ['role', 'name'].flatMap((key) => node.get(key)?.string ?? []);
  return node.isString && node.byteLength <= LONGEST_WORD ? [node.text] : [];
}

function hasName(node: JsonNode): boolean {
  return node.isObject && NAME_KEYS.some((key) => node.get(key) !== undefined);
}

function isEmpty(node: JsonNode): boolean {
  return node.isString ? node.byteLength === 0 : node.isArray && node.length === 0;
}
