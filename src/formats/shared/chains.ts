/** Records of a session that name the one before them, and the faults that tear such a chain. */

import { listIn } from '../../lists.js';
import type { Fault, Line } from '../resume.js';

export interface Linked {
  readonly line: Line;
  /** Among the linked records of the file, from 0. */
  readonly index: number;
  readonly id: string;
  readonly parent: string | undefined;
  /** It belongs to the conversation, not to one of a sub-agent. */
  readonly isMain: boolean;
}

/** Whether an entry is on the way from another one to the root. */
export function isAbove<E extends Linked>(entry: E, other: E, byId: ReadonlyMap<string, E>): boolean {
  const seen = new Set<E>();
  for (let at: E | undefined = other; at !== undefined && !seen.has(at); at = byId.get(at.parent ?? '')) {
    if (at === entry) return true;
    seen.add(at);
  }
  return false;
}

/** How an agent writes its links. */
export interface Links<E extends Linked> {
  /** The record that most likely comes before it: it stands before it, and is not below it. */
  before(entry: E): E | undefined;
  withParent(entry: E, parent: string | undefined): Line;
  withId(entry: E, id: string): Line;
  /** An id of the agent's form that is not in use, made of one that is. */
  newId(id: string, at: number): string;
}

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
      text: `its id is that of line ${first.line.at}: the agent reads this record in the place of the other`,
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

/** Chains without an end. In each, the link to a later record is the wrong one: agents append. */
export function circles<E extends Linked>(entries: readonly E[], byId: ReadonlyMap<string, E>, links: Links<E>) {
  const faults: Fault[] = [];
  const seen = new Map<E, number>();
  for (const [round, start] of entries.entries()) {
    const path: E[] = [];
    let entry: E | undefined = start;
    for (; entry !== undefined && !seen.has(entry); entry = byId.get(entry.parent ?? '')) {
      seen.set(entry, round);
      path.push(entry);
    }
    if (entry === undefined || seen.get(entry) !== round) continue;
    const circle = path.slice(path.indexOf(entry));
    const wrong = circle.find(({ index, parent }) => byId.get(parent!)!.index >= index)!;
    faults.push({
      rule: 'parent-cycle',
      line: wrong.line,
      text: `its parent is line ${byId.get(wrong.parent!)!.line.at}, which comes after it: the chain has no end`,
      mend: new Map([[wrong.line, [links.withParent(wrong, links.before(wrong)?.id)]]]),
    });
  }
  return faults;
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
    const above = byId.get(at.parent ?? '');
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
