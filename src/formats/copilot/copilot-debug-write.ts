/** Writes rows of a debug log of Copilot Chat. */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { nested, renested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed, reparsed } from '../../json/print.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart, Text } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { derivedId } from '../shared/derived-ids.js';
import { json, jsonValue } from '../shared/json-fields.js';
import { isCall, isResult, joinedText } from '../shared/parts.js';
import { partsIn, typeOf } from './copilot-debug-read.js';

/** Writes an edited row. */
export function writeRow({ role, parts }: Message, raw: JsonNode): Json {
  const attrs = raw.get('attrs');
  if (role === 'meta' || attrs === undefined) return raw;
  const type = typeOf(raw);
  if (type === 'user_message') return patch(raw, { attrs: patch(attrs, { content: joinedText(parts) }) });
  if (type === 'agent_response') return patch(raw, { attrs: patch(attrs, responseFields(attrs, parts)) });
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  if (call === undefined && result === undefined)
    return patch(raw, { type: 'agent_response', name: 'agent_response', attrs: responseOf(parts) });
  return patch(raw, { ...toolFields(raw, call, result), attrs: patch(attrs, attrsOf(attrs, call, result)) });
}

function toolFields(raw: JsonNode, call: CallPart | undefined, result: ResultPart | undefined): JsonFields {
  const id = call?.callId ?? result?.callId;
  const wasError = raw.get('status')?.string === 'error';
  const isError = result?.isError === true;
  return {
    ...(id === undefined ? {} : { spanId: id }),
    ...(call === undefined ? { name: '' } : {}),
    ...(isError === wasError ? {} : { status: isError ? 'error' : 'ok' }),
  };
}

function attrsOf(attrs: JsonNode, call: CallPart | undefined, result: ResultPart | undefined): JsonFields {
  const old = attrs.get('args');
  const args = call === undefined ? undefined : writtenInput(call.input, old);
  if (result === undefined) return { args, result: null, error: undefined };
  const key = attrs.get('result') === undefined && attrs.get('error') !== undefined ? 'error' : 'result';
  const isEmpty = result.content.length === 0;
  return { args, [key]: isEmpty ? (attrs.get(key) === undefined ? undefined : '') : joinedText(result.content) };
}

function writtenInput(input: Text, old: JsonNode | undefined): Json | undefined {
  if (input instanceof JsonNode) return input;
  return input === '{}' && old === undefined ? undefined : textOf(input);
}

// --- responses

/** Texts and thinking of a response. Its calls stay: `syncCalls` knows of which of them the row is gone. */
function responseFields(attrs: JsonNode, parts: readonly Part[]): JsonFields {
  const thought = attrs.get('reasoning');
  const isOwn = ({ raw }: Part) => thought?.is(raw) === true;
  const own = parts.filter(isOwn);
  const reasoning = thought === undefined ? {} : { reasoning: own.length === 0 ? undefined : joinedText(own) };
  const rest = parts.filter((part) => !isOwn(part));
  const response = attrs.get('response');
  const old = partsIn(attrs);
  if (response === undefined || old === undefined) return { ...reasoning, response: joinedText(rest) };
  // the response was parsed anew, so what was read of it is found by its place
  const placeOf = ({ raw }: Part) =>
    raw instanceof JsonNode ? old.findIndex((each) => each.at === raw.at && each.text === raw.text) : -1;
  const places = rest.map(placeOf);
  const addedFrom = (from: number) => {
    const end = places.findIndex((place, index) => index >= from && place >= 0);
    return rest.slice(from, end < 0 ? rest.length : end).map(partOf);
  };
  const [first] = old.filter(isText);
  const written = old.flatMap((part, at): Json[] => {
    if (!isText(part)) return [part];
    const index = places.indexOf(at);
    const now = rest[index];
    if (now?.type === 'text' || now?.type === 'thinking')
      return [patch(part, { content: json(now.text) }), ...addedFrom(index + 1)];
    // a response of nothing but calls is no message
    return part === first && rest.length === 0 ? [patch(part, { content: '' })] : [];
  });
  return { ...reasoning, response: withParts(response, old, [...addedFrom(0), ...written]) };
}

function isText(part: JsonNode): boolean {
  return ['text', 'reasoning'].includes(part.get('type')?.string ?? '');
}

/** A response with other parts, all of them in its first message. */
function withParts(response: JsonNode, old: readonly JsonNode[], parts: readonly Json[]): Json {
  if (parts.length === old.length && parts.every((part, at) => part === old[at])) return response;
  const own = nested(response);
  const [first] = own.value.items();
  return renested(own, [patch(first ?? parse('{"role":"assistant"}'), { parts })]);
}

