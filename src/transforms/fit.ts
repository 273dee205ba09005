import { withMessages } from '../transcript/edit.js';
import { isOpen, pair } from '../transcript/pairs.js';
import type { Message, Transcript } from '../transcript/types.js';
import { overheadTokens, requestTokens } from './request.js';
import { defineTransform } from './transform.js';

/** After LangChain's `trim_messages` (`include_system`, `start_on: human`). https://reference.langchain.com/python/langchain_core/messages */
export default defineTransform({
  id: 'fit',
  summary: 'keep within a token budget',
  description:
    'Drops the oldest exchanges (or the newest) until the transcript fits into the budget as one request: its messages, its tool definitions and what every request has on top, as stats counts them. An exchange is what the user says with all that follows, up to where the user speaks again; it goes whole. The system prompt stays. Where even the last exchange does not fit, that alone is left, and it is said (exit 1).',
  options: {
    maxTokens: {
      type: 'integer',
      least: 0,
      value: 'n',
      summary: 'how many tokens the request may have (required)',
    },
    strategy: {
      type: 'choice',
      choices: ['last', 'first'],
      default: 'last',
      summary: 'which exchanges stay: the last ones or the first ones',
    },
    keepFirstUser: { type: 'flag', summary: 'also keep what the user says first: the task' },
    unit: {
      type: 'choice',
      choices: ['exchange', 'round'],
      default: 'exchange',
      summary:
        'round: an exchange may lose its oldest rounds (what the model writes, with the results of its calls), and keeps what the user said',
    },
  },
  needs: ['maxTokens'],
  countsTokens: () => true,
  apply(transcript, options, counts) {
    const { messages } = transcript;
    const { maxTokens, strategy } = options;
    if (maxTokens === undefined || requestTokens(transcript, counts) <= maxTokens) return transcript;
    const head = messages.findIndex(({ role }) => role !== 'system' && role !== 'meta');
    const openings = openingsOf(messages);
    const task = options.keepFirstUser === true ? openings.slice(0, 1) : [];
    const reply = replyIn(transcript);
    let opened = -1; // the last opening up to the cut
    const stretches = cutsIn(messages, openings, options.unit)
      .filter((cut) => cut > head && (strategy === 'last' || task.every(({ end }) => end <= cut)))
      .map((cut): Stretch => {
        if (strategy === 'first')
          return { start: head, end: cut, beside: reply === undefined || reply.start < cut ? [] : [reply] };
        while (opened + 1 < openings.length && openings[opened + 1]!.start <= cut) opened++;
        return { start: cut, end: messages.length, beside: spokenBefore(cut, task, openings[opened]) };
      });
    if (strategy === 'first') stretches.reverse(); // the longest first

    const sums = runningSums(messages.map((message) => counts.message(message)));
    const between = ({ start, end }: Span) => sums[end]! - sums[start]!;
    const room = maxTokens - overheadTokens(transcript, counts) - between({ start: 0, end: Math.max(0, head) });
    const fits = (stretch: Stretch) =>
      between(stretch) + stretch.beside.reduce((sum, span) => sum + between(span), 0) <= room;
    const kept = stretches.find(fits) ?? stretches.at(-1);
    if (kept === undefined) return transcript;
    const spans = [{ start: 0, end: head }, kept, ...kept.beside];
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
    return `the least that can stay has ${tokens} tokens, ${tokens - maxTokens} more than the budget${unit === 'round' ? '' : '; --unit round may leave less'}`;
  },
});

/** Messages from `start` up to `end`, which is not one of them. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stays beside the system prompt: an end of the transcript and what the user said before it, or a beginning and the reply. */
interface Stretch extends Span {
  readonly beside: readonly Span[];
}

/** Where the user speaks: messages of the user in a row are one opening, whatever records stand among them. */
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

/** Where the transcript may be cut in two: before openings, or rounds too, but nowhere between a call and its result or in a group. */
function cutsIn(messages: readonly Message[], openings: readonly Span[], unit: 'exchange' | 'round'): number[] {
  const starts = new Set(openings.map(({ start }) => start));
  if (unit === 'round') for (const start of roundStarts(messages)) starts.add(start);
  const tied = tiesIn(messages);
  return [...starts].filter((start) => !tied[start]).sort((a, b) => a - b);
}

/** A round begins where the model speaks after somebody else, or after a message that holds results. */
function roundStarts(messages: readonly Message[]): number[] {
  let goesOn = false;
  return messages.flatMap(({ role, parts }, index) => {
    if (role === 'meta') return [];
    const isStart = role === 'assistant' && !goesOn;
    goesOn = role === 'assistant' && !parts.some(({ type }) => type === 'result');
    return isStart ? [index] : [];
  });
}

/** For each message, whether a pair or a group has a part before it and a part from it on. */
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

/** The task, and where the cut is within an exchange, what opened it. */
function spokenBefore(cut: number, task: readonly Span[], opening: Span | undefined): Span[] {
  return [...new Set([...task, ...(opening === undefined ? [] : [opening])])].filter(({ start }) => start < cut);
}

/** The reply of a recorded request is no part of what was sent: it stays, where it begins behind the cut. */
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
