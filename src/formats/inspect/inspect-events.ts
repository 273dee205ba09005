/**
 * What else of an Inspect sample repeats its messages: the last reply in `output`, and `events`. A model event has the messages
 * of its request (in `input`, or as ranges `[start, end)` of a pool) and the reply, a tool event a call and its result, state
 * events messages in JSON patches. Long texts stand in `attachments`. The raw `call` of a model event says all of it again in the
 * provider's words; a log may leave it out, and does where its request is no longer what it was.
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

/** Members of a sample that repeat its messages. Before version 2 events stood in `transcript`, with its attachments. */
const REPEATING = ['output', 'events', 'transcript', 'store', 'attachments'];
/** Lists of what model events refer to. */
const MESSAGE_POOLS = ['message_pool', 'events_data.messages'];
const CALL_POOLS = ['call_pool', 'events_data.calls'];
/** Events that show what tools did in their own words: a result may stand in the middle of it. */
const AROUND = new Set(['sandbox', 'store', 'info', 'logger']);

/** The sample with everything that repeats the changed messages changed alike. */
export function echoesIn(sample: JsonNode, changes: readonly MessageChange[]): readonly Replacement[] {
  const fates = fatesIn(sample, changes);
  const pools = MESSAGE_POOLS.flatMap((path) => member(sample, path) ?? []).filter((pool) => pool.length > 0);
  const pooled = pools.map((pool) => pool.items().map((item) => mapDeep(item, fates.fateOf)));
  const walker = walkerOf(fates, pooled[0] && pools[0] ? { before: pools[0].items(), after: pooled[0] } : undefined);
  const replacements = [
    ...pools.map((pool, index) => ({ node: pool, value: patchItems(pool, pooled[index]!.filter(isKept)) })),
    ...CALL_POOLS.flatMap((path) => member(sample, path) ?? []).map((pool) => ({
      node: pool,
      value: patchItems(pool, []),
    })),
    ...REPEATING.flatMap((key) => sample.get(key) ?? []).map((node) => ({
      node,
      value: mapDeep(node, node.is(sample.get('store')) ? fates.around : walker) as Json,
    })),
  ];
  return replacements.filter(({ node, value }) => value !== node);
}

function member(node: JsonNode, path: string): JsonNode | undefined {
  return path.split('.').reduce<JsonNode | undefined>((at, key) => at?.get(key), node);
}

interface Fates {
  /** Of messages, and of texts. */
  fateOf(node: JsonNode): MappedValue | undefined;
  /** Of texts, also where they stand in the middle of others. */
  around(node: JsonNode): MappedValue | undefined;
  /** What became of the call behind a tool event: events come in the order of the calls. */
  toolOf(event: JsonNode): ToolFate | undefined;
}

interface ToolFate {
  readonly call: CallPart | undefined;
  readonly result: ResultPart | undefined;
  readonly isSame: boolean;
}

function fatesIn(sample: JsonNode, changes: readonly MessageChange[]): Fates {
  const keyOf = keysIn(sample);
  const trimmed = removedTexts(changes);
  const byKey = changesByKey(changes, keyOf);
  const tools = toolFates(changes);
  return {
    fateOf(node) {
      if (node.isString) return withoutRemovedTexts(node, trimmed, false);
      const change = node.get('role')?.isString ? byKey.get(keyOf(node)) : undefined;
      return change === undefined ? undefined : repeatEdit(change, node);
    },
    around: (node) => (node.isString ? withoutRemovedTexts(node, trimmed, true) : undefined),
    toolOf: (event) => tools.get(event.get('id')?.string ?? '')?.shift(),
  };
}

/** What messages are told by: their id; in early logs, which have none, by what they say. */
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

function toolFates(changes: readonly MessageChange[]): ReadonlyMap<string, ToolFate[]> {
  const { calls } = pair(changes.map(({ before }) => before));
  const now = <P extends Part>(part: P, message: number) =>
    changes[message]!.after?.parts.find((other): other is P => other.type === part.type && other.raw === part.raw);
  const fates = new Map<string, ToolFate[]>();
  for (const { part, message, results } of calls) {
    const call = now(part, message);
    const [site] = results;
    const result = site && now(site.part, site.message);
    const id = part.callId ?? '';
    listIn(fates, id).push({ call, result, isSame: call === part && result === site?.part });
  }
  return fates;
}

