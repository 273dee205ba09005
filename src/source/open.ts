/**
 * Opens an input: finds out what it is, reads it transcript by transcript, and knows how to write each back. Everything that is
 * no transcript passes through as bytes, so that all pieces together, unchanged, are the input.
 */
import { isTranscriptError, TranscriptError } from '../errors.js';
import type { Description, Format, ScanHint } from '../formats/format.js';
import { MessageError } from '../formats/shared/json-fields.js';
import { redefine } from '../formats/shared/tools.js';
import { JsonNode, parse } from '../json/node.js';
import { print, printed, type Sink } from '../json/print.js';
import { type Passing, type Read, type RowEvent, type RowOptions, rows, type Span } from '../json/rows.js';
import { styleOf } from '../json/style.js';
import { inGroups } from '../transcript/edit.js';
import type { Message, Transcript } from '../transcript/types.js';
import { type Detection, type DetectOptions, detect, nothing } from './detect/detect.js';
import {
  endsOnReply,
  hasWhole,
  isReply,
  messagesAt,
  type Place,
  parsePlace,
  resolve,
  type Site,
} from './message-paths.js';
import { type Positions, positionOf, positionsIn } from './position.js';
import { onLine, printProven } from './print-checked.js';
import { readBack } from './read-back.js';
import {
  bundleAfter,
  envelopeAfter,
  type OpenedSites,
  type RowEntry,
  type SiteMessages,
  saveBundle,
  saveRecord,
  saveRow,
} from './save.js';
import { threadsOf } from './threads.js';

export interface OpenOptions extends DetectOptions, Pick<RowOptions, 'skipBadLines' | 'chunk'> {
  /** Lets each piece live only until the next one is asked for, and is called before memory is used again. Without it, pieces may be kept. */
  readonly onReuse?: () => void;
  /** Lines of JSON Lines in which nothing hints at this pass unread and unchecked; of a log they are not kept either. */
  readonly onlyWith?: ScanHint | undefined;
}

export type Piece =
  | { readonly type: 'detected'; readonly detection: Detection }
  | { readonly type: 'passage'; readonly span: Span }
  | { readonly type: 'warning'; readonly line: number; readonly message: string; readonly isBadLine: boolean }
  | Opened;

/** A value, or a whole row of them, that holds transcripts. */
export interface Opened {
  readonly type: 'opened';
  readonly line: number;
  readonly transcripts: readonly Transcript[];
  /** The value that holds them; undefined for a row. */
  readonly record?: JsonNode;
  /** Tells where values of these transcripts stand. Only good for as long as the piece is. */
  positions(): Positions;
  /** How it is read with other transcripts in the place of its own, where which ones there are depends on all of them, as in a trace. */
  reopen?(after: readonly Transcript[]): Opened | undefined;
  /** Prints it with other transcripts in the place of its own (as many, in the same order). */
  save(sink: Sink, after: readonly Transcript[]): void;
}

type RecordEvent = RowEvent & { type: 'record' };

/** How many records, and bytes of them, are looked at before the format is told: few first, more where few do not tell. */
const SAMPLES: readonly (readonly [records: number, bytes: number])[] = [
  [16, 1 << 18],
  [500, 1 << 23],
];

/** Throws TranscriptError: no JSON, no transcript, or a message that cannot be read. */
export function* open(read: Read, options: OpenOptions = {}): Generator<Piece, void, void> {
  const { onReuse } = options;
  let transient = false;
  const reuse = onReuse && { isOn: () => transient, settle: onReuse };
  const passing: Passing | undefined = options.onlyWith === undefined ? undefined : { marks: undefined };
  const events = rows(read, {
    skipBadLines: options.skipBadLines,
    chunk: options.chunk,
    reuse,
    ...(passing === undefined ? {} : { passing }),
  });
  const ahead: Ahead = { events: [], isAll: false, failure: undefined };
  const detection = detectAhead(events, ahead, options);
  yield { type: 'detected', detection };
  const isAsked = (detection.container === 'rows') === (options.onlyWith === 'usage'); // a record has its calls in it, and a log its usage in lines
  if (passing !== undefined && isAsked)
    passing.marks = detection.format.byteHints?.[options.onlyWith!]?.map((mark) => Buffer.from(mark));
  const isAlone = recordsAmong(ahead.events).length === 1;
  const { container, format } = detection;
  const isShort = ahead.isAll && (isAlone || container === 'bundle' || container === 'rows');
  const opened = (pieces: Iterable<Piece>) => (isShort ? readingBack(pieces, format, options) : pieces);
  if (container === 'rows') yield* opened(openRows(chain(ahead.events, events), format, isAlone));
  else if (container === 'bundle') yield* opened(openBundle(chain(ahead.events, events), format));
  else {
    const passesCut = options.skipBadLines === true;
    const told = isAlone ? detection : { ...detection, isFound: false }; // of several, the others tell what it was
    yield* opened(openRecords(ahead.events, told, passesCut));
    transient = true;
    yield* openRecords(events, told, passesCut);
  }
  if (ahead.failure !== undefined) throw ahead.failure;
}

