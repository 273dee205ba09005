/**
 * What Claude Code loads of a session: the records on the way from the newest message to the root, and what belongs to
 * the replies on it. As `getSessionMessages` of @anthropic-ai/claude-agent-sdk 0.3.332 does it (2026-11-26).
 */
import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import { type Fault, firstFound, type Line, type Loaded, lineWith, type Resume, tornLines } from '../resume.js';
import { ancestry, circles, type Links, lastBefore, namedIn, orphaned, sameIds } from '../shared/chains.js';
import { hashId } from '../shared/derived-ids.js';
import { boundaryFault, boundaryIn, relinked } from './claude-code-boundary.js';
import type { Entry, File } from './claude-code-entries.js';
import { heavyMedia } from './claude-code-heavy.js';

const TYPES = new Set(['user', 'assistant', 'progress', 'system', 'attachment']);
/** What stands in the place of ids that were taken out is none. */
const isNamed = ({ id }: Entry) => /^[\w-]+$/.test(id);

export default {
  agent: 'claude-code',
  claims: (line) => line.get('parentUuid') !== undefined && isEntry(line) && isOwn(line),
  load(lines): Loaded {
    const entries = entriesIn(lines);
    const file = fileOf(entries);
    const way = chainIn(file);
    const faults = firstFound(
      () => tornLines(lines),
      () => sameIds(entries.filter(isNamed), file.byId, file.links),
      () => circles(entries.filter(isNamed), file.byId, file.links),
      () => looseEnds(way, file),
      () => heavyMedia(entries.map(({ line }) => line)),
    );
    return { messages: whole(way.chain, file).filter(isShown).length, faults };
  },
} satisfies Resume;

/** Qwen Code has the same lines around messages of another kind. */
function isOwn(line: JsonNode): boolean {
  return line.get('message')?.get('content') !== undefined || line.get('attachment') !== undefined;
}

function isEntry(line: JsonNode): boolean {
  return line.get('uuid')?.isString === true && TYPES.has(line.get('type')?.string ?? '');
}

function entriesIn(lines: readonly Line[]): Entry[] {
  const own = lines.filter(({ node }) => node?.isObject === true && isEntry(node));
  // in the file of a sub-agent, all records are its own
  const isPart = own.every(({ node }) => isTrue(node!, 'isSidechain'));
  return own.map((line, index) => entryOf(line, index, isPart));
}

function entryOf(line: Line, index: number, isPart: boolean): Entry {
  const node = line.node!;
  const type = node.get('type')!.string!;
  const content = node.get('message')?.get('content')?.items() ?? [];
  const ids = (kind: string, key: string) =>
    content.flatMap((block) => (block.get('type')?.string === kind ? [block.get(key)?.string ?? ''] : []));
  const isSide = isTrue(node, 'isSidechain') && !isPart;
  return {
    line,
    node,
    index,
    type,
    id: node.get('uuid')!.string!,
    parent: node.get('parentUuid')?.string || undefined,
    isMain: !isSide && node.get('teamName')?.string === undefined && type !== 'progress' && !isBriefing(node),
    isSide,
    isMessage: type === 'user' || type === 'assistant',
    reply: type === 'assistant' ? node.get('message')?.get('id')?.string : undefined,
    calls: type === 'assistant' ? ids('tool_use', 'id') : [],
    results: type === 'user' ? ids('tool_result', 'tool_use_id') : [],
    boundary: boundaryIn(node),
  };
}

const isBriefing = (node: JsonNode) => node.get('attachment')?.get('type')?.string === 'fork_briefing';
const isTrue = (node: JsonNode, key: string) => node.get(key)?.boolean === true;
/** What it shows of what it loads. */
const isShown = ({ isMessage, isMain, node }: Entry) => isMessage && isMain && !isTrue(node, 'isMeta');

function fileOf(entries: readonly Entry[]): File {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return { entries, byId, parentOf: relinked(entries, byId), links: linksOf(entries, byId) };
}

