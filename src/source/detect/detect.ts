/** Detects the format of a file from its content, never from its name. */
import { isTranscriptError } from '../../errors.js';
import type { Format } from '../../formats/format.js';
import { formatNamed, formats } from '../../formats/index.js';
import { MessageError } from '../../formats/shared/json-fields.js';
import type { JsonNode } from '../../json/node.js';
import { messagesAt, parseMessagePath } from '../message-paths.js';
import { allFormats, likelyFormats } from './candidates.js';
import {
  decisiveSites,
  LEAST,
  LEAST_GUESS,
  listsConfidence,
  objectsIn,
  pathConfidence,
  rowConfidence,
  SAMPLE_MESSAGES,
  sampleSites,
  WHOLE_RESPONSES,
} from './confidence.js';
import type { Detection, DetectOptions } from './detection.js';
import { likelyFormat, ownFormat } from './request.js';
import { isStrange } from './strange.js';
import { searchLists, undetected, unlikely, vouchedByPath } from './undetected.js';

/** The confidence in a list of messages that is empty. */
const EMPTY = LEAST_GUESS;
/** The most confidence in a row of which most values are unknown: they may be a bundle. */
const HALF_KNOWN = LEAST;
/** The confidence in values that are all responses of one API. */
const RESPONSES = 0.9;
/** A rival's confidence is at most this much lower. */
const RIVAL_MARGIN = 0.05;
/** Names of lists that are known to hold messages even if they are empty. */
const MESSAGE_LIST = /(^|\.)(messages?|contents|conversations?|input|output|traj|history)$/;

/** Throws TranscriptError where no format is likely enough, and names the likeliest ones. */
export function detect(sample: readonly JsonNode[], options: DetectOptions): Detection {
  const { receiver, from, messages } = options;
  if (receiver === undefined || from !== undefined || messages !== undefined) return detectSure(sample, options);
  // else only a body with an `input` says whose it is
  if (!receiver.isStated && sample.every((root) => !root.get('input')?.isArray)) return detectSure(sample, options);
  const as = (from: string) => detectSure(sample, { ...options, from, receiver: { ...receiver, isStated: true } });
  const own = ownFormat(sample, receiver);
  try {
    const detected = detectSure(sample, options);
    const isOther = own !== undefined && detected.format.id !== own && receiver.isWire(detected.format.id);
    return isOther ? as(own) : detected;
  } catch (error) {
    const likely = receiver.isStated ? likelyFormat(sample, receiver) : own;
    if (likely === undefined || !isTranscriptError(error)) throw error;
    return as(likely);
  }
}

function detectSure(sample: readonly JsonNode[], options: DetectOptions): Detection {
  const errors: MessageError[] = [];
  const attempt = (format: Format) => detectionsOf(format, sample, options, errors);
  let found: readonly Detection[] = likelyFormats(sample, options).flatMap(attempt);
  if (!found.some(isLikely)) found = allFormats(options).flatMap(attempt);
  if (!found.some(isLikely) && options.messages === undefined)
    found = [...found, ...searchLists(allFormats(options), sample)];
  if (options.from === undefined && options.receiver === undefined) found = withoutStrangers(found, sample);
  const surest = surestOf(found);
  if (surest === undefined) throw undetected(sample, options, errors[0]);
  const completest = options.from === undefined ? completed(surest, sample, options) : surest;
  const best = isLikely(completest) ? completest : vouchedByPath(completest, options);
  if (options.from === undefined && (best.isFound || !isLikely(best))) {
    const error = unlikely(isLikely(best) ? [] : found, sample, options);
    if (error !== undefined) throw error;
  }
  const rival =
    best.confidence === EMPTY
      ? undefined
      : found.find(({ format, confidence }) => {
          return format !== best.format && confidence >= best.confidence - RIVAL_MARGIN;
        });
  return rival === undefined ? best : { ...best, rival: rival.format.id };
}

function isLikely({ confidence }: Detection): boolean {
  return confidence === EMPTY || Math.round(confidence * 100) >= LEAST * 100;
}

/** Without the surest formats as long as they know no part of most messages: such values are of something else. */
function withoutStrangers(found: readonly Detection[], sample: readonly JsonNode[]): readonly Detection[] {
  let left = found;
  for (
    let best = surestOf(left);
    best !== undefined && isStrange(best, sample, left !== found);
    best = surestOf(left)
  ) {
    const { format } = best;
    left = left.filter((one) => one.format !== format);
  }
  return left;
}

/** An empty list could be of any format: the last format is the plainest. */
function surestOf(found: readonly Detection[]): Detection | undefined {
  let best: Detection | undefined;
  for (const next of found) {
    const isBothEmpty = next.confidence === EMPTY && best?.confidence === EMPTY;
    if (best === undefined || next.confidence > best.confidence || isBothEmpty) best = next;
  }
  return best;
}

/**
 * If the surest format does not know some messages: a format that knows all of the others too, and is sure of one of
 * these.
 */
function completed(surest: Detection, sample: readonly JsonNode[], options: DetectOptions): Detection {
  const { container } = surest;
  if (typeof container === 'string') return surest;
  const lists = sampleSites(sample, container) ?? [];
  const messages = decisiveSites(lists.flat())
    .flatMap((site) => messagesAt(site).messages)
    .slice(0, SAMPLE_MESSAGES);
  const unknown = new Set(messages.filter((message) => surest.format.score(message) === 0));
  if (unknown.size === 0 || !messages.every((message) => message.isObject)) return surest;
  const format = likelyFormats(sample, options).find(
    ({ score }) =>
      [...unknown].some((message) => score(message) === 1) &&
      messages.every((message) => score(message) > 0 || unknown.has(message)),
  );
  return format === undefined ? surest : { ...surest, format, confidence: pathConfidence(format, lists) };
}

