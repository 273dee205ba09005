/** How surely values are messages of a format: 0 to 1. */
import type { Format } from '../../formats/format.js';
import { MessageError } from '../../formats/shared/json-fields.js';
import type { JsonNode } from '../../json/node.js';
import { addAll, greatest, listIn } from '../../lists.js';
import type { Message } from '../../transcript/types.js';
import { type MessagePath, messagesAt, type Site, sitesAt } from '../message-paths.js';
import { looksLikeContent } from '../unread/search.js';

/** The least confidence with which a format is taken: a wrong format hides messages. */
export const LEAST = 0.6;
/** The path of responses that are messages themselves: what is around its blocks says whose such a value is. */
export const WHOLE_RESPONSES = '> =';
/** The least confidence of a guess, which the error for an undetected format names. */
export const LEAST_GUESS = 0.25;
/** Only so many messages are scored. */
export const SAMPLE_MESSAGES = 400;
/** A string as the only message: in a record that its format claims, and in any other if a user names the format. */
const CLAIMED_TEXT = 0.95;
const OTHER_TEXT = 0.1;
/** The most for lists that are JSON in strings: traces (0.9) have such too, and more around them. */
const MOST_IF_ENCODED = 0.89;
/** A system prompt, a reply or settings beside the messages, where a format has them, add this to the confidence. */
const BESIDE = 0.15;
/** What is added if the format claims the record. It breaks ties. */
const CLAIMED = 0.17;

/** A value with this score is a message of the format for sure, and one with less than `POSSIBLE` hardly is. */
const CERTAIN = 0.8;
const POSSIBLE = 0.2;

/**
 * The mean score of the values; 0 where one of them proves another format. Plain messages that many formats have say
 * little: among them, one that is certain is enough for a format to be taken.
 */
function meanScore(format: Format, values: readonly JsonNode[]): number {
  const scores = values.slice(0, SAMPLE_MESSAGES).map((value) => (value.isObject ? format.score(value) : 0));
  if (scores.length === 0 || scores.some((score) => score < 0)) return 0;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const isProved = scores.some((score) => score >= CERTAIN) && scores.every((score) => score >= POSSIBLE);
  return isProved ? Math.max(mean, LEAST) : mean;
}

/**
 * Events between the messages of a row halve the confidence at most. They do not speak against a format that is sure of
 * the rest; values with texts, calls or results that it does not know do.
 */
export function rowConfidence(format: Format, values: readonly JsonNode[]): number {
  const known = values.filter((value) => value.isObject && format.score(value) !== 0);
  const mean = meanScore(format, known);
  if (mean === 0 || known.length === values.length) return mean;
  const confidence = mean * Math.max(0.5, known.length / values.length);
  const sure = mean * knownShare(known.length, values, format);
  return sure >= LEAST ? Math.max(LEAST, confidence) : Math.min(sure, confidence);
}

function knownShare(known: number, values: readonly JsonNode[], format: Format): number {
  const unread = values.filter((value) => value.isObject && format.score(value) === 0 && looksLikeContent(value));
  return known / (known + unread.length);
}

export function listsConfidence(format: Format, lists: readonly JsonNode[]): number {
  return meanScore(
    format,
    lists.flatMap((list) => list.items()),
  );
}

/** A path of several parts is as sure as its surest part: a reply says less about its format than the request. */
export function pathConfidence(format: Format, lists: readonly (readonly Site[])[], isVouched = false): number {
  const byPath = new Map<string, JsonNode[]>();
  for (const site of decisiveSites(lists.flat())) addAll(listIn(byPath, site.path), messagesAt(site).messages);
  const groups = [...byPath.values()].filter((messages) => messages.length > 0);
  const mean = meanScore(format, groups.flat());
  if (groups.length === 0 && lists.flat().some(({ take }) => take === 'text'))
    return isVouched ? CLAIMED_TEXT : OTHER_TEXT;
  if (mean === 0) return 0;
  const isBeside = ({ take, list }: Site) => take === 'whole' && (!list.isObject || isMessage(list, format));
  const bonus = isVouched ? CLAIMED : lists.flat().some(isBeside) ? BESIDE : 0;
  const scores = groups.map((messages) => meanScore(format, messages));
  const most = lists.flat().some(({ encoded }) => encoded !== undefined) ? MOST_IF_ENCODED : 1;
  return Math.min(most, greatest(scores, mean) + bonus);
}

/** The value as the format reads it; undefined where it cannot. */
export function tryRead(node: JsonNode, format: Format): Message | undefined {
  try {
    return format.read(node);
  } catch (error) {
    if (error instanceof MessageError) return undefined;
    throw error;
  }
}

/** Whether the format reads the value as a message, such as the reply in a response. */
function isMessage(node: JsonNode, format: Format): boolean {
  return (tryRead(node, format)?.role ?? 'meta') !== 'meta';
}

/** The sites that decide the format: the lists, or, if there are none, the single messages. */
export function decisiveSites(sites: readonly Site[]): readonly Site[] {
  const lists = sites.filter(({ take }) => take !== 'whole' && take !== 'text');
  return lists.length > 0 ? lists : sites.filter(({ list }) => list.isObject);
}

/** The sites at a path in all records of the sample; undefined if no record has the path. */
export function sampleSites(sample: readonly JsonNode[], path: MessagePath): readonly (readonly Site[])[] | undefined {
  const found = sample.flatMap((root) => sitesAt(root, path) ?? []);
  return found.length === 0 ? undefined : found;
}

export function objectsIn(sample: readonly JsonNode[]): JsonNode[] {
  return sample.filter((root) => root.isObject);
}
