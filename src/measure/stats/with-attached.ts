/** Counts that know what an agent sends beside messages: no step edits it, and limits of requests include it. */
import { attachedIn, hasAttachments } from '../../formats/attachments.js';
import type { Message, Transcript } from '../../transcript/types.js';
import type { Counts } from '../../transforms/transform.js';
import type { Counting } from './counting.js';

/** It is counted when a step asks for it. */
export function withAttached(counting: Counting, transcript: Transcript): Counts {
  if (!hasAttachments(transcript.format)) return counting;
  let tokens: ReadonlyMap<Message, number> | undefined;
  return {
    ...counting,
    attached(record) {
      tokens ??= tokensBeside(transcript, counting);
      return tokens.get(record) ?? 0;
    },
  };
}

/** By record. What an agent may send, and may not, does not count. */
function tokensBeside(transcript: Transcript, { text: count }: Counting): ReadonlyMap<Message, number> {
  const tokens = new Map<Message, number>();
  for (const [index, { texts, isKnown }] of attachedIn(transcript)) {
    if (!isKnown) continue;
    tokens.set(
      transcript.messages[index]!,
      texts.reduce((sum, text) => sum + count(text), 0),
    );
  }
  return tokens;
}
