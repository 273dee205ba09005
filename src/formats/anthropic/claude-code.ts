/**
 * Claude Code session logs: a record a line, linked by `parentUuid`. A message of the API stands in `message` and may be written in
 * several lines with one `message.id`; a result is repeated beside it in `toolUseResult`: as an object of the tool's own shape, of
 * errors as a string. Lines of other types are no messages, but some tell of a call (`toolUseID`, `parentToolUseID`). Nothing documents them: the shapes are those of recorded logs.
 */
import { amend, type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { type Agents, type Description, defineFormat, type Row } from '../format.js';
import { applyCuts, type CutResult, cutsBetween } from '../shared/apply-cuts.js';
import { metaMessage } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';
import { isResult } from '../shared/parts.js';
import { anthropicUsage, costField, recordedOf, timeOf } from '../shared/recorded.js';
import anthropic from './anthropic-messages.js';
import { renamedCalls, withNewIds } from './renamed-calls.js';

/** Types of lines that only this format has, beside `user` and `assistant`. */
const RECORDS = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'attachment',
  'progress',
  'permission-mode',
  'last-prompt',
  'ai-title',
  'custom-title',
]);
/** Progress and notices, by type or by the subtype of a system line: nothing reads them again. */
const SPARE = new Set([
  'progress',
  'queue-operation',
  'last-prompt',
  'api_error',
  'turn_duration',
  'stop_hook_summary',
]);
const LINK: Link = {
  id: 'uuid',
  parent: 'parentUuid',
  endPointers: ['leafUuid', 'logicalParentUuid'],
  contentKeys: ['message', 'toolUseResult'],
};
/** What a line says of its session, the same in its neighbours. */
const SESSION_FIELDS = [
  'isSidechain',
  'userType',
  'entrypoint',
  'cwd',
  'sessionId',
  'version',
  'gitBranch',
  'slug',
  'agentId',
];
/** What Claude Code calls the model of messages that it writes itself: they cost nothing. */
const NO_MODEL = '<synthetic>';

export default defineFormat({
  id: 'claude-code',
  traits: { flagsErrors: true },
  wraps: { format: 'anthropic-messages', inner: (raw) => raw.get('message') },
  byteHints: { usage: ['"usage"'] },
  messagePaths: ['loglines'],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type === undefined && raw.get('sessionId') !== undefined && raw.get('message')?.get('usage') !== undefined)
      return 0.8; // early lines that hold nothing but usage
    if (type === undefined || raw.get('payload') !== undefined || raw.get('role') !== undefined) return 0;
    if (type === 'user' || type === 'assistant')
      return raw.get('message')?.get('role') !== undefined &&
        (raw.get('uuid') ?? raw.get('sessionId') ?? raw.get('timestamp')) !== undefined
        ? 1
        : 0;
    if (type === 'system') return raw.get('sessionId') !== undefined && raw.get('uuid') !== undefined ? 0.9 : 0;
    return RECORDS.has(type) &&
      (raw.get('sessionId') ?? raw.get('uuid') ?? raw.get('leafUuid') ?? raw.get('messageId')) !== undefined
      ? 0.9
      : 0;
  },
  read(raw) {
    const inner = messageIn(raw);
    if (inner === undefined) return metaMessage(raw, SPARE.has((raw.get('subtype') ?? raw.get('type'))?.string ?? ''));
    const message = anthropic.read(inner);
    const { model } = modelOf(inner);
    const group = raw.get('type')?.string === 'assistant' ? inner.get('id')?.string : undefined;
    return { ...message, raw, ...(group === undefined ? {} : { group }), ...(model === undefined ? {} : { model }) };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode))
      return {
        type: message.role === 'assistant' ? 'assistant' : 'user',
        message: anthropic.write(message),
        ...repeated(message),
      };
    const inner = raw.get('message');
    if (message.role === 'meta' || inner === undefined) return raw;
    const written = anthropic.write({ ...message, raw: inner });
    return written === inner ? raw : patch(raw, { message: written, ...repeatedAlike(message, raw) });
  },
  describe: (record) => sessionOf(record.get('loglines')?.items()[0]),
  header: sessionOf,
  recorded(raw) {
    const inner = raw.get('message');
    const { model, isPaid } = modelOf(inner);
    return recordedOf({
      responseId: inner?.get('id')?.string,
      requestId: raw.get('requestId')?.string,
      sessionId: raw.get('sessionId')?.string,
      model,
      time: timeOf(raw.get('timestamp')),
      usage: isPaid ? anthropicUsage(inner?.get('usage')) : undefined,
      cost: costField(raw, 'costUSD'),
    });
  },
  threads,
  beforeWrite,
});

