/** What changed between the prompts of two requests, in logs that hold the whole prompt of each. */
import { textOf } from '../../transcript/text.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { readable } from './differences.js';
import { hash } from './request-keys.js';

/** A prompt as short keys: equal keys stand for equal texts. */
export interface Prompt {
  readonly tools: string | undefined;
  readonly system: string;
  /** The messages after the system prompt. */
  readonly messages: readonly { readonly index: number; readonly key: string }[];
}

export interface PromptChange {
  readonly cause: 'tools' | 'system' | 'rewritten';
  /** The index of the first message that is not as before. */
  readonly changed?: number;
}

/** The prompt of the request whose reply is at `reply`, or comes after all messages. */
export function promptOf({ messages, tools }: Transcript, reply: number): Prompt {
  const before = messages.slice(0, contextEnd(messages, reply));
  const sent = before.flatMap((message, index) =>
    message.role === 'meta' || message.role === 'system' ? [] : [{ index, key: keyOf(message) }],
  );
  return {
    tools: tools === undefined ? undefined : hash(textOf(tools)),
    system: before
      .filter(({ role }) => role === 'system')
      .map(keyOf)
      .join(),
    messages: sent,
  };
}

/** What the later prompt changes of the earlier one; undefined if it only adds messages. */
export function changeBetween(earlier: Prompt, later: Prompt): PromptChange | undefined {
  if (earlier.tools !== later.tools) return { cause: 'tools' };
  if (earlier.system !== later.system) return { cause: 'system' };
  const at = earlier.messages.findIndex(({ key }, position) => key !== later.messages[position]?.key);
  if (at < 0) return undefined;
  const changed = later.messages[at]?.index;
  return changed === undefined ? { cause: 'rewritten' } : { cause: 'rewritten', changed };
}

/** The index after the last message of the context: pieces of the reply come right before `reply`. */
function contextEnd(messages: readonly Message[], reply: number): number {
  const isReply = ({ role }: Message) => role === 'assistant' || role === 'meta';
  let end = Math.min(reply, messages.length);
  while (end > 0 && isReply(messages[end - 1]!)) end--;
  return end;
}

function keyOf({ role, parts }: Message): string {
  return hash(`${role}\n${readable(parts)}`);
}
