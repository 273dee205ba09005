/** Where a row may end: after a reply, or after the results of all calls of a message. */
import type { RowCall, RowMessage } from './row.js';

/** Without leading prompts that are empty, and empty messages of the model. */
export function withoutEmpty(messages: readonly RowMessage[]): readonly RowMessage[] {
  const first = messages.findIndex(({ role, content }) => (role !== 'system' && role !== 'user') || !isBlank(content));
  const kept = first <= 0 ? messages : messages.slice(first);
  return kept.some(isEmptyReply) ? kept.filter((message) => !isEmptyReply(message)) : kept;
}

function isEmptyReply({ role, content, reasoning_content: reasoning, tool_calls: calls }: RowMessage): boolean {
  return role === 'assistant' && isBlank(content) && calls === null && isBlank(reasoning ?? '');
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Without what follows the last finished message of the model; calls and results go or stay together. */
export function withoutTail(messages: readonly RowMessage[], open: ReadonlySet<RowCall>): readonly RowMessage[] {
  const isFinished = ({ role, tool_calls: calls }: RowMessage) =>
    role === 'assistant' && calls?.some((call) => open.has(call)) !== true;
  const reply = messages.findLastIndex(isFinished);
  if (reply < 0) return [];
  const end = messages.findIndex(({ role }, index) => index > reply && role !== 'tool');
  return end < 0 ? messages : messages.slice(0, end);
}

/** The longest beginning of at most that many tokens that ends with a reply; undefined if there is none. */
export function cutToFit(
  messages: readonly RowMessage[],
  most: number,
  tokensOf: (message: RowMessage) => number,
): readonly RowMessage[] | undefined {
  let sum = 0;
  let end = 0;
  for (const [index, message] of messages.entries()) {
    sum += tokensOf(message);
    if (sum > most) break;
    if (message.role === 'assistant' && message.tool_calls === null) end = index + 1;
  }
  return end === 0 ? undefined : messages.slice(0, end);
}
