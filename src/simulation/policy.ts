/** A policy at work: the context of each request, as an agent that trims before it asks would have sent it. */
import { originOf } from '../transcript/compare.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { applySteps, type Step } from '../transforms/pipeline.js';
import type { Counts, CountTokens } from '../transforms/transform.js';
import type { RequestSite } from './requests.js';

export interface Policy {
  readonly steps: readonly Step[];
  /** `history`: the current run, from the last user message on, is left alone. */
  readonly scope: 'history' | 'all';
  /** Whether the agent goes on from what is left, as one that clears its memory does; else the whole history is trimmed anew each time. */
  readonly carries: boolean;
}

/** The messages that each request sends, in order. The same message is the same object in all of them. */
export function* contextsOf(
  transcript: Transcript,
  requests: readonly RequestSite[],
  { steps, scope, carries }: Policy,
  counts: Counts,
): Generator<readonly Message[], void, void> {
  const { messages } = transcript;
  const sameAs = createMemory(messages);
  const countOnce: Counts = { ...counts, text: remembered(counts.text) };
  const runners = steps.map((step) => (step.transform.perMessage === true ? onceEach(step) : step));
  let kept: readonly Message[] = []; // what is left of the history up to `end`
  let end = -1;
  let thread = -1;
  for (const request of requests) {
    const isNew = request.thread !== thread;
    const cut = scope === 'history' ? request.run : request.message;
    if (isNew || cut !== end) {
      const from = isNew || !carries ? request.start : end;
      const before = isNew || !carries ? [] : kept;
      const history = [...before, ...messages.slice(from, cut)];
      kept =
        steps.length === 0
          ? history
          : applySteps({ ...transcript, messages: history }, runners, countOnce).messages.map(sameAs);
      end = cut;
      thread = request.thread;
    }
    yield [...kept, ...messages.slice(cut, request.message)].filter(({ role }) => role !== 'record');
  }
}

/** A step that changes each message by itself gets those back that it changed before: it leaves its own output alone. */
function onceEach({ transform, values }: Step): Step {
  const done = new WeakMap<Message, Message>();
  return {
    values,
    transform: {
      ...transform,
      apply(transcript, options, count) {
        const { messages } = transcript;
        const after = transform.apply(
          { ...transcript, messages: messages.map((message) => done.get(message) ?? message) },
          options,
          count,
        );
        messages.forEach((message, index) => {
          done.set(message, after.messages[index]!);
        });
        return after;
      },
    },
  };
}

/** Texts are counted once, however often a step asks. */
function remembered(count: CountTokens): CountTokens {
  const known = new Map<string, number>();
  return (text) => {
    let tokens = known.get(text);
    if (tokens === undefined) {
      tokens = count(text);
      known.set(text, tokens);
    }
    return tokens;
  };
}

/** A step makes its changed messages anew each time: those that say the same are one, so that they are counted and cached once. */
function createMemory(messages: readonly Message[]): (message: Message) => Message {
  const own = new Set(messages);
  const made = new Map<unknown, Message[]>();
  return (message) => {
    if (own.has(message)) return message;
    const key = originOf(message);
    const known = made.get(key) ?? [];
    const same = known.find((other) => isSame(message, other));
    if (same !== undefined) return same;
    made.set(key, [...known, message]);
    return message;
  };
}

function isSame(a: Message, b: Message): boolean {
  return (
    a === b ||
    (a.role === b.role &&
      a.parts.length === b.parts.length &&
      a.parts.every((part, index) => isSamePart(part, b.parts[index]!)))
  );
}

function isSamePart(a: Part, b: Part): boolean {
  if (a === b) return true;
  if (a.type === 'call')
    return b.type === 'call' && a.callId === b.callId && a.tool === b.tool && textOf(a.input) === textOf(b.input);
  if (a.type === 'result')
    return (
      b.type === 'result' &&
      a.callId === b.callId &&
      a.content.length === b.content.length &&
      joinTexts(a.content) === joinTexts(b.content)
    );
  if (a.type === 'text' || a.type === 'thinking') return b.type === a.type && textOf(a.text) === textOf(b.text);
  return a.raw !== undefined && a.raw === b.raw;
}
