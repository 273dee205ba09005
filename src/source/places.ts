/** Paths to message lists inside a record, in the small language of `Format.places` and `--messages`. */
import { TranscriptError } from '../errors.js';
import type { JsonNode } from '../json/node.js';

/** A list whose elements are messages, or hold them in a member. */
export interface Site {
  readonly list: JsonNode;
  /** Which elements: all, or the first only. */
  readonly first: boolean;
  /** The member of each element that is the message; undefined where the element is. */
  readonly inner: string | undefined;
}

export interface Place {
  readonly path: string;
  /** Each alternative place is a list of paths whose sites follow one another in one transcript. */
  readonly paths: readonly (readonly Step[])[];
}

type Step = { readonly key: string; readonly index: 'none' | 'each' | 'first' };

export function parsePlace(path: string): Place {
  return { path, paths: path === '' ? [[]] : path.split('+').map((part) => part.trim().split('.').map(parseStep)) };
}

function parseStep(step: string): Step {
  const match = /^([^[\]]+)(\[(0?)\])?$/.exec(step);
  if (match === null) throw new TranscriptError('usage', `no path to messages: \`${step}\`; expected something like \`data.messages\` or \`runs[].messages\``);
  return { key: match[1]!, index: match[2] === undefined ? 'none' : match[3] === '0' ? 'first' : 'each' };
}

/**
 * The transcripts that stand at a place of a record: a list of sites each. Undefined where the place is not there.
 * Several parts of a place (`a + b`) join into one transcript and must all be there.
 */
export function resolve(root: JsonNode, place: Place): readonly (readonly Site[])[] | undefined {
  const parts = place.paths.map((steps) => follow(root, steps));
  if (parts.some((sites) => sites === undefined)) return undefined;
  const found = parts as readonly (readonly Site[])[];
  return found.length === 1 ? found[0]!.map((site) => [site]) : [found.flat()];
}

function follow(node: JsonNode, steps: readonly Step[]): readonly Site[] | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return node.isArray ? [{ list: node, first: false, inner: undefined }] : undefined;
  const member = node.get(step.key);
  if (member === undefined) return undefined;
  if (step.index === 'none') return follow(member, rest);
  if (!member.isArray) return undefined;
  const items = step.index === 'first' ? member.items().slice(0, 1) : member.items();
  const [last] = rest;
  if (rest.length === 1 && last!.index === 'none' && items[0]?.get(last!.key)?.isObject) return [{ list: member, first: step.index === 'first', inner: last!.key }];
  const found = items.flatMap((item) => follow(item, rest) ?? []);
  return found.length === 0 && items.length > 0 ? undefined : found;
}

/** The elements of a site, and the message in each. */
export function messagesAt({ list, first, inner }: Site): { readonly items: readonly JsonNode[]; readonly messages: readonly JsonNode[] } {
  const items = first ? list.items().slice(0, 1) : list.items();
  if (inner === undefined) return { items, messages: items };
  const holders = items.filter((item) => item.get(inner) !== undefined);
  return { items: holders, messages: holders.map((item) => item.get(inner)!) };
}

/** Every path to an array in objects of objects, nearest first: where to look when no known place is there. */
export function arraysWithin(root: JsonNode, depth: number): string[] {
  const paths: string[] = [];
  let level: { node: JsonNode; path: string }[] = [{ node: root, path: '' }];
  for (let i = 0; i < depth && level.length > 0; i++) {
    const members = level.flatMap(({ node, path }) => node.members().map(({ key, value }) => ({ node: value, path: path === '' ? key.text : `${path}.${key.text}` })));
    paths.push(...members.filter(({ node, path }) => node.isArray && !/[[\]+]/.test(path)).map(({ path }) => path));
    level = members.filter(({ node }) => node.isObject);
  }
  return paths;
}
