/**
 * The members of an Inspect sample that repeat its messages: the last reply in `output`, and `events`. A model event
 * has the messages of its request (in `input`, or as ranges `[start, end)` of a pool) and the reply, a tool event a
 * call and its result, state events messages in JSON patches. Long texts are in `attachments`. The optional raw `call`
 * of a model event repeats all of it in the provider's spelling; it is removed if its request changed.
 * https://github.com/UKGovernmentBEIS/inspect_ai/blob/main/src/inspect_ai/log/_pool.py
 */

import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Replacement } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { pair } from '../../transcript/pairs.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Part, ResultPart } from '../../transcript/types.js';
import type { MessageChange } from '../format.js';
import { jsonValue } from '../shared/json-fields.js';
import { isKept, type MappedValue, mapChildren, mapDeep, REMOVED } from '../shared/map-values.js';
import { changesByKey, removedTexts, repeatEdit, withoutRemovedTexts } from '../shared/sync-duplicates.js';

/** Members of a sample that repeat its messages. Before version 2, `transcript` held the events and attachments. */
const REPEATING = ['output', 'events', 'transcript', 'store', 'attachments'];
/** Paths to the lists that model events refer to. */
const MESSAGE_POOLS = ['message_pool', 'events_data.messages'];
const CALL_POOLS = ['call_pool', 'events_data.calls'];
/** Events in which a result may be part of a longer text. */
const TEXT_EVENTS = new Set(['sandbox', 'store', 'info', 'logger']);

/** Replacements in a sample that make all copies of changed messages equal to the messages. */
export function updateCopies(sample: JsonNode, changes: readonly MessageChange[]): readonly Replacement[] {
  const edits = copyEdits(sample, changes);
  const pools = MESSAGE_POOLS.flatMap((path) => member(sample, path) ?? []).filter((pool) => pool.length > 0);
  const pooled = pools.map((pool) => pool.items().map((item) => mapDeep(item, edits.ofValue)));
  const [before, after] = [pools[0]?.items(), pooled[0]];
  const editNode = nodeEditor(edits, before && after ? { before, after } : undefined);
  const replacements = [
    ...pools.map((pool, index) => ({ node: pool, value: patchItems(pool, pooled[index]!.filter(isKept)) })),
    ...CALL_POOLS.flatMap((path) => member(sample, path) ?? []).map((pool) => ({
      node: pool,
      value: patchItems(pool, []),
    })),
    ...REPEATING.flatMap((key) => sample.get(key) ?? []).map((node) => ({
      node,
      value: mapDeep(node, node.is(sample.get('store')) ? edits.ofLongText : editNode) as Json,
    })),
  ];
  return replacements.filter(({ node, value }) => value !== node);
}

function member(node: JsonNode, path: string): JsonNode | undefined {
  return path.split('.').reduce<JsonNode | undefined>((at, key) => at?.get(key), node);
}

/** What the changes do to copies. */
interface CopyEdits {
  /** The new value of a message, or of a string that is one of its texts. */
  ofValue(node: JsonNode): MappedValue | undefined;
  /** The new value of a string that is, or contains, a text of a message. */
  ofLongText(node: JsonNode): MappedValue | undefined;
  /** The call and result behind a tool event. Call this once per event, in order. */
  ofTool(event: JsonNode): ToolEdit | undefined;
}

interface ToolEdit {
  readonly call: CallPart | undefined;
  readonly result: ResultPart | undefined;
  readonly isSame: boolean;
}

function copyEdits(sample: JsonNode, changes: readonly MessageChange[]): CopyEdits {
  const messageKey = keysIn(sample);
  const trimmed = removedTexts(changes);
  const byKey = changesByKey(changes, messageKey);
  const tools = toolEdits(changes);
  return {
    ofValue(node) {
      if (node.isString) return withoutRemovedTexts(node, trimmed, false);
      const change = node.get('role')?.isString ? byKey.get(messageKey(node)) : undefined;
      return change === undefined ? undefined : repeatEdit(change, node);
    },
    ofLongText: (node) => (node.isString ? withoutRemovedTexts(node, trimmed, true) : undefined),
    ofTool: (event) => tools.get(event.get('id')?.string ?? '')?.shift(),
  };
}

/** Returns what identifies a message and its copies: the id, or in early logs without ids the role, calls and texts. */
export function keysIn(sample: JsonNode): (message: JsonNode) => string {
  const attachments = sample.get('attachments') ?? member(sample, 'transcript.content');
  const resolved = (text: string) => {
    const name = /^(?:attachment|tc):\/\/(.*)$/.exec(text)?.[1];
    return name === undefined ? text : (attachments?.get(name)?.string ?? text);
  };
  return (message) => {
    const id = message.get('id')?.string;
    if (id !== undefined) return id;
    const content = message.get('content');
    const texts = content?.isString
      ? [content.text]
      : (content?.items() ?? []).map((block) => block.get('text')?.string ?? '');
    const calls = (message.get('tool_calls')?.items() ?? []).map((call) => call.get('id')?.string);
    return JSON.stringify([
      message.get('role')?.string,
      message.get('tool_call_id')?.string,
      calls,
      texts.map(resolved),
    ]);
  };
}

