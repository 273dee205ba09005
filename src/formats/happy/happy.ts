/**
 * Messages of a session as the Happy app syncs them: rows `{id, seq, localId, content, createdAt}`, of which `content` is what the user
 * typed, or what an agent gave. Of an agent it is a line of Claude Code's log in `content.data` (type `output`), or an event: of other
 * agents (types `codex` and `acp`: `tool-call`, `tool-call-result`, `message`), or of Happy's own protocol for all of them (type `session`:
 * `ev` with `tool-call-start`, `tool-call-end`, `text`). Rows stand as they reached the server:
 * lines of agents that ran side by side are shuffled, results may stand before their calls, and only the links in the lines tell what
 * came first. https://github.com/slopus/happy/blob/main/packages/happy-app/sources/sync/typesRaw.ts
 */
import { type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { recordedIn } from '../anthropic/claude-agent-sdk.js';
import claudeCode from '../anthropic/claude-code.js';
import { defineFormat, type Row } from '../format.js';
import { adjacentNode, withAdjacentRecords } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';
import { json, stringIn, wrongMember, wrongType } from '../shared/json-fields.js';
import { idField, inputField, joinedString, joinedText } from '../shared/parts.js';
import { recordedOf, timeOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';

/** Kinds of content. Those of `event` are about the app itself. */
const KINDS = new Set(['text', 'output', 'codex', 'acp', 'event', 'session']);
/** Types of events with calls and with results. */
const CALLS = new Set(['tool-call', 'tool-call-start']);
const RESULTS = new Set(['tool-call-result', 'tool-result', 'tool-call-end']);
/** The member with the text of an event, and what it is. */
const SPOKEN = table<readonly ['text' | 'thinking', string]>({
  message: ['text', 'message'],
  reasoning: ['thinking', 'message'],
  thinking: ['thinking', 'text'],
  text: ['text', 'text'],
});
/** How Happy's own protocol spells what other agents call `type`, `callId` and `input`. */
const OWN = { type: 't', id: 'call', input: 'args' } as const;
const THEIRS = { type: 'type', id: 'callId', input: 'input' } as const;

export default defineFormat({
  id: 'happy',
  traits: { flagsErrors: true },
  messagePaths: ['messages'],
  score(raw) {
    const content = raw.get('content');
    if (raw.get('seq')?.number === undefined || content?.get('role') === undefined) return 0;
    return KINDS.has(content.get('content')?.get('type')?.string ?? '') ? 1 : 0;
  },
  read(raw) {
    const said = raw.get('content')?.get('content');
    const line = lineIn(raw);
    if (line !== undefined) return { ...claudeCode.read(line), raw };
    const event = eventIn(raw);
    if (event !== undefined) return readEvent(event, said!.get('data')?.get('role')?.string === 'user', raw);
    const text = said?.get('type')?.string === 'text' ? said.get('text') : undefined;
    if (text === undefined) return { role: 'meta', parts: [], raw };
    return text.isString
      ? { role: 'user', parts: [{ type: 'text', text, raw: text }], raw }
      : wrongType(text, 'content.content.text', 'a string');
  },
  write(message, near) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return writeFresh(message, near);
    if (message.role === 'meta') return raw;
    const line = lineIn(raw);
    if (line !== undefined) return putBack(raw, 'data', claudeCode.write({ ...message, raw: line }));
    const event = eventIn(raw);
    if (event !== undefined) return putEvent(raw, writeEvent(parts, event));
    return putBack(raw, 'text', joinedString(parts));
  },
  header(raw) {
    return { id: lineIn(raw)?.get('sessionId')?.string };
  },
  recorded(raw) {
    const line = lineIn(raw);
    const said = line === undefined ? undefined : recordedIn(line);
    return recordedOf({ ...said, time: said?.time ?? timeOf(raw.get('createdAt')) });
  },
  threads(messages) {
    const lines = messages.map(({ raw }) => (raw instanceof JsonNode ? lineIn(raw) : undefined));
    const agents = claudeCode.threads!(messages.map((message, index) => ({ ...message, raw: lines[index] })));
    return agents && { ...agents, order: linkedOrder(lines) };
  },
  beforeWrite,
});

/** The line of Claude Code's log that a row holds. */
function lineIn(raw: JsonNode): JsonNode | undefined {
  return dataIn(raw, ['output']);
}

/** Rows by their index, each behind the one that its line names as its parent; all else as it stands. */
function linkedOrder(lines: readonly (JsonNode | undefined)[]): readonly number[] {
  const ids = lines.map((line) => line?.get('uuid')?.string);
  const missing = new Set(ids); // those that come later
  const waiting = new Map<string, number[]>();
  const order: number[] = [];
  lines.forEach((line, index) => {
    const parent = line?.get('parentUuid')?.string;
    if (parent !== undefined && missing.has(parent)) {
      waiting.set(parent, waiting.get(parent) ?? []);
      waiting.get(parent)!.push(index);
      return;
    }
    const next = [index];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      order.push(at);
      const id = ids[at];
      if (id === undefined || !missing.delete(id)) continue;
      for (const follower of waiting.get(id)?.reverse() ?? []) next.push(follower);
      waiting.delete(id);
    }
  });
  return [...order, ...[...waiting.values()].flat()]; // what is left names its own followers
}

