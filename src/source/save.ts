/** The way back: from transcripts to bytes. What was not touched is copied. */
import type { Format, MessageChange, Row } from '../formats/format.js';
import { adjacentNode } from '../formats/shared/adjacent-record.js';
import { EditedText, type Json, patch, patchItems } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { print, printReplaced, printRow, type Replacement, type RowItem, type Sink } from '../json/print.js';
import type { RowEvent, Span } from '../json/rows.js';
import { styleOf } from '../json/style.js';
import { originOf } from '../transcript/compare.js';
import { joinTexts } from '../transcript/text.js';
import type { ContentPart, Message, Transcript } from '../transcript/types.js';
import type { Site } from './message-paths.js';
import type { Start } from './position.js';
import { onLine, printProven } from './print-checked.js';

/** A value of a row, the bytes before it, where it begins, and the message that it is. */
export interface RowEntry extends Start {
  readonly gap: Span;
  readonly value: JsonNode | Span;
  readonly message: Message;
}

/** The messages of a transcript that stand at one site, and the elements that hold them. */
export interface SiteMessages {
  readonly site: Site;
  readonly items: readonly JsonNode[];
  readonly messages: readonly Message[];
}

// --- a row whose values are the messages

export function saveRow(
  sink: Sink,
  head: { readonly span: Span; readonly array: boolean },
  entries: readonly RowEntry[],
  tail: Span,
  before: Transcript,
  after: Transcript,
  format: Format,
): void {
  const items = after === before ? [] : rowItems(entries, after, format);
  if (after !== before && items.length === 0 && before.messages.length > 0) {
    saveEmptyRow(sink, head, tail);
    return;
  }
  slice(sink, head.span);
  if (after === before) for (const entry of entries) saveEntry(sink, entry, true);
  else printRow(sink, items, separatorOf(head, entries));
  slice(sink, tail);
}

function rowItems(entries: readonly RowEntry[], after: Transcript, format: Format): RowItem[] {
  const byRaw = new Map(entries.map((entry, index) => [entry.message.raw, { entry, index }]));
  const tools = toolEdits(after);
  const nodes = entries.flatMap(({ value }) => (value instanceof JsonNode ? [value] : []));
  let near = nodes[0];
  const rows = after.messages.map((message) => {
    const source = originOf(message);
    const known = source === undefined ? undefined : byRaw.get(source);
    const node = known?.entry.value instanceof JsonNode ? known.entry.value : undefined;
    near = node ?? adjacentNode(message) ?? near;
    return {
      known,
      node,
      message,
      json:
        message === known?.entry.message
          ? node === undefined
            ? null
            : edited(node, tools)
          : format.write(message, near),
    };
  });
  const mended = format.beforeWrite?.(
    rows.filter(({ known, node }) => known === undefined || node !== undefined),
    nodes,
  );
  let next = 0;
  let neighbour = nodes[0];
  let line = entries[0]?.line ?? 1; // of what was added, that before it
  const items = rows.flatMap(({ known, node, json }): (RowItem & { readonly entry?: RowEntry })[] => {
    if (known !== undefined && node === undefined)
      return [
        {
          entry: known.entry,
          gap: known.index === 0 ? undefined : known.entry.gap,
          print: (to: Sink) => saveEntry(to, known.entry, false),
        },
      ];
    const written = severalOf(mended === undefined ? json : mended[next++]);
    if (written.length > 0) neighbour = node ?? neighbour;
    line = known?.entry.line ?? line;
    const near = neighbour;
    const place = line;
    return written.map((value) => ({
      gap: known === undefined || known.index === 0 ? undefined : known.entry.gap,
      print: (to: Sink) => saveValue(to, value, near, place),
    }));
  });
  const behind = (mended ?? [])
    .slice(next)
    .flatMap((json): RowItem[] =>
      json === undefined ? [] : [{ print: (to: Sink) => saveValue(to, json, neighbour, line) }],
    );
  return withCutLast([...items, ...behind], entries.at(-1));
}

/** A last line that is cut off stays the last, wherever messages were added. */
function withCutLast(
  items: readonly (RowItem & { readonly entry?: RowEntry })[],
  last: RowEntry | undefined,
): RowItem[] {
  const isCut = ({ entry }: { readonly entry?: RowEntry }) => entry !== undefined && entry === last;
  return [...items.filter((item) => !isCut(item)), ...items.filter(isCut)];
}

/** A value of a row: as it came in, or new. */
function saveValue(sink: Sink, value: Json, near: JsonNode | undefined, line: number): void {
  const write = (to: Sink) => print(to, value, () => styleOf(near));
  if (value instanceof JsonNode && value.is(near)) write(sink);
  else onLine(line, () => printProven(sink, write));
}

/** What a row became: nothing, itself, or several rows. */
function severalOf(written: Json | undefined): readonly Json[] {
  return written === undefined ? [] : Array.isArray(written) ? (written as readonly Json[]) : [written];
}