/** The calls, with what they and their results are now, by id and in order. */
function toolEdits(changes: readonly MessageChange[]): ReadonlyMap<string, ToolEdit[]> {
  const { calls } = pair(changes.map(({ before }) => before));
  const now = <P extends Part>(part: P, message: number) =>
    changes[message]!.after?.parts.find((other): other is P => other.type === part.type && other.raw === part.raw);
  const edits = new Map<string, ToolEdit[]>();
  for (const { part, message, results } of calls) {
    const call = now(part, message);
    const [site] = results;
    const result = site && now(site.part, site.message);
    listIn(edits, part.callId ?? '').push({ call, result, isSame: call === part && result === site?.part });
  }
  return edits;
}

/** Returns the new value of a node, or undefined for `mapDeep` to go on inside it. */
type EditNode = (node: JsonNode) => MappedValue | undefined;

/** The messages that model events refer to by index. */
interface Pool {
  readonly before: readonly JsonNode[];
  readonly after: readonly MappedValue[];
}

function nodeEditor(edits: CopyEdits, pool: Pool | undefined): EditNode {
  const editNode: EditNode = (node) => {
    const value = edits.ofValue(node);
    if (value !== undefined || !node.isObject) return value;
    const event = node.get('event')?.string ?? '';
    if (event === 'model') return editModelEvent(node, pool, editNode);
    if (event === 'tool') return editToolEvent(node, edits.ofTool(node), editNode);
    if (TEXT_EVENTS.has(event)) return mapDeep(node, edits.ofLongText);
    if (node.get('choices')?.isArray) return editOutput(node, editNode);
    const holdsRemoved = isRemoved(node.get('message'), editNode) || isRemoved(node.get('value'), editNode);
    return holdsRemoved ? REMOVED : undefined; // a choice, or a patch of the state
  };
  return editNode;
}

function isRemoved(node: JsonNode | undefined, editNode: EditNode): boolean {
  return node?.isObject === true && node.get('role') !== undefined && editNode(node) === REMOVED;
}

/** An output without the choices whose replies were removed; `completion` repeats the reply's text. */
function editOutput(node: JsonNode, editNode: EditNode): Json {
  const choices = node.get('choices')!;
  const left = mapChildren(choices, editNode);
  if (left === choices) return node;
  const isEmpty = choices.items().every((choice) => isRemoved(choice.get('message'), editNode));
  return patch(node, {
    choices: left,
    completion: isEmpty && node.get('completion')?.isString ? '' : node.get('completion'),
  });
}

function editModelEvent(event: JsonNode, pool: Pool | undefined, editNode: EditNode): Json {
  const fields: Record<string, Json | undefined> = {};
  for (const key of ['input', 'output']) {
    const value = event.get(key);
    if (value !== undefined) fields[key] = mapDeep(value, editNode) as Json;
  }
  const refs = pool && event.get('input_refs');
  const indices = (refs?.items() ?? []).flatMap((range) => indicesIn(range, pool!.before.length));
  const isPoolChanged = indices.some((index) => pool!.after[index] !== pool!.before[index]);
  if (refs !== undefined) fields['input_refs'] = renumbered(refs, indices, pool!.after);
  const isSame = patch(event, fields) === event && !isPoolChanged && event.get('call')?.get('call_refs') === undefined;
  return isSame ? event : patch(event, { ...fields, call: undefined });
}

/** No further than the pool goes. */
function indicesIn(range: JsonNode, length: number): number[] {
  const [start = 0, end = 0] = range.items().map((bound) => Math.min(length, Math.max(0, bound.number ?? 0)));
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

/** Ranges of the pool, renumbered without the removed messages. */
function renumbered(refs: JsonNode, indices: readonly number[], after: readonly MappedValue[]): Json {
  const removed = after.flatMap((value, index) => (isKept(value) ? [] : [index]));
  if (removed.length === 0) return refs;
  const ranges: [number, number][] = [];
  for (const index of indices) {
    if (after[index] === REMOVED) continue;
    const now = index - removed.filter((other) => other < index).length;
    const last = ranges.at(-1);
    if (last?.[1] === now) last[1]++;
    else ranges.push([now, now + 1]);
  }
  return ranges;
}

/**
 * A tool event with its call's changes. It stays, emptied, if the call was removed: spans and timelines refer to it.
 */
function editToolEvent(event: JsonNode, tool: ToolEdit | undefined, editNode: EditNode): Json {
  if (tool === undefined || tool.isSame) return mapChildren(event, editNode);
  const { call, result } = tool;
  const old = event.get('result');
  const text = result === undefined ? '' : joinTexts(result.content);
  if (call === undefined)
    return patch(event, {
      arguments: {},
      view: undefined,
      result: '',
      error: undefined,
      ...(event.get('events') === undefined ? {} : { events: [] }),
    });
  const view = call.input instanceof JsonNode ? event.get('view') : undefined; // `view` displays the arguments
  const fields: Record<string, Json | undefined> = {
    arguments: jsonValue(call.input),
    view,
    result: old === undefined || old.isString ? text : (mapDeep(old, editNode) as Json),
  };
  const events = event.get('events');
  return patch(event, { ...fields, ...(events === undefined ? {} : { events: mapDeep(events, editNode) as Json }) });
}
