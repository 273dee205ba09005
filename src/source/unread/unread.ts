/**
 * What looks like a text, a call or a result in a recording, and no message holds: rows that the format does not know,
 * records without messages, and members of messages that the format does not read.
 */
import type { Format } from '../../formats/format.js';
import { JsonNode } from '../../json/node.js';
import type { JsonSource } from '../../json/strings.js';
import { addAll, flattened, listIn } from '../../lists.js';
import type { Unread } from '../../omissions.js';
import { longest } from '../../transcript/text.js';
import type { Message, Part } from '../../transcript/types.js';
import type { Opened, Piece } from '../piece.js';
import { bareTexts } from './bare-texts.js';
import { answersBeside } from './beside.js';
import { heldBy } from './held.js';
import { opaqueIn } from './opaque.js';
import { signsIn } from './search.js';
import type { ContentKind, Sign } from './signs.js';
import { signsByRoot, unknownSigns } from './unknown.js';
import { wordsBeside, wordsIn } from './words-beside.js';

/** A row that a format reads as no message is known to it from this score on: it is passed over on purpose. */
const KNOWN = 0.5;

/**
 * What no message of the piece holds; undefined if there is nothing. Call it while the piece is valid. `most`: only so
 * many messages are searched; rows without a message all are.
 */
export function unreadIn(piece: Piece, format: Format, most = Number.POSITIVE_INFINITY): Unread | undefined {
  if (piece.type === 'opened') return unreadOf(piece, format, most);
  if (piece.type !== 'passage' || piece.record === undefined) return undefined;
  const { root, line } = piece.record;
  const signs = signsIn(root, []);
  return summaryOf([{ root, signs: signs.length > 0 ? signs : bareTexts(root), unknown: [] }], () => line);
}

function unreadOf(piece: Opened, format: Format, most: number): Unread | undefined {
  const sample = piece.tabled?.log?.sample(most);
  if (sample !== undefined && signsInRows(sample, format).length === 0) return undefined;
  const all = flattened(piece.transcripts.map((transcript) => transcript.messages));
  if (all.length > most && piece.roots !== undefined) return undefined;
  const messages = all.length > most ? all.filter(({ role }, index) => index < most || role === 'meta') : all;
  const found = withSigns(
    piece.roots === undefined ? signsInRows(messages, format) : signsInRoots(piece.roots, messages, format),
  );
  if (found.length === 0) return undefined;
  const isHeld = heldBy(all);
  const left = found.map((one) => ({ ...one, signs: one.signs.filter((sign) => !isHeld(sign)) }));
  return summaryOf(left, (node) => piece.positions()(node)?.line ?? piece.line);
}

interface Found {
  readonly root: JsonNode;
  readonly signs: readonly Sign[];
  /** Those of parts that messages hold, but whose shape the format does not know. */
  readonly unknown: readonly Sign[];
}

function withSigns(all: readonly Found[]): readonly Found[] {
  return all.filter(({ signs, unknown }) => signs.length + unknown.length > 0);
}

function summaryOf(found: readonly Found[], lineOf: (node: JsonNode) => number): Unread | undefined {
  const rows = withSigns(found);
  const [first] = rows;
  if (first === undefined) return undefined;
  const all = rows.flatMap(({ signs, unknown }) => [...signs, ...unknown]);
  const count = (kind: ContentKind) => all.filter((sign) => sign.kind === kind).length;
  return {
    rows: rows.length,
    calls: count('call'),
    results: count('result'),
    texts: count('text'),
    line: lineOf((first.signs[0] ?? first.unknown[0])!.node),
  };
}

/** The sum for several pieces. */
export function addUnread(sum: Unread | undefined, next: Unread | undefined): Unread | undefined {
  if (sum === undefined || next === undefined) return sum ?? next;
  return {
    rows: sum.rows + next.rows,
    calls: sum.calls + next.calls,
    results: sum.results + next.results,
    texts: sum.texts + next.texts,
    line: Math.min(sum.line, next.line),
  };
}

// --- what a message covers

/** What the messages of rows do not cover. A row that the format knows as no message owes nothing. */
function signsInRows(messages: readonly Message[], format: Format): Found[] {
  const found: Found[] = [];
  for (const message of messages) {
    const { raw: root, role } = message;
    if (!(root instanceof JsonNode)) continue;
    const words = role === 'meta' && format.beside !== undefined ? wordsBeside(root, format) : [];
    const isKnown = role === 'meta' && root.isObject && format.score(root) >= KNOWN;
    const signs = isKnown ? [] : signsInRow(root, message, format);
    const unknown = isKnown ? [] : unknownAmong([message], format);
    if (signs.length + words.length + unknown.length > 0) found.push({ root, signs: [...signs, ...words], unknown });
  }
  return found;
}