/** Pieces that are all of their file. Where somebody named the format or the place, the next run is told them too. */
function* readingBack(pieces: Iterable<Piece>, { id }: Format, options: OpenOptions): Generator<Piece, void, void> {
  const { from, messages, skipBadLines, formats } = options;
  for (const piece of pieces)
    yield piece.type === 'opened' && from === undefined && messages === undefined
      ? readBack(piece, id, (read) => Array.from(open(read, { skipBadLines, ...(formats && { formats }) })))
      : piece;
}

/** What was read ahead, and the error that ended the reading: what stands before a bad record is seen first. */
interface Ahead {
  readonly events: RowEvent[];
  /** Whether it is the whole file, in one row. */
  isAll: boolean;
  failure: unknown;
}

/** Reads ahead for as long as the format cannot be told. */
function detectAhead(events: Iterator<RowEvent, void, void>, ahead: Ahead, options: OpenOptions): Detection {
  const sample: JsonNode[] = [];
  let bytes = 0;
  for (const [mostRecords, mostBytes] of SAMPLES) {
    let ended = false;
    while (sample.length < mostRecords && bytes < mostBytes && !ended) {
      const event = nextEvent(events, ahead);
      ended = event === undefined;
      if (event === undefined) continue;
      ahead.events.push(event);
      if (event.type !== 'record') continue;
      sample.push(event.root);
      bytes += event.root.byteLength;
    }
    ahead.isAll = ended && ahead.events.filter(({ type }) => type === 'open').length < 2;
    if (isEmptyArray(ahead.events)) return nothing(options);
    try {
      return detect(sample, options);
    } catch (error) {
      if (ahead.failure !== undefined) throw ahead.failure;
      const isLast = ended || mostRecords === SAMPLES[SAMPLES.length - 1]![0];
      if (isLast && error instanceof MessageError) throw locateIn(error, recordsAmong(ahead.events));
      if (isLast)
        throw isTranscriptError(error) && error.code === 'format'
          ? error.at({ line: lineOf(ahead.events), column: 1 })
          : error;
    }
  }
  throw new Error('unreachable: the last sample returns or throws');
}

/** Undefined at the end, and where an error ends the input behind a record: it waits until that was seen. */
function nextEvent(events: Iterator<RowEvent, void, void>, ahead: Ahead): RowEvent | undefined {
  try {
    return events.next().value ?? undefined;
  } catch (error) {
    if (!ahead.events.some(({ type }) => type === 'record')) throw error;
    ahead.failure = error;
    return undefined;
  }
}

function recordsAmong(events: readonly RowEvent[]): RecordEvent[] {
  return events.filter((event) => event.type === 'record');
}

function lineOf(events: readonly RowEvent[]): number {
  return events.find((event) => event.type === 'record')?.line ?? 1;
}

/** `[]` is a list of no messages, and of no format. */
function isEmptyArray(events: readonly RowEvent[]): boolean {
  return events[0]?.type === 'open' && events[0].array && events[1]?.type === 'close';
}

function* chain<T>(first: readonly T[], rest: Iterable<T>): Generator<T, void, void> {
  yield* first;
  yield* rest;
}

// --- a row whose values are the messages

function* openRows(events: Iterable<RowEvent>, format: Format, isOne: boolean): Generator<Piece, void, void> {
  let head: (RowEvent & { type: 'open' }) | undefined;
  let isLog = false; // an array among the lines of a log is one of its lines
  let entries: RowEntry[] = [];
  for (const event of events) {
    if (event.type === 'open') {
      head = event;
      isLog ||= !event.array;
      entries = [];
    } else if (event.type === 'close') {
      yield openRow(head!, entries, event.span, format, isOne);
    } else if (event.type !== 'passed') {
      if (event.type === 'record')
        entries.push({
          gap: event.gap,
          value: event.root,
          message: readRowMessage(event, !isLog, entries.length, format),
          line: event.line,
          columnsBefore: event.columnsBefore,
        });
      else {
        entries.push({
          gap: event.gap,
          value: event.span,
          message: { role: 'meta', parts: [], raw: event.span },
          line: event.line,
          columnsBefore: 0,
        });
        yield { type: 'warning', line: event.line, message: warningOf(event), isBadLine: event.type === 'bad' };
      }
    }
  }
}

