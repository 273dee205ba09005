/**
 * Messages of a session as the Happy app syncs them: rows `{id, seq, localId, content, createdAt}`. The `content` is
 * the user's text or an agent's output: a line of Claude Code's log in `content.data` (type `output`), an event of
 * another agent (types `codex` and `acp`: `tool-call`, `tool-call-result`, `message`), or an event of Happy's own
 * protocol for all agents (type `session`: `ev` with `tool-call-start`, `tool-call-end`, `text`). Rows are in the order
 * in which they reached the server: lines of parallel agents are interleaved, results may precede their calls, and only
 * the links in the lines give the right order.
 * https://github.com/slopus/happy/blob/main/packages/happy-app/sources/sync/typesRaw.ts
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

/** Types of content. `event` is about the app itself. */
const CONTENT_TYPES = new Set(['text', 'output', 'codex', 'acp', 'event', 'session']);
/** Types of events that are calls, and that are results. */
const CALLS = new Set(['tool-call', 'tool-call-start']);
const RESULTS = new Set(['tool-call-result', 'tool-result', 'tool-call-end']);
/** What the text of an event is, and the member that holds it. */
interface EventText {
  readonly type: 'text' | 'thinking';
  readonly key: string;
}
const EVENT_TEXTS = table<EventText>({
  message: { type: 'text', key: 'message' },
  reasoning: { type: 'thinking', key: 'message' },
  thinking: { type: 'thinking', key: 'text' },
  text: { type: 'text', key: 'text' },
});
/** The names of members in events of Happy's own protocol, and in those of other agents. */
const OWN_KEYS = { type: 't', id: 'call', input: 'args' } as const;
const AGENT_KEYS = { type: 'type', id: 'callId', input: 'input' } as const;

export default defineFormat({
  id: 'happy',
  traits: { flagsErrors: true, outputsAreFinal: true },
  messagePaths: ['messages'],
  score(raw) {
    const content = raw.get('content');
    if (raw.get('seq')?.number === undefined || content?.get('role') === undefined) return 0;
    return CONTENT_TYPES.has(content.get('content')?.get('type')?.string ?? '') ? 1 : 0;
  },
  read(raw) {
    const content = raw.get('content')?.get('content');
    const line = lineIn(raw);
    if (line !== undefined) return { ...claudeCode.read(line), raw };
    const event = eventIn(raw);
    if (event !== undefined) return readEvent(event, content!.get('data')?.get('role')?.string === 'user', raw);
    const text = content?.get('type')?.string === 'text' ? content.get('text') : undefined;
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
    if (line !== undefined) return withContent(raw, 'data', claudeCode.write({ ...message, raw: line }));
    const event = eventIn(raw);
    if (event !== undefined) return withEvent(raw, writeEvent(parts, event));
    return withContent(raw, 'text', joinedString(parts));
  },
  header(raw) {
    return { id: lineIn(raw)?.get('sessionId')?.string };
  },
  recorded(raw) {
    const line = lineIn(raw);
    const recorded = line === undefined ? undefined : recordedIn(line);
    return recordedOf({ ...recorded, time: recorded?.time ?? timeOf(raw.get('createdAt')) });
  },
  /** Output of a command that the agent reports apart from its result. */
  beside(row) {
    const event = eventIn(row);
    return event?.get('type')?.string === 'terminal-output' ? [event.get('data')] : [];
  },
  threads(messages) {
    const lines = messages.map(({ raw }) => (raw instanceof JsonNode ? lineIn(raw) : undefined));
    return claudeCode.threads!(messages.map((message, index) => ({ ...message, raw: lines[index] })));
  },
  beforeWrite,
});

/** The line of Claude Code's log that a row holds. */
function lineIn(raw: JsonNode): JsonNode | undefined {
  return dataIn(raw, ['output']);
}

/** The event in a row: of another agent, or in Happy's own protocol. */
function eventIn(raw: JsonNode): JsonNode | undefined {
  const event = dataIn(raw, ['codex', 'acp']) ?? dataIn(raw, ['session'])?.get('ev');
  return event?.isObject ? event : undefined;
}

function withEvent(raw: JsonNode, event: Json): Json {
  const envelope = dataIn(raw, ['session']);
  return withContent(raw, 'data', envelope === undefined ? event : patch(envelope, { ev: event }));
}

function keysOf(event: JsonNode): typeof OWN_KEYS | typeof AGENT_KEYS {
  return event.get(OWN_KEYS.type) === undefined ? AGENT_KEYS : OWN_KEYS;
}

function eventText(event: JsonNode): EventText | undefined {
  const text = EVENT_TEXTS[event.get(keysOf(event).type)?.string ?? ''];
  return text !== undefined && event.get('thinking')?.boolean === true ? { type: 'thinking', key: text.key } : text;
}