function signsInRow(root: JsonNode, message: Message, format: Format): readonly Sign[] {
  const signs = signsIn(root, ascending(coverOf([message], root.source, copiesIn(root, format))));
  return signs.length === 0 && message.role === 'meta' ? bareTexts(root) : signs;
}

/** What the messages do not cover of these values, whichever of them each was read from. */
function signsInRoots(roots: readonly JsonNode[], messages: readonly Message[], format: Format): Found[] {
  const covers = roots.length === 1 ? undefined : coversOf(messages);
  const unknown = unknownAmong(messages, format);
  const unknownIn = unknown.length === 0 ? undefined : signsByRoot(unknown, roots);
  return roots.map((root, index) => {
    const copies = format.copies === undefined ? [] : copiesInAll(root, covers ? [] : messages, format);
    const covered = covers ? [...copies, ...(covers.get(root.source) ?? [])] : coverOf(messages, root.source, copies);
    const cover = ascending(covered);
    const signs = signsIn(root, cover);
    const others = covers === undefined ? wordsAround(root, messages, cover) : [];
    if (format.beside !== undefined)
      addAll(
        others,
        wordsIn(root, messages, format).filter(({ node }) => !others.some((one) => one.node.is(node))),
      );
    const isNew = ({ node }: Sign) => !signs.some((sign) => sign.node.is(node));
    const own = unknownIn?.[index] ?? [];
    return { root, signs: others.length === 0 ? signs : [...signs, ...others.filter(isNew)], unknown: own };
  });
}

function wordsAround(root: JsonNode, messages: readonly Message[], cover: readonly number[]): Sign[] {
  const isBare = messages.every(({ role }) => role === 'meta');
  return isBare ? bareTexts(root) : answersBeside(root, placesIn(messages, root.source), cover);
}

function unknownAmong(messages: readonly Message[], { id }: Format): readonly Sign[] {
  const opaque = opaqueIn(messages);
  return opaque.length === 0 ? [] : unknownSigns(opaque, id);
}

/** The same with those of the messages in a record. */
function copiesInAll(root: JsonNode, messages: readonly Message[], format: Format): number[] {
  const own = messages.map(({ raw }) => raw).filter((raw) => isIn(raw, root.source));
  return [root, ...own].flatMap((node) => copiesIn(node, format));
}

/** The tape indices of the messages in a record. */
function placesIn(messages: readonly Message[], source: JsonSource): readonly number[] {
  const places: number[] = [];
  for (const { raw } of messages) if (isIn(raw, source)) places.push(raw.at);
  return ascending(places);
}

function isIn(raw: unknown, source: JsonSource): raw is JsonNode {
  return raw instanceof JsonNode && raw.source === source;
}

function copiesIn(root: JsonNode, { copies = [] }: Format): number[] {
  return copies.flatMap((key) => root.get(key)?.at ?? []);
}

/** The tape indices of the values in this source that the parts of messages were read from. `cover`: of others. */
function coverOf(messages: readonly Message[], source: JsonSource, cover: number[] = []): number[] {
  const take = (value: unknown) => {
    if (isIn(value, source)) cover.push(value.at);
  };
  for (const message of messages) eachRead(message, take);
  return cover;
}

/** The same in each source. */
function coversOf(messages: readonly Message[]): ReadonlyMap<JsonSource, number[]> {
  const covers = new Map<JsonSource, number[]>();
  for (const message of messages)
    eachRead(message, (value) => {
      if (value instanceof JsonNode) listIn(covers, value.source).push(value.at);
    });
  return covers;
}

/** What the parts of a message were read from. */
function eachRead({ parts }: Message, take: (value: unknown) => void): void {
  for (const part of parts) {
    if (isRead(part)) take(part.raw);
    if ('text' in part) take(part.text);
    if (part.type === 'call') take(part.input);
    if (part.type !== 'result') continue;
    for (const piece of part.content) {
      if (isRead(piece)) take(piece.raw);
      if ('text' in piece) take(piece.text);
    }
  }
}

function ascending(numbers: number[]): readonly number[] {
  for (let i = 1; i < numbers.length; i++) if (numbers[i]! < numbers[i - 1]!) return numbers.sort((a, b) => a - b);
  return numbers;
}

/** A text or a call without a name was not found where the format looks for it. */
function isRead(part: Part): boolean {
  if (part.type === 'text') return longest(part.text) > 0;
  return part.type !== 'call' || part.tool !== '';
}
