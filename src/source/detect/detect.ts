/** What a file is: told by its content, never by its name. */

import { TranscriptError } from '../../errors.js';
import type { Format } from '../../formats/format.js';
import { type FormatEntry, formatNamed, formats } from '../../formats/index.js';
import { MessageError } from '../../formats/shared/json-fields.js';
import type { JsonNode } from '../../json/node.js';
import { addAll, greatest, listIn } from '../../lists.js';
import { arraysWithin, messagesAt, type Place, parsePlace, resolve, type Site } from '../message-paths.js';
import { cluesIn } from './signatures.js';

export interface Detection {
  readonly format: Format;
  /** `rows`: the values of the row are the messages themselves. `envelope`, `bundle`: the format knows how they stand in each, or in all of them. Otherwise where. */
  readonly container: 'rows' | 'envelope' | 'bundle' | Place;
  /** 0 to 1. */
  readonly confidence: number;
  readonly why: string;
  /** Nothing but its messages tells the list: it was found by searching. */
  readonly isFound?: boolean;
  /** Another format that is as likely, where there is one. */
  readonly rival?: string;
}

export interface DetectOptions {
  /** A format's id: no other is considered. */
  readonly from?: string;
  /** A path to the messages: nothing else is looked at. */
  readonly messages?: string;
  /** The formats that are considered: all, unless told. */
  readonly formats?: readonly FormatEntry[];
}

const ENOUGH = 0.25;
/** Nothing but the messages speaks for a list that was found by searching: they have to be of the format more likely than not. */
const FOUND = 0.5;
/** The confidence in a list where messages belong, and none is there. */
const EMPTY = ENOUGH;
/** Names of lists that belong to messages even where they are empty. */
const SPEAKING = /(^|\.)(messages?|contents|conversations?|input|output|traj|history)$/;
const SAMPLE_MESSAGES = 400;
/** What a system prompt, a reply or settings beside the messages, where a format has them, add to the confidence. */
const BESIDE = 0.15;
const SEARCH_DEPTH = 4;

/** Throws TranscriptError where no format fits, saying which came nearest. */
export function detect(sample: readonly JsonNode[], options: DetectOptions): Detection {
  const faults: MessageError[] = []; // of what would be of a format, were it not malformed
  const attempt = (format: Format) => attempts(format, sample, options, faults);
  let found = likely(sample, options).flatMap(attempt);
  if (found.length === 0) found = all(options).flatMap(attempt);
  if (found.length === 0 && options.messages === undefined)
    found = all(options).flatMap((format) => searches(format, sample));
  // an empty list could be of any format: the last one is the plainest
  const nearest = found.reduce<Detection | undefined>(
    (now, next) =>
      now === undefined || next.confidence > now.confidence || (next.confidence === EMPTY && now.confidence === EMPTY)
        ? next
        : now,
    undefined,
  );
  if (nearest === undefined) throw faults[0] ?? undetected(sample, options);
  const best = options.from === undefined ? knowing(nearest, sample, options) : nearest;
  const rival =
    best.confidence === EMPTY
      ? undefined
      : found.find((other) => other.format !== best.format && other.confidence >= best.confidence - 0.05);
  return rival === undefined ? best : { ...best, rival: rival.format.id };
}

/** Where the nearest format lacks messages of the list: the one that knows all that it knows, and is sure of one that it lacks. */
function knowing(nearest: Detection, sample: readonly JsonNode[], options: DetectOptions): Detection {
  const { container } = nearest;
  if (typeof container === 'string') return nearest;
  const lists = listsAt(sample, container) ?? [];
  const messages = telling(lists.flat())
    .flatMap((site) => messagesAt(site).messages)
    .slice(0, SAMPLE_MESSAGES);
  const lacking = new Set(messages.filter((message) => nearest.format.score(message) === 0));
  if (lacking.size === 0 || !messages.every((message) => message.isObject)) return nearest;
  const format = likely(sample, options).find(
    ({ score }) =>
      [...lacking].some((message) => score(message) === 1) &&
      messages.every((message) => score(message) > 0 || lacking.has(message)),
  );
  return format === undefined ? nearest : { ...nearest, format, confidence: confidenceAt(format, lists) };
}

/** An empty list of messages is of any format: the last one is the plainest. */
export function nothing({ from }: DetectOptions): Detection {
  const format = from === undefined ? formats[formats.length - 1]!.load() : formatNamed(from);
  return { format, container: 'rows', confidence: 0, why: 'an empty array, of any format' };
}

/** The formats whose clues stand in the sample. At a path that somebody named, any format may stand. */
function likely(sample: readonly JsonNode[], options: DetectOptions): readonly Format[] {
  if (options.from !== undefined || options.messages !== undefined) return all(options);
  const isThere = cluesIn(sample);
  return (options.formats ?? formats)
    .filter(({ signatures, unless = [] }) => (signatures.length === 0 || isThere(signatures)) && !isThere(unless))
    .map((entry) => entry.load());
}

function all({ from, formats: entries = formats }: DetectOptions): readonly Format[] {
  return from === undefined ? entries.map((entry) => entry.load()) : [formatNamed(from)];
}

