/**
 * What pi loads of a session: the records on the way from the last one to the root; of what is before a compaction on
 * it, those from `firstKeptEntryId` on. As the SessionManager of @mariozechner/pi-coding-agent 0.73.1 does it
 * (2026-11-26); a chain without an end keeps it from starting.
 */
import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import {
  type Fault,
  firstFound,
  freshLine,
  type Line,
  type Loaded,
  lineWith,
  type Resume,
  tornLines,
} from '../resume.js';
import { chainIn, circles, copies, type Linked, type Links, linksBy, orphaned, sameIds } from '../shared/chains.js';
import { hashId } from '../shared/derived-ids.js';

interface Entry extends Linked {
  readonly node: JsonNode;
  readonly type: string;
}

export default {
  agent: 'pi',
  claims: (line) =>
    isHeader(line) || (line.get('parentId') !== undefined && line.get('message')?.get('api')?.isString === true),
  load(lines, name): Loaded {
    const own = lines.filter(({ node }) => node?.isObject && !isHeader(node));
    const isLinked = own.some(({ node }) => node!.get('parentId') !== undefined);
    const entries = isLinked ? own.filter(({ node }) => node!.get('id')?.isString).map(entryOf) : own.map(earlyEntry);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const links: Links<Entry> = {
      ...linksBy({ id: 'id', parent: 'parentId' }, entries, byId),
      newId: (id, at) => hashId(`${id} ${at}`).slice(0, id.length),
    };
    const chain = chainIn(entries, byId);
    const headless = headerless(lines, name);
    const faults = firstFound(
      () => tornLines(lines),
      () => headless,
      () => (isLinked ? sameIds(entries, byId, links) : copies(entries)),
      () => circles(entries, byId, links),
      () => (isLinked ? looseEnds(chain, byId, links) : []),
    );
    return { messages: headless.length > 0 ? 0 : sent(chain).length, faults };
  },
} satisfies Resume;

function isHeader(line: JsonNode): boolean {
  return typeOf(line) === 'session' && line.get('id')?.isString === true && line.get('cwd')?.isString === true;
}

function entryOf(line: Line, index: number): Entry {
  const node = line.node!;
  const parent = node.get('parentId')?.string || undefined;
  return { line, node, index, type: typeOf(node), id: node.get('id')!.string!, parent, isMain: true };
}

/** Before version 2, records have no links: pi makes them, and counts the header. */
function earlyEntry(line: Line, index: number): Entry {
  const [id, parent] = [`#${index + 1}`, index === 0 ? undefined : `#${index}`];
  return { line, node: line.node!, index, type: typeOf(line.node!), id, parent, isMain: true };
}

const typeOf = (node: JsonNode) => node.get('type')?.string ?? '';
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/** A file that does not begin with its header is emptied when pi opens it. */
function headerless(lines: readonly Line[], name: string): Fault[] {
  const first = lines.find(({ node }) => node !== undefined);
  if (first === undefined || isHeader(first.node!)) return [];
  const id = UUID.exec(name)?.[0] ?? hashId(name);
  const folder = /--([^/\\]+)--[/\\][^/\\]+$/.exec(name)?.[1] ?? '';
  const timestamp = first.node!.get('timestamp')?.string ?? '1970-01-01T00:00:00.000Z';
  const cwd = `/${folder.replaceAll('-', '/')}`;
  const header = freshLine(first, { type: 'session', version: 3, id, timestamp, cwd });
  const text = 'the file does not begin with the line that says which session this is: pi empties it when it opens it';
  return [{ rule: 'header-missing', line: first, text, mend: new Map([[first, [header, first]]]) }];
}

const SENT = new Set(['message', 'custom_message', 'branch_summary']);

function sent(chain: readonly Entry[]): Entry[] {
  const compacted = chain.findLastIndex(({ type }) => type === 'compaction');
  const kept = chain.findIndex(({ id }) => id === keptFrom(chain[compacted]));
  const isSent = (index: number) => compacted < 0 || index > compacted || (kept >= 0 && index >= kept);
  return chain.filter(({ type }, index) => index === compacted || (SENT.has(type) && isSent(index)));
}

function keptFrom(entry: Entry | undefined): string | undefined {
  const index = entry?.node.get('firstKeptEntryIndex')?.number;
  return index === undefined ? entry?.node.get('firstKeptEntryId')?.string : `#${index}`;
}

/** A compaction is looked at once the way to it is whole: what it keeps can be before a record that was lost. */
function looseEnds(chain: readonly Entry[], byId: ReadonlyMap<string, Entry>, links: Links<Entry>): readonly Fault[] {
  const root = chain[0];
  return firstFound(
    () => (root?.parent === undefined || byId.has(root.parent) ? [] : orphaned(root, byId, links)),
    () => compactedNowhere(chain, byId),
  );
}

function compactedNowhere(chain: readonly Entry[], byId: ReadonlyMap<string, Entry>): Fault[] {
  const compaction = chain.findLast(({ type }) => type === 'compaction');
  const from = keptFrom(compaction);
  if (compaction?.parent === undefined || !byId.has(compaction.parent)) return [];
  if (from === undefined || chain.some(({ id }) => id === from)) return [];
  const { line, node } = compaction;
  const mended = lineWith(line, patch(node, { firstKeptEntryId: compaction.parent }));
  const text = `this compaction keeps what follows on ${from}, which is not on the way to it: nothing is kept`;
  return [{ rule: 'compaction-nowhere', line, text, mend: new Map([[line, [mended]]]) }];
}
