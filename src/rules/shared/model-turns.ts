/** Consecutive model messages: some providers treat them as one turn, so results may come after several of them. */
import { JsonNode } from '../../json/node.js';
import type { CallSite, ResultSite } from '../../transcript/pairs.js';
import type { Message } from '../../transcript/types.js';

/** Returns a test whether only the rest of the model's turn, and other results, come between a result and its call. */
export function followsCallIn(messages: readonly Message[]): (result: ResultSite) => boolean {
  const starts: number[] = []; // by message: the start of the model turn that it is in, or whose results it is in
  let start = Number.POSITIVE_INFINITY;
  let before: Message | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant' && before?.role !== 'assistant') start = index;
    else if (message.role !== 'assistant' && message.role !== 'tool' && message.role !== 'meta')
      start = Number.POSITIVE_INFINITY;
    if (message.role !== 'meta') before = message;
    starts.push(start);
  }
  return ({ call, message }) =>
    call !== undefined && call.results.length === 1 && message > call.message && call.message >= starts[message]!;
}

/**
 * Whether a call is answered once adjacent model messages are joined. A call that only model messages follow counts as
 * answered until the history is sent.
 */
export function isAnsweredInTurn(
  messages: readonly Message[],
  { message, results }: CallSite,
  asRequest: boolean,
): boolean {
  if (results.length === 0 && asRequest) return false;
  let isReply = true; // only model messages so far
  for (let index = message + 1; index < messages.length; index++) {
    const next = messages[index]!;
    if (next.role === 'meta' || isSidechain(next, messages[message]!)) continue;
    if (next.role === 'assistant' && isReply) continue;
    if (next.role !== 'tool') return false;
    isReply = false;
    if (results.some((result) => result.message === index)) return true;
  }
  return isReply && results.length === 0;
}

/** Agents log the conversation of a subagent between the lines of its call. It is another conversation. */
function isSidechain(message: Message, home: Message): boolean {
  return hasSidechainFlag(message) && !hasSidechainFlag(home);
}

function hasSidechainFlag({ raw }: Message): boolean {
  return raw instanceof JsonNode && raw.get('isSidechain')?.boolean === true;
}
