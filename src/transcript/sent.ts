/** What a request still sends of the messages before it: a summary stands in place of those that were compacted. */
import type { Message, Transcript } from './types.js';

/** The transcript as the next request has it; the same object if nothing was compacted. */
export function withoutCompacted(transcript: Transcript): Transcript {
  const { messages } = transcript;
  if (messages.every(({ keeps }) => keeps === undefined)) return transcript;
  let sent: Message[] = [];
  for (const message of messages) {
    if (message.keeps !== undefined) sent = [...message.keeps(sent)];
    sent.push(message);
  }
  return { ...transcript, messages: sent };
}

/** By place, also that after the last message: the tokens before it that a request there still sends. */
export function sumsSent(messages: readonly Message[], tokens: readonly number[]): number[] {
  const sums = [0];
  if (messages.every(({ keeps }) => keeps === undefined)) {
    for (let at = 0; at < messages.length; at++) sums.push(sums[at]! + tokens[at]!);
    return sums;
  }
  const tokensOf = new Map(messages.map((message, at) => [message, tokens[at]!]));
  let sent: Message[] = [];
  for (const [at, message] of messages.entries()) {
    let before = sums[at]!;
    if (message.keeps !== undefined) {
      sent = [...message.keeps(sent)];
      before = sent.reduce((sum, earlier) => sum + tokensOf.get(earlier)!, 0);
    }
    sent.push(message);
    sums.push(before + tokens[at]!);
  }
  return sums;
}
