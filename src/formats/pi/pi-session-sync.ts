/** Lines of a pi session that refer to others: kept consistent when messages are removed or added. */
import { amend, type Json, type JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import type { Row, TreeLine } from '../format.js';
import { type Tree, treeOf } from '../shared/branches.js';
import { type Link, relink } from '../shared/links.js';
import { table } from '../shared/table.js';

const LINK: Link = {
  id: 'id',
  parent: 'parentId',
  idLength: 8,
  startPointers: ['firstKeptEntryId'],
  nullPointer: 'root',
  contentKeys: ['message', 'data', 'details', 'summary', 'content'],
  abandonedIn,
};
/**
 * Lines that pi sends without a `message` in them, and the role of the message that it makes of each.
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/core/session-manager.ts (buildSessionContext)
 */
export const SENT_LINES = table<string>({
  custom_message: 'custom',
  branch_summary: 'branchSummary',
  compaction: 'compactionSummary',
});
const KINDS = table<TreeLine['kind']>({ assistant: 'reply', toolResult: 'result' });

/**
 * pi continues after the last line, and sends the way from there to the root.
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/core/session-manager.ts (0.73.1)
 */
export function treeIn(lines: readonly (JsonNode | undefined)[]): Tree | undefined {
  return treeOf(
    lines.map((line) => (line?.isObject && line.get('parentId') !== undefined ? treeLine(line) : undefined)),
    { endsAtLine: true, rootsFork: true },
  );
}

function treeLine(line: JsonNode): TreeLine {
  const message = messageIn(line);
  const isSent = message !== line || (line.get('type')?.string ?? '') in SENT_LINES;
  const kind = isSent ? (KINDS[message.get('role')?.string ?? ''] ?? 'prompt') : undefined;
  return { id: line.get('id')?.string, parent: line.get('parentId')?.string, kind, group: undefined };
}

function abandonedIn(before: readonly JsonNode[]): ReadonlySet<JsonNode> {
  const tree = treeIn(before);
  return new Set(before.filter((_, index) => tree?.branchOf[index] !== undefined));
}

/** The message in a line, or the value itself if it is not such a line. */
export function messageIn(raw: JsonNode): JsonNode {
  const message = raw.get('type')?.string === 'message' ? raw.get('message') : undefined;
  return message?.isObject ? message : raw;
}

/** Repairs links, removes labels of removed lines, and completes added lines. Among bare messages, those stay bare. */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const bare = before.every((node) => node.get('type') === undefined);
  const remaining = new Set(rows.map(({ node }) => node));
  const removed = new Set(before.flatMap((node) => (remaining.has(node) ? [] : (node.get('id')?.string ?? []))));
  const synced = rows.map((row, index): Row | undefined => {
    if (row.node === undefined) return { ...row, json: completed(row.json as JsonFields, rows, index) };
    const target = row.node.get('type')?.string === 'label' ? row.node.get('targetId')?.string : undefined;
    return target !== undefined && removed.has(target) ? undefined : row;
  });
  const kept = synced.filter((row) => row !== undefined);
  const linked = bare
    ? kept.map(({ node, json }) => (node === undefined ? (json as JsonFields)['message']! : json))
    : relink(kept, before, LINK, []);
  const jsonOf = new Map(kept.map((row, index) => [row, withKeptIndex(row, linked[index]!, kept, before)]));
  return synced.map((row) => row && jsonOf.get(row));
}

/** Completes an added message with the time of the one before and, for the assistant, with model and zero usage. */
function completed(json: JsonFields, rows: readonly Row[], index: number): Json {
  const message = json['message'] as JsonFields;
  const near = [...rows.slice(0, index).reverse(), ...rows.slice(index)].flatMap(({ node }) =>
    node === undefined ? [] : [messageIn(node)],
  );
  const timestamp = near.find((node) => node.get('timestamp')?.number !== undefined)?.get('timestamp');
  if (message['role'] !== 'assistant') return { ...json, message: { ...message, timestamp } };
  const reply = near.find((node) => node.get('role')?.string === 'assistant');
  const { role, content } = message;
  return {
    ...json,
    message: {
      role,
      content,
      api: reply?.get('api'),
      provider: reply?.get('provider'),
      model: message['model'] ?? reply?.get('model'),
      usage: ZERO_USAGE,
      stopReason: 'stop',
      timestamp,
    },
  };
}

const ZERO_USAGE = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/**
 * Updates the index of the first kept line in an early compaction; if that was removed, the next one. Counts the
 * header.
 */
function withKeptIndex({ node }: Row, json: Json, kept: readonly Row[], before: readonly JsonNode[]): Json {
  const old = node?.get('firstKeptEntryIndex')?.number;
  if (node === undefined || old === undefined) return json;
  const from = new Set(before.slice(old));
  const index = kept.findIndex((row) => row.node !== undefined && from.has(row.node));
  return index < 0 || index === old ? json : amend(node, json, { firstKeptEntryIndex: index });
}
