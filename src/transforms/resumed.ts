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
  readonly memory: Longer['memory'];
}

/** For one policy. Conversations are known by their first messages; some have the same system prompt. */
export function resuming(): (transcript: Transcript) => ApplyStep {
  const conversations = new WeakMap<Message, (Made | undefined)[]>();
  return ({ messages }) => {
    const first = messages.slice(0, FIRST_MESSAGES);
    if (first.length === 0) return applyStep;
    const earlier = first.map((message) => conversations.get(message));
    const known = earlier.at(-1) ?? [...(earlier.findLast(Boolean) ?? [])];
    for (const message of first) conversations.set(message, known);
    return (step, now, counts, index) => {
      const last = known[index];
      known[index] = undefined; // an error may leave what the step keeps half changed
      const made = (last && longer(step, now, last, counts)) ?? longer(step, now, nothingOf(now), counts);
      known[index] = made;
      return made?.after ?? applyStep(step, now, counts);
    };
  };
}

const FIRST_MESSAGES = 3;

/** Before anything was said. */
function nothingOf(now: Transcript): Made {
  const nothing = { ...now, messages: [] };
  return { before: nothing, after: nothing, memory: {} };
}

/** Only of transcripts whose calls all have their results. */
function longer(step: Step, now: Transcript, { before, after, memory }: Made, counts: Counts): Made | undefined {
  const { resume } = step.transform;
  if (resume === undefined || !continues(now, before)) return undefined;
  const { length } = before.messages;
  const added = length === 0 ? now.messages : now.messages.slice(length);
  if (isOneReply(before.messages, added) || !isClosed(added)) return undefined;
  const apply = (transcript: Transcript) => applyStep(step, transcript, counts);
  const made = resume({ now, added, before, after, apply, memory }, step.values);
  return made && { before: now, after: made, memory };
}

function continues(now: Transcript, { model, traits, messages }: Transcript): boolean {
  if (now.model !== model || now.traits !== traits) return false;
  const { length } = messages;
  for (let at = 0; at < length; at++) if (now.messages[at] !== messages[at]) return false;
  return true;
}

/** Whether a reply goes on: what was added may be a piece of the message before it. */
function isOneReply(before: readonly Message[], added: readonly Message[]): boolean {
  const isOwn = ({ role }: Message) => role !== 'meta';
  return before.findLast(isOwn)?.role === 'assistant' && added.find(isOwn)?.role === 'assistant';
}

/** Whether each call has its results right behind it, and each result its call. */
function isClosed(messages: readonly Message[]): boolean {
  const { calls, results } = pair(messages);
  return !calls.some(isOpen) && results.every(({ standing }) => standing === 'in place');
}