/** One value on lines of its own, or without a newline behind it, is a document and no line of a log: nothing can stand beside it. */
function isDocument([entry]: readonly RowEntry[], { bytes, start, end }: Span): boolean {
  const { value } = entry!;
  if (!(value instanceof JsonNode)) return false;
  return (
    !bytes.subarray(start, end).includes(0x0a) || value.source.bytes.subarray(value.start, value.end).includes(0x0a)
  );
}

function readRowMessage(event: RecordEvent, inArray: boolean, index: number, format: Format): Message {
  const { root } = event;
  if (!inArray && (!root.isObject || format.score(root) === 0)) return { role: 'meta', parts: [], raw: root };
  return readMessage(root, format, '', inArray ? index : undefined, event);
}

function openRow(
  head: RowEvent & { type: 'open' },
  read: readonly RowEntry[],
  tail: Span,
  format: Format,
  isOne: boolean,
): Opened {
  const single = read.map(({ message }) => message);
  const loaded = format.afterRead?.(single) ?? single;
  const messages = format.traits.piecesStandAlone ? inGroups(loaded, '') : loaded;
  const entries = messages === single ? read : read.map((entry, index) => ({ ...entry, message: messages[index]! }));
  const isAlone = isOne && !head.array && isDocument(entries, tail);
  const traits = isAlone ? { ...format.traits, endsOnReply: true, isReply: true } : format.traits;
  const whole = transcriptOf(messages, headerOf(messages, format), traits, format);
  const { transcripts, joined } = threadsOf(whole, format);
  const positions = () =>
    positionsIn(
      entries.flatMap(({ value, ...start }) => (value instanceof JsonNode ? [{ root: value, ...start }] : [])),
    );
  return {
    type: 'opened',
    line: head.line,
    transcripts,
    positions,
    save: (sink, after) =>
      onLine(head.line, () => saveRow(sink, head, entries, tail, whole, joined(after.values()), format)),
  };
}

/** Headers stand at the beginning: this many lines are looked at. */
const HEADER_LINES = 100;

function headerOf(messages: readonly Message[], { header }: Format): Description {
  let found: Description = {};
  if (header === undefined) return found;
  for (const { raw } of messages.slice(0, HEADER_LINES))
    if (raw instanceof JsonNode) found = { ...said(header(raw)), ...found };
  return found;
}

/** Only what is said. */
function said(description: Description): Description {
  return Object.fromEntries(Object.entries(description).filter(([, value]) => value !== undefined));
}

/** Its model is what the recording calls so as a whole, else that of the first message that names one. */
function transcriptOf(
  messages: readonly Message[],
  description: Description,
  traits: Transcript['traits'],
  format: Format,
  record?: JsonNode,
  place?: Place,
): Transcript {
  const { id, recorded } = format;
  const model = description.model ?? messages.find((message) => message.model !== undefined)?.model;
  const recordedBy: Pick<Transcript, 'recorded'> =
    recorded === undefined
      ? {}
      : { recorded: ({ raw }) => (raw instanceof JsonNode ? recorded(raw, record) : undefined) };
  return {
    format: id,
    traits,
    ...description,
    model,
    messages,
    redefine,
    takesSystem: () => placeForSystem(format, place),
    ...recordedBy,
  };
}

/** As a message where what the format writes so is read as one. */
function placeForSystem(format: Format, place: Place | undefined): 'message' | 'beside' | undefined {
  const { encode, write, read, score, traits } = format;
  if (encode?.system !== undefined && place !== undefined && hasWhole(place, encode.system.key)) return 'beside';
  if (encode?.system?.cannotBeMessage) return undefined;
  if (traits.systemIsMessage) return 'message';
  const written = parse(printed(write({ role: 'system', parts: [{ type: 'text', text: 'x' }] })));
  return score(written) > 0 && read(written).role === 'system' ? 'message' : undefined;
}

// --- values that hold messages