/** The message of the API that a line holds. */
function messageIn(raw: JsonNode): JsonNode | undefined {
  const type = raw.get('type')?.string;
  const inner = raw.get('message');
  return (type === 'user' || type === 'assistant') && inner?.isObject ? inner : undefined;
}

function modelOf(inner: JsonNode | undefined): { readonly model?: string; readonly isPaid: boolean } {
  const model = inner?.get('model')?.string;
  return model === undefined || model === NO_MODEL ? { isPaid: model === undefined } : { model, isPaid: true };
}

function sessionOf(line: JsonNode | undefined): Description {
  return { id: line?.get('sessionId')?.string };
}

/** A result stands beside the message too: as a string, where the line is ours. */
function repeated({ parts }: Message): JsonFields {
  const result = parts.find(isResult);
  return result === undefined ? {} : { toolUseResult: joinTexts(result.content) };
}

/** What was cut in the message must not survive beside it; what stands there keeps its shape. */
function repeatedAlike(message: Message, raw: JsonNode): JsonFields {
  const beside = raw.get('toolUseResult');
  if (beside === undefined) return {};
  const { toolUseResult } = repeated(message);
  if (toolUseResult === undefined) return { toolUseResult };
  const before = anthropic.read(raw.get('message')!);
  const cut = applyCuts(beside, cutsBetween(before, message));
  return {
    toolUseResult:
      cut === beside && beside.isString && beside.text.length > (toolUseResult as string).length ? toolUseResult : cut,
  };
}

// --- sub-agents

/**
 * Their lines say `isSidechain`, and newer ones `agentId`; without that, those of one agent go back to one line by `parentUuid`. A line
 * whose parent is missing is of the agent before it.
 */
function threads(messages: readonly Message[]): Agents | undefined {
  const lines = messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined));
  const isSide = (line: JsonNode | undefined) => line?.get('isSidechain')?.boolean === true;
  if (!lines.some(isSide)) return undefined;
  const byId = new Map(lines.map((line) => [line?.get(LINK.id)?.string, line]));
  const agentOf = new Map<JsonNode | undefined, string>();
  let agent: string | undefined;
  for (const line of lines) {
    if (!isSide(line)) continue;
    const passed = new Set<JsonNode>();
    let root = line!;
    for (let at = line; isSide(at) && !passed.has(at!) && !agentOf.has(root); at = byId.get(parentOf(root))) {
      root = at!;
      passed.add(root);
    }
    agent = agentOf.get(root) ?? nameOf(root, byId.has(parentOf(root)) ? undefined : agent);
    for (const one of passed) agentOf.set(one, agent);
  }
  return { agentIds: lines.map((line) => agentOf.get(line)) };
}

/** The agent that a line begins, or `before` where what stood before it is missing. */
function nameOf(line: JsonNode, before: string | undefined): string {
  const id = line.get('agentId')?.string;
  if (id !== undefined) return `agent-${id}`;
  const isMissing = parentOf(line) !== undefined && before !== undefined;
  return isMissing ? before : `sidechain-${line.get(LINK.id)?.string ?? ''}`;
}

function parentOf(line: JsonNode): string | undefined {
  return line.get(LINK.parent)?.string;
}

// --- what goes and comes with messages

/** Lines that tell of a call go with it, and lose what its result lost; links stay whole; lines that were added are whole records. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const changes = changesIn(rows, before);
  const alike = rows.map((row): Row | undefined => {
    if (row.node === undefined) return { ...row, json: whole(row.json as JsonFields, changes) };
    if (messageIn(row.node) !== undefined) return { ...row, json: withoutLinks(row.node, row.json, changes) };
    return tellsOfWhatWent(row.node, changes) ? undefined : { ...row, json: cutRecord(row.node, changes) };
  });
  const kept = alike.filter((row) => row !== undefined);
  const linked = relink(kept, before, LINK, SESSION_FIELDS);
  const jsonOf = new Map(kept.map((row, index) => [row, linked[index]!]));
  return alike.map((row) => row && jsonOf.get(row));
}

interface Changes {
  /** Ids of calls that no line makes any more. */
  readonly goneCalls: ReadonlySet<string>;
  /** Calls that have another id now, by the old one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Ids of lines that went. */
  readonly goneLines: ReadonlySet<string>;
  readonly cuts: ReadonlyMap<string, CutResult>;
  /** The line of each call, where lines of results name it. */
  readonly lineOfCall: ReadonlyMap<string, string>;
}

