import { withMessages } from '../transcript/edit.js';
import { isOpen, pair } from '../transcript/pairs.js';
import type { Message, Transcript } from '../transcript/types.js';
import { overheadTokens, requestTokens } from './request.js';
import { defineTransform } from './transform.js';

/**
 * Works like LangChain's `trim_messages` with `include_system` and `start_on: human`.
 * https://reference.langchain.com/python/langchain_core/messages
 */
export default defineTransform({
  id: 'fit',
  summary: 'keep within a token budget',
  description:
    'Drops the oldest exchanges (or the newest) until the transcript fits the budget as one request: its messages, ' +
    'its tool definitions and the overhead of a request, as stats counts them. An exchange is a user message with ' +
    'all that follows it up to the next user message; it is dropped as a whole. The system prompt stays. If even the ' +
    'last exchange does not fit, it alone is kept, with a warning (exit 1).',
  options: {
    maxTokens: {
      type: 'integer',
      least: 0,
      value: 'n',
      summary: 'the most tokens that the request may have (required)',
    },
    strategy: {
      type: 'choice',
      choices: ['last', 'first'],
      default: 'last',
      summary: 'which exchanges to keep: the last or the first',
    },
    keepFirstUser: { type: 'flag', summary: 'also keep the first user message: the task' },
    unit: {
      type: 'choice',
      choices: ['exchange', 'round'],
      default: 'exchange',
      summary:
        'round: also drop the oldest rounds of an exchange (a message of the model with the results of its calls), ' +
        'but keep its user message',
    },
    lowWater: {
      type: 'number',
      above: 0,
      most: 1,
      value: 'share',
      excludes: ['strategy=first'],
      summary:
        'once over the budget, cut down to this share of it, such as 0.7, and cut again only when the budget is ' +
        'exceeded again: a cut that moves with each request loses the prompt cache of the provider',
    },
  },
  needs: ['maxTokens'],
  countsTokens: () => true,
  isMonotone: ({ strategy }) => strategy === 'last',
  continues: ({ strategy, keepFirstUser }) => strategy === 'last' && keepFirstUser !== true,
  apply(transcript, options, counts) {
    const { messages } = transcript;
    const { maxTokens, strategy } = options;
    if (maxTokens === undefined || requestTokens(transcript, counts) <= maxTokens) return transcript;
    const head = messages.findIndex(({ role }) => role !== 'system' && role !== 'meta');
    const openings = openingsOf(messages);
    const task = options.keepFirstUser === true ? openings.slice(0, 1) : [];
    const reply = replyIn(transcript);
    let opened = -1; // the last opening up to the cut
    const candidates = cutsIn(messages, openings, options.unit)
      .filter((cut) => cut > head && (strategy === 'last' || task.every(({ end }) => end <= cut)))
      .map((cut): Kept => {
        if (strategy === 'first')
          return { start: head, end: cut, extra: reply === undefined || reply.start < cut ? [] : [reply] };
        while (opened + 1 < openings.length && openings[opened + 1]!.start <= cut) opened++;
        return { start: cut, end: messages.length, extra: openingsBefore(cut, task, openings[opened]) };
      });
    if (strategy === 'first') candidates.reverse(); // the longest first

    const sums = runningSums(messages.map((message) => counts.message(message)));
    const between = ({ start, end }: Span) => sums[end]! - sums[start]!;
    const room = maxTokens - overheadTokens(transcript, counts) - between({ start: 0, end: Math.max(0, head) });
    const sizeOf = (kept: Kept) => between(kept) + kept.extra.reduce((sum, span) => sum + between(span), 0);
    const all: Kept = { start: head, end: messages.length, extra: [] };
    const kept =
      options.lowWater === undefined
        ? (candidates.find((candidate) => sizeOf(candidate) <= room) ?? candidates.at(-1))
        : steadyCut([all, ...candidates], sizeOf, { room, low: room - (1 - options.lowWater) * maxTokens });
    if (kept === undefined || kept === all) return transcript;
    const spans = [{ start: 0, end: head }, kept, ...kept.extra];
    return withMessages(
      transcript,
      messages.filter(
        ({ role }, index) => role === 'meta' || spans.some(({ start, end }) => start <= index && index < end),
      ),
    );
  },
  shortfall(after, { maxTokens, unit }, counts) {
    const tokens = requestTokens(after, counts);
    if (maxTokens === undefined || tokens <= maxTokens) return undefined;
    const hint = unit === 'round' ? '' : '; --unit round may leave less';
    return `the least that can stay has ${tokens} tokens, ${tokens - maxTokens} more than the budget${hint}`;
  },
});