/** The `data` of a row whose content is of one of these types. */
function dataIn(raw: JsonNode, types: readonly string[]): JsonNode | undefined {
  const content = raw.get('content')?.get('content');
  const data = types.includes(content?.get('type')?.string ?? '') ? content!.get('data') : undefined;
  return data?.isObject ? data : undefined;
}

/** The row with another member in its inner content. */
function withContent(raw: JsonNode, key: string, value: Json): Json {
  const outer = raw.get('content')!;
  const inner = outer.get('content')!;
  return patch(raw, { content: patch(outer, { content: patch(inner, { [key]: value }) }) });
}

// --- events

function readEvent(event: JsonNode, isUsers: boolean, raw: JsonNode): Message {
  const path = 'content.content.data';
  const keys = keysOf(event);
  const type = event.get(keys.type)?.string ?? '';
  const found = eventText(event);
  if (found !== undefined) {
    const text = event.get(found.key);
    return text?.isString
      ? { role: isUsers ? 'user' : 'assistant', parts: [{ type: found.type, text, raw: text }], raw }
      : wrongMember(text, event, `${path}.${found.key}`, 'a string');
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
  const keys = keysOf(event);
  const text = eventText(event);
  if (text !== undefined)
    return patch(event, { [text.key]: joinedText(parts.filter(({ type }) => type === text.type)) });
  const part = parts.find((one): one is CallPart | ResultPart => one.type === 'call' || one.type === 'result');
  if (part === undefined)
    return keys === OWN_KEYS ? { t: 'text', text: joinedText(parts) } : { type: 'message', message: joinedText(parts) };
  const id = idField(keys.id, part);
  if (part.type === 'call') return patch(event, { ...id, ...inputField(keys.input, part, event.get(keys.input)) });
  const empty = event.get('output')?.isNull === false ? '' : event.get('output');
  return patch(event, { ...id, output: part.content.length === 0 ? empty : joinedText(part.content) });
}

// --- rows that were added

/** A user's text is written as such; everything else, and messages to a subagent, as a line of Claude Code's log. */
function writeFresh(message: Message, near: JsonNode | undefined): Json {
  const [first, ...others] = message.parts;
  const isToSubagent = near !== undefined && lineIn(near)?.get('isSidechain')?.boolean === true;
  if (message.role === 'user' && first?.type === 'text' && others.length === 0 && !isToSubagent)
    return { content: { role: 'user', content: { type: 'text', text: json(first.text) } } };
  return wrapLine(claudeCode.write({ ...message, parts: message.parts.map(withTextResults) }));
}

/** Results of other agents are values of any type; Claude Code's are texts. */
function withTextResults(part: Part): Part {
  if (part.type !== 'result') return part;
  const content = part.content.map((block) => (block.type === 'text' ? { ...block, text: textOf(block.text) } : block));
  return { ...part, content };
}

/**
 * Relinks the lines in the rows as in a log of Claude Code. A row that was added gets `seq` and time of the row before.
 */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const mayHoldLine = ({ node, json }: Row) => node !== undefined || dataOf(json) !== undefined;
  const lineOf = new Map(before.map((node) => [node, lineIn(node)] as const));
  const lines = rows.filter(mayHoldLine).map(({ node, message, json }): Row => {
    const near = adjacentNode(message);
    const inLine = near === undefined ? message : { ...message, near: lineIn(near) };
    if (node === undefined) return { node, message: inLine, json: dataOf(json)! };
    const line = lineOf.get(node);
    if (line === undefined) return { node, message: inLine, json: node }; // rows of other agents have no links
    return { node: line, message: inLine, json: json === node ? line : dataOf(json)! };
  });
  const relinked = claudeCode.beforeWrite!(
    lines,
    before.map((node) => lineOf.get(node) ?? node),
  );
  let next = 0;
  return withAdjacentRecords(rows, before).map(({ adjacent, ...row }) => {
    if (!mayHoldLine(row)) return completeRow(row.json, adjacent);
    const old = lines[next]!.json;
    const line = relinked[next++];
    if (row.node === undefined) return line && completeRow(wrapLine(line), adjacent);
    return line === undefined || line === old ? row.json : withContent(row.node, 'data', line);
  });
}

/** The line of Claude Code's log in a row that is about to be written. */
function dataOf(row: Json): Json | undefined {
  return memberOf(memberOf(memberOf(row, 'content'), 'content'), 'data');
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (value instanceof ObjectEdit) return value.fields.get(key) ?? value.base.get(key);
  return value instanceof JsonNode ? value.get(key) : (value as JsonFields | undefined)?.[key];
}

function wrapLine(data: Json): Json {
  return { content: { role: 'agent', content: { type: 'output', data } } };
}

function completeRow(row: Json, adjacent: JsonNode | undefined): Json {
  return {
    id: derivedId(adjacent?.get('id')?.string ?? '', row),
    seq: adjacent?.get('seq'),
    localId: null,
    ...(row as JsonFields),
    createdAt: adjacent?.get('createdAt'),
  };
}
