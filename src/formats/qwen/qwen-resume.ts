/**
 * What Qwen Code loads of a session: the records on the way from the last one to the root, from the last compression
 * on. Records with the same id are pieces of one. As its SessionService does it (0.24.4, 2026-11-30); a chain without
 * an end stops where it comes round.
 */
import type { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import { type Fault, firstFound, type Line, type Loaded, type Resume, tornLines } from '../resume.js';
import { chainIn, circles, type Linked, type Links, linksBy, orphaned, sameIds } from '../shared/chains.js';
import { hashId } from '../shared/derived-ids.js';
import { historyIn, isOfConversation, SPOKEN } from './qwen-lines.js';

interface Entry extends Linked {
  readonly node: JsonNode;
}

const TYPES = commaSet('user, assistant, tool_result, system');

export default {
  agent: 'qwen-code',
  claims: (line) =>
    isEntry(line) && (line.get('message')?.get('parts')?.isArray === true || line.get('systemPayload') !== undefined),
  load(lines): Loaded {
    const entries = lines.filter(({ node }) => node?.isObject && isEntry(node)).map(entryOf);
    const byId = new Map(entries.toReversed().map((entry) => [entry.id, entry]));
    const links: Links<Entry> = {
      ...linksBy({ id: 'uuid', parent: 'parentUuid' }, entries, byId),
      newId: (id, at) => hashId(`${id} ${at}`),
      twice: 'the agent takes both for one record',
    };
    const chain = chainIn(entries, byId);
    const isPiece = (entry: Entry) => {
      const first = byId.get(entry.id)!;
      return entry !== first && entry.parent === first.parent && !entry.line.bytes.equals(first.line.bytes);
    };
    const faults = firstFound(
      () => torn(lines),
      () =>
        sameIds(
          entries.filter((entry) => !isPiece(entry)),
          byId,
          links,
        ),
      () => circles(entries, byId, links),
      () => (chain[0]?.parent === undefined ? [] : orphaned(chain[0], byId, links)),
    );
    return { messages: sentOf(chain), faults };
  },
} satisfies Resume;

/** Qwen Code reads whole records that stand on one line, and passes over a byte order mark. */
function torn(lines: readonly Line[]): readonly Fault[] {
  return tornLines(lines).flatMap((fault) => {
    const kept = fault.mend?.get(fault.line)?.length ?? 0;
    if (fault.cut !== undefined || kept === 0) return [fault];
    const text = 'two records stand on this line: the agent reads both, and most other programs neither';
    return kept === 1 ? [] : [{ ...fault, text }];
  });
}

function isEntry(node: JsonNode): boolean {
  const parent = node.get('parentUuid');
  const isNamed = Boolean(node.get('uuid')?.string) && Boolean(node.get('sessionId')?.string);
  const isLinked = parent?.isString === true || parent?.isNull === true;
  return isNamed && isLinked && TYPES.has(node.get('type')?.string ?? '') && isOfConversation(node);
}

function entryOf(line: Line, index: number): Entry {
  const node = line.node!;
  const parent = node.get('parentUuid')?.string || undefined;
  return { line, node, index, id: node.get('uuid')!.string!, parent, isMain: true };
}

/** The number of messages that it sends. */
function sentOf(chain: readonly Entry[]): number {
  const compressed = chain.findLastIndex(({ node }) => historyIn(node) !== undefined);
  const since = chain.slice(compressed + 1).filter(({ node }) => isSent(node)).length;
  return since + (historyIn(chain[compressed]?.node)?.items().length ?? 0);
}

function isSent(node: JsonNode): boolean {
  const isSystem = node.get('type')?.string === 'system';
  return !isSystem && node.get('message') !== undefined && node.get('subtype')?.string !== SPOKEN;
}
