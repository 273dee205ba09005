/** Adjacent messages: joining two into one, and removing messages so that roles still alternate. */
import { JsonNode } from '../../json/node.js';
import { mapMessages, withMessages } from '../../transcript/edit.js';
import { isResult } from '../../transcript/pairs.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, TextPart, Transcript } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';

type Wire = Pick<RuleContext, 'wire'>;

/** The role that the API sees: results in a message of role `user` count as the user's. */
export function wireRole(message: Message, { wire }: Wire): string {
  return message.role === 'tool' && wire(message)?.get('role')?.string === 'user' ? 'user' : message.role;
}

/** Joins two messages at the position of the first; undefined where content of the second would be lost. */
export function joined(first: Message, second: Message, context: Wire): Message | undefined {
  const texts = soleTexts(first, second, context);
  if (texts !== undefined) {
    const [one, two] = texts;
    return { ...first, parts: [{ ...one, text: `${textOf(one.text)}\n\n${textOf(two.text)}` }] };
  }
  if (!canJoin(first, second, context)) return undefined;
  const parts = [...first.parts, ...second.parts.map(asBlock)];
  if (first.role === 'assistant' || !parts.some(isResult)) return { ...first, parts };
  return { ...first, role: 'tool', parts: [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))] };
}

/** Blocks can be moved only in the provider's own format; in other formats only two plain texts can be joined. */
function canJoin(first: Message, second: Message, context: Wire): boolean {
  if (!haveMovableParts(first, second)) return false;
  const areOwn = context.wire(first) !== undefined && context.wire(second) !== undefined;
  return areOwn || soleTexts(first, second, context) !== undefined;
}

/** The text of each message, where both consist of one text, and not of one block each in the provider's format. */
function soleTexts(first: Message, second: Message, { wire }: Wire): readonly [TextPart, TextPart] | undefined {
  const [one, two] = [first.parts[0], second.parts[0]];
  if (first.parts.length !== 1 || second.parts.length !== 1 || !haveMovableParts(first, second)) return undefined;
  if (one?.type !== 'text' || two?.type !== 'text') return undefined;
  const areBlocks = wire(first) !== undefined && wire(second) !== undefined && isBlock(one) && isBlock(two);
  return areBlocks ? undefined : [one, two];
}

function haveMovableParts(first: Message, second: Message): boolean {
  return first.name === second.name && !second.parts.some(isField);
}

/** A part that is a field of its message cannot move to another message. */
function isField({ type, raw }: Part): boolean {
  return type !== 'text' && raw instanceof JsonNode && raw.isString;
}

function isBlock({ raw }: Part): boolean {
  return raw instanceof JsonNode && raw.isObject;
}

/** A text that was the whole content becomes one block of several. */
function asBlock(part: Part): Part {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString
    ? { type: 'text', text: part.text }
    : part;
}

type MayJoin = (previous: Message) => boolean;

/**
 * Joins each of these messages to the previous message, wherever `mayJoin` accepts that one and nothing is lost.
 * Log lines that are no messages do not count as previous.
 */
export function withJoined(
  context: RuleContext,
  joins: ReadonlySet<number>,
  mayJoin: MayJoin = () => true,
): Transcript {
  const messages: Message[] = [];
  let last = -1; // index of the previous message in `messages`
  context.transcript.messages.forEach((message, index) => {
    const previous = joins.has(index) ? messages[last] : undefined;
    const one = previous !== undefined && mayJoin(previous) ? joined(previous, message, context) : undefined;
    if (one !== undefined) messages[last] = one;
    else if (messages.push(message) && message.role !== 'meta') last = messages.length - 1;
  });
  return withMessages(context.transcript, messages);
}

/** Whether `withJoined` can join the message at this index. */
export function joinsPrevious(context: RuleContext, index: number, mayJoin: MayJoin = () => true): boolean {
  const { messages } = context.transcript;
  let at = index - 1;
  while (messages[at]?.role === 'meta') at--;
  const previous = messages[at];
  return previous !== undefined && mayJoin(previous) && canJoin(previous, messages[index]!, context);
}

/**
 * Removes these messages. Messages of one role that become adjacent are joined in the provider's own format; in other
 * formats each keeps its log line.
 */
export function withoutMessages(context: RuleContext, removed: ReadonlySet<number>): Transcript {
  const { transcript } = context;
  const left: Message[] = [];
  let isGap = false; // a message was removed since the last one that stays
  transcript.messages.forEach((message, index) => {
    if (removed.has(index)) {
      isGap = true;
      return;
    }
    const previous = left.at(-1);
    const mayJoin = isGap && previous !== undefined && haveSameRole(previous, message, context);
    const one = mayJoin ? joined(previous, message, context) : undefined;
    if (one !== undefined) left[left.length - 1] = one;
    else left.push(message);
    if (message.role !== 'meta') isGap = false;
  });
  return withMessages(transcript, left);
}

function haveSameRole(first: Message, second: Message, context: RuleContext): boolean {
  const role = wireRole(first, context);
  return (
    context.wire(first) !== undefined && (role === 'user' || role === 'assistant') && role === wireRole(second, context)
  );
}

/** Removes the blank parts of these problems, and the messages that hold nothing else. */
export function withoutBlankParts(context: RuleContext, problems: readonly Problem[]): Transcript {
  const removed = new Set(problems.flatMap(({ part }) => part ?? []));
  const emptied = new Set(
    context.transcript.messages.flatMap(({ parts }, index) =>
      parts.length > 0 && parts.every((part) => removed.has(part)) ? [index] : [],
    ),
  );
  const rest = mapMessages(context.transcript, (message, index) =>
    emptied.has(index) || !message.parts.some((part) => removed.has(part))
      ? message
      : { ...message, parts: message.parts.filter((part) => !removed.has(part)) },
  );
  return withoutMessages({ ...context, transcript: rest }, emptied);
}
