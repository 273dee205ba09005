/**
 * Recordings of the calls of Anthropic's SDK, as LangSmith's tests keep them: lines `[name, value]`, where the value is
 * a session, an event of the stream, or `[session id, {events}]` that were sent. What was sent comes back in the stream
 * with an id: those events are the messages, and the sent ones their copies.
 * https://github.com/langchain-ai/langsmith-sdk/tree/main/js/src/tests/test_data (read 2026-11)
 *
 * A value cannot be added or removed without its name. So where events were removed or added, the value becomes
 * `{events}` with those that are there.
 */
import { canonical } from '../../json/canonical.js';
import { ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed, reparsed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import type { Bundle, Format } from '../format.js';
import { RESULTS } from './managed-agents-sync.js';

/** An event or session in a record. */
interface Place {
  readonly node: JsonNode;
  readonly isSent: boolean;
}

/** The elements of one transcript, and places that repeat an element. */
interface Session {
  readonly elements: Place[];
  readonly copyOf: Map<Place, Place>;
}

/** The values to write in places. */
type Written = Map<Place, readonly Json[]>;

export function managedBundle(score: Format['score'], describe: Bundle['describe']): Bundle {
  const placesOf = (records: readonly JsonNode[]) => records.map((record) => placesIn(record, score));
  return {
    open(records) {
      const sessions = sessionsIn(placesOf(records).flat());
      return sessions.length === 0 ? undefined : sessions.map(listOf);
    },
    close(records, lists) {
      if (lists.every((list) => list instanceof JsonNode)) return records;
      const places = placesOf(records);
      const written: Written = new Map();
      sessionsIn(places.flat()).forEach((session, index) => {
        writeSession(session, lists[index]!, written);
      });
      return records.map((record, index) => writeRecord(record, places[index]!, written));
    },
    describe,
  };
}

// --- reading

function sessionsIn(places: readonly Place[]): Session[] {
  const sessions: Session[] = [];
  const known = new Map<string, { place: Place; session: Session }>(); // by the session's id
  for (const place of places) {
    const id = place.node.get('type')?.string === 'session' ? (place.node.get('id')?.text ?? '') : undefined;
    const first = id === undefined ? undefined : known.get(id);
    if (first !== undefined) {
      first.session.copyOf.set(place, first.place);
      continue;
    }
    if (sessions.length === 0 || (id !== undefined && known.size > 0))
      sessions.push({ elements: [], copyOf: new Map() });
    const session = sessions.at(-1)!;
    session.elements.push(place);
    if (id !== undefined) known.set(id, { place, session });
  }
  for (const session of sessions) findEchoes(session);
  return sessions.map(({ elements, copyOf }) => ({ elements: elements.filter((place) => !copyOf.has(place)), copyOf }));
}

function placesIn(record: JsonNode, score: Format['score']): Place[] {
  const isSent = record.isArray;
  return (eventsIn(record)?.items() ?? [record])
    .filter((node) => node.isObject && score(node) > 0)
    .map((node) => ({ node, isSent }));
}

/** The list in `{events}`, also in `[session id, {events}]`. */
function eventsIn(record: JsonNode): JsonNode | undefined {
  const events = (record.isArray ? record.items(2)[1] : record)?.get('events');
  return events?.isArray ? events : undefined;
}

/** Each sent event that comes back is a copy. */
function findEchoes({ elements, copyOf }: Session): void {
  const sent = new Map<string, Place[]>(); // by content: those that wait for their echo
  for (const place of elements) {
    if (place.isSent) listIn(sent, contentOf(place.node)).push(place);
    else if (sent.size > 0) {
      const first = sent.get(contentOf(place.node))?.shift();
      if (first !== undefined) copyOf.set(first, place);
    }
  }
}

/** What an event says, without what the server adds to it. */
function contentOf(event: JsonNode): string {
  const members = ['type', 'content', ...Object.values(RESULTS)].map((key) => event.get(key));
  return members.map((member) => (member === undefined ? '' : canonical(printed(member)))).join('\n');
}

function listOf({ elements }: Session): JsonNode {
  return parse(`[${elements.map(({ node }) => printed(node)).join(',')}]`);
}

// --- writing

function writeSession({ elements, copyOf }: Session, list: Json, written: Written): void {
  if (!(list instanceof ArrayEdit)) return;
  const placed = placedItems(list, elements);
  const own = new Map<Place, Json>(); // what became of an element itself
  elements.forEach((place, index) => {
    const items = placed[index]!;
    const kept = items.find(({ from }) => from === index)?.json ?? withoutSystem(place.node);
    if (kept !== undefined) own.set(place, kept);
    const values = items.map(({ json }) => json);
    written.set(place, kept === undefined || values.includes(kept) ? values : [kept, ...values]);
  });
  for (const [copy, place] of copyOf) {
    const now = own.get(place);
    if (now !== place.node) written.set(copy, now === undefined ? [] : [withSaid(copy.node, reparsed(now))]);
  }
}

/** The items of an edited list by the element in whose place they go: their own, or that of the item before them. */
function placedItems({ base, items }: ArrayEdit, elements: readonly Place[]): { json: Json; from: number }[][] {
  const indexOf = new Map(base.items().map((item, index) => [item.at, index]));
  const places: { json: Json; from: number }[][] = elements.map(() => []);
  let at = 0;
  for (const item of items) {
    const node = item instanceof ObjectEdit ? item.base : item;
    const from = node instanceof JsonNode && node.source === base.source ? (indexOf.get(node.at) ?? -1) : -1;
    at = Math.max(at, from);
    places[at]!.push({ json: item instanceof JsonNode && from >= 0 ? elements[from]!.node : item, from });
  }
  return places;
}

/** What stays of a session whose system prompt was removed; undefined for an event. */
function withoutSystem(node: JsonNode): Json | undefined {
  const agent = node.get('agent');
  return agent?.get('system')?.isString ? patch(node, { agent: patch(agent, { system: '' }) }) : undefined;
}

/** A copy of an event or a session that says what that says now. */
function withSaid(copy: JsonNode, now: JsonNode): Json {
  const agent = copy.get('agent');
  if (agent !== undefined) return patch(copy, { agent: patch(agent, { system: now.get('agent')?.get('system') }) });
  const keys = ['content', ...Object.values(RESULTS)].filter((key) => copy.get(key) !== undefined);
  return patch(copy, Object.fromEntries(keys.map((key) => [key, now.get(key)])) as JsonFields);
}

function writeRecord(record: JsonNode, places: readonly Place[], written: Written): Json {
  const valuesAt = new Map(places.map((place) => [place.node.at, written.get(place)]));
  const list = eventsIn(record);
  if (list === undefined) {
    const values = valuesAt.get(record.at) ?? [record];
    return values.length === 1 ? values[0]! : { events: values };
  }
  const events = patchItems(
    list,
    list.items().flatMap((item) => valuesAt.get(item.at) ?? [item]),
  );
  return record.isArray
    ? patchEach(record, (item, index) => (index === 1 ? patch(item, { events }) : item))
    : patch(record, { events });
}
