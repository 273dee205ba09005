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
 * Returns a test whether a call is answered once adjacent model messages are joined. A call that only model messages
 * follow counts as answered until the history is sent.
 */
export function answeredInTurnIn(messages: readonly Message[], asRequest: boolean): (call: CallSite) => boolean {
  const flagged = messages.map(hasSidechainFlag);
  const isMeta = (at: number) => messages[at]!.role === 'meta';
  const inMain = turnsIn(messages, (at) => isMeta(at) || flagged[at]!);
  const inSidechains = turnsIn(messages, isMeta);
  return ({ message: home, results }) => {
    if (results.length === 0 && asRequest) return false;
    const { endOfReply, endOfResults, isSkipped } = flagged[home] ? inSidechains : inMain;
    const start = endOfReply[home + 1]!;
    if (start === messages.length) return results.length === 0;
    return results.some(({ message: at }) => at >= start && at < endOfResults[start]! && !isSkipped(at));
  };
}

/** By message: where the model's messages that begin there end, and where the results that begin there do. */
function turnsIn(messages: readonly Message[], isSkipped: (at: number) => boolean) {
  const endOfReply = Array<number>(messages.length + 1).fill(messages.length);
  const endOfResults = [...endOfReply];
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role } = messages[at]!;
    endOfReply[at] = role === 'assistant' || isSkipped(at) ? endOfReply[at + 1]! : at;
    endOfResults[at] = role === 'tool' || isSkipped(at) ? endOfResults[at + 1]! : at;
  }
  return { endOfReply, endOfResults, isSkipped };
}

/** Agents log the conversation of a subagent between the lines of its call. It is another conversation. */
function hasSidechainFlag({ raw }: Message): boolean {
  return raw instanceof JsonNode && raw.get('isSidechain')?.boolean === true;
}
