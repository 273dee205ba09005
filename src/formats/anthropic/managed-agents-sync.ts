/** Events of Claude Managed Agents that depend on others: they are completed, updated or removed along with them. */
import type { Json, JsonFields } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';
import { mapDeep } from '../shared/map-values.js';
import { table } from '../shared/table.js';

export const CALLS: ReadonlySet<string> = new Set(['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use']);
/** Where the events with results name the call. */
export const RESULTS = table<string>({
  'agent.tool_result': 'tool_use_id',
  'agent.mcp_tool_result': 'mcp_tool_use_id',
  'user.custom_tool_result': 'custom_tool_use_id',
  'user.tool_result': 'tool_use_id',
});
/** The results of calls that are not of the agent's own tools. */
const RESULT_OF = table<string>({
  'agent.mcp_tool_use': 'agent.mcp_tool_result',
  'agent.custom_tool_use': 'user.custom_tool_result',
});
/** Members of other events that name a call. */
const POINTERS = new Set(['tool_use_id', 'event_ids']);

/** What an added event has of the event beside it: its time, and its agent. */
const SHARED = ['processed_at', 'session_thread_id'];

/** Completes added events; a confirmation goes with its call, and whatever names a call gets its new id. */
export function syncEvents(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const idNow = callIdsAfter(rows, before);
  const typeOf = new Map(
    rows.flatMap(({ node }) => (isCall(node) ? [[idNow.get(idIn(node)) ?? '', typeIn(node)]] : [])),
  );
  return withAdjacentRecords(rows, before).map(({ node, json, message, adjacent }, index) => {
    if (node === undefined) return completed(json as JsonFields, adjacent, typeOf, index);
    if (message.role !== 'meta') return json;
    const called = node.get('tool_use_id')?.string;
    if (called !== undefined && idNow.has(called) && idNow.get(called) === undefined) return undefined;
    return withCallIds(node, idNow);
  });
}

/** The call ids of before and what became of each; undefined if its call was removed. */
function callIdsAfter(rows: readonly Row[], before: readonly JsonNode[]): ReadonlyMap<string, string | undefined> {
  const jsonOf = new Map(rows.map(({ node, json }) => [node, json]));
  return new Map(
    before.filter(isCall).map((node) => {
      const json = jsonOf.get(node);
      if (json === undefined || json === node) return [idIn(node), json && idIn(node)];
      const after = reparsed(json);
      return [idIn(node), isCall(after) ? idIn(after) : undefined];
    }),
  );
}

function isCall(node: JsonNode | undefined): node is JsonNode {
  return node !== undefined && CALLS.has(typeIn(node));
}

function typeIn(node: JsonNode): string {
  return node.get('type')?.string ?? '';
}

function idIn(node: JsonNode): string {
  return node.get('id')?.string ?? '';
}

/** Updates the ids of calls in an event. */
function withCallIds(node: JsonNode, idNow: ReadonlyMap<string, string | undefined>): Json {
  const isSame = [...idNow].every(([before, now]) => now === undefined || now === before);
  if (isSame) return node;
  return mapDeep(node, (value, key) => {
    if (!value.isString) return undefined;
    return POINTERS.has(key) ? (idNow.get(value.text) ?? value) : value;
  }) as Json;
}

/** An added event gets an id; a result has the kind of its call. */
function completed(
  { type, id, ...rest }: JsonFields,
  adjacent: JsonNode | undefined,
  typeOf: ReadonlyMap<string, string>,
  index: number,
): Json {
  const shared = Object.fromEntries(SHARED.map((key) => [key, adjacent?.get(key)]));
  const own = id ?? `sevt_${derivedId(`${index}`, { type, ...rest })}`;
  const { tool_use_id: called, ...fields } = rest;
  const calledType = RESULT_OF[typeOf.get(idText(called)) ?? ''];
  if (type !== 'agent.tool_result' || calledType === undefined) return { type, id: own, ...shared, ...rest };
  return { type: calledType, id: own, ...shared, [RESULTS[calledType]!]: called, ...fields };
}

function idText(id: Json | undefined): string {
  return id instanceof JsonNode ? id.text : String(id);
}