/** `passesCut`: a last line that is cut off passes like any bad line. */
function* openRecords(
  events: Iterable<RowEvent>,
  detection: Detection,
  passesCut: boolean,
): Generator<Piece, void, void> {
  for (const event of events) {
    if ('gap' in event) yield { type: 'passage', span: event.gap };
    if (event.type === 'record') {
      const opened = openRecord(event, detection);
      yield opened === undefined
        ? passage(event.root)
        : detection.isFound
          ? { ...opened, save: savedUnlessEmptied(opened, detection) }
          : opened;
    } else if (event.type === 'cut' && !passesCut) {
      throw event.error;
    } else {
      yield { type: 'passage', span: event.span };
      if (event.type === 'bad' || event.type === 'cut')
        yield { type: 'warning', line: event.line, message: warningOf({ ...event, type: 'bad' }), isBadLine: true };
    }
  }
}

/** A list that only its messages tell is not found again when it is empty: another one might be. */
function savedUnlessEmptied({ transcripts, save, line }: Opened, { container }: Detection): Opened['save'] {
  return (sink, after) => {
    const has = (transcript: Transcript) => transcript.messages.length > 0;
    const { label } = container as Place;
    if (transcripts.some(has) && !after.some(has))
      throw new TranscriptError(
        'format',
        `nothing would be left of the messages at \`${label}\`, and the next run might take others for them; name the list with --messages ${label}`,
        { line, column: 1, path: label },
      );
    save(sink, after);
  };
}

function openRecord(event: RecordEvent, { format, container }: Detection): Opened | undefined {
  const { root, line } = event;
  if (container === 'rows' || container === 'bundle') return undefined;
  if (container === 'envelope') return openEnvelope(event, format);
  let place: Place | undefined = container;
  let found = resolve(root, place);
  if (found === undefined) {
    place = format.messagePaths.map(parsePlace).find((other) => resolve(root, other) !== undefined); // a dataset may mix its shapes
    if (place === undefined) return openEnvelope(event, format);
    found = resolve(root, place)!;
  }
  const traits = endsOnReply(root, place)
    ? { ...format.traits, endsOnReply: true, ...(isReply(place) ? { isReply: true } : {}) }
    : format.traits;
  const opened = found.map((sites) => {
    const bySite = sites.map((site) => readSite(site, format, event));
    const messages = bySite.flatMap((site) => site.messages);
    const description = format.describe?.(root, sites[0]?.list) ?? {};
    const transcript = transcriptOf(messages, description, traits, format, root, place);
    return { bySite, transcript, threads: threadsOf(transcript, format) };
  });
  const transcripts = opened.flatMap(({ threads }) => threads.transcripts);
  return {
    type: 'opened',
    line,
    transcripts,
    record: root,
    positions: () => positionsIn([event]),
    save: saverOf(event, transcripts, (sink, after) => {
      const next = after.values();
      saveRecord(
        sink,
        root,
        opened,
        opened.map(({ threads }) => threads.joined(next)),
        format,
      );
    }),
  };
}

/** A record in which nothing changed is copied; another one goes through the net as a whole. */
function saverOf({ line, root }: RecordEvent, before: readonly Transcript[], save: Opened['save']): Opened['save'] {
  return (sink, after) => {
    if (after.every((transcript, index) => transcript === before[index]))
      sink.slice(root.source.bytes, root.start, root.end);
    else onLine(line, () => printProven(sink, (to) => save(to, after)));
  };
}

function openEnvelope(event: RecordEvent, format: Format): Opened | undefined {
  const { root, line } = event;
  const { envelope } = format;
  const lists = located([event], () => envelope?.open(root));
  if (lists === undefined) return undefined;
  const description = format.describe?.(root);
  const opened = lists.map((list) => openList(list, { ...description, ...envelope!.describe?.(list) }, format, event));
  const transcripts = opened.map(({ transcript }) => transcript);
  const written = (after: readonly Transcript[]) => envelopeAfter(root, opened, after, format);
  return toldAgain({
    type: 'opened',
    line,
    transcripts,
    record: root,
    positions: () => positionsIn([event]),
    save: (sink, after) => print(sink, written(after), () => styleOf(root)),
    reopen: (after) => openEnvelope({ ...event, root: parse(printed(written(after))) }, format),
  });
}

/** What tells such a value is what is said in it: without that, the next run could not read it. */
function toldAgain(opened: Opened): Opened {
  const hasAny = (transcripts: readonly Transcript[] = []) => transcripts.some(({ messages }) => messages.length > 0);
  const { transcripts, line, reopen, save } = opened;
  return {
    ...opened,
    save(sink, after) {
      if (hasAny(transcripts) && !hasAny(after) && !hasAny(reopen!(after)?.transcripts))
        throw new TranscriptError(
          'format',
          'nothing would be left of what was said, nor tell what this was; keep more',
          {
            line,
            column: 1,
          },
        );
      save(sink, after);
    },
  };
}

