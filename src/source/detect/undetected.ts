/** What is tried last, lists in any place, and the error for an input that no format fits: it names the nearest one. */
import { TranscriptError } from '../../errors.js';
import type { Format } from '../../formats/format.js';
import { formats } from '../../formats/index.js';
import { withArticle } from '../../formats/shared/json-fields.js';
import type { JsonNode } from '../../json/node.js';
import { arrayPaths, messagesAt, parseMessagePath, sitesAt } from '../message-paths.js';
import { allFormats } from './candidates.js';
import { LEAST, LEAST_GUESS, pathConfidence, SAMPLE_MESSAGES, sampleSites } from './confidence.js';
import type { Detection, DetectOptions } from './detection.js';
import { unreadKind } from './unread-kinds.js';

/** How deep arrays are searched for. */
const SEARCH_DEPTH = 4;
/** Only so many records are searched. */
const SEARCH_RECORDS = 5;
/** Of a list that was found by searching: no known path leads to anything else like messages. */
const FOUND = 1.03;
/** Only so many keys of an object are listed. */
const MOST_KEYS = 6;

/** Searches all objects of the sample for lists of messages: of two at least, unless the list is called `messages`. */
export function searchLists(formats: readonly Format[], sample: readonly JsonNode[]): Detection[] {
  const paths = new Set(sample.slice(0, SEARCH_RECORDS).flatMap((root) => arrayPaths(root, SEARCH_DEPTH)));
  const places = [...paths]
    .map(parseMessagePath)
    .map((container) => ({ container, lists: sampleSites(sample, container) ?? [] }))
    .filter(({ container, lists }) => {
      const least = /(^|\.)messages$/.test(container.path) ? 1 : 2;
      return lists.flat().some(({ list }) => list.length >= least);
    });
  return formats.flatMap((format) =>
    places
      .map(({ container, lists }) => ({
        format,
        container,
        confidence: Math.min(1, pathConfidence(format, lists) * FOUND),
        why: `the messages are at \`${container.path}\` (found by searching)`,
        isFound: true,
      }))
      .filter(({ confidence }) => confidence >= LEAST_GUESS),
  );
}

/** `error`: what a format says that nearly fits. */
export function undetected(
  sample: readonly JsonNode[],
  options: DetectOptions,
  error?: TranscriptError,
): TranscriptError {
  const { from, messages } = options;
  const known = unreadKind(sample) ?? error;
  if (known !== undefined) return known;
  if (messages !== undefined)
    return new TranscriptError(
      'format',
      `no messages at \`${messages}\`${from === undefined ? '' : ` that ${from} can read`}`,
    );
  return emptyRecording(sample, options) ?? unknownMessages(sample, options) ?? noMessages(sample);
}

/** The least confidence in plain messages, if only one format has them at their path. */
const PLAIN = 0.5;

/** Plain messages say little about their format, but their place can. */
export function vouchedByPath(detection: Detection, { formats: among, messages }: DetectOptions): Detection {
  const { container, confidence, format, isFound } = detection;
  if (typeof container === 'string' || confidence < PLAIN || isFound || messages !== undefined) return detection;
  const knows = ({ messagePaths }: Format) => messagePaths.includes(container.path);
  const isOwn = container.path !== '' && allFormats({ ...(among && { formats: among }) }).filter(knows).length === 1;
  return isOwn && knows(format) ? { ...detection, confidence: LEAST } : detection;
}

/** How many guesses the error names. */
const GUESSES = 2;

/** No format is likely enough, or it was found by searching: the error names the likeliest of these ones, if any. */
export function unlikely(
  found: readonly Detection[],
  sample: readonly JsonNode[],
  { messages }: DetectOptions,
): TranscriptError | undefined {
  const known = unreadKind(sample);
  if (known !== undefined || found.length === 0) return known;
  const byFormat = new Map<string, Detection>();
  for (const guess of found) {
    const known = byFormat.get(guess.format.id);
    if (known === undefined || guess.confidence > known.confidence) byFormat.set(guess.format.id, guess);
  }
  const likeliest = [...byFormat.values()].sort((a, b) => b.confidence - a.confidence).slice(0, GUESSES);
  const guesses = likeliest.map(({ format, confidence, why }) => `${format.id} (${percentOf(confidence)}: ${why})`);
  const where = messages === undefined ? '' : ` of the messages at \`${messages}\``;
  return new TranscriptError(
    'format',
    `the format${where} cannot be told for sure; the best ${guesses.length === 1 ? 'guess is' : 'guesses are'} ` +
      `${guesses.join(' and ')}; if one is right, name it with --from`,
  );
}

