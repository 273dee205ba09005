/** Paths to message lists inside a record, in the small language of `Format.places` and `--messages`. */

import { TranscriptError } from '../errors.js';
import type { JsonNode } from '../json/node.js';
import { addAll } from '../lists.js';

/** A list whose elements are messages, or hold them in a member; or a value that is a message as a whole. */
export interface Site {
  readonly list: JsonNode;
  /** Which elements: all, the first only, or (no list) the value itself. */
  readonly take: 'all' | 'first' | 'whole';
  /** The member of each element that is the message; undefined where the element is. */
  readonly inner: string | undefined;
  /** As it stands in the place. */
  readonly path: string;
}

export interface Place {
  /** As it was written, and what of it is always there. */
  readonly path: string;
  readonly label: string;
  /** Paths whose sites follow one another in one transcript. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly path: string;
  readonly steps: readonly Step[];
  /** `path?`: the place is there without it. */
  readonly isOptional: boolean;
  /** `=path`: the value there is one message. */
  readonly isWhole: boolean;
  /** `a > b`: b is a reply to a. */
  readonly isReply: boolean;
}

/** Without a key: a list in a list. */
type Step = { readonly key: string; readonly index: 'none' | 'each' | 'first' };

/** `data.messages`, `runs[].messages`, `=system? + messages`, `request.messages > response.choices[0].message`. */
export function parsePlace(path: string): Place {
  const known = parsed.get(path) ?? parsePath(path);
  parsed.set(path, known);
  return known;
}

const parsed = new Map<string, Place>(); // the formats' own places come again with every record

function parsePath(path: string): Place {
  const parts = path.split(/(?=[+>])/).map(parsePart);
  return {
    path,
    parts,
    label: parts
      .filter(({ isOptional }) => !isOptional)
      .map((part) => part.path)
      .join(' + '),
  };
}

function parsePart(text: string): Part {
  const [, joint, whole, path, optional] = /^([+>]?)\s*(=?)(.*?)(\??)\s*$/s.exec(text)!;
  return {
    path: path!,
    steps: path === '' ? [] : path!.split('.').flatMap(parseStep),
    isOptional: optional === '?',
    isWhole: whole === '=',
    isReply: joint === '>',
  };
}

function parseStep(step: string): Step[] {
  const match = /^([^[\]]+)((?:\[0?\])*)$/.exec(step);
  if (match === null)
    throw new TranscriptError(
      'usage',
      `no path to messages: \`${step}\`; expected something like \`data.messages\` or \`runs[].messages\``,
    );
  const [index = 'none', ...inner] = [...match[2]!.matchAll(/\[(0?)\]/g)].map(([, at]) =>
    at === '0' ? ('first' as const) : ('each' as const),
  );
  return [{ key: match[1]!, index }, ...inner.map((each): Step => ({ key: '', index: each }))];
}

/**
 * The transcripts that stand at a place of a record: a list of sites each. Undefined where the place is not there.
 * Several parts of a place join into one transcript.
 */
export function resolve(root: JsonNode, { parts }: Place): readonly (readonly Site[])[] | undefined {
  const found: (readonly Site[])[] = [];
  for (const part of parts) {
    const sites = follow(root, part.steps, part);
    if (sites !== undefined) found.push(sites);
    else if (!part.isOptional) return undefined;
  }
  return parts.length === 1 && !parts[0]!.isWhole ? found[0]!.map((site) => [site]) : [found.flat()];
}

/** Whether a record's transcripts end on a reply by design: the place names one, and the record has room for it, even if it is empty. */
export function endsOnReply(root: JsonNode, { parts }: Place): boolean {
  const last = parts[parts.length - 1]!;
  return last.isReply && root.get(last.steps[0]!.key) !== undefined;
}

/** Whether the value of a member of that name is one of the messages, where it is there. */
export function hasWhole({ parts }: Place, key: string): boolean {
  return parts.some(({ isWhole, steps }) => isWhole && steps[steps.length - 1]!.key === key);
}

/** Whether they are nothing but a reply. */
export function isReply({ parts }: Place): boolean {
  return parts[0]!.isReply;
}

function follow(node: JsonNode, steps: readonly Step[], part: Part): readonly Site[] | undefined {
  const [step, ...rest] = steps;
  const { path } = part;
  if (step === undefined) {
    if (part.isWhole) return node.isNull ? [] : [{ list: node, take: 'whole', inner: undefined, path }];
    return node.isArray ? [{ list: node, take: 'all', inner: undefined, path }] : undefined;
  }
  const member = step.key === '' ? node : node.get(step.key);
  if (member === undefined) return undefined;
  if (step.index === 'none') return follow(member, rest, part);
  if (!member.isArray) return undefined;
  const take = step.index === 'first' ? 'first' : 'all';
  const items = take === 'first' ? member.items(1) : member.items();
  const [last] = rest;
  if (rest.length === 1 && last!.index === 'none' && items[0]?.get(last!.key)?.isObject)
    return [{ list: member, take, inner: last!.key, path }];
  const found = items.flatMap((item) => follow(item, rest, part) ?? []);
  return found.length === 0 && items.length > 0 ? undefined : found;
}

/** The elements of a site, and the message in each. */
export function messagesAt({ list, take, inner }: Site): {
  readonly items: readonly JsonNode[];
  readonly messages: readonly JsonNode[];
} {
  if (take === 'whole') return { items: [list], messages: [list] };
  const items = take === 'first' ? list.items(1) : list.items();
  if (inner === undefined) return { items, messages: items };
  const holders = items.filter((item) => item.get(inner) !== undefined);
  return { items: holders, messages: holders.map((item) => item.get(inner)!) };
}

/** Every path to an array in objects of objects, nearest first: where to look when no known place is there. */
export function arraysWithin(root: JsonNode, depth: number): string[] {
  const paths: string[] = [];
  let level: { node: JsonNode; path: string }[] = [{ node: root, path: '' }];
  for (let i = 0; i < depth && level.length > 0; i++) {
    const members = level.flatMap(({ node, path }) =>
      node.members().map(({ key, value }) => ({ node: value, path: path === '' ? key.text : `${path}.${key.text}` })),
    );
    addAll(
      paths,
      members.filter(({ node, path }) => node.isArray && !/[[\]+>=?]/.test(path)).map(({ path }) => path),
    );
    level = members.filter(({ node }) => node.isObject);
  }
  return paths;
}
