/**
 * Where Claude Code compacted a session. The record names messages from before it that go on behind the summary: the
 * first and last of them (`preservedSegment`), or each (`preservedMessages`).
 */
import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fault, lineWith } from '../resume.js';
import type { Boundary, Entry, File } from './claude-code-entries.js';

export function boundaryIn(node: JsonNode): Boundary | undefined {
  if (node.get('subtype')?.string !== 'compact_boundary') return undefined;
  const data = node.get('compactMetadata');
  const [each, ends] = [data?.get('preservedMessages'), data?.get('preservedSegment')];
  const text = (of: JsonNode | undefined, key: string) => of?.get(key)?.string ?? '';
  if (each?.isObject) {
    const ids =
      each
        .get('uuids')
        ?.items()
        .map((id) => id.string ?? '') ?? [];
    return { node: each, anchor: text(each, 'anchorUuid'), ids, head: ids[0] ?? '', tail: ids.at(-1) ?? '' };
  }
  if (!ends?.isObject) return undefined;
  const [head, tail] = [text(ends, 'headUuid'), text(ends, 'tailUuid')];
  return { node: ends, anchor: text(ends, 'anchorUuid'), ids: undefined, head, tail };
}

/** The parents of all records, as compactions change them. */
export function relinked(entries: readonly Entry[], byId: ReadonlyMap<string, Entry>) {
  const parents = new Map<Entry, string | undefined>();
  const children = new Map<string | undefined, Set<Entry>>();
  const childrenOf = (id: string | undefined) => {
    if (!children.has(id)) children.set(id, new Set());
    return children.get(id)!;
  };
  const link = (entry: Entry, parent: string | undefined) => {
    childrenOf(parents.get(entry)).delete(entry);
    parents.set(entry, parent);
    if (byId.get(entry.id) === entry) childrenOf(parent).add(entry);
  };
  for (const entry of entries) link(entry, entry.parent);
  for (const { boundary } of byId.values()) {
    if (boundary === undefined) continue;
    const { anchor, ids, head, tail } = boundary;
    if (ids !== undefined && (ids.length === 0 || ids.some((id) => !byId.has(id)))) continue;
    const followers = [...childrenOf(anchor)].filter(({ id }) => id !== head);
    for (const [at, id] of (ids ?? [head]).entries()) {
      const entry = byId.get(id);
      if (entry !== undefined) link(entry, at === 0 ? anchor : ids![at - 1]);
    }
    for (const entry of followers) link(entry, tail);
  }
  return parents;
}

/** A boundary that points nowhere loses what it kept, or all that is before it. */
export function boundaryFault(entry: Entry, file: File): Fault | undefined {
  const { byId } = file;
  const { node, anchor, ids, head, tail } = entry.boundary!;
  const lost = [anchor, ...(ids ?? [head, tail])].filter((id) => !byId.has(id));
  if (lost.length === 0) return undefined;
  const behind = byId.has(anchor) ? anchor : summaryAfter(entry, file).id;
  const before = file.entries.slice(0, entry.index).filter(({ isMain }) => isMain);
  const last = byId.has(tail) ? tail : (before.at(-1)?.id ?? entry.id);
  const ends = { headUuid: byId.has(head) ? head : last, anchorUuid: behind, tailUuid: last };
  const kept = ids === undefined ? ends : { anchorUuid: behind, uuids: found(ids, file, before) };
  const data = entry.node.get('compactMetadata')!;
  const key = ids === undefined ? 'preservedSegment' : 'preservedMessages';
  const mended = patch(entry.node, { compactMetadata: patch(data, { [key]: patch(node, kept) }) });
  const text = `this compaction goes on from ${lost[0]}, which is not in the file`;
  const mend = new Map([[entry.line, [lineWith(entry.line, mended)]]]);
  return { rule: 'compaction-nowhere', line: entry.line, text, mend };
}

function summaryAfter(entry: Entry, { entries }: File): Entry {
  return entries.find(({ index, parent }) => index > entry.index && parent === entry.id) ?? entry;
}

/** For an id that is not there, the message that stands between its neighbors, if there is one. */
function found(ids: readonly string[], { byId }: File, before: readonly Entry[]): string[] {
  return ids.flatMap((id, at) => {
    if (byId.has(id)) return [id];
    const next = byId.get(ids[at + 1] ?? '');
    const between = next === undefined ? before.find(({ parent }) => parent === ids[at - 1])?.id : next.parent;
    return between === undefined || ids.includes(between) || !byId.has(between) ? [] : [between];
  });
}
