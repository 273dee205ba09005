/** Counts that know what an agent sends beside messages: no step edits it, and `fit` has to leave room for it. */
import { attachedIn, hasAttachments } from '../../formats/attachments.js';
import type { Transcript } from '../../transcript/types.js';
import type { Counts } from '../../transforms/transform.js';
import type { Counting } from './counting.js';

/** It is counted when a step asks for it. */
export function withAttached(counting: Counting, transcript: Transcript): Counts {
  if (!hasAttachments(transcript.format)) return counting;
  let tokens: number | undefined;
  return {
    ...counting,
    get beside() {
      tokens ??= tokensBeside(transcript, counting);
      return tokens;
    },
  };
}

/** What an agent may send, and may not, does not count. */
function tokensBeside(transcript: Transcript, { text: count }: Counting): number {
  let sum = 0;
  for (const { texts, isKnown } of attachedIn(transcript).values())
    if (isKnown) for (const text of texts) sum += count(text);
  return sum;
}
