/**
 * Lines of a Codex rollout that repeat items: `event_msg` lines report them to the user interface, and `compacted`
 * lines hold the items that the model continues with (`replacement_history`). An event has the id of its call
 * (`call_id`, or the `id` of a turn's `item`), or repeats the text of a message or reasoning near it.
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
 */

import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { pair } from '../../transcript/pairs.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import responses from '../openai/openai-responses.js';
import { applyCuts, type Cut, cutsBetween } from '../shared/apply-cuts.js';
import { tryRead } from '../shared/sync-copies.js';

/** What a line says: an item, or the payload of an event. */
export interface Spoken {
  readonly item: JsonNode;
  readonly message: Message;
}

/** An item before and after the edit. */
interface Item {
  /** The index of its line. */
  readonly index: number;
  readonly item: JsonNode;
  readonly was: Message;
  /** Undefined if removed. */
  readonly now: Message | undefined;
  /** As it is written now, if it changed. */
  readonly written?: JsonNode | undefined;
}

/**
 * Returns a function that updates a line without an item after the items that it repeats; undefined removes the line.
 * `json`: the line as it is written, if that changed.
 */
export function duplicateSync(
  rows: readonly Row[],
  indexOf: ReadonlyMap<JsonNode, number>,
  read: (line: JsonNode) => Spoken | undefined,
): (line: JsonNode, json?: Json) => Json | undefined {
  const items = itemsOf(rows, indexOf, read);
  if (items.every(({ was, now }) => was === now)) return (line, json = line) => json;
  const find = itemFinder(items);
  return (line, json = line) => {
    const payload = line.get('payload');
    const index = indexOf.get(line);
    if (payload === undefined || index === undefined) return line;
    if (line.get('type')?.string === 'compacted')
      return syncCompaction(json === line ? line : reparsed(json), (item) => find.byItem(item, index));
    if (line.get('type')?.string !== 'event_msg') return line;
    const found = find.byEvent(payload, index);
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
  indexOf: ReadonlyMap<JsonNode, number>,
  read: (line: JsonNode) => Spoken | undefined,
): Item[] {
  const jsonOf = new Map(rows.map(({ node, json }) => [node, json]));
  return [...indexOf].flatMap(([line, index]): Item[] => {
    const { item, message: was } = read(line) ?? {};
    if (item === undefined || was === undefined) return [];
    const json = jsonOf.get(line);
    if (json === undefined) return [{ index, item, was, now: undefined }];
    if (json === line) return [{ index, item, was, now: was }];
    const { item: written, message: now } = read(reparsed(json)) ?? {};
    return [{ index, item, was, now, written }];
  });
}

/** The end of a turn repeats its last message here; it can be null. */
const LAST_MESSAGE = 'last_agent_message';
const ITEM_IDS = ['call_id', 'id'];
/** Keys of events for the id of a call or item. */
const ID_KEYS = ['call_id', 'callId', 'event_id', 'target_item_id'];
/** Keys of events for repeated texts. */
const TEXT_KEYS = ['message', 'text', LAST_MESSAGE];

/** By what lines repeat an item: its ids, and its texts. */
export function marksOf(item: JsonNode, message: Message): string[] {
  return [...ITEM_IDS.flatMap((key) => item.get(key)?.string ?? []), ...textsOf(message)];
}

/** Whether a line repeats an item whose marks are not strings of the line. */
export function repeatsJoined(payload: JsonNode | undefined, marks: ReadonlySet<string>): boolean {
  if (payload?.get('replacement_history') !== undefined) return true;
  const item = payload?.get('item');
  return item !== undefined && marks.has(joinedTexts(item) ?? '');
}

/** The joined texts that a line repeats in pieces. */
export function joinedIn(payload: JsonNode | undefined): string[] {
  const kept = payload?.get('replacement_history')?.items() ?? [];
  const messages = kept.flatMap((item) => tryRead(item, responses) ?? []);
  return [...messages.flatMap(textsOf), joinedTexts(payload?.get('item')) ?? ''].filter((text) => text !== '');
}

interface Finder {
  /** The items that an event repeats: a call and its results, a message, or reasoning. */
  byEvent(payload: JsonNode, index: number): readonly Item[];
  /** The item that an element of a history repeats. */
  byItem(item: JsonNode, index: number): Item | undefined;
}

function itemFinder(items: readonly Item[]): Finder {
  const byId = new Map<string, Item[]>();
  const byText = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of ITEM_IDS) addTo(byId, item.item.get(key)?.string, item);
    for (const text of new Set(textsOf(item.was))) addTo(byText, text, item);
  }
  const groupOf = new Map<Item, Item[]>();
  for (const { message, results } of pair(items.map(({ was }) => was)).calls)
    groupOf.set(items[message]!, [items[message]!, ...results.map((result) => items[result.message]!)]);
  const isCall = ({ was }: Item) => was.parts.some(({ type }) => type === 'call');
  return {
    byEvent(payload, index) {
      const inner = payload.get('item');
      const ids = [...ID_KEYS.map((key) => payload.get(key)?.string), inner?.get('id')?.string];
      const named = ids
        .flatMap((id) => (id === undefined ? [] : [byId.get(id) ?? []]))
        .find((found) => found.length > 0);
      if (named !== undefined) {
        const calls = named.filter(isCall);
        const call = calls.findLast((item) => item.index < index) ?? calls[0];
        return call === undefined ? [nearest(named, index)!] : groupOf.get(call)!;
      }
      const texts = [...TEXT_KEYS.map((key) => payload.get(key)?.string), joinedTexts(inner)];
      const found = texts.flatMap((text) => (text ? [byText.get(text) ?? []] : [])).find((same) => same.length > 0);
      return found === undefined ? [] : [nearest(found, index)!];
    },
    byItem(item, index) {
      const id = item.get('call_id')?.string ?? item.get('id')?.string;
      const message = tryRead(item, responses);
      const text = message && textsOf(message)[0];
      const same = (id === undefined ? undefined : byId.get(id)) ?? (text ? byText.get(text) : undefined) ?? [];
      const type = item.get('type')?.string;
      return same.findLast((candidate) => candidate.index < index && candidate.item.get('type')?.string === type);
    },
  };
}