type FateOfNode = (node: JsonNode) => MappedValue | undefined;

interface Pool {
  readonly before: readonly JsonNode[];
  readonly after: readonly MappedValue[];
}

function walkerOf(fates: Fates, pool: Pool | undefined): FateOfNode {
  const fateOf: FateOfNode = (node) => {
    const known = fates.fateOf(node);
    if (known !== undefined || !node.isObject) return known;
    const event = node.get('event')?.string ?? '';
    if (event === 'model') return modelEvent(node, pool, fateOf);
    if (event === 'tool') return toolEvent(node, fates.toolOf(node), fateOf);
    if (AROUND.has(event)) return mapDeep(node, fates.around);
    if (node.get('choices')?.isArray) return output(node, fateOf);
    return ['message', 'value'].some((key) => isGone(node.get(key), fateOf)) ? REMOVED : undefined; // a choice, a patch of the state
  };
  return fateOf;
}

function isGone(node: JsonNode | undefined, fateOf: FateOfNode): boolean {
  return node?.isObject === true && node.get('role') !== undefined && fateOf(node) === REMOVED;
}

/** A reply that went is none of the choices; what it said stands in `completion` too. */
function output(node: JsonNode, fateOf: FateOfNode): Json {
  const choices = node.get('choices')!;
  const left = mapChildren(choices, fateOf);
  if (left === choices) return node;
  const isEmpty = choices.items().every((choice) => isGone(choice.get('message'), fateOf));
  return patch(node, {
    choices: left,
    completion: isEmpty && node.get('completion')?.isString ? '' : node.get('completion'),
  });
}

function modelEvent(event: JsonNode, pool: Pool | undefined, fateOf: FateOfNode): Json {
  const fields: Record<string, Json | undefined> = {};
  for (const key of ['input', 'output']) {
    const value = event.get(key);
    if (value !== undefined) fields[key] = mapDeep(value, fateOf) as Json;
  }
  const refs = pool && event.get('input_refs');
  const indices = (refs?.items() ?? []).flatMap(rangeOf);
  const isTouched = indices.some((index) => pool!.after[index] !== pool!.before[index]);
  if (refs !== undefined) fields['input_refs'] = renumbered(refs, indices, pool!.after);
  const isSame = patch(event, fields) === event && !isTouched && event.get('call')?.get('call_refs') === undefined;
  return isSame ? event : patch(event, { ...fields, call: undefined });
}

function rangeOf(range: JsonNode): number[] {
  const [start = 0, end = 0] = range.items().map((bound) => bound.number ?? 0);
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

/** Ranges of the pool without what went from it. */
function renumbered(refs: JsonNode, indices: readonly number[], after: readonly MappedValue[]): Json {
  const gone = after.flatMap((fate, index) => (isKept(fate) ? [] : [index]));
  if (gone.length === 0) return refs;
  const ranges: [number, number][] = [];
  for (const index of indices) {
    if (after[index] === REMOVED) continue;
    const now = index - gone.filter((other) => other < index).length;
    const last = ranges.at(-1);
    if (last?.[1] === now) last[1]++;
    else ranges.push([now, now + 1]);
  }
  return ranges;
}

/** The event stays, as a record that something ran: spans and timelines name it. */
function toolEvent(event: JsonNode, tool: ToolFate | undefined, fateOf: FateOfNode): Json {
  if (tool === undefined || tool.isSame) return mapChildren(event, fateOf);
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
  const view = call.input instanceof JsonNode ? event.get('view') : undefined; // it shows the arguments
  const fields: Record<string, Json | undefined> = {
    arguments: jsonValue(call.input),
    view,
    result: old === undefined || old.isString ? text : (mapDeep(old, fateOf) as Json),
  };
  const events = event.get('events');
  return patch(event, { ...fields, ...(events === undefined ? {} : { events: mapDeep(events, fateOf) as Json }) });
}
