/** Paths to lists of messages inside a record, in the small language of `Format.messagePaths` and `--messages`. */

import { TranscriptError } from '../errors.js';
import { type Nested, nested } from '../json/nested.js';
import type { JsonNode } from '../json/node.js';
import { addAll } from '../lists.js';

/** A list whose elements are messages or hold them in a member; or a value that is one message. */
export interface Site {
  readonly list: JsonNode;
  /** Which elements are messages: all, or only the first; `whole`, `text`: the value itself is one. */
  readonly take: 'all' | 'first' | 'whole' | 'text';
  /** The member of each element that is the message; undefined where the element is. */
  readonly member: string | undefined;
  /** As it is written in the message path. */
  readonly path: string;
  /** Of a list that is JSON in a string: the string around it. */
  readonly encoded?: Nested;
}

export interface MessagePath {
  /** As it was written. */
  readonly path: string;
  /** The path without its optional parts. */
  readonly label: string;
  /** The sites of all parts, one after the other, are one transcript. */
  readonly parts: readonly PathPart[];
}

interface PathPart {
  readonly path: string;
  readonly steps: readonly PathStep[];
  /** `path?`: a record may lack it. */
  readonly isOptional: boolean;
  /** `=path`: the value there is one message. */
  readonly isWhole: boolean;
  /** `~path`: the string there is a message of the user. */
  readonly isText: boolean;
  /** `a > b`: b is the reply to a. */
  readonly isReply: boolean;
}

/** An empty key: the elements of a list in a list. */
type PathStep = { readonly key: string; readonly index: 'none' | 'each' | 'first' };

const parsed = new Map<string, MessagePath>(); // formats use the same paths for every record

/** `data.messages`, `runs[].messages`, `=system? + messages`, `request.messages > response.choices[0].message`. */
export function parseMessagePath(path: string): MessagePath {
  const known = parsed.get(path) ?? parsePath(path);
  parsed.set(path, known);
  return known;
}

function parsePath(path: string): MessagePath {
  const parts = path.split(/(?=[+>])/).map(parsePart);
  const required = parts.filter(({ isOptional }) => !isOptional);
  if (required.length === 0) throw notAPath(path);
  return { path, parts, label: required.map((part) => part.path).join(' + ') };
}

const PART = /^(?<joint>[+>]?)\s*(?<kind>[=~]?)(?<path>.*?)(?<optional>\??)\s*$/s;

function parsePart(text: string): PathPart {
  const { joint, kind, path, optional } = PART.exec(text)!.groups as Record<string, string>;
  return {
    path: path!,
    steps: path === '' ? [] : path!.split('.').flatMap(parseStep),
    isOptional: optional === '?',
    isWhole: kind === '=',
    isText: kind === '~',
    isReply: joint === '>',
  };
}

function parseStep(step: string): PathStep[] {
  const groups = /^(?<key>[^[\]]+)(?<indices>(?:\[0?\])*)$/.exec(step)?.groups;
  if (groups === undefined) throw notAPath(step);
  const [index = 'none', ...nested] = [...groups.indices!.matchAll(/\[(0?)\]/g)].map(([, at]) =>
    at === '0' ? ('first' as const) : ('each' as const),
  );
  return [{ key: groups.key!, index }, ...nested.map((each): PathStep => ({ key: '', index: each }))];
}

function notAPath(text: string): TranscriptError {
  return new TranscriptError(
    'usage',
    `\`${text}\` is not a path to messages; expected something like \`data.messages\` or \`runs[].messages\``,
  );
}

/** The sites of each transcript at a path of a record. Undefined where the record has no such path. */
export function sitesAt(root: JsonNode, { parts }: MessagePath): readonly (readonly Site[])[] | undefined {
  const found: (readonly Site[])[] = [];
  for (const part of parts) {
    const sites = follow(root, 0, part);
    if (sites !== undefined) found.push(sites);
    else if (!part.isOptional) return undefined;
  }
  return parts.length === 1 && !parts[0]!.isWhole ? found[0]!.map((site) => [site]) : [found.flat()];
}

/**
 * Whether the transcript ends with a reply by design: the path names one, and the record has a member for it, even if
 * empty.
 */
export function endsOnReply(root: JsonNode, { parts }: MessagePath): boolean {
  const last = parts[parts.length - 1]!;
  const [first] = last.steps;
  return last.isReply && (first === undefined || root.get(first.key) !== undefined);
}

