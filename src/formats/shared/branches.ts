/**
 * A log whose lines link to their parents is a tree: what the agent would send next is the way from the last message to
 * the root, and a way that the user left by going back is an abandoned branch. Lines can leave the way without being
 * abandoned: the results of parallel calls, the other lines of one message, progress and notices. What no link explains
 * stays where the file has it: lines without a parent, with an unknown one, or in a circle.
 */
import { addAll, listIn } from '../../lists.js';
import type { Branch, TreeLine } from '../format.js';

export interface TreeRules {
  /** The agent continues after the last line, even if that is no message. */
  readonly endsAtLine?: boolean;
  /** Lines without a parent are alternatives, as they are children of one root. */
  readonly rootsFork?: boolean;
}

/** The abandoned branches of a log, and the order that its links give; undefined if all lines are one way in order. */
export interface Tree {
  /** The name of each line's branch; undefined for the main way. */
  readonly branchOf: readonly (string | undefined)[];
  readonly branches: ReadonlyMap<string, Branch>;
  /** The indices of all lines, if a line stands before its parent. */
  readonly order: readonly number[] | undefined;
}

export function treeOf(lines: readonly (TreeLine | undefined)[], rules: TreeRules = {}): Tree | undefined {
  const links = linksIn(lines);
  const isTree = links.forks || (rules.rootsFork === true && links.roots > 1);
  const growth = isTree ? branchesIn(lines, links, rules) : undefined;
  const order = links.isInverted || growth?.hasLate ? linkedOrder(growth?.before ?? links.parents) : undefined;
  const branches = growth?.branches ?? new Map<string, Branch>();
  if (branches.size === 0 && order === undefined) return undefined;
  const branchOf = links.firsts.map((first) => (first === undefined ? undefined : growth?.spots[first]?.branch));
  return { branchOf, branches, order };
}

// --- links

/** The links of a log by index. A line that repeats the id of an earlier one is a copy of that. */
interface Links {
  /** The parent's line; undefined without one in the log. */
  readonly parents: readonly (number | undefined)[];
  /** The first line with the same id; undefined for lines without an id. */
  readonly firsts: readonly (number | undefined)[];
  /** Whether a line has several children. */
  readonly forks: boolean;
  /** The number of lines without a parent. */
  readonly roots: number;
  /** Whether a line stands before its parent. */
  readonly isInverted: boolean;
}

function linksIn(lines: readonly (TreeLine | undefined)[]): Links {
  const firstOf = new Map<string, number>();
  const firsts = lines.map((line, index) => {
    if (line?.id === undefined) return undefined;
    const first = firstOf.get(line.id) ?? index;
    if (first === index) firstOf.set(line.id, index);
    return first;
  });
  const hasChild = new Set<number>();
  let [forks, isInverted, roots] = [false, false, 0];
  const parents = lines.map((line, index) => {
    if (firsts[index] !== index) return undefined;
    if (line!.parent === undefined) roots++;
    const parent = line!.parent === undefined ? undefined : firstOf.get(line!.parent);
    if (parent === undefined || parent === index) return undefined;
    if (hasChild.has(parent)) forks = true;
    hasChild.add(parent);
    if (parent > index) isInverted = true;
    return parent;
  });
  return { parents, firsts, forks, roots, isInverted };
}

/** The order of the file, but each line behind its parent; undefined if lines link in a circle. */
function linkedOrder(parents: readonly (number | undefined)[]): readonly number[] | undefined {
  const isPlaced = new Uint8Array(parents.length);
  const waiting = new Map<number, number[]>();
  const order: number[] = [];
  parents.forEach((parent, index) => {
    if (parent !== undefined && isPlaced[parent] === 0) {
      listIn(waiting, parent).push(index);
      return;
    }
    const next = [index];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      order.push(at);
      isPlaced[at] = 1;
      addAll(next, waiting.get(at)?.reverse() ?? []);
    }
  });
  return order.length === parents.length ? order : undefined;
}

// --- branches

/** A line that was assigned to a way. */
interface Spot {
  readonly branch: string | undefined;
  /** The next line on the way, by a link; undefined at its end and for lines beside it. */
  readonly next: number | undefined;
  readonly isOnWay: boolean;
}

interface Growth extends Pick<Links, 'parents' | 'firsts'> {
  readonly lines: readonly (TreeLine | undefined)[];
  readonly spots: (Spot | undefined)[];
  readonly groups: Map<string | undefined, Set<string>>;
  readonly branches: Map<string, Branch>;
  /** The line behind which each comes in the order: its parent, or a result that the file has too late. */
  readonly before: (number | undefined)[];
  hasLate: boolean;
}

/** Assigns the lines from the last to the first, each with its unassigned ancestors. */
function branchesIn(
  lines: readonly (TreeLine | undefined)[],
  links: Links,
  { endsAtLine = false, rootsFork = false }: TreeRules,
): Growth {
  const isMain = (index: number | undefined) => index !== undefined && lines[index]!.isSide !== true;
  const growth: Growth = {
    lines,
    parents: links.parents.map((parent) => (isMain(parent) ? parent : undefined)),
    firsts: links.firsts.map((first) => (isMain(first) ? first : undefined)),
    spots: lines.map(() => undefined),
    groups: new Map(),
    branches: new Map(),
    before: [...links.parents],
    hasLate: false,
  };
  const isFirst = (index: number) => growth.firsts[index] === index;
  const end = lines.findLastIndex((line, index) => isFirst(index) && (endsAtLine || line!.kind !== undefined));
  if (end >= 0) putMain(growth, end, rootsFork);
  const putAll = (isDue: (line: TreeLine) => boolean) => {
    for (let index = lines.length - 1; index >= 0; index--) {
      if (!isFirst(index) || growth.spots[index] !== undefined || !isDue(lines[index]!)) continue;
      const path = pathTo(growth, index);
      putPath(growth, path, growth.parents[path[0]!], rootsFork);
    }
  };
  putAll(({ kind }) => kind !== undefined); // lines without a message go with those that have one
  putAll(() => true);
  return growth;
}