function saveEntry(sink: Sink, { gap, value }: RowEntry, withGap: boolean): void {
  if (withGap) slice(sink, gap);
  if (value instanceof JsonNode) sink.slice(value.source.bytes, value.start, value.end);
  else slice(sink, value);
}

/** Nothing is left: an empty array, or (of lines) nothing but a byte order mark. */
function saveEmptyRow(sink: Sink, { span, array }: { readonly span: Span; readonly array: boolean }, tail: Span): void {
  const head = span.bytes.utf8Slice(span.start, span.end);
  if (array) sink.text(head.trimEnd() + tail.bytes.utf8Slice(tail.start, tail.end).replace(/^\s+/, ''));
  else sink.text(/^\ufeff?/.exec(head)![0]);
}

function separatorOf(
  head: { readonly span: Span; readonly array: boolean },
  entries: readonly RowEntry[],
): () => string {
  return () => {
    const gap = entries[1]?.gap;
    const text = gap === undefined ? '' : gap.bytes.utf8Slice(gap.start, gap.end);
    if (!head.array) return text.includes('\r\n') ? '\r\n' : '\n';
    if (gap !== undefined) return text;
    const before = head.span.bytes.utf8Slice(head.span.start, head.span.end);
    const space = before.slice(before.trimEnd().length);
    const [first] = entries;
    return space.includes('\n')
      ? `,${space}`
      : styleOf(first?.value instanceof JsonNode ? first.value : undefined).comma;
  };
}

// --- values that hold messages

export interface OpenedSites {
  readonly bySite: readonly SiteMessages[];
  readonly transcript: Transcript;
}

/** A record whose messages are no values of it: the format puts the lists back. The record itself where nothing changed. */
export function envelopeAfter(
  root: JsonNode,
  opened: readonly OpenedSites[],
  after: readonly Transcript[],
  format: Format,
): Json {
  const lists = listsAfter(opened, after, format);
  return lists === undefined ? root : format.envelope!.close(root, lists);
}

/** The same for all records of a file. */
export function bundleAfter(
  records: readonly JsonNode[],
  opened: readonly OpenedSites[],
  after: readonly Transcript[],
  format: Format,
): readonly Json[] {
  const lists = listsAfter(opened, after, format);
  return lists === undefined ? records : format.bundle!.close(records, lists);
}

/** What stands between the records of a file stays. */
export function saveBundle(sink: Sink, events: readonly RowEvent[], written: readonly Json[]): void {
  let next = 0;
  for (const event of events) {
    if ('gap' in event) slice(sink, event.gap);
    if (event.type !== 'record') slice(sink, event.span);
    else saveValue(sink, written[next++]!, event.root, event.line);
  }
}

/** The lists of an envelope with what was done to them; undefined where nothing was. */
function listsAfter(
  opened: readonly OpenedSites[],
  after: readonly Transcript[],
  format: Format,
): readonly Json[] | undefined {
  const lists = opened.map(({ bySite, transcript }, index): Json => {
    if (after[index] === transcript) return bySite[0]!.site.list;
    return replaceSites(bySite, after[index]!.messages, format)[0]?.value ?? bySite[0]!.site.list;
  });
  return lists.every((list, index) => list === opened[index]!.bySite[0]!.site.list) ? undefined : lists;
}

export function saveRecord(
  sink: Sink,
  root: JsonNode,
  opened: readonly OpenedSites[],
  after: readonly Transcript[],
  format: Format,
): void {
  const replacements = opened.flatMap(({ bySite, transcript }, index): Replacement[] => {
    if (after[index] === transcript) return [];
    return [
      ...replaceSites(bySite, withoutBeside(after[index]!), format),
      ...echoes(root, transcript, after[index]!, format),
      ...toolEdits(after[index]!).filter(({ node }) => node.source === root.source),
    ];
  });
  const unique = replacements.filter(
    ({ node }, index) => replacements.findIndex((other) => other.node.is(node)) === index,
  ); // transcripts of one record share its tools
  const comings = opened.flatMap(({ bySite }, index) => comingBeside(root, bySite, after[index]!, format));
  if (comings.length === 0) printReplaced(sink, root, unique);
  else print(sink, edited(root, unique, comings), () => styleOf(root));
}

/** Definitions of tools that were changed stand where they stood. */
function toolEdits({ tools }: Transcript): Replacement[] {
  return tools instanceof EditedText ? [{ node: tools.base, value: tools.json }] : [];
}

/** A member that an object gets. */
interface Coming {
  readonly holder: JsonNode;
  readonly key: string;
  readonly value: Json;
}

/** A system prompt that was added, where it stands beside the messages. */
function comingBeside(
  root: JsonNode,
  [site]: readonly SiteMessages[],
  after: Transcript,
  { encode }: Format,
): Coming[] {
  const [first] = after.messages;
  if (site === undefined || !standsBeside(first, after)) return [];
  return [
    {
      holder: holderOf(root, site.site.list),
      key: encode!.system!.key,
      value: encode!.system!.write(joinTexts(first!.parts.filter((part): part is ContentPart => part.type === 'text'))),
    },
  ];
}

