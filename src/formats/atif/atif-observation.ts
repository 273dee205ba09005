/** Reads and writes the calls of an ATIF step and their results, which are in `observation.results`. */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { CallPart, OpaquePart, Part, ResultPart } from '../../transcript/types.js';
import { jsonValue, objectsIn, present, stringIn, wrongType } from '../shared/json-fields.js';
import { idField, inputField, isCall, isResult, writeContent } from '../shared/parts.js';
import { readContent, writePart } from './atif-content.js';

/** Each call followed by its results, then the observations that answer no call of the step. */
export function readCalls(step: JsonNode): Part[] {
  const calls = objectsIn(step.get('tool_calls'), 'tool_calls').map(readCall);
  const observed = present(step, 'observation');
  if (observed !== undefined && !observed.isObject) return wrongType(observed, 'observation', 'an object');
  const results = objectsIn(observed?.get('results'), 'observation.results').map(readResult);
  const answers = new Map<CallPart, ResultPart[]>(calls.map((call) => [call, []]));
  const others: Part[] = [];
  const isOpen = (call: CallPart) => answers.get(call)!.length === 0;
  const byId = new Map<string | undefined, CallPart[]>();
  for (const call of calls) listIn(byId, call.callId).push(call);
  const nextOpenById = new Map([...byId].map(([id, sameId]) => [id, nextOpenIn(sameId, isOpen)]));
  for (const result of results.filter(({ callId }) => callId !== undefined)) {
    const call = nextOpenById.get(result.callId)?.() ?? byId.get(result.callId)?.[0];
    if (call === undefined) others.push(result);
    else answers.get(call)!.push(result);
  }
  const nextOpen = nextOpenIn(calls, isOpen);
  for (const result of results.filter(({ callId }) => callId === undefined)) {
    const call = nextOpen();
    if (call === undefined) others.push(observation(result));
    else answers.get(call)!.push({ ...result, callId: call.callId });
  }
  return [...calls.flatMap((call) => [call, ...answers.get(call)!]), ...others];
}

/** Finds the first open call of a list, again and again: an answered call does not open again. */
function nextOpenIn(calls: readonly CallPart[], isOpen: (call: CallPart) => boolean): () => CallPart | undefined {
  let at = 0;
  return () => {
    while (at < calls.length && !isOpen(calls[at]!)) at++;
    return calls[at];
  };
}

function readCall(call: JsonNode, index: number): CallPart {
  const path = `tool_calls[${index}]`;
  const callId = stringIn(call.get('tool_call_id'), `${path}.tool_call_id`) ?? '';
  return {
    type: 'call',
    callId,
    tool: stringIn(call.get('function_name'), `${path}.function_name`) ?? '',
    input: call.get('arguments') ?? '{}',
    raw: call,
  };
}

function readResult(result: JsonNode, index: number): ResultPart {
  const path = `observation.results[${index}]`;
  return {
    type: 'result',
    callId: stringIn(result.get('source_call_id'), `${path}.source_call_id`),
    content: readContent(result.get('content'), `${path}.content`),
    raw: result,
  };
}

/** An observation that answers no call. */
function observation({ raw }: ResultPart): OpaquePart {
  return { type: 'opaque', text: (raw as JsonNode).get('content') ?? '', raw };
}

/** Whether a part is such an observation: an object without a type. */
export function isObservation(part: Part): boolean {
  return (
    part.type === 'opaque' && part.raw instanceof JsonNode && part.raw.isObject && part.raw.get('type') === undefined
  );
}

/** A call as an element of `tool_calls`. */
export function writeCall(call: CallPart): Json {
  const { callId, tool, input, raw } = call;
  if (!(raw instanceof JsonNode))
    return { tool_call_id: callId ?? '', function_name: tool, arguments: jsonValue(input) };
  return patch(raw, { ...idField('tool_call_id', call), ...inputField('arguments', call, raw.get('arguments')) });
}

/** A list with other elements; undefined if it lost all of them. */
export function writeList(items: readonly Json[], old: JsonNode | undefined): Json | undefined {
  if (!old?.isArray) return items.length === 0 ? old : items;
  return items.length === 0 && old.length > 0 ? undefined : patchItems(old, items);
}

/** The member `observation` with the results and observations among the parts. */
export function writeObservation(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const calls = parts.filter(isCall);
  const list = old?.get('results');
  const observed = parts.filter((part) => part.type === 'result' || isObservation(part));
  const ordered = inListOrder(observed, calls, list);
  const needIds = resultsNeedIds(ordered, calls);
  const written = ordered.map((part) => writeResult(part, needIds));
  const results = writeList(written, list);
  if (!old?.isObject) return ordered.length === 0 ? old : { results };
  return results === undefined && list !== undefined ? undefined : patch(old, { results });
}

/**
 * The observed parts in the order of the list, with additions at the end. They stay in the given order if sorting would
 * reorder parts that answer no call.
 */
function inListOrder(
  observed: readonly Part[],
  calls: readonly CallPart[],
  list: JsonNode | undefined,
): readonly Part[] {
  const items = list?.items() ?? [];
  const positions = new Map(items.map(({ at }, index) => [at, index]));
  const positionOf = ({ raw }: Part) =>
    (raw instanceof JsonNode && raw.source === list?.source ? positions.get(raw.at) : undefined) ?? items.length;
  const ordered = [...observed].sort((a, b) => positionOf(a) - positionOf(b));
  const ids = new Set(calls.map(({ callId }) => callId));
  const answersNoCall = (part: Part) => part.type !== 'result' || !ids.has(part.callId);
  const unpaired = ordered.filter(answersNoCall);
  return observed.filter(answersNoCall).every((part, index) => part === unpaired[index]) ? ordered : observed;
}

/** Whether results without an id would be paired with other calls than now. */
function resultsNeedIds(ordered: readonly Part[], calls: readonly CallPart[]): boolean {
  const results = ordered.filter(isResult);
  const isNamed = ({ raw }: ResultPart) => !(raw instanceof JsonNode) || present(raw, 'source_call_id') !== undefined;
  const taken = new Set(results.filter(isNamed).map(({ callId }) => callId));
  const free = calls.filter(({ callId }) => !taken.has(callId));
  return results.filter((result) => !isNamed(result)).some(({ callId }, index) => free[index]?.callId !== callId);
}

function writeResult(part: Part, needsId: boolean): Json {
  const { raw } = part;
  const old = raw instanceof JsonNode ? raw : undefined;
  if (part.type !== 'result') return old ?? {};
  const content = writeContent(part.content, old?.get('content'), writePart);
  if (old === undefined) return { source_call_id: part.callId ?? null, content: content ?? '' };
  const isNamed = needsId || present(old, 'source_call_id') !== undefined;
  return patch(old, { ...(isNamed ? idField('source_call_id', part) : {}), content });
}