function changesIn(rows: readonly Row[], before: readonly JsonNode[]): Changes {
  const jsonOf = new Map(rows.map(({ node, json }) => [node, json]));
  const went = before.filter((node) => !jsonOf.has(node));
  const edited = rows.filter((row): row is Row & { node: JsonNode } => row.node !== undefined && row.json !== row.node);
  const cuts = edited.flatMap(({ node, json }) =>
    cutsBetween(anthropic.read(messageIn(node)!), anthropic.read(messageIn(parse(printed(json)))!)),
  );
  const nowIn = edited.flatMap(({ json }) => callsIn(parse(printed(json))));
  const lost = new Set([...went, ...edited.map(({ node }) => node)].flatMap(callsIn));
  const stays =
    lost.size === 0 ? [] : rows.flatMap(({ node, json }) => (node === undefined || json !== node ? [] : callsIn(node)));
  for (const id of [...nowIn, ...stays]) lost.delete(id);
  const renamed = new Map(
    edited.flatMap(({ node, json }) => renamedCalls(callsIn(node), callsIn(parse(printed(json))))),
  );
  for (const id of renamed.keys()) if (!lost.delete(id)) renamed.delete(id);
  const isAdded = rows.some(({ node }) => node === undefined);
  const namesLines = isAdded && before.some((node) => node.get(CALLING_LINE) !== undefined);
  const lineOfCall = namesLines
    ? new Map(before.flatMap((node) => callsIn(node).map((id) => [id, node.get('uuid')?.string ?? ''] as const)))
    : new Map<string, string>();
  return {
    goneCalls: lost,
    renamed,
    goneLines: new Set(went.flatMap((node) => node.get('uuid')?.string ?? [])),
    cuts: new Map(cuts.map((cut) => [cut.callId, cut])),
    lineOfCall,
  };
}

const CALLING_LINE = 'sourceToolAssistantUUID';

function callsIn(line: JsonNode): string[] {
  const blocks = messageIn(line)?.get('content')?.items() ?? [];
  return blocks.flatMap((block) => (block.get('type')?.string === 'tool_use' ? (block.get('id')?.string ?? []) : []));
}

/** A message that came of a call (`sourceToolUseID`) stays without it. */
function withoutLinks(node: JsonNode, json: Json, { goneCalls, renamed }: Changes): Json {
  const id = node.get('sourceToolUseID')?.string ?? '';
  if (renamed.has(id)) return amend(node, json, { sourceToolUseID: renamed.get(id) });
  return goneCalls.has(id) ? amend(node, json, { sourceToolUseID: undefined }) : json;
}

/** What a hook or an agent told of a call; the files as they were before a message. */
function tellsOfWhatWent(node: JsonNode, { goneCalls, goneLines }: Changes): boolean {
  const messageId = node.get('type')?.string === 'file-history-snapshot' ? node.get('messageId')?.string : undefined;
  return (
    (messageId !== undefined && goneLines.has(messageId)) ||
    (goneCalls.size > 0 && idsIn(node).some((id) => goneCalls.has(id)))
  );
}

function cutRecord(node: JsonNode, { cuts, renamed }: Changes): Json {
  const own = cuts.size === 0 ? [] : idsIn(node).flatMap((id) => cuts.get(id) ?? []);
  const cut = own.length === 0 ? node : applyCuts(node, own);
  if (renamed.size === 0 || !node.isObject) return cut;
  const named = node.members().map(({ key, value }) => {
    const isWhole = own.length === 0 || value.isString; // what was cut keeps its old ids
    return [key.text, isWhole ? withNewIds(value, renamed, CALL_IDS, key.text) : value] as const;
  });
  return amend(node, cut, Object.fromEntries(named));
}

/** The ids of calls that a line tells of, however deep: agents' messages stand whole in `data`. */
function idsIn(value: JsonNode): string[] {
  const ids: string[] = [];
  const left = [value]; // no recursion: it may be deep
  while (left.length > 0) {
    const next = left.pop()!;
    for (const item of next.items().reverse()) left.push(item);
    for (const { key, value: member } of next.members()) {
      if (!member.isString) left.push(member);
      else if (CALL_IDS.has(key.text)) ids.push(member.text);
    }
  }
  return ids;
}
const CALL_IDS = new Set(['toolUseID', 'parentToolUseID', 'tool_use_id']);

/** A line as Claude Code itself would have written it. */
function whole(json: JsonFields, { lineOfCall }: Changes): Json {
  const message = parse(printed(json['message'] as Json));
  const [id] =
    message
      .get('content')
      ?.items()
      .flatMap((block) => block.get('tool_use_id')?.string ?? []) ?? [];
  const line = id === undefined ? undefined : lineOfCall.get(id);
  if (json['type'] !== 'assistant') return line ? { ...json, [CALLING_LINE]: line } : json;
  const content = message.get('content')!;
  const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const blocks = content.isString ? [{ type: 'text', text: content }] : content;
  return {
    ...json,
    message: {
      type: 'message',
      role: 'assistant',
      model: NO_MODEL,
      content: blocks,
      stop_reason: 'stop_sequence',
      stop_sequence: '',
      usage,
    },
  };
}