/** The detection of an empty array: the last format is the plainest. */
export function emptyDetection({ from }: DetectOptions): Detection {
  const format = from === undefined ? formats[formats.length - 1]!.load() : formatNamed(from);
  return { format, container: 'rows', confidence: 0, why: 'an empty array, of any format' };
}

function detectionsOf(
  format: Format,
  sample: readonly JsonNode[],
  { from, messages, receiver }: DetectOptions,
  errors: MessageError[],
): Detection[] {
  if (messages === undefined && areResponses(format, sample)) return [responses(format)];
  const isNamed = from !== undefined;
  const judged = isNamed ? withoutNegativeScores(format, receiver?.isStated === true) : format;
  const isEnough = ({ confidence }: Detection) => confidence >= LEAST_GUESS || (isNamed && confidence > 0);
  const row =
    messages === undefined
      ? [
          {
            format,
            container: 'rows' as const,
            confidence: rowConfidence(judged, sample),
            why: 'each value is a message',
          },
        ]
      : [];
  const paths = messages === undefined ? ['', ...format.messagePaths] : [messages];
  const inRow = row.filter(isEnough);
  for (const path of paths) {
    const detection = detectionAt(path, judged, sample, messages !== undefined);
    if (detection === undefined) continue;
    const own = { ...detection, format };
    if (isEnough(own)) return [...inRow, own]; // the first path that fits is the most specific one
  }
  const isHalfKnown = format.bundle !== undefined && inRow.every(({ confidence }) => confidence <= HALF_KNOWN);
  if ((inRow.length > 0 && !isHalfKnown) || messages !== undefined) return inRow;
  return [...inRow, ...embeddedDetections(format, sample, errors).filter(isEnough)];
}

function areResponses({ isResponse }: Format, sample: readonly JsonNode[]): boolean {
  const values = sample.filter((root) => !root.isNull); // what is left of a response without its message
  return isResponse !== undefined && values.length > 0 && values.every((root) => root.isObject && isResponse(root));
}

/** Each value is a reply, without its request. */
function responses(format: Format): Detection {
  const container = { ...parseMessagePath(WHOLE_RESPONSES), label: 'responses' };
  return { format, container, confidence: RESPONSES, why: 'each value is a response' };
}

/** `isNamed`: a user named the path. */
function detectionAt(
  path: string,
  format: Format,
  sample: readonly JsonNode[],
  isNamed: boolean,
): Detection | undefined {
  const container = parseMessagePath(path);
  const lists = sampleSites(sample, container);
  if (lists === undefined) return undefined;
  const isRoot = container.path === '';
  const why = isRoot ? 'each value is a list of messages' : `the messages are at \`${container.label}\``;
  const hasText = lists.flat().some(({ take }) => take === 'text');
  const hasElements =
    hasText || decisiveSites(lists.flat()).some(({ list, take }) => take === 'whole' || list.length > 0);
  if (hasElements) {
    const share = isRoot ? listShare(lists.length, sample, format) : 1;
    const isVouched = sample.some((root) => format.claimsRecord?.(root));
    return { format, container, confidence: pathConfidence(format, lists, isVouched) * share, why };
  }
  if (!isNamed && !MESSAGE_LIST.test(container.label)) return undefined;
  return { format, container, confidence: EMPTY, why: `${why}, and there are none` };
}

/** Values that are not lists halve the confidence at most, as in a row; unless more of them are messages. */
function listShare(lists: number, sample: readonly JsonNode[], format: Format): number {
  const messages = objectsIn(sample).filter((root) => format.score(root) > 0).length;
  return messages > lists ? lists / sample.length : Math.max(0.5, lists / sample.length);
}

/** Messages that the format extracts from each record, or from all records together. */
function embeddedDetections(format: Format, sample: readonly JsonNode[], errors: MessageError[]): Detection[] {
  const { envelope, bundle } = format;
  const inEach = () => (envelope === undefined ? [] : sample.flatMap((root) => envelope.open(root) ?? []));
  const inAll = () => bundle?.open(objectsIn(sample)) ?? [];
  return [
    {
      format,
      container: 'envelope',
      confidence: listsConfidence(format, unlessMalformed(inEach, errors)),
      why: 'the messages stand inside each value',
    },
    {
      format,
      container: 'bundle',
      confidence: listsConfidence(format, unlessMalformed(inAll, errors)),
      why: 'the messages stand inside of values that belong together',
    },
  ];
}

/** A malformed record is an error only if no other format fits. */
function unlessMalformed(open: () => readonly JsonNode[], errors: MessageError[]): readonly JsonNode[] {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    errors.push(error);
    return [];
  }
}

/** The score of a message of a request that is judged, whatever it holds. */
const JUDGED = 0.1;

/** In a format that a user named, an unknown message is an error in the file, and does not prove another format. */
function withoutNegativeScores(format: Format, isJudged: boolean): Format {
  const least = (raw: JsonNode) => (isJudged && raw.get('role') !== undefined ? JUDGED : 0);
  return { ...format, score: (raw) => Math.max(least(raw), format.score(raw)) };
}
