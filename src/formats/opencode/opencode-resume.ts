/**
 * What opencode goes on with of a session: from the newest compaction that was finished, with what it kept before it
 * (`tail_start_id`); else all messages. As `filterCompacted` of opencode-ai 1.18.33 does it (2026-11-26). Its storage
 * is read as what `opencode export` writes.
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fault, firstFound, type Line, type Loaded, lineWith, type Resume } from '../resume.js';
import { tornDocument } from '../shared/torn-document.js';

export default {
  agent: 'opencode',
  claims: (line) => line.get('info')?.get('projectID')?.isString === true && line.get('messages')?.isArray === true,
  claimsTorn: (head) => /^\s*\{\s*"info"\s*:\s*\{[^{}]*"projectID"\s*:/.test(head),
  load(lines): Loaded {
    const line = lines[0]!;
    const messages = line.node?.get('messages')?.items() ?? [];
    const faults = firstFound(
      () => (line.isDocument ? tornDocument(line, 'messages') : []),
      () => compactions(line, messages),
    );
    return { messages: loadedOf(messages), faults };
  },
} satisfies Resume;

const text = (message: JsonNode | undefined, key: string) => message?.get('info')?.get(key)?.string ?? '';
const idOf = (message: JsonNode | undefined) => text(message, 'id');

function compactionIn(message: JsonNode): JsonNode | undefined {
  return message
    .get('parts')
    ?.items()
    .find((part) => part.get('type')?.string === 'compaction');
}

/** The answer to a compaction that came to its end. */
function isSummary(message: JsonNode): boolean {
  const info = message.get('info');
  const error = info?.get('error');
  return (
    info?.get('summary')?.boolean === true && text(message, 'finish') !== '' && (error === undefined || error.isNull)
  );
}

function loadedOf(messages: readonly JsonNode[]): number {
  const done = new Set<string>();
  let first: string | undefined;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    const id = idOf(message);
    const compaction = first === undefined && done.has(id) ? compactionIn(message) : undefined;
    if (compaction !== undefined) first = compaction.get('tail_start_id')?.string || id;
    if (id === first) return messages.length - at;
    if (isSummary(message)) done.add(text(message, 'parentID'));
  }
  return messages.length;
}

/** The newest compaction, where it cannot be followed: opencode then sends all that was summarized, too. */
function compactions(line: Line, messages: readonly JsonNode[]): Fault[] {
  const ids = new Set(messages.map(idOf));
  const answer = messages.findLastIndex(isSummary);
  const parent = text(messages[answer], 'parentID');
  if (answer < 0) return [];
  const asked = messages.findLastIndex((message, at) => at < answer && compactionIn(message) !== undefined);
  if (!ids.has(parent)) {
    if (asked < 0) return [];
    const info = patch(messages[answer]!.get('info')!, { parentID: idOf(messages[asked]) });
    return [nowhere(line, messages, parent, answer, patch(messages[answer]!, { info }))];
  }
  const tail = asked < 0 ? undefined : compactionIn(messages[asked]!)!.get('tail_start_id')?.string;
  if (tail === undefined || ids.has(tail)) return [];
  const next = messages.slice(0, asked).find((message) => idOf(message) > tail); // ids rise with time
  const parts = messages[asked]!.get('parts')!;
  const mended = patchItems(
    parts,
    parts.items().map((part) => {
      const isCompaction = part.get('type')?.string === 'compaction';
      return isCompaction ? patch(part, { tail_start_id: next === undefined ? undefined : idOf(next) }) : part;
    }),
  );
  return [nowhere(line, messages, tail, asked, patch(messages[asked]!, { parts: mended }))];
}

function nowhere(line: Line, messages: readonly JsonNode[], id: string, at: number, mended: Json): Fault {
  const list = patchItems(
    line.node!.get('messages')!,
    messages.map((message, index) => (index === at ? mended : message)),
  );
  const why = `the compaction of message ${at + 1} goes on from ${id}, which is not there: opencode sends all that was`;
  const mend = new Map([[line, [lineWith(line, patch(line.node!, { messages: list }))]]]);
  return { rule: 'compaction-nowhere', line, text: `${why} summarized, too`, mend };
}
