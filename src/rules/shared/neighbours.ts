/** Messages in a row: two as one, and messages that go without a trace, so that turns go on taking turns. */
import { JsonNode } from '../../json/node.js';
import { mapMessages, withMessages } from '../../transcript/edit.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, Transcript } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';

/** Whose turn a message is as the API has it: results are the user's where they stand in messages of his. */
export function sideOf(message: Message, { wire }: Pick<RuleContext, 'wire'>): string {
  return message.role === 'tool' && wire(message)?.get('role')?.string === 'user' ? 'user' : message.role;
}

/** Two messages as one, which stands where the first stood; undefined where something of the second would be lost. Results lead. */
export function joined(first: Message, second: Message, { wire }: Pick<RuleContext, 'wire'>): Message | undefined {
  if (first.name !== second.name || second.parts.some(isField)) return undefined;
  const takesParts = wire(first) !== undefined && wire(second) !== undefined;
  const [one, two] = [first.parts[0], second.parts[0]];
  const areTexts =
    first.parts.length === 1 && second.parts.length === 1 && one?.type === 'text' && two?.type === 'text';
  if (areTexts && !(takesParts && isBlock(one) && isBlock(two)))
    return { ...first, parts: [{ ...one, text: `${textOf(one.text)}\n\n${textOf(two.text)}` }] };
  if (!takesParts) return undefined;
  const parts = [...first.parts, ...second.parts.map(asBlock)];
  if (first.role === 'assistant' || !parts.some(isResult)) return { ...first, parts };
  return { ...first, role: 'tool', parts: [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))] };
}

function isResult({ type }: Part): boolean {
  return type === 'result';
}

/** A part that is a field of its message cannot go to another. */
function isField({ type, raw }: Part): boolean {
  return type !== 'text' && raw instanceof JsonNode && raw.isString;
}

function isBlock({ raw }: Part): boolean {
  return raw instanceof JsonNode && raw.isObject;
}

/** A text that was the whole content becomes a block among others. */
function asBlock(part: Part): Part {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString
    ? { type: 'text', text: part.text }
    : part;
}

/** The transcript with these messages joined to those before them, lines of a log that are none apart, where `mayJoin` and nothing is lost. */
export function withJoined(
  subject: RuleContext,
  joins: ReadonlySet<number>,
  mayJoin = (_: Message) => true,
): Transcript {
  const messages: Message[] = [];
  let last = -1; // where the message stands that another may join
  subject.transcript.messages.forEach((message, index) => {
    const home = joins.has(index) ? messages[last] : undefined;
    const one = home !== undefined && mayJoin(home) ? joined(home, message, subject) : undefined;
    if (one !== undefined) messages[last] = one;
    else if (messages.push(message) && message.role !== 'meta') last = messages.length - 1;
  });
  return withMessages(subject.transcript, messages);
}

/**
 * The transcript without these messages. Those that then are neighbours become one where they are of one side; not in other formats,
 * where each keeps its line of the log.
 */
export function withoutMessages(subject: RuleContext, gone: ReadonlySet<number>): Transcript {
  const { transcript } = subject;
  const left: Message[] = [];
  let isGap = false; // something between the last message that stays and this one went
  transcript.messages.forEach((message, index) => {
    if (gone.has(index)) {
      isGap = true;
      return;
    }
    const before = left.at(-1);
    const one =
      isGap && before !== undefined && areOneSide(before, message, subject)
        ? joined(before, message, subject)
        : undefined;
    if (one !== undefined) left[left.length - 1] = one;
    else left.push(message);
    if (message.role !== 'meta') isGap = false;
  });
  return withMessages(transcript, left);
}

function areOneSide(first: Message, second: Message, subject: RuleContext): boolean {
  const side = sideOf(first, subject);
  return (
    subject.wire(first) !== undefined && (side === 'user' || side === 'assistant') && side === sideOf(second, subject)
  );
}

/** The transcript without parts that say nothing, and without the messages that they were all of. */
export function withoutBlankParts(subject: RuleContext, problems: readonly Problem[]): Transcript {
  const gone = new Set(problems.flatMap(({ part }) => part ?? []));
  const emptied = new Set(
    subject.transcript.messages.flatMap(({ parts }, index) =>
      parts.length > 0 && parts.every((part) => gone.has(part)) ? [index] : [],
    ),
  );
  const rest = mapMessages(subject.transcript, (message, index) =>
    emptied.has(index) || !message.parts.some((part) => gone.has(part))
      ? message
      : { ...message, parts: message.parts.filter((part) => !gone.has(part)) },
  );
  return withoutMessages({ ...subject, transcript: rest }, emptied);
}
