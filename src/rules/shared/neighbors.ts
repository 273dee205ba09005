/** Adjacent messages: joining two into one, and removing messages so that roles still alternate. */
import { asBlock, isField } from '../../formats/shared/movable-parts.js';
import { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { mapMessages, resultsFirst, withMessages } from '../../transcript/edit.js';
import { isResult } from '../../transcript/pairs.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, TextPart, Transcript } from '../../transcript/types.js';
import type { Problem, RuleContext } from '../rule.js';

type Wire = Pick<RuleContext, 'wire'>;

/** The role that the API sees: results in a message of role `user` count as the user's. */
export function wireRole(message: Message, { wire }: Wire): string {
  return message.role === 'tool' && wire(message)?.get('role')?.string === 'user' ? 'user' : message.role;
}

/** A message and what is joined to it; put together at the end, so that a long run takes no longer than its parts. */
interface Run {
  whole: Message;
  /** What comes behind its parts; undefined: it has one part at most, or nothing was joined. */
  more?: Part[];
}

/** Joins a message to a run, if nothing of it would be lost. */
function joins(run: Run, second: Message, context: Wire): boolean {
  const { whole, more } = run;
  const texts = more === undefined ? soleTexts(whole, second, context) : undefined;
  if (texts !== undefined) {
    const [one, two] = texts;
    run.whole = { ...whole, parts: [{ ...one, text: `${textOf(one.text)}\n\n${textOf(two.text)}` }] };
    return true;
  }
  if (!haveMovableParts(whole, second) || !areOwn(whole, second, context)) return false;
  const hasResults = second.parts.some(isResult) || (more === undefined && whole.parts.some(isResult));
  if (hasResults && whole.role !== 'assistant') run.whole = { ...whole, role: 'tool' };
  const parts = second.parts.map(asBlock);
  if (more !== undefined) addAll(more, parts);
  else if (whole.parts.length + parts.length > 1) run.more = parts;
  else run.whole = { ...run.whole, parts: [...whole.parts, ...parts] };
  return true;
}

/** The run as one message, results first. */
function oneOf({ whole, more }: Run): Message {
  if (more === undefined) return whole;
  const parts = [...whole.parts, ...more];
  return { ...whole, parts: whole.role === 'tool' ? resultsFirst(parts) : parts };
}

/** Blocks can be moved only in the provider's own format; in other formats only two plain texts can be joined. */
function canJoin(first: Message, second: Message, context: Wire): boolean {
  if (!haveMovableParts(first, second)) return false;
  return areOwn(first, second, context) || soleTexts(first, second, context) !== undefined;
}

function areOwn(first: Message, second: Message, { wire }: Wire): boolean {
  return wire(first) !== undefined && wire(second) !== undefined;
}

/** The text of each message, where both consist of one text, and not of one block each in the provider's format. */
function soleTexts(first: Message, second: Message, context: Wire): readonly [TextPart, TextPart] | undefined {
  const [one, two] = [first.parts[0], second.parts[0]];
  if (first.parts.length !== 1 || second.parts.length !== 1 || !haveMovableParts(first, second)) return undefined;
  if (one?.type !== 'text' || two?.type !== 'text') return undefined;
  const areBlocks = areOwn(first, second, context) && isBlock(one) && isBlock(two);
  return areBlocks ? undefined : [one, two];
}

function haveMovableParts(first: Message, second: Message): boolean {
  return first.name === second.name && !second.parts.some(isField);
}

function isBlock({ raw }: Part): boolean {
  return raw instanceof JsonNode && raw.isObject;
}

type MayJoin = (previous: Message) => boolean;

/**
 * Joins each of these messages to the previous message, wherever `mayJoin` accepts that one and nothing is lost.
 * Log lines that are no messages do not count as previous.
 */
export function withJoined(
  context: RuleContext,
  joining: ReadonlySet<number>,
  mayJoin: MayJoin = () => true,
): Transcript {
  const runs: Run[] = [];
  let last: Run | undefined; // that of the previous message
  context.transcript.messages.forEach((message, index) => {
    if (last !== undefined && joining.has(index) && mayJoin(last.whole) && joins(last, message, context)) return;
    const run = { whole: message };
    runs.push(run);
    if (message.role !== 'meta') last = run;
  });
  return withMessages(context.transcript, runs.map(oneOf));
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
  const left: Run[] = [];
  let isGap = false; // a message was removed since the last one that stays
  transcript.messages.forEach((message, index) => {
    if (removed.has(index)) {
      isGap = true;
      return;
    }
    const previous = left.at(-1);
    const meets = isGap && previous !== undefined && haveSameRole(previous.whole, message, context);
    if (!meets || !joins(previous, message, context)) left.push({ whole: message });
    if (message.role !== 'meta') isGap = false;
  });
  return withMessages(transcript, left.map(oneOf));
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