function attempts(
  format: Format,
  sample: readonly JsonNode[],
  { from, messages }: DetectOptions,
  faults: MessageError[],
): Detection[] {
  const forced = from !== undefined;
  const judged = forced ? undisproved(format) : format;
  const detections: Detection[] = [];
  const add = (container: Detection['container'], confidence: number, why: string) => {
    if (confidence >= ENOUGH || (forced && confidence > 0)) detections.push({ format, container, confidence, why });
  };
  if (messages === undefined) add('rows', confidenceInRow(judged, sample), 'each value is a message');
  const places = messages === undefined ? ['', ...format.messagePaths] : [messages];
  for (const path of places) {
    if (detections.some(({ container }) => container !== 'rows')) break; // the most particular place that fits is the one
    const place = parsePlace(path);
    const lists = listsAt(sample, place);
    if (lists === undefined) continue;
    const elements = telling(lists.flat()).some(({ list, take }) => take === 'whole' || list.length > 0);
    const where = place.path === '' ? 'each value is a list of messages' : `the messages stand at \`${place.label}\``;
    const share = place.path === '' ? shareOf(lists.length, sample, judged) : 1;
    const isVouched = sample.some((root) => format.claimsRecord?.(root));
    if (elements) add(place, confidenceAt(judged, lists, isVouched) * share, where);
    else if (messages !== undefined || SPEAKING.test(place.label)) add(place, EMPTY, `${where}, and there are none`);
  }
  if (detections.length === 0 && messages === undefined) {
    const { envelope, bundle } = format;
    const inEach = () => (envelope === undefined ? [] : objects(sample).flatMap((root) => envelope.open(root) ?? []));
    const inAll = () => bundle?.open(objects(sample)) ?? [];
    add('envelope', confidenceInLists(format, unlessMalformed(inEach, faults)), 'the messages stand inside each value');
    add(
      'bundle',
      confidenceInLists(format, unlessMalformed(inAll, faults)),
      'the messages stand inside of values that belong together',
    );
  }
  return detections;
}

/** Values that are no lists do not count against those that are by more than half, as in a row; unless more of them are messages. */
function shareOf(lists: number, sample: readonly JsonNode[], format: Format): number {
  const messages = objects(sample).filter((root) => format.score(root) > 0).length;
  return messages > lists ? lists / sample.length : Math.max(0.5, lists / sample.length);
}

/** What cannot be opened is told where no other format can. */
function unlessMalformed(open: () => readonly JsonNode[], faults: MessageError[]): readonly JsonNode[] {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    faults.push(error);
    return [];
  }
}

/** A format that was asked for by name: a message that it has not is one at fault, and no proof of another format. */
function undisproved(format: Format): Format {
  return { ...format, score: (raw) => Math.max(0, format.score(raw)) };
}

function objects(sample: readonly JsonNode[]): JsonNode[] {
  return sample.filter((root) => root.isObject);
}

function confidenceInLists(format: Format, lists: readonly JsonNode[]): number {
  return confidenceIn(
    format,
    lists.flatMap((list) => list.items()),
  );
}

/** Looks for a list of messages (two at least, unless its name says so) anywhere in the objects of the sample. */
function searches(format: Format, sample: readonly JsonNode[]): Detection[] {
  const paths = new Set(sample.slice(0, 5).flatMap((root) => arraysWithin(root, SEARCH_DEPTH)));
  return [...paths].flatMap((path): Detection[] => {
    const container = parsePlace(path);
    const lists = listsAt(sample, container) ?? [];
    const confidence = confidenceAt(format, lists) * 0.9;
    const isList = lists.flat().some(({ list }) => list.length > (/(^|\.)messages$/.test(path) ? 0 : 1));
    return isList && confidence >= FOUND
      ? [
          {
            format,
            container,
            confidence,
            why: `the messages stand at \`${path}\` (found by searching)`,
            isFound: true,
          },
        ]
      : [];
  });
}

/** A joined place is as sure as the surest of its lists: a reply says less of itself than the request before it. */
function confidenceAt(format: Format, lists: readonly (readonly Site[])[], isVouched = false): number {
  const bySite = new Map<string, JsonNode[]>();
  for (const site of telling(lists.flat())) addAll(listIn(bySite, site.path), messagesAt(site).messages);
  const groups = [...bySite.values()].filter((messages) => messages.length > 0);
  const whole = confidenceIn(format, groups.flat());
  const isBeside = ({ take, list }: Site) => take === 'whole' && (!list.isObject || isMessage(list, format));
  const beside = isVouched || lists.flat().some(isBeside) ? BESIDE : 0;
  return whole === 0
    ? 0
    : Math.min(
        1,
        greatest(
          groups.map((messages) => confidenceIn(format, messages)),
          whole,
        ) + beside,
      );
}

/** Whether a format reads a value as a message, such as a reply in its response. */
function isMessage(node: JsonNode, format: Format): boolean {
  try {
    return format.read(node).role !== 'meta';
  } catch (error) {
    if (error instanceof MessageError) return false;
    throw error;
  }
}

