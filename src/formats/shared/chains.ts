/** Records of a session that name the one before them, and the faults that tear such a chain. */

import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { addAll, listIn } from '../../lists.js';
import { type Fault, type Line, lineWith } from '../resume.js';

export interface Linked {
  readonly line: Line;
  /** Among the linked records of the file, from 0. */
  readonly index: number;
  readonly id: string;
  readonly parent: string | undefined;
  /** It belongs to the conversation, not to one of a sub-agent. */
  readonly isMain: boolean;
}

/** The record that a link names. Without a link there is none, though a record may have an empty id. */
export function namedIn<E>(byId: ReadonlyMap<string, E>, id: string | undefined): E | undefined {
  return id === undefined ? undefined : byId.get(id);
}

/** Whether an entry is on the way from another one to the root. */
export type IsAbove<E> = (entry: E, other: E) => boolean;

/** Answers it from places in one order, in which all that is below an entry follows it. */
export function ancestry<E extends Linked>(entries: readonly E[], byId: ReadonlyMap<string, E>): IsAbove<E> {
  let known: ReadonlyMap<E, Range> | undefined;
  return (entry, other) => {
    known ??= rangesOf(entries, byId);
    const { start, end } = known.get(entry)!;
    const at = known.get(other)!.start;
    return start <= at && at < end;
  };
}

interface Range {
  readonly start: number;
  end: number;
}

/** Entries of a circle are all above each other: they have one range. */
function rangesOf<E extends Linked>(entries: readonly E[], byId: ReadonlyMap<string, E>): Map<E, Range> {
  const circle = new Map(circlesIn(entries, byId).flatMap((all) => all.map((entry) => [entry, all[0]!] as const)));
  const one = (entry: E | undefined) => entry && (circle.get(entry) ?? entry);
  const above = (entry: E) => (circle.has(entry) ? undefined : one(namedIn(byId, entry.parent)));
  const below = new Map<E | undefined, E[]>();
  for (const entry of entries) if (one(entry) === entry) listIn(below, above(entry)).push(entry);
  const ranges = new Map<E, Range>();
  const waiting = [...(below.get(undefined) ?? [])];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    ranges.set(entry, { start: ranges.size, end: ranges.size + 1 });
    addAll(waiting, below.get(entry) ?? []);
  }
  for (const [entry, { end }] of [...ranges].reverse()) {
    const range = ranges.get(above(entry)!);
    if (range !== undefined) range.end = Math.max(range.end, end);
  }
  for (const [entry, first] of circle) ranges.set(entry, ranges.get(first)!);
  return ranges;
}

/** The last of entries, in their order, that stands before a place and fits. */
export function lastBefore<E extends Linked>(
  entries: readonly E[],
  place: number,
  fits: (entry: E) => boolean,
): E | undefined {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (entries[middle]!.index < place) from = middle + 1;
    else to = middle;
  }
  for (let at = from - 1; at >= 0; at--) if (fits(entries[at]!)) return entries[at];
  return undefined;
}

/** Chains without an end. */
function circlesIn<E extends Linked>(entries: readonly E[], byId: ReadonlyMap<string, E>): E[][] {
  const found: E[][] = [];
  const seen = new Map<E, number>();
  for (const [round, start] of entries.entries()) {
    const path: E[] = [];
    let entry: E | undefined = start;
    for (; entry !== undefined && !seen.has(entry); entry = namedIn(byId, entry.parent)) {
      seen.set(entry, round);
      path.push(entry);
    }
    if (entry !== undefined && seen.get(entry) === round) found.push(path.slice(path.indexOf(entry)));
  }
  return found;
}

/** How an agent writes its links. */
export interface Links<E extends Linked> {
  /** The record that most likely comes before it: it stands before it, and is not below it. */
  before(entry: E): E | undefined;
  withParent(entry: E, parent: string | undefined): Line;
  withId(entry: E, id: string): Line;
  /** An id of the agent's form that is not in use, made of one that is. */
  newId(id: string, at: number): string;
  /** What the agent does with two records of one id. By default it reads the later in the place of the earlier. */
  readonly twice?: string;
}

/** Links of records, by the members that hold a record's id and that of the one before it. */
export function linksBy<E extends Linked & { readonly node: JsonNode }>(
  keys: { readonly id: string; readonly parent: string },
  entries: readonly E[],
  byId: ReadonlyMap<string, E>,
): Omit<Links<E>, 'newId'> {
  const isAbove = ancestry(entries, byId);
  return {
    before: (entry) => lastBefore(entries, entry.index, (other) => !isAbove(entry, other)),
    withParent: ({ line, node }, parent) => lineWith(line, patch(node, { [keys.parent]: parent ?? null })),
    withId: ({ line, node }, id) => lineWith(line, patch(node, { [keys.id]: id })),
  };
}

/** The way from the root, or where links come round, to the last record. */
export function chainIn<E extends Linked>(entries: readonly E[], byId: ReadonlyMap<string, E>): E[] {
  const chain = new Set<E>();
  for (let at = namedIn(byId, entries.at(-1)?.id); at && !chain.has(at); at = namedIn(byId, at.parent)) chain.add(at);
  return [...chain].reverse();
}