function linksOf(entries: readonly Entry[], byId: ReadonlyMap<string, Entry>): Links<Entry> {
  const isAbove = ancestry(entries, byId);
  const callers = new Map<string, Entry[]>();
  const replies = new Map<string, Set<string | undefined>>(); // of the callers
  for (const entry of entries)
    for (const call of entry.calls) {
      listIn(callers, call).push(entry);
      replies.set(call, (replies.get(call) ?? new Set()).add(entry.reply));
    }
  return {
    before(entry) {
      const isBefore = (other: Entry) => other.isSide === entry.isSide && !isAbove(entry, other);
      const last = lastBefore(entries, entry.index, isBefore);
      const asked = entry.results.reduceRight<Entry | undefined>(
        (found, result) => found ?? lastBefore(callers.get(result) ?? [], entry.index, isBefore),
        undefined,
      );
      return asked !== undefined && (isBranch(entry) || !isOfReply(last, asked)) ? asked : last;
    },
    withParent: ({ line, node }, parent) => lineWith(line, patch(node, { parentUuid: parent ?? null })),
    withId: ({ line, node }, id) => lineWith(line, patch(node, { uuid: id })),
    newId: (id, at) => hashId(`${id} ${at}`),
  };

  /** A piece of the same reply, or a result of one. */
  function isOfReply(entry: Entry | undefined, asked: Entry): boolean {
    const { reply } = asked;
    if (entry === undefined || reply === undefined) return entry === asked;
    return entry.reply === reply || entry.results.some((result) => replies.get(result)?.has(reply));
  }
}

/** Newer versions hang each result behind its own call; older ones hang results of parallel calls in a row. */
const isBranch = ({ node }: Entry) => node.get('sourceToolAssistantUUID')?.isString === true;

/** The records from the root to the newest message. */
interface Way {
  readonly chain: readonly Entry[];
  readonly root: Entry | undefined;
  /** What hangs on the newest message, and is none. */
  readonly behind?: Entry | undefined;
}

function chainIn({ entries, byId, parentOf }: File): Way {
  const parents = new Set(entries.flatMap((entry) => (entry.isMain ? [parentOf.get(entry)] : [])));
  const parent = (entry: Entry) => namedIn(byId, parentOf.get(entry));
  const ends = [...byId.values()].filter(({ id, isMain }) => isMain && !parents.has(id));
  const seen = new Set<Entry>();
  const wayUp = (end: Entry | undefined) => {
    const way: Entry[] = [];
    for (let entry = end; entry !== undefined && !seen.has(entry); entry = parent(entry)) {
      seen.add(entry);
      way.push(entry);
    }
    return way;
  };
  for (const end of ends.sort((a, b) => b.index - a.index)) {
    const branch = wayUp(end);
    const newest = branch.findIndex(({ isMessage }) => isMessage);
    if (newest < 0) continue;
    seen.clear();
    const way = wayUp(branch[newest]);
    return { chain: way.reverse(), root: way[0], behind: branch[newest - 1] };
  }
  return { chain: [], root: undefined };
}

/** With the other pieces of its replies, and their results: parallel calls are off the chain. */
function whole(chain: readonly Entry[], { entries }: Pick<File, 'entries'>): Entry[] {
  const on = new Set(chain);
  const replies = new Set(chain.flatMap(({ reply }) => (reply === undefined ? [] : [reply])));
  const pieces = new Set(entries.filter(({ reply }) => reply !== undefined && replies.has(reply)));
  const ids = new Set([...pieces].map(({ id }) => id));
  const calls = new Set([...pieces].flatMap((piece) => piece.calls));
  const belongs = ({ parent, results }: Entry) =>
    results.length > 0 && parent !== undefined && (ids.has(parent) || results.some((result) => calls.has(result)));
  return [...chain, ...entries.filter((entry) => !on.has(entry) && (pieces.has(entry) || belongs(entry)))];
}

