/** What a request still sends of the messages before it: a summary stands in place of those that it replaces. */
import type { Message, Transcript } from './types.js';

/** The transcript as the next request has it; the same object if nothing was replaced. */
export function withoutReplaced(transcript: Transcript): Transcript {
  const { messages } = transcript;
  if (messages.every(({ replaces }) => replaces === undefined)) return transcript;
  let sent: Message[] = [];
  for (const message of messages) {
    if (message.replaces !== undefined) sent = sent.filter((earlier) => !message.replaces!(earlier));
    sent.push(message);
  }
  return { ...transcript, messages: sent };
}

/** By place, also that after the last message: the tokens before it that a request there still sends. */
export function sumsSent(messages: readonly Message[], tokens: readonly number[]): number[] {
  const sums = [0];
  let sent: number[] = [];
  for (const [at, { replaces }] of messages.entries()) {
    let before = sums[at]!;
    if (replaces !== undefined) {
      sent = sent.filter((earlier) => !replaces(messages[earlier]!));
      before = sent.reduce((sum, earlier) => sum + tokens[earlier]!, 0);
    }
    sent.push(at);
    sums.push(before + tokens[at]!);
  }
  return sums;
}
