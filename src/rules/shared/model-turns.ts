/** Messages of the model in a row: some providers take them as one turn, so a call's results may stand behind more of the model's own. */
import { JsonNode } from '../../json/node.js';
import type { CallSite, ResultSite } from '../../transcript/pairs.js';
import type { Message } from '../../transcript/types.js';

/** Tells whether nothing stands between a result and its call but more of the model's turn, and then results. */
export function standsBehindIn(messages: readonly Message[]): (result: ResultSite) => boolean {
  const starts: number[] = []; // where the model's turn begins that each message belongs to or follows, results apart; none behind other words
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

/** Whether a call is answered, as soon as neighbours are one message. One that nothing but the model's own follows is, until it is sent. */
export function isAnsweredInTurn(
  messages: readonly Message[],
  { message, results }: CallSite,
  asRequest: boolean,
): boolean {
  if (results.length === 0 && asRequest) return false;
  let isReply = true; // nothing but the model's own so far
  for (let index = message + 1; index < messages.length; index++) {
    const next = messages[index]!;
    if (next.role === 'meta' || isAside(next, messages[message]!)) continue;
    if (next.role === 'assistant' && isReply) continue;
    if (next.role !== 'tool') return false;
    isReply = false;
    if (results.some((result) => result.message === index)) return true;
  }
  return isReply && results.length === 0;
}

/** Logs of agents hold what their subagents said between the lines of the call that began them: it is another conversation. */
function isAside(message: Message, home: Message): boolean {
  return onSide(message) && !onSide(home);
}

function onSide({ raw }: Message): boolean {
  return raw instanceof JsonNode && raw.get('isSidechain')?.boolean === true;
}