/** What keeps the chain from the records before it, or results from their calls on it. */
function looseEnds({ chain, root, behind }: Way, file: File): readonly Fault[] {
  const boundary = file.entries.findLast((entry) => entry.boundary !== undefined && entry.isMain);
  const nowhere = boundary && boundaryFault(boundary, file);
  if (nowhere !== undefined) return [nowhere];
  const isTorn = root?.parent !== undefined && !file.byId.has(root.parent) && !isTrue(root.node, 'isCompactSummary');
  if (isTorn && root.isMain) return orphaned(root, file.byId, file.links);
  return firstFound(
    () => strayCalls(chain, file),
    () => strayResults(behind === undefined ? chain : [...chain, behind], file),
  );
}

/** Calls beside others of a reply: where one lacks its id, they are not loaded. Only a reply goes on without a user. */
function strayCalls(chain: readonly Entry[], { entries, byId, parentOf, links }: File): Fault[] {
  const loaded = new Set(whole(chain, { entries }));
  const parent = (entry: Entry) => namedIn(byId, parentOf.get(entry));
  const placeOf = placesOn(chain, parent);
  const known = new Set<string | number>(); // replies that are loaded when this is mended, and places that are taken
  return entries.flatMap((entry): Fault[] => {
    const before = parent(entry);
    const isOff = entry.calls.length > 0 && !loaded.has(entry);
    if (!isOff || before?.type !== 'assistant' || before.isSide !== entry.isSide || !loaded.has(before)) return [];
    const place = placeOf(before);
    const next = place === undefined ? undefined : chain[place + 1];
    if (next === undefined || known.has(place!) || known.has(entry.reply ?? '')) return [];
    known.add(place!);
    if (entry.reply) known.add(entry.reply);
    const text = `the call ${entry.calls[0]} is not on the way to the root, as that beside it is`;
    const mend = new Map([[next.line, [links.withParent(next, entry.id)]]]);
    return [{ rule: 'result-off-way', line: entry.line, text, mend }];
  });
}

/** The place on a chain from which a record branches off, if it does. */
function placesOn(chain: readonly Entry[], parent: (entry: Entry) => Entry | undefined) {
  const places = new Map<Entry, number | undefined>(chain.map((entry, place) => [entry, place]));
  return (entry: Entry) => {
    const way: Entry[] = [];
    let at: Entry | undefined = entry;
    for (; at !== undefined && !places.has(at); at = parent(at)) {
      places.set(at, undefined); // it may be a circle
      way.push(at);
    }
    const place = at && places.get(at);
    for (const each of way) places.set(each, place);
    return place;
  };
}

/** Results of calls on the chain that are not loaded with them: the next request would answer the call with nothing. */
function strayResults(chain: readonly Entry[], file: File): Fault[] {
  const loaded = new Set(whole(chain, file));
  const answered = new Set([...loaded].flatMap(({ results }) => results));
  const places = new Map(chain.flatMap(({ calls }, place) => calls.map((call) => [call, place] as const)));
  const taken = new Set<number>();
  return file.entries.flatMap((entry): Fault[] => {
    const open = entry.results.find((result) => places.has(result) && !answered.has(result));
    const place = places.get(open ?? '');
    if (place === undefined || taken.has(place) || loaded.has(entry) || entry.isSide !== chain[place]!.isSide)
      return [];
    taken.add(place);
    for (const result of entry.results) answered.add(result);
    const [caller, next] = [chain[place]!, chain[place + 1]];
    const mend = new Map([[entry.line, [file.links.withParent(entry, caller.id)]]]);
    if (next !== undefined) mend.set(next.line, [file.links.withParent(next, entry.id)]);
    const text = `the result of ${open}, a call in line ${caller.line.at}, is not on the way to the root`;
    return [{ rule: 'result-off-way', line: entry.line, text, mend }];
  });
}