/** What another agent told, or any in Happy's own protocol. */
function eventIn(raw: JsonNode): JsonNode | undefined {
  const event = dataIn(raw, ['codex', 'acp']) ?? dataIn(raw, ['session'])?.get('ev');
  return event?.isObject ? event : undefined;
}

function putEvent(raw: JsonNode, event: Json): Json {
  const envelope = dataIn(raw, ['session']);
  return putBack(raw, 'data', envelope === undefined ? event : patch(envelope, { ev: event }));
}

function spellingOf(event: JsonNode): typeof OWN | typeof THEIRS {
  return event.get(OWN.type) === undefined ? THEIRS : OWN;
}

function spokenIn(event: JsonNode): readonly ['text' | 'thinking', string] | undefined {
  const spoken = SPOKEN[event.get(spellingOf(event).type)?.string ?? ''];
  return spoken !== undefined && event.get('thinking')?.boolean === true ? ['thinking', spoken[1]] : spoken;
}

function dataIn(raw: JsonNode, kinds: readonly string[]): JsonNode | undefined {
  const said = raw.get('content')?.get('content');
  const data = kinds.includes(said?.get('type')?.string ?? '') ? said!.get('data') : undefined;
  return data?.isObject ? data : undefined;
}

function putBack(raw: JsonNode, key: string, value: Json): Json {
  const content = raw.get('content')!;
  const said = content.get('content')!;
  return patch(raw, { content: patch(content, { content: patch(said, { [key]: value }) }) });
}

// --- events

function readEvent(event: JsonNode, isUsers: boolean, raw: JsonNode): Message {
  const path = 'content.content.data';
  const keys = spellingOf(event);
  const type = event.get(keys.type)?.string ?? '';
  const spoken = spokenIn(event);
  if (spoken !== undefined) {
    const text = event.get(spoken[1]);
    return text?.isString
      ? { role: isUsers ? 'user' : 'assistant', parts: [{ type: spoken[0], text, raw: text }], raw }
      : wrongMember(text, event, `${path}.${spoken[1]}`, 'a string');
  }
  const callId = stringIn(event.get(keys.id), `${path}.${keys.id}`) ?? '';
  if (CALLS.has(type))
    return {
      role: 'assistant',
      parts: [
        {
          type: 'call',
          callId,
          tool: event.get('name')?.string ?? '',
          input: event.get(keys.input) ?? '{}',
          raw: event,
        },
      ],
      raw,
    };
  if (!RESULTS.has(type)) return { role: 'meta', parts: [], raw };
  const output = event.get('output');
  const content: ResultPart['content'] =
    output === undefined || output.isNull ? [] : [{ type: 'text', text: output, raw: output }];
  return {
    role: 'tool',
    parts: [{ type: 'result', callId, content, isError: event.get('isError')?.boolean === true, raw: event }],
    raw,
  };
}