/**
 * The cut of a transcript that grew message by message: whenever the messages so far exceed `room`, the cut moves on to
 * the first candidate that leaves at most `low`, or else to the last one so far. So it does not move with each request.
 */
function steadyCut(
  candidates: readonly Kept[],
  sizeOf: (kept: Kept) => number,
  { room, low }: { readonly room: number; readonly low: number },
): Kept {
  let at = 0;
  const upTo = (end: number) => sizeOf({ ...candidates[at]!, end });
  for (let end = 1; end <= candidates[0]!.end; end++) {
    if (upTo(end) <= room) continue;
    while (at + 1 < candidates.length && candidates[at + 1]!.start < end && upTo(end) > low) at++;
  }
  return candidates[at]!;
}

/** The messages from `start` (inclusive) to `end` (exclusive). */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What to keep besides the system prompt: the end of the transcript with user messages before it, or its beginning with
 * the reply.
 */
interface Kept extends Span {
  readonly extra: readonly Span[];
}

/** User messages that open an exchange; several in a row are one opening, even with records between them. */
function openingsOf(messages: readonly Message[]): Span[] {
  const openings: { start: number; end: number }[] = [];
  let isOpen = false;
  messages.forEach(({ role }, index) => {
    if (role === 'meta') return;
    if (role === 'user' && isOpen) openings[openings.length - 1]!.end = index + 1;
    else if (role === 'user') openings.push({ start: index, end: index + 1 });
    isOpen = role === 'user';
  });
  return openings;
}

/**
 * Where the transcript may be cut: before openings and rounds, but never between a call and its result, or in a group.
 */
function cutsIn(messages: readonly Message[], openings: readonly Span[], unit: 'exchange' | 'round'): number[] {
  const starts = new Set(openings.map(({ start }) => start));
  if (unit === 'round') for (const start of roundStarts(messages)) starts.add(start);
  const tied = tiesIn(messages);
  return [...starts].filter((start) => !tied[start]).sort((a, b) => a - b);
}

/** A round begins with a message of the model after a message of another role, or after one that holds results. */
function roundStarts(messages: readonly Message[]): number[] {
  let continues = false;
  return messages.flatMap(({ role, parts }, index) => {
    if (role === 'meta') return [];
    const isStart = role === 'assistant' && !continues;
    continues = role === 'assistant' && !parts.some(({ type }) => type === 'result');
    return isStart ? [index] : [];
  });
}

/** For each message, whether a cut before it would split a pair of call and result, or a group. */
function tiesIn(messages: readonly Message[]): boolean[] {
  const change = new Array<number>(messages.length + 1).fill(0);
  const tie = (first: number, last: number) => {
    change[first + 1]!++;
    change[last + 1]!--;
  };
  for (const call of pair(messages).calls)
    if (!isOpen(call)) {
      const [first, last] = [call.results[0]!.message, call.results.at(-1)!.message]; // they are in order
      tie(Math.min(call.message, first), Math.max(call.message, last));
    }
  const groups = new Map<string, { first: number; last: number }>();
  messages.forEach(({ group }, index) => {
    if (group !== undefined) groups.set(group, { first: groups.get(group)?.first ?? index, last: index });
  });
  for (const { first, last } of groups.values()) tie(first, last);
  return runningSums(change)
    .slice(1)
    .map((open) => open > 0);
}

/** The task, and the opening of the exchange that is cut. */
function openingsBefore(cut: number, task: readonly Span[], opening: Span | undefined): Span[] {
  return [...new Set([...task, ...(opening === undefined ? [] : [opening])])].filter(({ start }) => start < cut);
}

/** The reply of a recorded request was not sent with it, so it stays. */
function replyIn({ messages, traits }: Transcript): Span | undefined {
  const end = messages.findLastIndex(({ role }) => role !== 'meta');
  const reply = messages[end];
  if (traits.endsOnReply !== true || reply?.role !== 'assistant' || reply.parts.some(({ type }) => type === 'result'))
    return undefined;
  return {
    start: reply.group === undefined ? end : messages.findIndex(({ group }) => group === reply.group),
    end: end + 1,
  };
}

/** `[0, a, a + b, …]` */
function runningSums(numbers: readonly number[]): number[] {
  const sums = [0];
  for (const number of numbers) sums.push(sums[sums.length - 1]! + number);
  return sums;
}
