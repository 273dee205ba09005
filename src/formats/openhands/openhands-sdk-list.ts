/** Lists of events of the OpenHands SDK: the tree that their links make, and events that were added. */
import { amend, type Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import type { Row, TreeLine } from '../format.js';
import { type Tree, treeOf } from '../shared/branches.js';
import { type Link, relink } from '../shared/links.js';
import { table } from '../shared/table.js';
import { kindOf } from './openhands-sdk-read.js';

const PARENT = 'parent_id';
/** The parent of an event that begins the tree anew: `ROOT_PARENT_ID`. */
const ROOT = '__root__';
const LINK: Link = {
  id: 'id',
  parent: PARENT,
  contentKeys: [
    ...['llm_message', 'extended_content', 'thought', 'action', 'tool_call', 'tool_call_id', 'observation'],
    ...['system_prompt', 'dynamic_context', 'tools', 'summary', 'value', 'llm_response_id'],
  ],
  abandonedIn: (before) => {
    const tree = treeIn(before);
    return new Set(before.filter((_, index) => tree?.branchOf[index] !== undefined));
  },
};
const TREE_KINDS = table<TreeLine['kind']>({ system: 'prompt', call: 'reply', result: 'result', summary: 'note' });

/** The SDK goes on after the last event; one without a parent follows the event before it. */
export function treeIn(events: readonly (JsonNode | undefined)[]): Tree | undefined {
  if (!events.some((event) => event?.get(PARENT)?.isString)) return undefined;
  let before: string | undefined;
  const lines = events.map((event): TreeLine | undefined => {
    const id = event?.get('id')?.string;
    if (event === undefined || id === undefined) return undefined;
    const parent = event.get(PARENT)?.string ?? before;
    before = id;
    return { id, parent: parent === ROOT ? undefined : parent, kind: treeKind(event), group: groupOf(event) };
  });
  return treeOf(lines, { endsAtLine: true, rootsFork: true });
}

function treeKind(event: JsonNode): TreeLine['kind'] {
  const kind = kindOf(event);
  if (kind !== 'message') return kind && TREE_KINDS[kind];
  return event.get('source')?.string === 'agent' ? 'reply' : 'prompt';
}

function groupOf(event: JsonNode): string | undefined {
  return kindOf(event) === 'call' ? event.get('llm_response_id')?.string : undefined;
}

/** Repairs links, and completes added events: a result names the event of its call, and its tool. */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const linked = relink(rows, before, LINK, []);
  const known = new Set(before.flatMap((event) => event.get('id')?.string ?? []));
  const left = new Set(rows.flatMap(({ node }) => node?.get('id')?.string ?? []));
  const calls = rows.some(({ node }) => node === undefined) ? callsIn(linked) : undefined;
  return linked.map((json, index) => {
    const { node } = rows[index]!;
    if (node === undefined) return withCall(json, calls!);
    const parent = node.get(PARENT)?.string;
    const hangs = parent !== undefined && known.has(parent) && !left.has(parent);
    return hangs && json === node ? amend(node, json, { [PARENT]: undefined }) : json;
  });
}

/** The events of calls by the id of the call. */
function callsIn(events: readonly Json[]): ReadonlyMap<string, JsonNode> {
  const nodes = events.map((event) => reparsed(event)).filter((event) => kindOf(event) === 'call');
  return new Map(nodes.map((event) => [event.get('tool_call_id')?.string ?? '', event]));
}

function withCall(json: Json, calls: ReadonlyMap<string, JsonNode>): Json {
  const event = reparsed(json);
  if (kindOf(event) !== 'result') return json;
  const call = calls.get(event.get('tool_call_id')?.string ?? '');
  const tool = event.get('tool_name')?.string || call?.get('tool_name');
  const action = event.get('action_id') === undefined ? {} : { action_id: call?.get('id') ?? '' };
  return amend(event, event, { tool_name: tool ?? '', ...action });
}