function writeEvent(parts: readonly Part[], event: JsonNode): Json {
  const keys = spellingOf(event);
  const spoken = spokenIn(event);
  if (spoken !== undefined)
    return patch(event, { [spoken[1]]: joinedText(parts.filter(({ type }) => type === spoken[0])) });
  const [traffic] = parts.filter(
    (part): part is CallPart | ResultPart => part.type === 'call' || part.type === 'result',
  );
  if (traffic === undefined)
    return keys === OWN ? { t: 'text', text: joinedText(parts) } : { type: 'message', message: joinedText(parts) };
  const id = idField(keys.id, traffic);
  if (traffic.type === 'call')
    return patch(event, { ...id, ...inputField(keys.input, traffic, event.get(keys.input)) });
  const empty = event.get('output')?.isNull === false ? '' : event.get('output');
  return patch(event, { ...id, output: traffic.content.length === 0 ? empty : joinedText(traffic.content) });
}

// --- rows that were added

/** What the user typed is a text; all else, and what is said to a sub-agent, is spelled as Claude Code spells it. */
function writeFresh(message: Message, near: JsonNode | undefined): Json {
  const [first, ...others] = message.parts;
  const isToAgent = near !== undefined && lineIn(near)?.get('isSidechain')?.boolean === true;
  if (message.role === 'user' && first?.type === 'text' && others.length === 0 && !isToAgent)
    return { content: { role: 'user', content: { type: 'text', text: json(first.text) } } };
  return wrap(claudeCode.write({ ...message, parts: message.parts.map(spelledOut) }));
}

/** Other agents give results of any kind; Claude Code's are texts. */
function spelledOut(part: Part): Part {
  return part.type === 'result'
    ? {
        ...part,
        content: part.content.map((block) => (block.type === 'text' ? { ...block, text: textOf(block.text) } : block)),
      }
    : part;
}

/** The lines in the rows keep their links as they do in a log. A row that was added has the place and the time of the row before it. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const isLinked = ({ node, json }: Row) => node !== undefined || dataOf(json) !== undefined;
  const lineOf = new Map(before.map((node) => [node, lineIn(node)] as const));
  const lines = rows.filter(isLinked).map(({ node, message, json }): Row => {
    if (node === undefined) {
      const beside = adjacentNode(message);
      return { node, message: { ...message, near: beside && lineIn(beside) }, json: dataOf(json)! };
    }
    const line = lineOf.get(node);
    return { node: line ?? node, message, json: line === undefined ? node : json === node ? line : dataOf(json)! }; // other agents' rows have no links
  });
  const relinked = claudeCode.beforeWrite!(
    lines,
    before.map((node) => lineOf.get(node) ?? node),
  );
  let next = 0;
  return withAdjacentRecords(rows, before).map(({ adjacent: neighbour, ...row }) => {
    if (!isLinked(row)) return added(row.json, neighbour);
    const old = lines[next]!.json;
    const line = relinked[next++];
    if (row.node === undefined) return line && added(wrap(line), neighbour);
    return line === undefined || line === old ? row.json : putBack(row.node, 'data', line);
  });
}

/** The line that a row is about to hold. */
function dataOf(row: Json): Json | undefined {
  return ['content', 'content', 'data'].reduce<Json | undefined>(
    (at, key) =>
      at instanceof ObjectEdit
        ? (at.fields.get(key) ?? at.base.get(key))
        : at instanceof JsonNode
          ? at.get(key)
          : (at as JsonFields | undefined)?.[key],
    row,
  );
}

function wrap(data: Json): Json {
  return { content: { role: 'agent', content: { type: 'output', data } } };
}

function added(row: Json, neighbour: JsonNode | undefined): Json {
  return {
    id: derivedId(neighbour?.get('id')?.string ?? '', row),
    seq: neighbour?.get('seq'),
    localId: null,
    ...(row as JsonFields),
    createdAt: neighbour?.get('createdAt'),
  };
}