/** Whether the path takes the value of this member, if the record has it, as one message. */
export function hasMemberMessage({ parts }: MessagePath, key: string): boolean {
  return parts.some(({ isWhole, steps }) => isWhole && steps.at(-1)?.key === key);
}

/** Whether the path leads to a reply only, without its request. */
export function isReply({ parts }: MessagePath): boolean {
  return parts[0]!.isReply;
}

/** The sites behind the steps from this one on. */
function follow(node: JsonNode, at: number, part: PathPart): readonly Site[] | undefined {
  const { path, steps } = part;
  const step = steps[at];
  if (step === undefined) {
    if (part.isWhole && part.isReply && !node.isObject && !node.isNull) return undefined; // a text is not a message
    if (part.isWhole) return node.isNull ? [] : [{ list: node, take: 'whole', member: undefined, path }];
    if (part.isText) return isText(node) ? [{ list: node, take: 'text', member: undefined, path }] : undefined;
    return listSite(node, path);
  }
  const value = step.key === '' ? node : node.get(step.key);
  if (value === undefined) return undefined;
  if (step.index === 'none') return follow(value, at + 1, part);
  if (!value.isArray) return undefined;
  const take = step.index === 'first' ? 'first' : 'all';
  const items = take === 'first' ? value.items(1) : value.items();
  const next = steps[at + 1];
  const isEmptied = take === 'first' && isWithoutMessage(items[0], next?.key);
  if (at + 2 === steps.length && next!.index === 'none' && (isEmptied || items[0]?.get(next!.key)?.isObject))
    return [{ list: value, take, member: next!.key, path }];
  const found = items.flatMap((item) => follow(item, at + 1, part) ?? []);
  return found.length === 0 && items.length > 0 ? undefined : found;
}

/** A list of messages, or a string that is one as JSON, as in a column of a table. */
function listSite(node: JsonNode, path: string): readonly Site[] | undefined {
  if (node.isArray) return [{ list: node, take: 'all', member: undefined, path }];
  const encoded = encodedList(node);
  return encoded && [{ list: encoded.value, take: 'all', member: undefined, path, encoded }];
}

/** The list of objects that a string holds as JSON. */
export function encodedList(node: JsonNode): Nested | undefined {
  if (!node.isString) return undefined;
  const found = nested(node);
  return found.value.isArray && found.value.items().every((item) => item.isObject) ? found : undefined;
}

function isText(node: JsonNode): boolean {
  return node.isString && encodedList(node) === undefined;
}

/** The value in the record that holds a site. */
export function siteNode({ list, encoded }: Site): JsonNode {
  return encoded?.strings[0] ?? list;
}

/** Members of a choice or candidate: why the model stopped, and what others hold in the place of a message. */
const STOP_REASONS = ['finish_reason', 'finishReason'];
const OTHER_REPLIES = ['delta', 'text'];

/** Whether a transform removed the only message: there is no choice, or one that only says why the model stopped. */
function isWithoutMessage(choice: JsonNode | undefined, key: string | undefined): boolean {
  if (choice === undefined) return true;
  const has = (member: string) => choice.get(member) !== undefined;
  return key !== undefined && !has(key) && STOP_REASONS.some(has) && !OTHER_REPLIES.some(has);
}

/** The elements of a site that hold messages, and the message in each. */
export function messagesAt({ list, take, member }: Site): {
  readonly items: readonly JsonNode[];
  readonly messages: readonly JsonNode[];
} {
  if (take === 'whole' || take === 'text') return { items: [list], messages: [list] };
  const items = take === 'first' ? list.items(1) : list.items();
  if (member === undefined) return { items, messages: items };
  const holders = items.filter((item) => item.get(member) !== undefined);
  return { items: holders, messages: holders.map((item) => item.get(member)!) };
}

/** The paths of all arrays in nested objects, shallow ones first: where to search if no known path fits. */
export function arrayPaths(root: JsonNode, depth: number): string[] {
  const paths: string[] = [];
  let level: { node: JsonNode; path: string }[] = [{ node: root, path: '' }];
  for (let i = 0; i < depth && level.length > 0; i++) {
    const members = level.flatMap(({ node, path }) =>
      node.members().map(({ key, value }) => ({ node: value, path: path === '' ? key.text : `${path}.${key.text}` })),
    );
    addAll(
      paths,
      members.filter(({ node, path }) => node.isArray && !/[[\]+>=~?]/.test(path)).map(({ path }) => path),
    );
    level = members.filter(({ node }) => node.isObject);
  }
  return paths;
}
