/** Lines of a Claude Code log that refer to messages: removed and updated along with them. */
import { amend, type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { commaList } from '../../lists.js';
import type { Echoes, Row } from '../format.js';
import { applyCuts, type CutResult, cutsBetween } from '../shared/apply-cuts.js';
import { type Link, relink } from '../shared/links.js';
import anthropic from './anthropic-messages.js';
import { NO_MODEL } from './anthropic-usage.js';
import { linkOf, threads } from './claude-code-ledger.js';
import { renamedCalls, withNewIds } from './renamed-calls.js';

export const LINK: Link = {
  id: 'uuid',
  parent: 'parentUuid',
  endPointers: ['leafUuid', 'logicalParentUuid'],
  contentKeys: ['message', 'toolUseResult'],
  isNamedByFirst: (line) => line.get('isSidechain')?.boolean === true,
  abandonedIn,
};
/** Fields of the session, the same in adjacent lines. */
const SESSION_FIELDS = commaList(`
  isSidechain, userType, entrypoint, cwd, sessionId, version, gitBranch, slug, agentId
`);

function abandonedIn(before: readonly JsonNode[]): ReadonlySet<JsonNode> {
  const { agentIds = [], branches } = threads(before.map((node) => (node.isObject ? linkOf(node) : undefined))) ?? {};
  return new Set(before.filter((_, index) => branches?.has(agentIds[index] ?? '')));
}

/** The API message in a line. */
export function messageIn(raw: JsonNode): JsonNode | undefined {
  const type = raw.get('type')?.string;
  const inner = raw.get('message');
  return (type === 'user' || type === 'assistant') && inner?.isObject ? inner : undefined;
}

/** Links point to lines that are gone, other members to calls that are gone, or to results that were cut. */
export const echoes: Echoes = {
  marks(line, goes) {
    const id = goes ? line.get('uuid')?.string : undefined;
    const anywhere = [...(id === undefined ? [] : [id]), ...callsIn(line)];
    return { anywhere, beside: goes ? [] : blocksIn(line).flatMap((block) => block.get('tool_use_id')?.string ?? []) };
  },
};

/**
 * Removes lines about removed calls, cuts what was cut from results, repairs the links between lines, and completes
 * added lines. A part of a log has no abandoned branches.
 */
export function beforeWrite(
  rows: readonly Row[],
  before: readonly JsonNode[],
  placeOf?: ReadonlyMap<JsonNode, number>,
): readonly (Json | undefined)[] {
  const changes = changesIn(rows, before);
  const synced = rows.map((row): Row | undefined => {
    if (row.node === undefined) return { ...row, json: completed(row.json as JsonFields, changes) };
    if (messageIn(row.node) !== undefined || row.json !== row.node)
      return { ...row, json: withCallId(row.node, row.json, changes) };
    return refersToRemoved(row.node, changes) ? undefined : { ...row, json: syncLine(row.node, changes) };
  });
  const kept = synced.filter((row) => row !== undefined);
  const linked = relink(
    kept,
    before,
    placeOf === undefined ? LINK : { ...LINK, abandonedIn: undefined },
    SESSION_FIELDS,
  );
  const jsonOf = new Map(kept.map((row, index) => [row, linked[index]!]));
  return synced.map((row) => row && jsonOf.get(row));
}

interface Changes {
  /** Ids of removed calls. */
  readonly removedCalls: ReadonlySet<string>;
  /** New call ids by old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Ids of removed lines. */
  readonly removedLines: ReadonlySet<string>;
  /** Cut results by call id. */
  readonly cuts: ReadonlyMap<string, CutResult>;
  /** The line id of each call; filled only if lines of results refer to it. */
  readonly lineOfCall: ReadonlyMap<string, string>;
}

function changesIn(rows: readonly Row[], before: readonly JsonNode[]): Changes {
  const jsonOf = new Map(rows.map(({ node, json }) => [node, json]));
  const removed = before.filter((node) => !jsonOf.has(node));
  const edited = rows.filter(
    (row): row is Row & { node: JsonNode } =>
      row.node !== undefined && row.json !== row.node && messageIn(row.node) !== undefined,
  );
  const cuts = edited.flatMap(({ node, json }) =>
    cutsBetween(anthropic.read(messageIn(node)!), anthropic.read(messageIn(reparsed(json))!)),
  );
  const nowIn = edited.flatMap(({ json }) => callsIn(reparsed(json)));
  const lost = new Set([...removed, ...edited.map(({ node }) => node)].flatMap(callsIn));
  const stays =
    lost.size === 0 ? [] : rows.flatMap(({ node, json }) => (node === undefined || json !== node ? [] : callsIn(node)));
  for (const id of [...nowIn, ...stays]) lost.delete(id);
  const renamed = new Map(edited.flatMap(({ node, json }) => renamedCalls(callsIn(node), callsIn(reparsed(json)))));
  for (const id of renamed.keys()) if (!lost.delete(id)) renamed.delete(id);
  const isAdded = rows.some(({ node }) => node === undefined);
  const namesLines = isAdded && before.some((node) => node.get(CALLING_LINE) !== undefined);
  const calling = namesLines ? before : [];
  return {
    removedCalls: lost,
    renamed,
    removedLines: new Set(removed.flatMap((node) => node.get('uuid')?.string ?? [])),
    cuts: new Map(cuts.map((cut) => [cut.callId, cut])),
    lineOfCall: new Map(
      calling.flatMap((node) => callsIn(node).map((id) => [id, node.get('uuid')?.string ?? ''] as const)),
    ),
  };
}

/** The key by which the line of a result refers to the line of its call. */
const CALLING_LINE = 'sourceToolAssistantUUID';

function blocksIn(line: JsonNode): readonly JsonNode[] {
  return messageIn(line)?.get('content')?.items() ?? [];
}

function callsIn(line: JsonNode): string[] {
  return blocksIn(line).flatMap((block) =>
    block.get('type')?.string === 'tool_use' ? (block.get('id')?.string ?? []) : [],
  );
}

/** Updates or removes the id of the call that a message results from (`sourceToolUseID`). */
function withCallId(node: JsonNode, json: Json, { removedCalls, renamed }: Changes): Json {
  const id = node.get('sourceToolUseID')?.string ?? '';
  const isOld = renamed.has(id) || removedCalls.has(id);
  return isOld ? amend(node, json, { sourceToolUseID: renamed.get(id) }) : json;
}

/** Whether a line is about a removed call (hooks, agents), or is the file snapshot of a removed message. */
function refersToRemoved(node: JsonNode, { removedCalls, removedLines }: Changes): boolean {
  const messageId = node.get('type')?.string === 'file-history-snapshot' ? node.get('messageId')?.string : undefined;
  return (
    (messageId !== undefined && removedLines.has(messageId)) ||
    (removedCalls.size > 0 && callIdsIn(node).some((id) => removedCalls.has(id)))
  );
}

/** Applies cuts and new call ids to a line without a message. */
function syncLine(node: JsonNode, changes: Changes): Json {
  const previews = node.get('replacements');
  if (previews?.isArray) return patch(node, { replacements: syncPreviews(previews, changes) });
  const { cuts, renamed } = changes;
  const own = cuts.size === 0 ? [] : callIdsIn(node).flatMap((id) => cuts.get(id) ?? []);
  const cut = own.length === 0 ? node : applyCuts(node, own);
  if (renamed.size === 0 || !node.isObject) return cut;
  const named = node.members().map(({ key, value }) => {
    const isWhole = own.length === 0 || value.isString; // values that were cut keep the old ids
    return [key.text, isWhole ? withNewIds(value, renamed, CALL_IDS, key.text) : value] as const;
  });
  return amend(node, cut, Object.fromEntries(named));
}

/**
 * Previews that Claude Code sends in place of long results (`content-replacement`) go where the results changed or
 * went: they would undo that.
 */
function syncPreviews(previews: JsonNode, { cuts, renamed, removedCalls }: Changes): Json {
  return patchEach(previews, (preview) => {
    const id = preview.get('toolUseId')?.string ?? '';
    if (cuts.has(id) || removedCalls.has(id)) return undefined;
    return renamed.has(id) ? patch(preview, { toolUseId: renamed.get(id) }) : preview;
  });
}

/** The ids of calls that a line refers to, at any depth: `data` can hold messages of agents. */
function callIdsIn(value: JsonNode): string[] {
  const ids: string[] = [];
  const pending = [value]; // a loop, as the value can be nested deeply
  while (pending.length > 0) {
    const next = pending.pop()!;
    for (const item of next.items().reverse()) pending.push(item);
    for (const { key, value: member } of next.members()) {
      if (!member.isString) pending.push(member);
      else if (CALL_IDS.has(key.text)) ids.push(member.text);
    }
  }
  return ids;
}
const CALL_IDS = new Set(['toolUseID', 'parentToolUseID', 'tool_use_id']);

/** Completes an added line with what Claude Code itself would have written. */
function completed(json: JsonFields, { lineOfCall }: Changes): Json {
  const message = reparsed(json['message'] as Json);
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
