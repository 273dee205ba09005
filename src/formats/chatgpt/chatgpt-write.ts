/** Writes the messages of ChatGPT's export. */
import { type Json, type JsonFields, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { CallPart, Message, Part, Role, Text } from '../../transcript/types.js';
import { json, present } from '../shared/json-fields.js';
import { isCall, isResult, joinedText } from '../shared/parts.js';
import { TEXT_KEYS, THOUGHT_KEYS, thoughtTexts, toolOf } from './chatgpt-content.js';

/** Writes a message as an edit of the one that was read. */
export function writeNodeMessage({ parts }: Pick<Message, 'parts'>, old: JsonNode): Json {
  const result = parts.find(isResult);
  const call = parts.find(isCall);
  const said = result?.content ?? parts.filter((part) => !isCall(part));
  const content = present(old, 'content');
  if (content === undefined) return old;
  const wasCall = toolOf(old) !== undefined && old.get('author')?.get('role')?.string === 'assistant';
  const texts = wasCall ? callAsText(call, said, content) : said;
  return patch(old, {
    content: writeContent(texts, content),
    ...(wasCall && call === undefined ? { recipient: 'all' } : {}),
  });
}

/** The input of a call stands where a text does. */
function callAsText(call: CallPart | undefined, said: readonly Part[], content: JsonNode): readonly Part[] {
  const first = content
    .get('parts')
    ?.items()
    .find((part) => part.isString || part.get('text')?.isString);
  const raw = first ?? TEXT_KEYS.map((key) => content.get(key)).find((node) => node?.isString);
  const text: Text = call?.input ?? '';
  return [{ type: 'text', text, raw }, ...said];
}

function writeContent(parts: readonly Part[], content: JsonNode): Json {
  const list = content.get('parts');
  if (list?.isArray) return patch(content, { parts: patchItems(list, parts.map(writePart)) });
  const texts = parts.filter((part) => part.type === 'text');
  const keys = TEXT_KEYS.filter((key) => content.get(key)?.isString);
  const known = (raw: unknown) => keys.some((key) => content.get(key)!.is(raw));
  const others = texts.filter((part) => !known(part.raw));
  const fields = keys.map((key, index): [string, Json] => {
    const node = content.get(key)!;
    const own = texts.filter((part) => node.is(part.raw));
    const all = index === 0 ? [...own, ...others] : own;
    return [key, all.length === 0 ? '' : joinedText(all)];
  });
  return patch(content, { ...Object.fromEntries(fields), ...thoughtsField(parts, content) });
}

function thoughtsField(parts: readonly Part[], content: JsonNode): JsonFields {
  const list = content.get('thoughts');
  if (!list?.isArray) return {};
  const texts = parts.filter((part) => part.type === 'thinking');
  const thoughts = patchEach(list, (thought) => {
    const before = thoughtTexts(thought);
    const after = texts.filter(({ raw }) => before.some((node) => node.is(raw)));
    if (after.length === 0 && before.length > 0) return undefined;
    const fields = THOUGHT_KEYS.flatMap((key): [string, Json][] => {
      const node = thought.get(key);
      if (!before.some((text) => text.is(node))) return [];
      const part = after.find(({ raw }) => node!.is(raw));
      return [[key, part === undefined ? '' : json(part.text)]];
    });
    return patch(thought, Object.fromEntries(fields));
  });
  return { thoughts };
}

function writePart(part: Part): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : '';
  return raw instanceof JsonNode && raw.isObject ? patch(raw, { text: json(part.text) }) : json(part.text);
}

/** A node for an added message; the tree gives it its id, its parent and its children. */
export function freshNode({ role, parts }: Pick<Message, 'role' | 'parts'>): Json {
  const result = parts.find(isResult);
  const call = parts.find(isCall);
  const name = result?.tool ?? null;
  return {
    id: null,
    message: {
      id: null,
      author: { role: authorOf(role), name, metadata: {} },
      create_time: null,
      content: freshContent(result?.content ?? parts, call),
      status: 'finished_successfully',
      metadata: {},
      recipient: call?.tool ?? 'all',
    },
    parent: null,
    children: [],
  };
}

function authorOf(role: Role): string {
  return role === 'meta' ? 'system' : role;
}

function freshContent(parts: readonly Part[], call: CallPart | undefined): Json {
  if (call !== undefined) return { content_type: 'code', language: 'unknown', text: json(call.input) };
  const thoughts = parts.filter((part) => part.type === 'thinking');
  if (thoughts.length > 0)
    return { content_type: 'thoughts', thoughts: thoughts.map(({ text }) => ({ summary: '', content: json(text) })) };
  return { content_type: 'text', parts: parts.filter((part) => part.type !== 'call').map(writePart) };
}