/** Adds an item under a key, if there is one. */
function addTo(map: Map<string, Item[]>, key: string | undefined, item: Item): void {
  if (key) listIn(map, key).push(item);
}

function nearest(items: readonly Item[], index: number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || Math.abs(item.index - index) < Math.abs(best.index - index) ? item : best),
    undefined,
  );
}

/** The texts of a message or reasoning, joined and one by one. None for results, which are found by id. */
function textsOf({ role, parts }: Message): string[] {
  if (role === 'tool') return [];
  const texts = parts.flatMap((part) => (part.type === 'text' || part.type === 'thinking' ? [textOf(part.text)] : []));
  return [texts.join(''), ...texts].filter((text) => text !== '');
}

/** The joined texts of a turn's item: those of a message are in parts, those of reasoning are strings. */
function joinedTexts(item: JsonNode | undefined): string | undefined {
  const parts = ['content', 'summary_text', 'raw_content'].flatMap((key) => item?.get(key)?.items() ?? []);
  return parts.map((part) => part.string ?? part.get('text')?.string ?? '').join('');
}

/** The changed texts of an item, and its id if that changed. */
function cutsOf({ was, now }: Item): Cut[] {
  if (now === undefined || now === was) return [];
  const [oldTexts, newTexts] = [textsOf(was), textsOf(now)];
  const texts =
    oldTexts.length === newTexts.length ? oldTexts.map((before, index) => ({ before, after: newTexts[index]! })) : [];
  return [...cutsBetween(was, now), ...texts, { before: callIdOf(was), after: callIdOf(now) }].filter(
    ({ before, after }) => before !== after,
  );
}

/** A cut is one of texts; an image that went is not among them. */
function mediaIn({ parts }: Message): number {
  const inside = (part: Part) => (part.type === 'result' ? part.content : [part]);
  return parts.flatMap<{ readonly type: string }>(inside).filter(({ type }) => type === 'media').length;
}

/** With the blocks that the item has now, if they were the same. */
function withBlocks(item: JsonNode, { item: was, written }: Item): Json {
  const keys = ['content', 'output'].filter((key) => item.get(key) !== undefined);
  if (keys.some((key) => item.get(key)!.json !== was.get(key)?.json)) return item;
  return patch(item, Object.fromEntries(keys.map((key) => [key, written!.get(key)])));
}

function callIdOf({ parts }: Message): string {
  const [part] = parts;
  return part?.type === 'call' || part?.type === 'result' ? (part.callId ?? '') : '';
}

function syncCompaction(line: JsonNode, find: (item: JsonNode) => Item | undefined): Json {
  return patch(line, { payload: syncHistory(line.get('payload')!, find) });
}

function syncHistory(payload: JsonNode, find: (item: JsonNode) => Item | undefined): Json {
  const history = payload.get('replacement_history');
  if (!history?.isArray) return payload;
  const synced = history.items().flatMap((item): Json[] => {
    const found = item.isObject ? find(item) : undefined;
    if (found === undefined) return [item];
    if (found.now === undefined) return [];
    const cuts = cutsOf(found);
    if (found.written !== undefined && mediaIn(found.was) > mediaIn(found.now)) return [withBlocks(item, found)];
    return [cuts.length === 0 ? item : applyCuts(item, cuts)];
  });
  return patch(payload, { replacement_history: patchItems(history, synced) });
}
