/** Whether messages hold what looks like content elsewhere in a recording, in other words: a copy is no loss. */
import { callKey } from '../../json/canonical.js';
import { type JsonNode, parse } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { textOf } from '../../transcript/text.js';
import type { ContentPart, Message, Part } from '../../transcript/types.js';
import type { Sign } from './signs.js';

/** A copy of content that a message holds is no loss: the same text, or a call or result with its id or content. */
export function heldBy(messages: readonly Message[]): (sign: Sign) => boolean {
  const content = contentOf(messages);
  const { calls, results } = content;
  const has = textFinder(content);
  const hasAll = (value: JsonNode | undefined) => {
    const texts = answersIn(value);
    return texts.length > 0 && texts.every(has);
  };
  return ({ kind, node }) => {
    if (kind === 'text') return has(node.text) || hasAll(inJson(node.text));
    if (kind === 'call') return keysOf(node).some((key) => calls.has(key));
    return idsOf(node).some((id) => results.has(id)) || hasAll(node);
  };
}

interface Content {
  readonly texts: ReadonlySet<string>;
  /** By id, and by tool and arguments. */
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
}

function contentOf(messages: readonly Message[]): Content {
  const texts = new Set<string>();
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const { parts } of messages) {
    let joined = '';
    const addText = (part: ContentPart | Part) => {
      if (!('text' in part) || part.text === undefined) return;
      texts.add(textOf(part.text).trim());
    };
    for (const part of parts) {
      addText(part);
      if (part.type === 'text') joined += textOf(part.text);
      if (part.type === 'result') {
        if (part.callId) results.add(part.callId);
        part.content.forEach(addText);
      } else if (part.type === 'call') {
        for (const key of [idKey(part.callId, part.tool), callKey(part)]) calls.add(key);
        for (const text of stringsIn(inJson(textOf(part.input)), () => true)) texts.add(text.trim());
      }
    }
    texts.add(joined.trim());
  }
  return { texts, calls, results };
}

/** How Inspect refers to texts that it keeps in one place. https://inspect.aisi.org.uk/eval-logs.html */
const REFERENCE = /^(?:attachment|tc):\/\/\S+$/;

/** Only so many texts are searched for inside of others; the rest have to be equal to one. */
const MOST_SEARCHES = 200;

/** Finds a text that a message has, alone or within a longer one. */
function textFinder({ texts }: Content): (text: string) => boolean {
  let all: string | undefined;
  let searches = 0;
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || texts.has(trimmed) || REFERENCE.test(trimmed)) return true;
    if (++searches > MOST_SEARCHES) return false;
    all ??= [...texts].join('\n'); // results that an agent joins to one text stand together here
    return all.includes(trimmed);
  };
}

const ID_KEYS = commaList('id, call_id, callId, tool_call_id, toolCallId, tool_use_id, toolUseId, tool_id, uuid');
const NAME_KEYS = ['name', 'tool_name', 'toolName', 'tool', 'function'];
const INPUT_KEYS = ['arguments', 'args', 'input', 'parameters'];
const HOLDERS = ['function', 'tool_call', 'toolCall', 'functionCall'];

function idsOf(node: JsonNode): string[] {
  return ID_KEYS.flatMap((key) => node.get(key)?.string || []);
}

function idKey(id: string | undefined, tool: string): string {
  return `${tool} ${id ?? ''}`;
}

/** What a call is known by: its tool, with its id or its arguments. */
function keysOf(call: JsonNode): string[] {
  const inner = HOLDERS.map((key) => call.get(key)).find((member) => member?.isObject);
  const ids = [call, ...(inner === undefined ? [] : [inner])].flatMap(idsOf);
  const named = inner === undefined ? call : inner;
  const deeper = HOLDERS.some((key) => named.get(key)?.isObject) ? keysOf(named) : [];
  const tool = NAME_KEYS.map((key) => named.get(key)?.string).find((name) => name !== undefined);
  if (tool === undefined) return deeper;
  const input = INPUT_KEYS.map((key) => named.get(key)).find((value) => value !== undefined);
  return [...deeper, ...ids.map((id) => idKey(id, tool)), callKey({ tool, input: input?.text ?? '' })];
}

/** The JSON in a text; undefined if it is none. */
function inJson(text: string): JsonNode | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const ANSWER = /^(?:content|text|output|result|response|value|message)$/;

/** The texts of a result, or of results in a list. */
function answersIn(value: JsonNode | undefined): string[] {
  return stringsIn(value, (key) => ANSWER.test(key));
}

/** All strings in a value, as far as they stand below members with such names. */
function stringsIn(value: JsonNode | undefined, isOf: (key: string) => boolean): string[] {
  const texts: string[] = [];
  const pending = value === undefined ? [] : [{ node: value, isIn: false }];
  while (pending.length > 0) {
    const { node, isIn: isInside } = pending.pop()!;
    if (node.isString && node.byteLength > 0 && isInside) texts.push(node.text);
    for (const item of node.items()) pending.push({ node: item, isIn: isInside });
    for (const { key, value: member } of node.members()) {
      if (isOf(key.text) || !member.isString) pending.push({ node: member, isIn: isInside || isOf(key.text) });
    }
  }
  return texts;
}