function openList(list: JsonNode, description: Description, format: Format, event: RecordEvent): OpenedSites {
  const traits = description.traits ?? format.traits;
  const site = readSite({ list, take: 'all', inner: undefined, path: '' }, { ...format, traits }, event);
  return { bySite: [site], transcript: transcriptOf(site.messages, description, traits, format, event.root) };
}

function readSite(site: Site, format: Format, event: RecordEvent): SiteMessages {
  const { items, messages } = messagesAt(site);
  const { path, take } = site;
  const read = messages.map((raw, index) =>
    readMessage(raw, format, path, take === 'whole' ? undefined : index, event),
  );
  return { site, items, messages: format.traits.piecesStandAlone ? inGroups(read, path) : read };
}

// --- values that belong together

function* openBundle(events: Iterable<RowEvent>, format: Format): Generator<Piece, void, void> {
  const all: RowEvent[] = [];
  for (const event of events) {
    all.push(event);
    if (event.type === 'bad' || event.type === 'cut')
      yield { type: 'warning', line: event.line, message: warningOf(event), isBadLine: event.type === 'bad' };
  }
  const opened = bundled(all, format);
  if (opened !== undefined) yield opened;
}

function bundled(all: readonly RowEvent[], format: Format): Opened | undefined {
  const found = recordsAmong(all);
  const records = found.map(({ root }) => root);
  const [first] = found;
  if (first === undefined) return undefined;
  const { bundle } = format;
  const opened = located(found, () =>
    (bundle!.open(records) ?? []).map((list) => openList(list, bundle!.describe(list), format, first)),
  );
  return toldAgain({
    type: 'opened',
    line: lineOf(all),
    transcripts: opened.map(({ transcript }) => transcript),
    positions: () => positionsIn(found),
    save: (sink, after) => saveBundle(sink, all, bundleAfter(records, opened, after, format)),
    reopen(after) {
      const written = bundleAfter(records, opened, after, format);
      const roots = new Map<RowEvent, JsonNode>(found.map((event, index) => [event, parse(printed(written[index]!))]));
      const again = all.map((event) => (roots.has(event) ? ({ ...event, root: roots.get(event) } as RowEvent) : event));
      return bundled(again, format);
    },
  });
}

// --- one message

function readMessage(
  raw: JsonNode,
  format: Format,
  path: string,
  index: number | undefined,
  event: RecordEvent,
): Message {
  try {
    if (!raw.isObject && index !== undefined)
      throw new MessageError(
        `it is ${raw.kind === 'null' ? 'null' : `${raw.isArray ? 'an' : 'a'} ${raw.kind}`}; expected a message object`,
        '',
        raw,
      );
    return format.read(raw, index === undefined && path !== '');
  } catch (error) {
    throw error instanceof MessageError
      ? locate(error, index === undefined ? path : `${path}[${index}]`, event)
      : error;
  }
}

/** Runs what reads whole records: what it finds malformed is told with its line and column. */
function located<T>(events: readonly RecordEvent[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof MessageError ? locateIn(error, events) : error;
  }
}

/** The error, whose path begins at one of these records, with its line and column. */
function locateIn({ node, message, place }: MessageError, events: readonly RecordEvent[]): TranscriptError {
  const event = events.find(({ root }) => root.source === node.source);
  const position = event === undefined ? { line: events[0]!.line, column: 1 } : positionOf(node, event); // else it stood as JSON in a string
  return new TranscriptError('message', message, { ...place, ...position });
}

/** The error with its full path, line and column. */
function locate({ node, message, place }: MessageError, path: string, event: RecordEvent): TranscriptError {
  const where = path === '' ? 'this message' : `message \`${path}\``;
  if (node.source !== event.root.source)
    return new TranscriptError('message', `${where}: ${message}`, {
      path: place.path,
      line: event.line,
      column: 1,
    }); // it stood as JSON in a string
  const inside = place.path === undefined || place.path === '' ? [] : [place.path];
  return new TranscriptError('message', `${where}: ${message}`, {
    path: [...(path === '' ? [] : [path]), ...inside].join('.'),
    ...positionOf(node, event),
  });
}

function warningOf(event: RowEvent & { type: 'bad' | 'cut' }): string {
  return event.type === 'cut'
    ? 'the last line is cut off; it is kept as it is'
    : `${event.error.message}; the line is passed through unchanged`;
}

function passage(root: JsonNode): Piece {
  return { type: 'passage', span: { bytes: root.source.bytes, start: root.start, end: root.end } };
}
