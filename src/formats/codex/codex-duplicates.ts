/**
 * What a Codex rollout says again of its items: `event_msg` lines tell the user interface what happened, `compacted` lines hold the
 * items that the model goes on with (`replacement_history`). An event names its call (`call_id`, or the `id` of a turn's `item`), or
 * repeats the text of a message or a thought that stands near it.
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
 */

import { type Json, patch, patchItems } from '../../json/edit.js';
import { type JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { pair } from '../../transcript/pairs.js';
import { textOf } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import type { Row } from '../format.js';
import responses from '../openai/openai-responses.js';
import { applyCuts, type Cut, cutsBetween } from '../shared/apply-cuts.js';

/** An item as it was, and as it is now: undefined where it went. */
interface Item {
  readonly index: number;
  readonly item: JsonNode;
  readonly was: Message;
  readonly now: Message | undefined;
}

/** Tells what becomes of a line that holds no item, as the items that it repeats went or changed; undefined: it goes as well. */
export function echoes(
  rows: readonly Row[],
  before: readonly JsonNode[],
  itemIn: (line: JsonNode) => JsonNode | undefined,
): (line: JsonNode) => Json | undefined {
  const items = itemsOf(rows, before, itemIn);
  if (items.every(({ was, now }) => was === now)) return (line) => line;
  const places = new Map(before.map((line, index) => [line, index]));
  const find = finder(items);
  return (line) => {
    const payload = line.get('payload');
    const index = places.get(line);
    if (payload === undefined || index === undefined) return line;
    if (line.get('type')?.string === 'compacted')
      return patch(line, { payload: followHistory(payload, (kept) => find.repeated(kept, index)) });
    if (line.get('type')?.string !== 'event_msg') return line;
    const found = find.told(payload, index);
    if (found.length > 0 && found.every(({ now }) => now === undefined))
      return payload.get(LAST_MESSAGE) !== undefined
        ? patch(line, { payload: patch(payload, { [LAST_MESSAGE]: null }) })
        : undefined;
    const cuts = found.flatMap(cutsOf);
    return cuts.length === 0 ? line : patch(line, { payload: applyCuts(payload, cuts) });
  };
}

function itemsOf(
  rows: readonly Row[],
  before: readonly JsonNode[],
  itemIn: (line: JsonNode) => JsonNode | undefined,
): Item[] {
  const jsonOf = new Map(rows.map(({ node, json }) => [node, json]));
  return before.flatMap((line, index) => {
    const item = itemIn(line);
    if (item === undefined) return [];
    const was = responses.read(item);
    const json = jsonOf.get(line);
    return [
      {
        index,
        item,
        was,
        now: json === undefined ? undefined : json === line ? was : responses.read(itemIn(parse(printed(json)))!),
      },
    ];
  });
}

/** The end of a turn repeats its last message; there is an end without one. */
const LAST_MESSAGE = 'last_agent_message';
/** Where events say which call, or which item of a turn, they tell of. */
const IDS = ['call_id', 'callId', 'event_id', 'target_item_id'];
/** Where events repeat texts. */
const TEXTS = ['message', 'text', LAST_MESSAGE];

interface Finder {
  /** The items that an event tells of: a call and its results, a message, a thought. */
  told(payload: JsonNode, index: number): readonly Item[];
  /** The item that one of a history is. */
  repeated(item: JsonNode, index: number): Item | undefined;
}

function finder(items: readonly Item[]): Finder {
  const byId = new Map<string, Item[]>();
  const byText = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of ['call_id', 'id']) add(byId, item.item.get(key)?.string, item);
    for (const text of new Set(textsOf(item.was))) add(byText, text, item);
  }
  const groupOf = new Map<Item, Item[]>();
  for (const { message, results } of pair(items.map(({ was }) => was)).calls)
    groupOf.set(items[message]!, [items[message]!, ...results.map((result) => items[result.message]!)]);
  const isCall = ({ was }: Item) => was.parts.some(({ type }) => type === 'call');
  return {
    told(payload, index) {
      const inner = payload.get('item');
      const ids = [...IDS.map((key) => payload.get(key)?.string), inner?.get('id')?.string];
      const named = ids
        .flatMap((id) => (id === undefined ? [] : [byId.get(id) ?? []]))
        .find((found) => found.length > 0);
      if (named !== undefined) {
        const calls = named.filter(isCall);
        const call = calls.findLast((item) => item.index < index) ?? calls[0];
        return call === undefined ? [nearest(named, index)!] : groupOf.get(call)!;
      }
      const texts = [...TEXTS.map((key) => payload.get(key)?.string), joined(inner)];
      const found = texts.flatMap((text) => (text ? [byText.get(text) ?? []] : [])).find((same) => same.length > 0);
      return found === undefined ? [] : [nearest(found, index)!];
    },
    repeated(item, index) {
      const id = item.get('call_id')?.string ?? item.get('id')?.string;
      const text = textsOf(responses.read(item))[0];
      const same = (id === undefined ? undefined : byId.get(id)) ?? (text ? byText.get(text) : undefined) ?? [];
      const type = item.get('type')?.string;
      return same.findLast((candidate) => candidate.index < index && candidate.item.get('type')?.string === type);
    },
  };
}

function add(map: Map<string, Item[]>, key: string | undefined, item: Item): void {
  if (key) listIn(map, key).push(item);
}

function nearest(items: readonly Item[], index: number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || Math.abs(item.index - index) < Math.abs(best.index - index) ? item : best),
    undefined,
  );
}

/** What a message or a thought says: as one text, and each part of it. Results have names to be found by. */
function textsOf({ role, parts }: Message): string[] {
  if (role === 'tool') return [];
  const texts = parts.flatMap((part) => (part.type === 'text' || part.type === 'thinking' ? [textOf(part.text)] : []));
  return [texts.join(''), ...texts].filter((text) => text !== '');
}

/** The texts of a turn's item: a message has parts, a thought has strings. */
function joined(item: JsonNode | undefined): string | undefined {
  const parts = ['content', 'summary_text', 'raw_content'].flatMap((key) => item?.get(key)?.items() ?? []);
  return parts.map((part) => part.string ?? part.get('text')?.string ?? '').join('');
}

/** What an item said, and says now; and its id, where that changed. */
function cutsOf({ was, now }: Item): Cut[] {
  if (now === undefined || now === was) return [];
  const [texts, left] = [textsOf(was), textsOf(now)];
  const said = texts.length === left.length ? texts.map((before, index) => ({ before, after: left[index]! })) : [];
  return [...cutsBetween(was, now), ...said, { before: idOf(was), after: idOf(now) }].filter(
    ({ before, after }) => before !== after,
  );
}

function idOf({ parts }: Message): string {
  const [part] = parts;
  return part?.type === 'call' || part?.type === 'result' ? (part.callId ?? '') : '';
}

function followHistory(payload: JsonNode, find: (item: JsonNode) => Item | undefined): Json {
  const history = payload.get('replacement_history');
  if (!history?.isArray) return payload;
  const followed = history.items().flatMap((item): Json[] => {
    const found = item.isObject ? find(item) : undefined;
    if (found === undefined) return [item];
    if (found.now === undefined) return [];
    const cuts = cutsOf(found);
    return [cuts.length === 0 ? item : applyCuts(item, cuts)];
  });
  return patch(payload, { replacement_history: patchItems(history, followed) });
}
