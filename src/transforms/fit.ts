import { withMessages } from '../transcript/edit.js';
import type { Transcript } from '../transcript/types.js';
import {
  cutsGrow,
  cutsIn,
  endingsOf,
  isWholeIn,
  type Kept,
  openingsOf,
  runningSums,
  type Span,
  steadyCut,
} from './fit-cuts.js';
import { leftBranch } from './left-branch.js';
import { besideTokens, overheadTokens, requestTokens } from './request.js';
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
    'its tool definitions, its attachments and the overhead of a request, as stats counts them. Attachments (files ' +
    'and reminders that an agent logs beside messages) stay. An exchange is a user message with ' +
    'all that follows it up to the next user message; it is dropped as a whole. The system prompt stays, and the ' +
    'first user message: the task. If even the last exchange does not fit, it is kept beside them, and a warning is ' +
    'printed (exit 1).',
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
    keepFirstUser: { type: 'flag', summary: 'keep the first user message, the task: the default' },
    everything: { type: 'flag', excludes: ['keepFirstUser'], summary: 'let the first user message go, too' },
    unit: {
      type: 'choice',
      choices: ['exchange', 'round', 'auto'],
      default: 'exchange',
      summary:
        'round: also drop the oldest rounds of an exchange (a message of the model with the results of its calls), ' +
        'but keep its user message; auto: so only where whole exchanges do not fit, as an agent does by default',
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
  // an earlier step may make room again
  isMonotone: ({ strategy, unit }, transcript, isFirst) => strategy === 'last' && isFirst && cutsGrow(transcript, unit),
  continues: ({ strategy, everything, unit }, transcript) =>
    strategy === 'last' && everything === true && cutsGrow(transcript, unit),
  apply(transcript, options, counts) {
    const { messages } = transcript;
    const { maxTokens, strategy } = options;
    const beside = besideTokens(transcript, counts);
    if (maxTokens === undefined || requestTokens(transcript, counts) + beside <= maxTokens) return transcript;
    const head = messages.findIndex(({ role }) => role !== 'system' && role !== 'meta');
    const openings = openingsOf(messages);
    const keepsTask = options.everything !== true;
    const cuts = cutsIn(messages, openings, options.unit).filter((cut) => cut > head);
    const candidates =
      strategy === 'last'
        ? endingsOf(messages, openings, cuts, keepsTask)
        : beginningsOf(transcript, head, cuts, keepsTask ? openings[0] : undefined);

    const sums = runningSums(messages.map((message) => counts.message(message)));
    const between = ({ start, end }: Span) => sums[end]! - sums[start]!;
    const overhead = overheadTokens(transcript, counts) + beside;
    const room = maxTokens - overhead - between({ start: 0, end: Math.max(0, head) });
    const sizeOf = (kept: Kept) => between(kept) + kept.extra.reduce((sum, span) => sum + between(span), 0);
    const all: Kept = { start: head, end: messages.length, extra: [] };
    const isWhole = isWholeIn(openings, options);
    const steady = [all, ...candidates];
    const low = room - (1 - (options.lowWater ?? 1)) * maxTokens;
    const fitting = candidates.filter((candidate) => strategy === 'first' && sizeOf(candidate) <= room);
    const kept =
      strategy === 'first'
        ? (fitting.find(isWhole) ?? fitting[0] ?? candidates.at(-1))
        : steady[steadyCut(steady, sizeOf, { room, low, isWhole })(messages.length)];
    if (kept === undefined || kept === all) return transcript;
    const spans = [{ start: 0, end: head }, kept, ...kept.extra];
    return withMessages(
      transcript,
      messages.filter(
        ({ role }, index) => role === 'meta' || spans.some(({ start, end }) => start <= index && index < end),
      ),
    );
  },
  shortfall(after, { maxTokens, unit, everything }, counts) {
    const beside = besideTokens(after, counts);
    const tokens = requestTokens(after, counts) + beside;
    if (maxTokens === undefined || tokens <= maxTokens) return leftBranch(after);
    const ways = waysToLess({ unit, everything });
    const hint = ways.length === 0 ? '' : `; ${ways.join(' or ')} may leave less`;
    const fixed = beside === 0 ? '' : `, ${beside} of them in attachments, which stay`;
    return `the least that can stay has ${tokens} tokens${fixed}, ${tokens - maxTokens} more than the budget${hint}`;
  },
});

/** The flags that may leave less than `fit` could. */
export function waysToLess({
  unit,
  everything,
}: {
  readonly unit: string;
  readonly everything: boolean | undefined;
}): readonly string[] {
  return [...(unit === 'exchange' ? ['--unit round'] : []), ...(everything === true ? [] : ['--everything'])];
}

/** What the cuts keep before them, the longest first. */
function beginningsOf(transcript: Transcript, start: number, cuts: readonly number[], task: Span | undefined): Kept[] {
  const reply = replyIn(transcript);
  return cuts
    .filter((cut) => task === undefined || task.end <= cut)
    .map((end) => ({ start, end, extra: reply === undefined || reply.start < end ? [] : [reply] }))
    .reverse();
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
