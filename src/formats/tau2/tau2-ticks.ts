/**
 * Voice simulations of tau2-bench: the participants speak at the same time, in `ticks` of some milliseconds. Chunks of
 * one utterance are one message, in the shape of the messages of text simulations; calls and results stand in ticks.
 * https://github.com/sierra-research/tau2-bench/blob/main/src/tau2/data_model/message.py (Tick, merge_message_chunks)
 */
import { TranscriptError } from '../../errors.js';
import { type ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { replaceWithin } from '../../json/replace.js';
import type { Envelope } from '../format.js';
import { hashId } from '../shared/derived-ids.js';
import { costField, sumOfCosts } from '../shared/recorded.js';

type Side = 'agent' | 'user';
const SIDES: readonly Side[] = ['agent', 'user'];
const ROLES = { agent: 'assistant', user: 'user' } as const;

/** A message, and the ticks that hold it: an utterance, the calls of a tick, or one result. */
interface Spoken {
  readonly side: Side;
  readonly kind: 'text' | 'calls' | 'result';
  readonly ticks: number[];
  readonly texts: string[];
  readonly chunk: JsonNode | undefined;
  /** Of a result: its index in the tick. */
  readonly at: number;
}

export const tickEnvelope: Envelope = {
  holders: ['ticks'],
  open(record) {
    const simulations = simulationsIn(record);
    return simulations.length === 0 ? undefined : simulations.map(({ ticks }) => listOf(ticks));
  },
  close(record, lists) {
    const replacements = simulationsIn(record).flatMap(({ ticks }, index) => {
      const after = lists[index]!;
      return after instanceof JsonNode ? [] : [{ node: ticks, value: ticksAfter(ticks, after as ArrayEdit) }];
    });
    return replaceWithin(record, replacements);
  },
  describe(_list, record, index) {
    const { simulation } = simulationsIn(record)[index]!;
    const runningCost = sumOfCosts(['agent_cost', 'user_cost'].map((key) => costField(simulation, key)));
    const model = record.get('info')?.get('audio_native_config')?.get('model')?.string;
    return {
      id: simulation.get('id')?.string,
      traits: { flagsErrors: true, takesNoSystem: true },
      ...(model === undefined ? {} : { model }),
      ...(runningCost === undefined ? {} : { others: [{ runningCost }] }),
    };
  },
};

function simulationsIn(record: JsonNode): { readonly simulation: JsonNode; readonly ticks: JsonNode }[] {
  return (record.get('simulations')?.items() ?? [record]).flatMap((simulation) => {
    const ticks = simulation.get('ticks');
    return ticks?.isArray && ticks.items(1)[0]?.get('tick_id') !== undefined ? [{ simulation, ticks }] : [];
  });
}

function spokenIn(ticks: readonly JsonNode[]): Spoken[] {
  const all: Spoken[] = [];
  ticks.forEach((tick, index) => {
    for (const side of SIDES) {
      const text = textOf(tick, side);
      const chunk = tick.get(`${side}_chunk`);
      const last = all.at(-1);
      const base = { side, ticks: [index], texts: [], at: 0, chunk };
      if (text !== undefined && last !== undefined && continues(last, side, chunk)) {
        last.ticks.push(index);
        last.texts.push(text);
      } else if (text !== undefined) all.push({ ...base, kind: 'text', texts: [text] });
      if ((tick.get(`${side}_tool_calls`)?.length ?? 0) > 0) all.push({ ...base, kind: 'calls' });
      const results = tick.get(`${side}_tool_results`)?.length ?? 0;
      for (let at = 0; at < results; at++) all.push({ ...base, kind: 'result', at });
    }
  });
  return all;
}

/** What a participant says in a tick: audio is not text. */
function textOf(tick: JsonNode, side: Side): string | undefined {
  const chunk = tick.get(`${side}_chunk`);
  const text = chunk?.get('is_audio')?.boolean === true ? undefined : chunk?.get('content')?.string;
  return text || undefined;
}

/** A chunk with a usage of its own, or of another utterance, begins a message. */
function continues(last: Spoken, side: Side, chunk: JsonNode | undefined): boolean {
  if (last.kind !== 'text' || last.side !== side || chunk?.get('usage')?.isObject) return false;
  const ids = utterances(chunk);
  const before = utterances(last.chunk);
  return ids.length === 0 ? before.length === 0 : ids.some((id) => before.includes(id));
}

function utterances(chunk: JsonNode | undefined): string[] {
  return (chunk?.get('utterance_ids')?.items() ?? []).flatMap((id) => id.string ?? []);
}

/** Without a text in any tick, the first tick stands for the simulation: it is no message. */
function listOf(ticks: JsonNode): JsonNode {
  const items = ticks.items();
  const messages = spokenIn(items).map((spoken) => messageJson(spoken, items));
  return parse(`[${messages.length === 0 ? items[0]!.json : messages.join(',')}]`);
}

function messageJson({ side, kind, ticks, texts, at, chunk }: Spoken, items: readonly JsonNode[]): string {
  const tick = items[ticks[0]!]!;
  if (kind === 'result') return tick.get(`${side}_tool_results`)!.items()[at]!.json;
  const calls = kind === 'calls' ? tick.get(`${side}_tool_calls`)!.json : 'null';
  const stated = ['usage', 'cost', 'raw_data'].flatMap((key) => {
    const value = kind === 'text' ? chunk?.get(key) : undefined;
    return value === undefined ? [] : [`"${key}":${value.json}`];
  });
  const content = kind === 'text' ? JSON.stringify(texts.join('')) : 'null';
  const head = `"role":"${ROLES[side]}","content":${content},"tool_calls":${calls},"turn_idx":${ticks[0]}`;
  const time = tick.get('timestamp') === undefined ? [] : [`"timestamp":${tick.get('timestamp')!.json}`];
  return `{${[head, ...time, ...stated].join(',')}}`;
}

// --- writing

function ticksAfter(list: JsonNode, { base, items: after }: ArrayEdit): Json {
  const ticks = list.items();
  const spoken = spokenIn(ticks);
  const before = base.items();
  const indexOf = new Map(before.map((item, index) => [item.at, index]));
  const written = new Map<number, Json>();
  const added = new Map<number, Json[]>();
  let place = -1; // the tick that added messages follow
  for (const item of after) {
    const source = item instanceof JsonNode ? item : item instanceof ObjectEdit ? item.base : undefined;
    const index = source?.source === base.source ? indexOf.get(source.at) : undefined;
    if (index !== undefined) {
      written.set(index, item);
      place = spoken[index]?.ticks.at(-1) ?? place;
    } else added.set(place, [...(added.get(place) ?? []), addedTick(item as JsonFields, ticks[Math.max(place, 0)]!)]);
  }
  const fields = fieldsByTick(spoken, ticks, (index) => written.get(index));
  return patchItems(list, [
    ...(added.get(-1) ?? []),
    ...ticks.flatMap((tick, index) => [patch(tick, fields.get(index) ?? {}), ...(added.get(index) ?? [])]),
  ]);
}

/** The members of ticks that change. `after`: a message as it is now; undefined if it was removed. */
function fieldsByTick(
  spoken: readonly Spoken[],
  ticks: readonly JsonNode[],
  after: (index: number) => Json | undefined,
): ReadonlyMap<number, JsonFields> {
  const fields = new Map<number, JsonFields>();
  const put = (tick: number, key: string, value: Json) => fields.set(tick, { ...fields.get(tick), [key]: value });
  const results = new Map<string, Json[]>();
  spoken.forEach(({ side, kind, ticks: own, at }, index) => {
    const now = after(index);
    const [first] = own as [number];
    if (kind === 'result') {
      const key = `${first} ${side}`;
      const node = ticks[first]!.get(`${side}_tool_results`)!.items()[at]!;
      const kept = now instanceof JsonNode ? [node] : now === undefined ? [] : [now];
      results.set(key, [...(results.get(key) ?? []), ...kept]);
      put(first, `${side}_tool_results`, patchItems(ticks[first]!.get(`${side}_tool_results`)!, results.get(key)!));
    } else if (!(now instanceof JsonNode)) {
      const edit = now instanceof ObjectEdit ? now.fields : undefined;
      if (kind === 'calls') put(first, `${side}_tool_calls`, edit?.get('tool_calls') ?? []);
      else
        own.forEach((tick, nth) => {
          const content = nth === 0 ? (edit?.get('content') ?? '') : '';
          put(tick, `${side}_chunk`, patch(ticks[tick]!.get(`${side}_chunk`)!, { content }));
        });
    }
  });
  return fields;
}

/** A tick for an added message, at the time of the one before it. */
function addedTick(message: JsonFields, near: JsonNode): Json {
  const { role, content, tool_calls: calls, requestor } = message;
  if (role === 'system')
    throw new TranscriptError('format', 'a voice simulation has no place for a system prompt among its ticks');
  const side: Side = role === 'user' || requestor === 'user' ? 'user' : 'agent';
  const at = { tick_id: near.get('tick_id') ?? 0, timestamp: near.get('timestamp') ?? '' };
  if (role === 'tool') return { ...at, [`${side}_tool_results`]: [message] };
  const utterance_ids = [hashId(`${near.start} ${JSON.stringify(content ?? '')}`)];
  const isSaid = content !== null && content !== undefined;
  return {
    ...at,
    ...(isSaid ? { [`${side}_chunk`]: { role: ROLES[side], content, utterance_ids } } : {}),
    ...(Array.isArray(calls) && calls.length > 0 ? { [`${side}_tool_calls`]: calls } : {}),
  };
}