/** The sites that tell a format: the lists, and where there are none, the replies alone. */
function telling(sites: readonly Site[]): readonly Site[] {
  const lists = sites.filter(({ take }) => take !== 'whole');
  return lists.length > 0 ? lists : sites.filter(({ list }) => list.isObject);
}

function listsAt(sample: readonly JsonNode[], place: Place): readonly (readonly Site[])[] | undefined {
  const found = sample.flatMap((root) => resolve(root, place) ?? []);
  return found.length === 0 ? undefined : found;
}

/** In a row, values that are no messages (events between them) do not count against the messages: not by more than half. */
function confidenceInRow(format: Format, values: readonly JsonNode[]): number {
  const known = values.filter((value) => value.isObject && format.score(value) !== 0);
  return confidenceIn(format, known) * Math.max(0.5, known.length / values.length);
}

/** The mean confidence over values that a format knows; 0 where one proves that they are of another, or too few are known. */
function confidenceIn(format: Format, values: readonly JsonNode[]): number {
  const confidences = values.slice(0, SAMPLE_MESSAGES).map((value) => (value.isObject ? format.score(value) : 0));
  if (confidences.length === 0 || confidences.some((confidence) => confidence < 0)) return 0;
  return confidences.reduce((sum, confidence) => sum + confidence, 0) / confidences.length;
}

function undetected(sample: readonly JsonNode[], options: DetectOptions): TranscriptError {
  const { from, messages } = options;
  for (const format of messages === undefined ? all(options) : []) {
    const lack = sample.map((root) => format.explainEmpty?.(root)).find((found) => found !== undefined);
    if (lack !== undefined)
      return new TranscriptError(
        'format',
        `this is ${format.id} (${formats.find(({ id }) => id === format.id)!.title}) without messages: ${lack}`,
      );
  }
  if (messages !== undefined)
    return new TranscriptError(
      'format',
      `no messages at \`${messages}\`${from === undefined ? '' : ` that ${from} can read`}`,
    );
  const first = sample.find((root) => root.isObject) ?? sample[0];
  const lists = sample
    .slice(0, 5)
    .flatMap((root) =>
      root.isObject ? arraysWithin(root, SEARCH_DEPTH).filter((path) => looksLikeMessages(root, path)) : [],
    );
  const roles = sample.some((root) => root.get('role') !== undefined || root.get('type') !== undefined);
  const nearest = nearestTo(sample, lists[0], options);
  if (lists.length > 0)
    return new TranscriptError(
      'format',
      `the format cannot be told: \`${lists[0]}\` looks like messages, but ${known(from)} reads them${nearest}; name it with --from`,
    );
  if (roles)
    return new TranscriptError(
      'format',
      `the format cannot be told: the values look like messages or events, but ${known(from)} reads them${nearest}; name it with --from`,
    );
  const holds =
    first === undefined
      ? 'nothing'
      : first.isObject
        ? `an object with ${quoted(first)}`
        : first.isArray
          ? 'an array without objects'
          : first.isNull
            ? 'null'
            : `a ${first.kind}`;
  return new TranscriptError(
    'format',
    `the JSON holds no messages (${holds}); if they stand somewhere else in it, name the path with --messages`,
  );
}

/** The format that knows most of the values, and the first one that it does not know; that one alone where none knows any. */
function nearestTo(sample: readonly JsonNode[], path: string | undefined, options: DetectOptions): string {
  const values =
    path === undefined
      ? sample
      : (listsAt(sample, parsePlace(path)) ?? []).flat().flatMap((site) => messagesAt(site).messages);
  const seen = values.slice(0, SAMPLE_MESSAGES);
  const known = all(options).map((format) => ({
    format,
    isKnown: seen.map((value) => value.isObject && format.score(value) > 0),
  }));
  const count = ({ isKnown }: { readonly isKnown: readonly boolean[] }) => isKnown.filter(Boolean).length;
  const best = known.reduce((most, next) => (count(next) > count(most) ? next : most));
  const strange = seen[best.isKnown.indexOf(false)];
  if (count(best) === 0) return strange?.isObject ? ` (the first is an object with ${quoted(strange)})` : '';
  const other =
    strange === undefined
      ? 'but not for sure'
      : `but not ${strange.isObject ? `one with ${quoted(strange)}` : `${strange.isNull ? 'null' : `a ${strange.kind}`}`}`;
  return `; nearest is ${best.format.id}, which knows ${count(best)} of ${seen.length} values, ${other}`;
}

function looksLikeMessages(root: JsonNode, path: string): boolean {
  const items = resolve(root, parsePlace(path))?.flat()[0]?.list.items() ?? [];
  return items.some(
    (item) =>
      item.get('role') !== undefined ||
      item.get('parts') !== undefined ||
      (item.get('type') !== undefined && item.get('content') !== undefined),
  );
}

function known(from: string | undefined): string {
  return from === undefined ? 'no known format' : `${from} does not fit and nothing else`;
}

function quoted(object: JsonNode): string {
  const keys = object.members().map(({ key }) => `\`${key.text}\``);
  return keys.length === 0 ? 'no members' : keys.length > 6 ? `${keys.slice(0, 6).join(', ')}, …` : keys.join(', ');
}
