/** The messages at the sites of a record: how they are read, and how each site is printed with other messages. */

import { TranscriptError } from '../../errors.js';
import type { Format, Row } from '../../formats/format.js';
import { adjacentNode } from '../../formats/shared/adjacent-record.js';
import { type Json, patch, patchItems } from '../../json/edit.js';
import { renested } from '../../json/nested.js';
import { JsonNode } from '../../json/node.js';
import type { NodeChange } from '../../json/replace.js';
import { originOf } from '../../transcript/compare.js';
import { inGroups } from '../../transcript/edit.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { messagesAt, type Site, siteNode } from '../message-paths.js';
import type { RecordEvent } from '../piece.js';
import { readMessage } from '../read-message.js';
import { valuesOf } from './values.js';

/** The messages of a transcript at one site, and the elements that hold them. */
export interface SiteMessages {
  readonly site: Site;
  readonly items: readonly JsonNode[];
  readonly messages: readonly Message[];
}

/** A transcript as it was read, and its messages by site. */
export interface OpenedSites {
  readonly bySite: readonly SiteMessages[];
  readonly transcript: Transcript;
}

export function readSite(site: Site, format: Format, event: RecordEvent): SiteMessages {
  const { items, messages } = messagesAt(site);
  const { path, take } = site;
  const from = { path: take === 'text' ? '' : path, event }; // a text at a path would be a system prompt
  const isOne = take === 'whole' || take === 'text';
  const read = messages.map((raw, index) => readMessage(raw, format, from, isOne ? undefined : index));
  return { site, items, messages: format.traits.piecesStandAlone ? inGroups(read, path) : read };
}

// --- save

/**
 * A message that is about to be written at a site, and the element that held it; undefined if it was not read from
 * there.
 */
interface SiteRow extends Row {
  readonly item: JsonNode | undefined;
}

/** The sites that change where a transcript has these messages. */
export function replaceSites(
  bySite: readonly SiteMessages[],
  messages: readonly Message[],
  format: Format,
): NodeChange[] {
  const rows = rowsBySite(bySite, messages, format);
  return bySite.flatMap((one, index): NodeChange[] => {
    const { list, take, encoded } = one.site;
    // no API takes a system prompt that is null; a reply that is null says that this is the place of one
    if (take === 'whole' && rows[index]!.length === 0 && index + 1 < bySite.length)
      return [{ node: list, value: undefined }];
    const value = siteValue(one, rows[index]!, format);
    if (value === list) return [];
    return [{ node: siteNode(one.site), value: encoded === undefined ? value : renested(encoded, value) }];
  });
}

/** Added messages go to the site of the message before them. */
function rowsBySite(bySite: readonly SiteMessages[], messages: readonly Message[], format: Format): SiteRow[][] {
  const originIn = originsIn(bySite);
  const rows: SiteRow[][] = bySite.map(() => []);
  let site = 0;
  let near = bySite.find(({ messages: [first] }) => first !== undefined)?.messages[0]?.raw;
  for (const message of messages) {
    const origin = originIn(message);
    site = Math.max(site, origin?.site ?? site);
    const target = origin === undefined ? listNear(bySite, site) : site;
    const from = takesOne(bySite[target]!) ? target : target + 1;
    if (from <= site && rows.slice(from, site + 1).some(({ length }) => length > 0))
      throw new TranscriptError('message', 'nothing can follow the reply to a request: a message was put behind it');
    near = origin?.message.raw ?? adjacentNode(message) ?? near;
    const isUntouched = origin?.message === message;
    const kept = origin?.site === target ? origin : undefined;
    const isBare = kept === undefined && message.raw instanceof JsonNode && message.raw.isString;
    const written = isBare ? { ...message, raw: undefined } : message; // a bare text is a message in its place only
    const json =
      isUntouched && !isBare ? (message.raw as JsonNode) : format.write(written, near as JsonNode | undefined);
    rows[target]!.push({ node: kept?.message.raw as JsonNode | undefined, message, json, item: kept?.item });
  }
  return rows;
}

function siteValue({ site, messages }: SiteMessages, rows: readonly SiteRow[], format: Format): Json {
  const { list, take, member } = site;
  const nodes = messages.map(({ raw }) => raw as JsonNode);
  const adjusted = take === 'all' ? format.beforeWrite?.(rows, nodes) : undefined;
  const emptied = take === 'first' && messages.length === 0 ? list.items()[0] : undefined;
  const written = rows.flatMap(({ item = emptied, json }, index): Json[] =>
    valuesOf(adjusted === undefined ? json : adjusted[index]).map((value) =>
      member === undefined ? value : withMember(item, member, value),
    ),
  );
  if (take === 'whole') return written[0] ?? null;
  if (take === 'text') return textValue(rows, format);
  if (take !== 'first') return patchItems(list, written);
  const [first, ...others] = list.items();
  // a choice without its message says why the model stopped
  const left = written.length === 0 && first !== undefined && member !== undefined;
  return patchItems(list, [...(left ? [patch(first, { [member]: undefined })] : written), ...others]);
}

/** A text stays one while it is the only message; otherwise it becomes a list of messages. */
function textValue(rows: readonly SiteRow[], format: Format): Json {
  const [first] = rows;
  const isText = (json: Json) => typeof json === 'string' || (json instanceof JsonNode && json.isString);
  if (rows.length === 1 && isText(first!.json)) return first!.json;
  return rows.map(({ json, message }) => (isText(json) ? format.write({ ...message, raw: undefined }) : json));
}

function withMember(item: JsonNode | undefined, member: string, message: Json): Json {
  return item === undefined ? { [member]: message } : patch(item, { [member]: message });
}

/**
 * A site that is one message cannot hold an added one: the next list does, else the one before, else it is replaced.
 */
function listNear(bySite: readonly SiteMessages[], from: number): number {
  const next = bySite.findIndex(({ site: { take } }, index) => index >= from && take !== 'whole');
  if (next >= 0) return next;
  const previous = bySite.findLastIndex(({ site: { take } }) => take !== 'whole');
  return previous >= 0 ? previous : from;
}

function takesOne({ site: { take } }: SiteMessages): boolean {
  return take === 'whole' || take === 'first';
}

/** Where a message was read. */
interface Origin {
  readonly site: number;
  readonly item: JsonNode;
  readonly message: Message;
}

/**
 * Finds where messages were read. Most lookups follow the order of the first site; an index is built at the first miss.
 */
function originsIn(bySite: readonly SiteMessages[]): (message: Message) => Origin | undefined {
  const [{ items, messages }] = bySite as readonly [SiteMessages];
  let next = 0;
  let byRaw: ReadonlyMap<unknown, Origin> | undefined;
  return (message) => {
    const raw = originOf(message);
    if (raw === undefined) return undefined;
    if (byRaw === undefined) {
      for (let i = next; i < messages.length; i++) {
        if (messages[i]!.raw !== raw) continue;
        next = i + 1;
        return { site: 0, item: items[i]!, message: messages[i]! };
      }
      byRaw = indexByRaw(bySite);
    }
    return byRaw.get(raw);
  };
}

function indexByRaw(bySite: readonly SiteMessages[]): ReadonlyMap<unknown, Origin> {
  return new Map(
    bySite.flatMap(({ items, messages }, site) =>
      messages.map((message, index): [unknown, Origin] => [message.raw, { site, item: items[index]!, message }]),
    ),
  );
}
