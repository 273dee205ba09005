/**
 * Steps over conversations that go on: agents send their whole history with each request. What a step made of its
 * beginning is not made again where the step can say so.
 */
import { isOpen, pair } from '../transcript/pairs.js';
import type { Message, Transcript } from '../transcript/types.js';
import { type ApplyStep, applyStep, type Step } from './pipeline.js';
import type { Counts, Longer } from './transform.js';

/** What a step made of a conversation so far. */
interface Made {
  readonly before: Transcript;
  readonly after: Transcript;
  isClosed?: boolean;
  memory?: Longer['memory'];
}

/** For one policy. Conversations are known by their first message, which is read once. */
export function resuming(): (transcript: Transcript) => ApplyStep {
  const conversations = new WeakMap<Message, Made[]>();
  return ({ messages: [first] }) => {
    if (first === undefined) return applyStep;
    const known = conversations.get(first) ?? [];
    conversations.set(first, known);
    return (step, now, counts, index) => {
      const last = known[index];
      delete known[index]; // an error may leave what the step kept half changed
      const made = (last && resumed(step, now, last, counts)) ?? { before: now, after: applyStep(step, now, counts) };
      known[index] = made;
      return made.after;
    };
  };
}

function resumed(step: Step, now: Transcript, last: Made, counts: Counts): Made | undefined {
  const { resume } = step.transform;
  const { before, after, memory = {} } = last;
  if (resume === undefined || !continues(now, before)) return undefined;
  const added = now.messages.slice(before.messages.length);
  if (!(last.isClosed ?? isClosed(before.messages)) || !isClosed(added)) return undefined;
  const apply = (transcript: Transcript) => applyStep(step, transcript, counts);
  const longer = resume({ now, added, before, after, apply, memory }, step.values);
  return longer && { before: now, after: longer, isClosed: true, memory };
}

function continues(now: Transcript, before: Transcript): boolean {
  if (now.model !== before.model || now.traits !== before.traits) return false;
  const { length } = before.messages;
  for (let at = 0; at < length; at++) if (now.messages[at] !== before.messages[at]) return false;
  return now.messages[length]?.group === undefined; // it may be a piece of the message before it
}

/** Whether each call has its results right behind it, and each result its call. */
function isClosed(messages: readonly Message[]): boolean {
  const { calls, results } = pair(messages);
  return !calls.some(isOpen) && results.every(({ standing }) => standing === 'in place');
}