function partOf(part: Part): Json {
  const text = 'text' in part && part.text !== undefined ? textOf(part.text) : '';
  return { type: part.type === 'thinking' ? 'reasoning' : 'text', content: text };
}

function responseOf(parts: readonly Part[]): JsonFields {
  return { response: printed([{ role: 'assistant', parts: parts.map(partOf) }]) };
}

// --- calls that a response repeats

/** Changes or removes the calls in responses with the rows of their tools. */
export function syncCalls(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const changes = new Map<JsonNode, ReadonlyMap<JsonNode, Row | undefined>>();
  let open: { readonly row: JsonNode; readonly calls: Map<JsonNode, Row | undefined> } | undefined;
  for (const node of before) {
    const type = typeOf(node);
    if (type === 'agent_response') {
      open = { row: node, calls: new Map() };
      changes.set(node, open.calls);
    } else if (type === 'tool_call' && open !== undefined) {
      const part = repeatedCall(open.row, node, open.calls);
      if (part !== undefined && rowOf.get(node)?.json !== node) open.calls.set(part, rowOf.get(node));
    }
  }
  return rows.map(({ node, json }) => {
    const calls = node && changes.get(node);
    return calls === undefined || calls.size === 0 ? json : withCalls(json, node!, calls);
  });
}

/** The call in a response that a row repeats: the one with its id, or else the next one of its name. */
function repeatedCall(response: JsonNode, row: JsonNode, taken: ReadonlyMap<JsonNode, unknown>): JsonNode | undefined {
  const calls = (partsIn(response.get('attrs')!) ?? []).filter((part) => part.get('type')?.string === 'tool_call');
  const isFree = (part: JsonNode) => ![...taken.keys()].some((other) => other.at === part.at);
  const args = row.get('attrs')?.get('args')?.text;
  const named = calls.filter((part) => isFree(part) && part.get('name')?.string === row.get('name')?.string);
  return (
    calls.find((part) => part.get('id')?.string === row.get('spanId')?.string) ??
    named.find((part) => meaning(part.get('arguments')?.text) === meaning(args)) ??
    named[0]
  );
}

function meaning(input: string | undefined): string {
  return JSON.stringify(jsonValue(input ?? '{}'));
}

/** The row of a response, after its own edits, with the edits of its calls. */
function withCalls(json: Json, node: JsonNode, calls: ReadonlyMap<JsonNode, Row | undefined>): Json {
  const now = json === node ? node : reparsed(json);
  const attrs = now.get('attrs')!;
  const own = nested(attrs.get('response')!);
  const edits = new Map([...calls].map(([part, row]) => [printed(part), row]));
  const messages = own.value.items().map((message) => {
    const parts = message.get('parts')?.items() ?? [];
    const written = parts.flatMap((part): Json[] => {
      if (!edits.has(printed(part))) return [part];
      const call = edits.get(printed(part))?.message.parts.find(isCall);
      return call === undefined ? [] : [patch(part, callFields(part, call))];
    });
    return patch(message, { parts: written });
  });
  return patch(now, { attrs: patch(attrs, { response: renested(own, messages) }) });
}

function callFields(part: JsonNode, { input }: CallPart): JsonFields {
  const isText = part.get('arguments')?.isString === true;
  return { arguments: isText ? textOf(input) : jsonValue(textOf(input)) };
}

// --- rows that were added

export function freshRow({ role, parts }: Message, near: JsonNode | undefined): Json {
  const call = parts.find(isCall);
  const result = parts.find(isResult);
  const row = (type: string, name: string, span: string, attrs: JsonFields): JsonFields => ({
    ts: near?.get('ts') ?? 0,
    dur: 0,
    sid: near?.get('sid') ?? '',
    type,
    name,
    spanId: span,
    status: result?.isError ? 'error' : 'ok',
    attrs,
  });
  if (call !== undefined || result !== undefined) {
    const args = call === undefined ? {} : { args: textOf(call.input) };
    const answer = result === undefined ? { result: null } : { result: joinedText(result.content) };
    return row('tool_call', call?.tool ?? '', call?.callId ?? result?.callId ?? '', { ...args, ...answer });
  }
  const place = near?.get('spanId')?.string ?? '';
  if (role !== 'assistant') {
    const content = joinedText(parts);
    return row('user_message', 'user_message', derivedId(place, content), { content });
  }
  const attrs = responseOf(parts);
  return row('agent_response', 'agent_response', `agent-msg-${derivedId(place, attrs)}`, attrs);
}