/** The unassigned ancestors of a line and the line, the topmost first. */
function pathTo({ parents, spots }: Growth, end: number): number[] {
  const path = new Set<number>();
  for (let at: number | undefined = end; at !== undefined && !path.has(at) && spots[at] === undefined; at = parents[at])
    path.add(at);
  return [...path].reverse();
}

/** The way to the last message. Where links end, it continues with the line before in the file, unless roots fork. */
function putMain(growth: Growth, end: number, rootsFork: boolean): void {
  const { lines, parents } = growth;
  for (let at: number | undefined = end; at !== undefined; ) {
    const path = pathTo(growth, at);
    const top = path[0]!;
    if (at === end || parents[top] === undefined) putWay(growth, path, undefined);
    else putPath(growth, path, parents[top], rootsFork);
    if (rootsFork && lines[top]!.parent === undefined) return;
    at = lineBefore(growth, top < at ? top : at);
  }
}

/** The last unassigned line before one in the file. */
function lineBefore({ firsts, spots }: Growth, index: number): number | undefined {
  for (let at = index - 1; at >= 0; at--) if (firsts[at] === at && spots[at] === undefined) return at;
  return undefined;
}

function putWay(growth: Growth, path: readonly number[], branch: string | undefined, isOnWay = true): void {
  const { lines, spots, groups } = growth;
  const known = groups.get(branch) ?? new Set();
  groups.set(branch, known);
  path.forEach((at, index) => {
    spots[at] = { branch, next: isOnWay ? path[index + 1] : undefined, isOnWay };
    const group = lines[at]!.group;
    if (group !== undefined) known.add(group);
  });
}

/** Assigns a path that hangs on an assigned line: what belongs to that way joins it, the rest may be a branch. */
function putPath(growth: Growth, path: readonly number[], parent: number | undefined, rootsFork: boolean): void {
  const { lines, spots, branches } = growth;
  const isAtRoot = rootsFork && lines[path[0]!]!.parent === undefined;
  const spot = parent === undefined ? undefined : spots[parent];
  const left = path.findIndex((at) =>
    isAtRoot ? lines[at]!.kind !== undefined : spot !== undefined && !isOwn(growth, at, spot.branch),
  );
  if (left < 0) {
    putBeside(growth, path, parent);
    return;
  }
  const joined = path.slice(0, path.findLastIndex((at, index) => index < left && lines[at]!.kind !== undefined) + 1);
  putBeside(growth, joined, parent);
  const rest = path.slice(joined.length);
  const after = joined.at(-1) ?? parent;
  const isBranch = isAtRoot || isFork(growth, rest, after!);
  const name = isBranch ? `branch-${lines[path[left]!]!.id}` : spot?.branch;
  if (isBranch) branches.set(name!, { after });
  putWay(growth, rest, name, isBranch);
}

/** Results, and pieces of a message of the branch, belong to it wherever they hang. */
function isOwn({ lines, groups }: Growth, at: number, branch: string | undefined): boolean {
  const { kind, group } = lines[at]!;
  return kind === undefined || kind === 'result' || (group !== undefined && groups.get(branch)?.has(group) === true);
}

/** Lines beside the way of a line. */
function putBeside(growth: Growth, path: readonly number[], parent: number | undefined): void {
  const spot = parent === undefined ? undefined : growth.spots[parent];
  putWay(growth, path, spot?.branch, false);
  if (spot === undefined) return;
  for (const at of path) if (growth.lines[at]!.kind !== undefined) putBeforeNext(growth, at, parent!);
}

/** A result or piece beside the way comes before the next request, even if the file has it later. */
function putBeforeNext(growth: Growth, at: number, parent: number): void {
  const { lines, spots, parents, before } = growth;
  let on: number | undefined = parent;
  // so often at most, as links may go round
  for (let left = lines.length; left > 0 && on !== undefined && spots[on]?.isOnWay !== true; left--) on = parents[on];
  const group = on === undefined ? undefined : lines[on]!.group;
  const isSame = ({ kind, group: other }: TreeLine) =>
    kind === undefined || kind === 'result' || (other !== undefined && other === group);
  let next = on === undefined ? undefined : spots[on]?.next;
  while (next !== undefined && isSame(lines[next]!)) next = spots[next]!.next;
  if (next === undefined || at < next) return;
  before[at] = before[next];
  before[next] = at;
  growth.hasLate = true;
}

/**
 * Whether the rest of a path is another way than that of the line it hangs on. A prompt beside the results of a call is
 * none, and what hangs on a line beside the way only if it holds a reply.
 */
function isFork({ lines, spots }: Growth, rest: readonly number[], from: number): boolean {
  const kinds = rest.map((at) => lines[at]!.kind);
  const hasReply = kinds.includes('reply');
  const { isOnWay, next } = spots[from]!;
  if (!isOnWay) return hasReply;
  if (next === undefined) return false;
  let other: number | undefined = next;
  while (other !== undefined && lines[other]!.kind === undefined) other = spots[other]!.next;
  const isResult = other !== undefined && lines[other]!.kind === 'result';
  return hasReply || (!isResult && kinds.includes('prompt'));
}