function withoutBeside(after: Transcript): readonly Message[] {
  return standsBeside(after.messages[0], after) ? after.messages.slice(1) : after.messages;
}

function standsBeside(message: Message | undefined, { takesSystem }: Transcript): boolean {
  return message?.role === 'system' && message.raw === undefined && takesSystem?.() === 'beside';
}

/** The innermost object around a value. */
function holderOf(node: JsonNode, inner: JsonNode): JsonNode {
  const around = (node.isObject ? node.members().map(({ value }) => value) : node.items()).find(
    (child) => child.start <= inner.start && inner.end <= child.end && !child.is(inner),
  );
  const deeper = around === undefined ? undefined : holderOf(around, inner);
  return deeper?.isObject ? deeper : node;
}

/** A value with some of its descendants replaced, and with members that come. */
function edited(node: JsonNode, replacements: readonly Replacement[], comings: readonly Coming[] = []): Json {
  const own = replacements.find((replacement) => replacement.node.is(node));
  if (own !== undefined) return own.value;
  const isInside = (other: JsonNode) =>
    other.source === node.source && node.start <= other.start && other.end <= node.end;
  const [inside, coming] = [
    replacements.filter((one) => isInside(one.node)),
    comings.filter((one) => isInside(one.holder)),
  ];
  if (inside.length === 0 && coming.length === 0) return node;
  if (node.isArray)
    return patchItems(
      node,
      node.items().map((item) => edited(item, inside, coming)),
    );
  const members = node.members().map(({ key, value }) => [key.text, edited(value, inside, coming)] as const);
  return patch(
    node,
    Object.fromEntries([
      ...members,
      ...coming.flatMap(({ holder, key, value }) => (holder.is(node) ? [[key, value] as const] : [])),
    ]),
  );
}

/** What repeats messages that changed or went. Where some only came, nothing repeats them. */
function echoes(root: JsonNode, before: Transcript, after: Transcript, format: Format): readonly Replacement[] {
  if (format.syncDuplicates === undefined) return [];
  const byRaw = new Map(after.messages.map((message) => [originOf(message), message]));
  const changes = before.messages.map((message): MessageChange => {
    const now = byRaw.get(message.raw);
    return {
      before: message,
      after: now,
      json: now === undefined ? undefined : now === message ? (message.raw as JsonNode) : format.write(now),
    };
  });
  return changes.some((change) => change.after !== change.before) ? format.syncDuplicates(root, changes) : [];
}

function replaceSites(bySite: readonly SiteMessages[], messages: readonly Message[], format: Format): Replacement[] {
  const originIn = originsIn(bySite);
  const rows: (Row & { readonly item: JsonNode | undefined })[][] = bySite.map(() => []);
  let site = 0;
  let near = bySite.flatMap((one) => one.messages)[0]?.raw;
  for (const message of messages) {
    const known = originIn(message);
    site = Math.max(site, known?.site ?? site); // what was added stands where the message before it stands
    const target = known === undefined ? listNear(bySite, site) : site;
    near = known?.message.raw ?? adjacentNode(message) ?? near;
    const json =
      known?.message === message ? (message.raw as JsonNode) : format.write(message, near as JsonNode | undefined);
    const stays = known?.site === target;
    rows[target]!.push({
      node: stays ? (known.message.raw as JsonNode) : undefined,
      message,
      json,
      item: stays ? known.item : undefined,
    });
  }
  return bySite.flatMap(({ site: { list, take, inner }, messages: old }, index) => {
    const nodes = old.map(({ raw }) => raw as JsonNode);
    const mended = take === 'all' ? format.beforeWrite?.(rows[index]!, nodes) : undefined;
    const written = rows[index]!.flatMap(({ item, json }, at): Json[] => {
      const value = mended === undefined ? json : mended[at];
      return severalOf(value).map((one) => (inner === undefined ? one : wrap(inner, item, one)));
    });
    const value =
      take === 'whole'
        ? (written[0] ?? null)
        : patchItems(list, take === 'first' ? [...written, ...list.items().slice(1)] : written);
    return value === list ? [] : [{ node: list, value }];
  });
}

/** A value that is one message takes no other in: the list behind it does, or the one before it. Where there is none, what is added can only take its place. */
function listNear(bySite: readonly SiteMessages[], site: number): number {
  const behind = bySite.findIndex(({ site: { take } }, index) => index >= site && take !== 'whole');
  const near = behind >= 0 ? behind : bySite.findLastIndex(({ site: { take } }) => take !== 'whole');
  return near >= 0 ? near : site;
}

interface Origin {
  readonly site: number;
  readonly item: JsonNode;
  readonly message: Message;
}

/** Tells where a message came from. Most are asked for in their order and found by walking along; after a first miss, an index helps. */
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

function wrap(inner: string, item: JsonNode | undefined, message: Json): Json {
  return item === undefined ? { [inner]: message } : patch(item, { [inner]: message });
}

function slice(sink: Sink, { bytes, start, end }: Span): void {
  sink.slice(bytes, start, end);
}
