/**
 * The output side of a request of the AI SDK: its reasoning, text or object, and calls are attributes of their own.
 * https://ai-sdk.dev/docs/ai-sdk-core/telemetry#generatetext-function
 */
import type { Json } from '../../json/edit.js';
import { type Nested, nested, renested } from '../../json/nested.js';
import { type JsonNode, parse } from '../../json/node.js';
import { printed, reparsed } from '../../json/print.js';
import { bareCallsOf } from '../openai/bare-calls.js';
import type { WrittenMessage } from '../shared/conversation.js';
import aiSdk, { replyMessage } from './ai-sdk-reply.js';
import type { Attributes } from './attributes.js';
import type { SpanSide } from './numbered-messages.js';

/** A member of the reply, the attributes that hold it, and its value; undefined if it has none. */
interface Field {
  readonly name: string;
  readonly keys: readonly string[];
  readonly inner: Nested | undefined;
}

/** The reply as one message; undefined if there is none, or a text alone that is no JSON object. */
export function aiSdkReply(attributes: Attributes): SpanSide | undefined {
  const fields = fieldsIn(attributes);
  const members = fields.flatMap(({ name, inner }) => (inner === undefined ? [] : `"${name}":${printed(inner.value)}`));
  if (members.length === 0 || isText(fields)) return undefined;
  const message = parse(`{${members.join(',')}}`);
  return {
    messages: [{ lens: aiSdk, message }],
    isList: true,
    edit(puts, edits) {
      const now = writtenReply(puts);
      if (now === message) return;
      const after = reparsed(now);
      for (const { name, keys, inner } of fields) {
        const value = after.get(name);
        if (value?.text === inner?.value.text) continue;
        for (const key of keys) edits.values.set(key, value && written(name, value, inner));
      }
    },
  };
}

function fieldsIn(attributes: Attributes): readonly Field[] {
  const texts = replyKeys(attributes, 'text');
  const isObject = texts.every((key) => attributes.get(key) === undefined) && isRequest(attributes);
  const text = isObject ? replyKeys(attributes, 'object') : texts;
  const [reasoning, calls] = [replyKeys(attributes, 'reasoning'), replyKeys(attributes, 'toolCalls')];
  return [
    { name: 'reasoning', keys: reasoning, inner: textIn(attributes.get(reasoning[0]!)) },
    { name: 'text', keys: text, inner: textIn(attributes.get(text[0]!)) },
    { name: 'toolCalls', keys: calls, inner: callsIn(attributes.get(calls[0]!)) },
  ];
}

/**
 * The attributes that hold a member of the reply, at least one: AI SDK 3.3 names them `ai.result.…`, and 3.4 has both.
 * https://github.com/vercel/ai/blob/ai%403.4.33/packages/ai/core/generate-text/generate-text.ts, 2026-11-29
 */
export function replyKeys(attributes: Attributes, name: string): readonly string[] {
  const usual = `ai.response.${name}`;
  const known = [usual, `ai.result.${name}`].filter((key) => attributes.get(key) !== undefined);
  return known.length === 0 ? [usual] : known;
}

/** Whether a span is a request: those around requests repeat the object, spelled in their own way. */
function isRequest(attributes: Attributes): boolean {
  return attributes.get('ai.prompt.messages') !== undefined;
}

function textIn(value: JsonNode | undefined): Nested | undefined {
  return value?.isString && value.byteLength > 0 ? { value, strings: [] } : undefined;
}

function callsIn(value: JsonNode | undefined): Nested | undefined {
  const inner = value && nested(value);
  return inner && bareCallsOf(inner.value) && inner;
}

/** Whether a reply is a text alone. It may be a list of messages, which a text becomes when others are added. */
function isText(fields: readonly Field[]): boolean {
  return fields.every(
    ({ name, inner }) => (inner === undefined) === (name !== 'text') && !(inner && nested(inner.value).value.isObject),
  );
}

/** The reply that is left. With other messages, the list of them is its text. */
function writtenReply(puts: readonly WrittenMessage[]): Json {
  const [first] = puts;
  if (first === undefined) return {};
  if (puts.length === 1 && first.from === 0) return first.message;
  const list = puts.map(({ message, from }) => (from === 0 ? replyMessage(aiSdk.read(reparsed(message))) : message));
  return { text: printed(list) };
}

function written(name: string, value: JsonNode, old: Nested | undefined): Json {
  if (name !== 'toolCalls') return value;
  return old === undefined ? printed(value) : renested(old, value);
}
