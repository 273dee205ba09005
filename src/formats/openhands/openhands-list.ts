/** Lists of OpenHands events of which some went or came: what others say of those, and histories of pairs. */

import { amend, type Json, type JsonFields, ObjectEdit } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { greatest } from '../../lists.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { present } from '../shared/json-fields.js';
import { callIdIn, kindOf, META, responseCalls, withCalls } from './openhands-events.js';

/** Calls that went are no more in the responses that others of them stand in: the agent would wait for their results. What came is a whole event. */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const kept = new Set(rows.flatMap(({ node, json }) => (node === undefined || isSpeech(json) ? [] : [keyOf(node)])));
  const gone = new Set(
    before.flatMap((node) =>
      node.get('action') !== undefined && present(node, META) !== undefined && !kept.has(keyOf(node))
        ? [keyOf(node)]
        : [],
    ),
  );
  const isFlat =
    before.some((node) => node.get('action') !== undefined) && before.every((node) => node.get('args') === undefined);
  let next =
    greatest(
      before.map((node) => node.get('id')?.number ?? -1),
      -1,
    ) + 1;
  const actions = new Map<string | undefined, JsonNode>();
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent: neighbour }) => {
    if (node === undefined) {
      const fields = json as JsonFields;
      const action =
        actions.get((fields[META] as JsonFields | undefined)?.['tool_call_id'] as string | undefined) ??
        actions.get(fields['cause'] === undefined ? undefined : String(fields['cause']));
      return whole(
        fields,
        fields['observation'] === undefined ? undefined : action,
        neighbour,
        next > 0 ? next++ : undefined,
        isFlat,
      );
    }
    if (kindOf(node) === 'call') actions.set(callIdIn(node, 'id'), node);
    const meta = isSpeech(json) ? undefined : present(node, META);
    const left = responseCalls(meta).filter((call) => !gone.has(responseKey(meta!, call.get('id')?.string)));
    return meta === undefined || left.length === responseCalls(meta).length
      ? json
      : amend(node, json, { [META]: withCalls(meta, meta, left) });
  });
}

function keyOf(node: JsonNode): string {
  const meta = present(node, META);
  return meta === undefined || node.get('action') === undefined
    ? ''
    : responseKey(meta, meta.get('tool_call_id')?.string);
}

function responseKey(meta: JsonNode, id: string | undefined): string {
  return JSON.stringify([meta.get('model_response')?.get('id')?.string, id]);
}

function isSpeech(json: Json): boolean {
  return json instanceof ObjectEdit && json.fields.get('action') === 'message';
}

function whole(
  { source, args, ...rest }: JsonFields,
  action: JsonNode | undefined,
  neighbour: JsonNode | undefined,
  id: number | undefined,
  isFlat: boolean,
): Json {
  const cause = rest['observation'] === undefined ? {} : { cause: present(action ?? neighbour!, 'id') };
  const head = {
    id,
    timestamp: neighbour?.get('timestamp'),
    source: source ?? present(action ?? neighbour!, 'source'),
    ...cause,
  };
  const meta = (action && present(action, META)) ?? rest[META];
  if (!isFlat) return { ...head, ...rest, args, [META]: meta };
  const { extras: _, ...flat } = rest;
  return { ...head, ...flat, ...(args as JsonFields | undefined) };
}

/** An action and what was observed of it; nothing, on either side, where there is none. */
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
