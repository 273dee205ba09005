/** The steps of a policy in stages: which of them may go on from what they made of an earlier history. */
import { listIn } from '../../lists.js';
import { originOf } from '../../transcript/compare.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import type { Step } from '../../transforms/pipeline.js';

/** A history, and what each stage of a policy made of the one before it. */
export type Outputs = readonly (readonly Message[])[];

/** Steps that see what they made together of an earlier history, and what was added, if they go on. */
export interface Stage {
  readonly steps: readonly Step[];
  readonly goesOn: boolean;
}

export function stagesOf(steps: readonly Step[], thread: Transcript, carries: boolean): readonly Stage[] {
  const stages: Step[][] = [];
  for (const step of steps) {
    const isSingle = step.transform.perMessage === true;
    const open = stages.at(-1);
    const isOpen = open?.every(({ transform, values }) => transform.continuesBefore?.(values, thread));
    // one that changes messages one by one may hide what steps before it look for, such as the failure in a result
    if (isOpen && !isSingle) open!.push(step);
    else stages.push([isSingle ? cachedStep(step) : step]);
  }
  const continues = ({ transform, values }: Step) => transform.continues?.(values, thread) === true;
  return stages.map((stage) => ({ steps: stage, goesOn: !carries && stage.every(continues) }));
}

/** A history and what each stage makes of it. `before`: of an earlier request, from which stages go on if they can. */
export function applyStages(
  stages: readonly Stage[],
  history: readonly Message[],
  before: Outputs | undefined,
  apply: (messages: readonly Message[], steps: readonly Step[]) => readonly Message[],
): Outputs {
  const outputs = [history];
  for (const [at, { steps, goesOn }] of stages.entries()) {
    const input = outputs[at]!;
    const old = before?.[at];
    const known = goesOn && old !== undefined && sameStart(old, 0, input) === old.length;
    outputs.push(apply(known ? [...before![at + 1]!, ...input.slice(old.length)] : input, steps));
  }
  return outputs;
}

/** How many messages of a list, from an index on, are the same as the first ones of another. */
export function sameStart(list: readonly Message[], from: number, other: readonly Message[]): number {
  let same = 0;
  while (same < other.length && from + same < list.length && list[from + same] === other[same]) same++;
  return same;
}

/** Caches the output of a step that changes messages one by one; it does not change its own output. */
function cachedStep({ transform, values }: Step): Step {
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

/** Maps equal messages that a step creates again and again to one object, so that each is counted and cached once. */
export function createInterner(messages: readonly Message[]): (message: Message) => Message {
  const own = new Set(messages);
  const made = new Map<unknown, Map<string, Message[]>>(); // by origin and ids
  return (message) => {
    if (own.has(message)) return message;
    const key = originOf(message);
    const ofOrigin = made.get(key) ?? new Map<string, Message[]>();
    made.set(key, ofOrigin);
    const ids = idsIn(message);
    const known = listIn(ofOrigin, ids);
    const same = known.find((other) => isSame(message, other));
    if (same === undefined) known.push(message);
    return same ?? message;
  };
}

function idsIn({ parts }: Message): string {
  return parts.map((part) => (part.type === 'call' || part.type === 'result' ? part.callId : '')).join('\n');
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
