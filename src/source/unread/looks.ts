/** What an object with telling members looks like: a text, a call, a result. Few are looked at so closely. */
import type { JsonNode } from '../../json/node.js';
import {
  ANSWER,
  ASIDE,
  BITS,
  CALL,
  CALL_ID,
  CALL_LIST,
  CALL_TYPE,
  type ContentKind,
  IGNORED,
  KEYS,
  KIND,
  NAME,
  NAME_KEYS,
  RESULT,
  RESULT_TYPE,
  type Sign,
  SPEAKER,
  TEXT,
} from './signs.js';

const TEXT_TYPE = /text|message|markdown|prompt|^(?:user|assistant|system|human|ai|model|agent|bot)$/i;
const RESULT_ROLE = /^(?:tool|function|observation)$/i;
/** A type or role is a short word. */
const LONGEST_WORD = 64;

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

/** goose has the call as the `value` of a result that says whether it could be read. */
function hasName(node: JsonNode): boolean {
  return [node, node.get('value')].some((call) => NAME_KEYS.some((key) => call?.get(key) !== undefined));
}

function isEmpty(node: JsonNode): boolean {
  return node.isString ? node.byteLength === 0 : node.isArray && node.length === 0;
}
