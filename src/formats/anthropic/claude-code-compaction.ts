/** What Claude Code still sends after a compaction: see claude-code-boundary.ts for the record. */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';

/** Those that the boundary names, by their ids or by the first and the last of them; and all of other agents. */
export function keptAcross(boundary: JsonNode, sent: readonly Message[]): readonly Message[] {
  const data = boundary.get('compactMetadata');
  const ids = sent.map((message) => textIn(message, 'uuid'));
  const listed = new Set(
    data
      ?.get('preservedMessages')
      ?.get('uuids')
      ?.items()
      .map((id) => id.string),
  );
  const ends = data?.get('preservedSegment');
  const at = (key: string) => ids.indexOf(ends?.get(key)?.string ?? '');
  const [head, tail] = [at('headUuid'), at('tailUuid')];
  const isKept = (index: number) => listed.has(ids[index]) || (head >= 0 && head <= index && index <= tail);
  return sent.filter((message, index) => isKept(index) || isOfAgent(message));
}

function textIn({ raw }: Message, key: string): string | undefined {
  return raw instanceof JsonNode ? raw.get(key)?.string : undefined;
}

function isOfAgent({ raw }: Message): boolean {
  return raw instanceof JsonNode && raw.get('isSidechain')?.boolean === true;
}
