/**
 * What pi loads of a session: the records on the way from the last one to the root; of what is before a compaction on
 * it, those from `firstKeptEntryId` on. As the SessionManager of @mariozechner/pi-coding-agent 0.73.1 does it
 * (2026-11-26); a chain without an end keeps it from starting.
 */
import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fault, firstFound, type Line, lineWith, type Loaded, type Resume, tornLines } from '../resume.js';
import { circles, isAbove, type Linked, type Links, orphaned, sameIds } from '../shared/chains.js';
import { hashId } from '../shared/derived-ids.js';

interface Entry extends Linked {
  readonly node: JsonNode;
  readonly type: string;
}

/** Before version 2, records have no links: pi makes them when it loads the file. */
const LINKED_SINCE = 2;

export default {
  agent: 'pi',
  claims: (line) => isHeader(line) && (line.get('version')?.number ?? 0) >= LINKED_SINCE,
  load(lines): Loaded {
    const entries = lines.filter(({ node }) => node?.get('id')?.isString && !isHeader(node)).map(entryOf);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const links = linksOf(entries, byId);
    const chain = chainIn(entries, byId);
    const faults = firstFound(
      () => tornLines(lines),
      () => sameIds(entries, byId, links),
      () => circles(entries, byId, links),
      () => looseEnds(chain, byId, links),
    );
    return { messages: sent(chain).length, faults };
  },
} satisfies Resume;

function isHeader(line: JsonNode): boolean {
  return line.get('type')?.string === 'session' && line.get('id')?.isString === true;
}

function entryOf(line: Line, index: number): Entry {
  const node = line.node!;
  const parent = node.get('parentId')?.string || undefined;
  const type = node.get('type')?.string ?? '';
  return { line, node, index, type, id: node.get('id')!.string!, parent, isMain: true };
}

function linksOf(entries: readonly Entry[], byId: ReadonlyMap<string, Entry>): Links<Entry> {
  return {
    before: (entry) => entries.slice(0, entry.index).findLast((other) => !isAbove(entry, other, byId)),
    withParent: ({ line, node }, parent) => lineWith(line, patch(node, { parentId: parent ?? null })),
    withId: ({ line, node }, id) => lineWith(line, patch(node, { id })),
    newId: (id, at) => hashId(`${id} ${at}`).slice(0, id.length),
  };
}

function chainIn(entries: readonly Entry[], byId: ReadonlyMap<string, Entry>): Entry[] {
  const chain = new Set<Entry>();
  for (let at = entries.at(-1); at !== undefined && !chain.has(at); at = byId.get(at.parent ?? '')) chain.add(at);
  return [...chain].reverse();
}

const SENT = new Set(['message', 'custom_message', 'branch_summary']);

function sent(chain: readonly Entry[]): Entry[] {
  const compacted = chain.findLastIndex(({ type }) => type === 'compaction');
  const kept = chain.findIndex(({ id }) => id === keptFrom(chain[compacted]));
  const isSent = (index: number) => compacted < 0 || index > compacted || (kept >= 0 && index >= kept);
  return chain.filter(({ type }, index) => index === compacted || (SENT.has(type) && isSent(index)));
}

function keptFrom(entry: Entry | undefined): string | undefined {
  return entry?.node.get('firstKeptEntryId')?.string;
}

function looseEnds(chain: readonly Entry[], byId: ReadonlyMap<string, Entry>, links: Links<Entry>): Fault[] {
  const compaction = chain.findLast(({ type }) => type === 'compaction');
  const from = keptFrom(compaction);
  if (compaction !== undefined && from !== undefined && !chain.some(({ id }) => id === from)) {
    const { line, node } = compaction;
    const mended = lineWith(line, patch(node, { firstKeptEntryId: compaction.parent ?? compaction.id }));
    const text = `this compaction keeps what follows on ${from}, which is not on the way to it: nothing is kept`;
    if (compaction.parent !== undefined && byId.has(compaction.parent))
      return [{ rule: 'compaction-nowhere', line, text, mend: new Map([[line, [mended]]]) }];
  }
  const root = chain[0];
  return root?.parent === undefined || byId.has(root.parent) ? [] : orphaned(root, links);
}