const TWICE = 'the agent reads this record in the place of the other';

/** The later of two records with the same id takes the place of the earlier, for loaders look them up by id. */
export function sameIds<E extends Linked>(
  entries: readonly E[],
  byId: ReadonlyMap<string, E>,
  links: Links<E>,
): Fault[] {
  const faults: Fault[] = [];
  const groups = new Map<string, E[]>();
  for (const entry of entries) listIn(groups, entry.id).push(entry);
  const parents = new Set(entries.map(({ parent }) => parent));
  const orphans = new Map<E | undefined, E>(); // by the entry that each follows
  for (const orphan of entries.filter(({ parent }) => parent !== undefined && !byId.has(parent))) {
    const before = links.before(orphan);
    if (!orphans.has(before)) orphans.set(before, orphan);
  }
  const followed = new Set([...orphans.keys()].map((before) => before?.index));
  const nextMain: (E | undefined)[] = [];
  for (let at = entries.length - 1; at >= 0; at--) nextMain[at] = entries[at]!.isMain ? entries[at] : nextMain[at + 1];
  for (const group of groups.values()) {
    const [first, ...others] = group as [E, ...E[]];
    if (others.length === 0) continue;
    const known = new Map([[textOf(first), first]]);
    for (const entry of others) {
      const same = known.get(textOf(entry));
      if (same !== undefined) faults.push(copy(same, entry));
      else if (isNamed(entry)) faults.push(sameId(first, entry));
      if (same === undefined) known.set(textOf(entry), entry);
    }
  }
  return faults;

  /** Without a child of either, nothing is lost by it. */
  function isNamed({ id, index, parent }: E): boolean {
    return parents.has(id) || (parent !== undefined && followed.has(index));
  }

  function sameId(first: E, second: E): Fault {
    const child = orphans.get(first) ?? orphans.get(second);
    const follows = nextMain[first.index + 1]?.parent === first.id;
    const renamed = child === undefined ? (follows ? second : first) : links.before(child)!;
    const id = child?.parent ?? links.newId(first.id, second.line.at);
    return {
      rule: 'id-twice',
      line: second.line,
      text: `its id is that of line ${first.line.at}: ${links.twice ?? TWICE}`,
      mend: new Map([[renamed.line, [links.withId(renamed, id)]]]),
    };
  }
}

/** Records without ids that are written again: their times tell them from what only looks the same. */
export function copies(entries: readonly Linked[]): Fault[] {
  const firsts = new Map<string, Linked>();
  return entries.flatMap((entry) => {
    const key = entry.line.bytes.latin1Slice();
    const first = firsts.get(key);
    if (first !== undefined && /"timestamp"/.test(key)) return [copy(first, entry)];
    firsts.set(key, entry);
    return [];
  });
}

function copy(first: Linked, { line }: Linked): Fault {
  const text = `the same record as in line ${first.line.at}`;
  return { rule: 'record-twice', line, text, mend: new Map([[line, []]]) };
}

/** In each chain without an end, the link to a later record is the wrong one: agents append. */
export function circles<E extends Linked>(entries: readonly E[], byId: ReadonlyMap<string, E>, links: Links<E>) {
  return circlesIn(entries, byId).map((circle): Fault => {
    const wrong = circle.find(({ index, parent }) => byId.get(parent!)!.index >= index)!;
    const parent = byId.get(wrong.parent!)!;
    const where = parent === wrong ? 'itself' : `line ${parent.line.at}, which comes after it`;
    return {
      rule: 'parent-cycle',
      line: wrong.line,
      text: `its parent is ${where}: the chain has no end`,
      mend: new Map([[wrong.line, [links.withParent(wrong, links.before(wrong)?.id)]]]),
    };
  });
}

/**
 * Records whose parents are not there, so that the agent loads nothing of what is before them: the root, and above the
 * one that most likely comes before it the next such root, and so on.
 */
export function orphaned<E extends Linked>(root: E, byId: ReadonlyMap<string, E>, links: Links<E>): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<E>();
  let at: E | undefined = root;
  while (at !== undefined) {
    const top = topOf(at, byId, seen);
    if (top === undefined) return faults.slice(0, -1); // the last link would close a circle: it is for the next round
    if (top.parent === undefined) return faults;
    at = links.before(top);
    if (at !== undefined) faults.push(orphan(top, at, links));
  }
  return faults;
}

/** The record from which no link leads to one that is there. Undefined if that is one that was seen. */
function topOf<E extends Linked>(start: E, byId: ReadonlyMap<string, E>, seen: Set<E>): E | undefined {
  for (let at = start; !seen.has(at); ) {
    seen.add(at);
    const above = namedIn(byId, at.parent);
    if (above === undefined) return at;
    at = above;
  }
  return undefined;
}

function orphan<E extends Linked>(entry: E, before: E, links: Links<E>): Fault {
  const text = `its parent ${entry.parent} is not in the file: the agent loads nothing that is before it`;
  const mend = new Map([[entry.line, [links.withParent(entry, before.id)]]]);
  return { rule: 'parent-missing', line: entry.line, text, mend };
}

function textOf({ line }: Linked): string {
  return line.bytes.latin1Slice();
}
