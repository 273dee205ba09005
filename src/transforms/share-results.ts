/** Joins results that a repair added or moved with the message that holds the other results. */
import { addAll } from '../lists.js';
import type { Message, Traits } from '../transcript/types.js';
import { isBare } from './alternate.js';

/**
 * For formats in which results share a message: adds added and moved results to it, after its results and before its
 * other parts. If there is no such message, they lead the next user message where the format allows that, or get a
 * message.
 */
export function shareResults(messages: readonly Message[], { resultsLeadText, rolesAlternate }: Traits): Message[] {
  const shared: Message[] = [];
  for (let i = 0; i < messages.length; i++) {
    const run = messages.slice(i, runEnd(messages, i));
    const isApart = rolesAlternate === true && run.length > 1 && run.slice(1).every(isBare);
    const isRun = isApart || run.some((message) => message.raw === undefined && message.role === 'tool');
    i += run.length - 1;
    if (!isRun) {
      addAll(shared, run);
      continue;
    }
    const next = messages[i + 1];
    const joins = resultsLeadText === true && next?.role === 'user' && run.every(({ raw }) => raw === undefined);
    if (joins) i++;
    const parts = [...run, ...(joins ? [next] : [])].flatMap((message) => message.parts);
    const target = joins ? next : (run.find(({ raw }) => raw !== undefined) ?? run[0]!);
    shared.push({
      ...target,
      role: 'tool',
      parts: [...parts.filter((part) => part.type === 'result'), ...parts.filter((part) => part.type !== 'result')],
    });
  }
  return shared;
}

/** The end (exclusive) of the run of results from `start`; `start + 1` if there is none. */
function runEnd(messages: readonly Message[], start: number): number {
  let end = start;
  while (messages[end]?.role === 'tool') end++;
  return Math.max(end, start + 1);
}
