/** Lists of OpenHands events after a transform: repeated responses, added events, and histories of pairs. */
import { amend, type Json, type JsonFields, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { greatest } from '../../lists.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { present } from '../shared/json-fields.js';
import { callIdOf, kindOf, RESPONSE_METADATA, responseCalls, withCalls } from './openhands-events.js';

/**
 * Removes calls from the responses that other events repeat if their own events were removed: the agent would wait for
 * their results. Completes events that were added.
 */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const removed = removedCalls(rows, before);
  const isFlat =
    before.some((node) => node.get('action') !== undefined) && before.every((node) => node.get('args') === undefined);
  const ids = before.map((node) => node.get('id')?.number ?? -1);
  let nextId = greatest(ids, -1) + 1;
  const actions = new Map<string | undefined, JsonNode>();
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent }) => {
    if (node === undefined) {
      const fields = json as JsonFields;
      const action = fields['observation'] === undefined ? undefined : actionOf(fields, actions);
      const id = nextId > 0 ? nextId++ : undefined;
      return completeEvent(fields, { action, adjacent: adjacent, id, isFlat });
    }
    if (kindOf(node) === 'call') actions.set(callIdOf(node, 'id'), node);
    const meta = isSpeech(json) ? undefined : present(node, RESPONSE_METADATA);
    const kept = responseCalls(meta).filter((call) => !removed.has(callKey(meta!, call.get('id')?.string)));
    return meta === undefined || kept.length === responseCalls(meta).length
      ? json
      : amend(node, json, { [RESPONSE_METADATA]: withCalls(meta, meta, kept) });
  });
}

/** The keys of calls whose actions were removed, or became messages. */
function removedCalls(rows: readonly Row[], before: readonly JsonNode[]): ReadonlySet<string> {
  const kept = new Set(
    rows.flatMap(({ node, json }) => (node === undefined || isSpeech(json) ? [] : (actionKey(node) ?? []))),
  );
  return new Set(before.flatMap((node) => actionKey(node) ?? []).filter((key) => !kept.has(key)));
}

/** The key of an action's call; undefined for other events. */
function actionKey(node: JsonNode): string | undefined {
  const meta = present(node, RESPONSE_METADATA);
  return meta === undefined || node.get('action') === undefined
    ? undefined
    : callKey(meta, meta.get('tool_call_id')?.string);
}

/** A call is known by its id and by that of its response. */
function callKey(meta: JsonNode, id: string | undefined): string {
  return JSON.stringify([meta.get('model_response')?.get('id')?.string, id]);
}

function isSpeech(json: Json): boolean {
  return json instanceof ObjectEdit && json.fields.get('action') === 'message';
}

/** The action that a new observation answers. */
function actionOf(observation: JsonFields, actions: ReadonlyMap<string | undefined, JsonNode>): JsonNode | undefined {
  const meta = observation[RESPONSE_METADATA] as JsonFields | undefined;
  const cause = observation['cause'];
  return (
    actions.get(meta?.['tool_call_id'] as string | undefined) ??
    actions.get(cause === undefined ? undefined : String(cause))
  );
}

interface Surroundings {
  /** The action that the event answers, if it is an observation. */
  readonly action: JsonNode | undefined;
  readonly adjacent: JsonNode | undefined;
  readonly id: number | undefined;
  /** Whether events of this list have the members of `args` beside `action`. */
  readonly isFlat: boolean;
}

function completeEvent({ source, args, ...rest }: JsonFields, { action, adjacent, id, isFlat }: Surroundings): Json {
  const cause = rest['observation'] === undefined ? {} : { cause: present(action ?? adjacent!, 'id') };
  const head = {
    id,
    timestamp: adjacent?.get('timestamp'),
    source: source ?? present(action ?? adjacent!, 'source'),
    ...cause,
  };
  const meta = (action && present(action, RESPONSE_METADATA)) ?? rest[RESPONSE_METADATA];
  if (!isFlat) return { ...head, ...rest, args, [RESPONSE_METADATA]: meta };
  const { extras: _, ...flat } = rest;
  return { ...head, ...flat, ...(args as JsonFields | undefined) };
}

/** Events as pairs of an action and an observation; a missing one is an event `null`. */
export function inPairs(events: readonly Json[]): Json[] {
  const pairs: Json[][] = [];
  for (const event of events) {
    const last = pairs.at(-1);
    if (isAction(event)) pairs.push([event]);
    else if (last?.length === 1) last.push(event);
    else pairs.push([{ action: 'null', args: {} }, event]);
  }
  return pairs.map((pair) => (pair.length === 2 ? pair : [...pair, { observation: 'null', content: '', extras: {} }]));
}

function isAction(event: Json): boolean {
  if (event instanceof ObjectEdit) return event.fields.has('action') || event.base.get('action') !== undefined;
  return event instanceof JsonNode ? event.get('action') !== undefined : (event as JsonFields)['action'] !== undefined;
}