function percentOf(confidence: number): string {
  return `${Math.round(confidence * 100)} %`;
}

/** The records are of a known format, but hold no messages. */
function emptyRecording(sample: readonly JsonNode[], options: DetectOptions): TranscriptError | undefined {
  for (const format of allFormats(options)) {
    const reason = sample.map((root) => format.explainEmpty?.(root)).find((found) => found !== undefined);
    if (reason === undefined) continue;
    const { title } = formats.find(({ id }) => id === format.id)!;
    return new TranscriptError('format', `this is ${format.id} (${title}) without messages: ${reason}`);
  }
  return undefined;
}

/** There are values that look like messages. */
function unknownMessages(sample: readonly JsonNode[], options: DetectOptions): TranscriptError | undefined {
  const [path] = objectPaths(sample);
  const hasRoles = sample.some((root) => root.get('role') !== undefined || root.get('type') !== undefined);
  if (path === undefined && !hasRoles) return undefined;
  const what = path === undefined ? 'the values look like messages or events' : `\`${path}\` looks like messages`;
  const nearest = nearestTo(sample, path, options);
  const { from } = options;
  return new TranscriptError(
    'format',
    from === undefined
      ? `the format cannot be told: ${what}, but no known format reads them${nearest}; name it with --from`
      : `--from ${from} does not fit: ${what}${nearest}; leave --from out, or name another format`,
  );
}

function objectPaths(sample: readonly JsonNode[]): string[] {
  return sample
    .slice(0, SEARCH_RECORDS)
    .filter((root) => root.isObject)
    .flatMap((root) => arrayPaths(root, SEARCH_DEPTH).filter((path) => looksLikeMessages(root, path)));
}

function looksLikeMessages(root: JsonNode, path: string): boolean {
  const items = sitesAt(root, parseMessagePath(path))?.flat()[0]?.list.items() ?? [];
  return items.some(
    (item) =>
      item.get('role') !== undefined ||
      item.get('parts') !== undefined ||
      (item.get('type') !== undefined && item.get('content') !== undefined),
  );
}

function noMessages(sample: readonly JsonNode[]): TranscriptError {
  const first = sample.find((root) => root.isObject) ?? sample[0];
  return new TranscriptError(
    'format',
    `the JSON holds no messages (${first === undefined ? 'nothing' : described(first)}); ` +
      'if they stand somewhere else in it, name the path with --messages',
  );
}

function described(node: JsonNode): string {
  if (node.isObject) return `an object with ${keyList(node)}`;
  if (node.isArray) return 'an array without objects';
  return withArticle(node.kind);
}

/** The format that knows most of the values, and the first value that it does not know. */
function nearestTo(sample: readonly JsonNode[], path: string | undefined, options: DetectOptions): string {
  const values = path === undefined ? sample : messagesIn(sample, path);
  const scored = values.slice(0, SAMPLE_MESSAGES);
  const all = allFormats(options).map((format) => {
    const isKnown = scored.map((value) => value.isObject && format.score(value) > 0);
    return { format, isKnown, count: isKnown.filter(Boolean).length };
  });
  const best = all.reduce((most, next) => (next.count > most.count ? next : most));
  const unknown = scored[best.isKnown.indexOf(false)];
  if (best.count === 0) return unknown?.isObject ? ` (the first is an object with ${keyList(unknown)})` : '';
  const rest = unknown === undefined ? 'but not for sure' : `but not ${unknownValue(unknown)}`;
  return `; nearest is ${best.format.id}, which knows ${best.count} of ${scored.length} values, ${rest}`;
}

function messagesIn(sample: readonly JsonNode[], path: string): readonly JsonNode[] {
  return (sampleSites(sample, parseMessagePath(path)) ?? []).flat().flatMap((site) => messagesAt(site).messages);
}

function unknownValue(node: JsonNode): string {
  if (node.isObject) return `one with ${keyList(node)}`;
  return withArticle(node.kind);
}

function keyList(object: JsonNode): string {
  const keys = object.members().map(({ key }) => `\`${key.text}\``);
  if (keys.length === 0) return 'no members';
  return keys.length > MOST_KEYS ? `${keys.slice(0, MOST_KEYS).join(', ')}, …` : keys.join(', ');
}
