/**
 * A recording as the sequence of requests that the agent made: the context of each message of the model.
 *
 * A log rarely has the whole prompt: the system prompt and the tools are missing. If it has the length of prompts, the
 * first one shows how many tokens are missing, and the growth of prompts shows how many tokens the messages between
 * really have.
 */
import type { Picodollars } from '../../decimals.js';
import { originOf } from '../../transcript/compare.js';
import { repliesIn, type Span } from '../../transcript/replies.js';
import type { Billing, Message, Recorded, Transcript, Usage } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Counting } from '../stats/counting.js';
import { countedAsRecorded } from '../stats/facts.js';
import type { RequestRecord } from '../stats/request.js';
import { requestsByReply } from '../stats/requests-by-reply.js';
import { holdsUncounted, uncountedTokens } from './prompt-media.js';

export interface RequestSite {
  /** The index of the first message of the reply; the number of messages if the reply is not recorded. */
  readonly message: number;
  /** Its context: the messages from `start` to `message` (exclusive), records included. */
  readonly start: number;
  /** The indexes of messages before those that a compaction kept: they begin the context. */
  readonly head?: readonly number[];
  /** The start of its current run: the index of the last user message. */
  readonly run: number;
  /** Contexts of one thread continue one another; a new thread starts after a summary or in a sub-agent. */
  readonly thread: number;
  readonly model: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly output: number;
  readonly reasoning: number;
  /** The tokens of its context as counted, not fitted to recorded usage. */
  readonly counted: number;
  /** The recorded usage. */
  readonly recorded: Usage | undefined;
  /** The place, time and cost of the recorded request, if it is known. */
  readonly record: Pick<PaidRecord, 'index' | 'time' | 'cost'> | undefined;
  /** The key of the recorded request; undefined if it has none. */
  readonly key: string | undefined;
  readonly billing: Billing | undefined;
}

/** A recorded request, with its cost where it is known. */
export type PaidRecord = RequestRecord & { readonly cost?: Picodollars | undefined };

export interface Requests {
  readonly requests: readonly RequestSite[];
  /** Tokens of each thread that are in no message: definitions, overhead, and what the recording omits. */
  readonly unseen: readonly number[];
  /**
   * By message: tokens by which the prompt grew or shrank up to it that no message explains, such as reminders that
   * the log does not hold.
   */
  readonly unexplained: readonly number[];
  /** The tokens of a message, recorded or changed by a step. */
  tokensOf(message: Message): number;
  /** `recorded`: fitted to recorded prompt lengths. Else counted. */
  readonly tokensSource: 'recorded' | 'exact' | 'estimated';
}

/** `records`: the recorded requests, each once. Failed and aborted requests without usage are left out. */
export function requestsOf(
  transcript: Transcript,
  counting: Counting,
  records: readonly PaidRecord[],
  { model: unnamed, asModel }: { readonly model?: string | undefined; readonly asModel?: string | undefined },
): Requests {
  const { messages } = transcript;
  const counted = countedAsRecorded(transcript, counting);
  const entries = requestsByReply(messages, records);
  const isPaid = ({ start }: Span) => entries.has(start) || !isFree(transcript.recorded?.(messages[start]!));
  const replies = wholeReplies(messages, entries).filter(isPaid);
  const uncounted = uncountedTokens(
    messages,
    replies.map(({ start }) => [start, entries.get(start)?.usage]),
  );
  const all = uncounted === undefined ? counted.tokens : counted.tokens.map((tokens, at) => tokens + uncounted[at]!);
  const countedBefore = [0];
  for (const tokens of all) countedBefore.push(countedBefore.at(-1)! + tokens);
  const fitting = createFitting(all, counted.everyRequest);
  let { model } = transcript;
  let time: number | undefined;
  let run: number | undefined;
  let seen = 0;
  let kept: Kept = { head: [], from: 0 }; // of the last compaction
  const requests = replies.map(({ start: message, end }): RequestSite => {
    for (; seen < message; seen++) {
      const record = transcript.recorded?.(messages[seen]!);
      time = record?.time ?? time;
      model = record?.model ?? model;
      if (messages[seen]!.role === 'user') run = seen;
      if (messages[seen]!.keeps !== undefined) kept = keptBy(messages, kept, seen);
    }
    const entry = entries.get(message);
    const reply = messages[message];
    const own = entry ?? (reply && transcript.recorded?.(reply));
    model = own?.model ?? reply?.model ?? model;
    const { thread, start, head } = fitting.take(message, run ?? 0, kept, entry && promptTokens(entry.usage));
    const written = counted.written.slice(message, end).reduce((sum, tokens) => sum + tokens, 0);
    const { output = written, reasoning = 0 } = entry?.usage ?? {};
    return {
      message,
      start,
      head,
      run: Math.max(start, run ?? start),
      thread,
      model: asModel ?? model ?? unnamed,
      time: time ?? own?.time,
      output,
      reasoning,
      counted: countedBefore[message]! - countedBefore[start]! + sumAt(all, head),
      recorded: entry?.usage,
      record: entry && { index: entry.index, time: entry.time, cost: entry.cost },
      key: entry?.key,
      billing: own?.billing,
    };
  });
  const scaleOf = new Map(messages.map((message, index) => [originOf(message) ?? message, index]));
  const fitted = new Map(messages.map((message, index) => [message, fitting.weights[index]!]));
  return {
    requests,
    unseen: fitting.unseen,
    unexplained: fitting.unexplained,
    tokensOf(message) {
      let tokens = fitted.get(message);
      if (tokens === undefined) {
        const index = scaleOf.get(originOf(message) ?? message);
        const more = index !== undefined && uncounted?.[index] && holdsUncounted(message) ? uncounted[index] : 0;
        tokens = Math.round((counting.message(message) + more) * (index === undefined ? 1 : fitting.scales[index]!));
        fitted.set(message, tokens);
      }
      return tokens;
    },
    tokensSource: entries.size > 0 ? 'recorded' : counting.source,
  };
}

/** What a compaction leaves of the context before it: the messages in a row right before it, and some before those. */
interface Kept {
  readonly head: readonly number[];
  readonly from: number;
}

function keptBy(messages: readonly Message[], { head, from: start }: Kept, at: number): Kept {
  const sent = [...head.map((index) => messages[index]!), ...messages.slice(start, at)];
  const kept = new Set(messages[at]!.keeps!(sent));
  let from = at;
  while (from > start && (kept.has(messages[from - 1]!) || messages[from - 1]!.role === 'meta')) from--;
  const before = [...head, ...Array.from({ length: from - start }, (_, index) => start + index)];
  return { head: before.filter((index) => kept.has(messages[index]!) && messages[index]!.role !== 'meta'), from };
}

/** Whether a request failed, or was aborted before it used any token. */
function isFree(record: Recorded | undefined): boolean {
  const { failed, usage } = record ?? {};
  return failed === true || (usage !== undefined && promptTokens(usage) + usage.output === 0);
}

/** If usage is recorded, consecutive replies of which only one has usage are pieces of one reply. */
function wholeReplies(messages: readonly Message[], entries: Map<number, PaidRecord>): readonly Span[] {
  const whole: { start: number; end: number }[] = [];
  for (const { start, end } of repliesIn(messages)) {
    const last = whole.at(-1);
    const isPiece =
      last !== undefined &&
      entries.size > 0 &&
      !(entries.has(last.start) && entries.has(start)) &&
      messages.slice(last.end, start).every(({ role }) => role === 'meta');
    if (!isPiece) whole.push({ start, end });
    else {
      last.end = end;
      const entry = entries.get(start);
      if (entry !== undefined) entries.set(last.start, entry);
    }
  }
  if (entries.has(messages.length)) whole.push({ start: messages.length, end: messages.length });
  return whole;
}

/** A prompt below this share of the expected length starts a new context. */
const NEW_CONTEXT = 0.9;
/** The largest plausible factor between tokenizers; tokens beyond it are not in the recording. */
const MAX_SCALE = 4;

/** Gives messages the tokens with which prompts have their recorded length. */
function createFitting(counted: readonly number[], base: number) {
  const weights = [...counted];
  const scales = counted.map(() => 1);
  const unexplained = counted.map(() => 0);
  const unseen = [base];
  let start = 0;
  let head: readonly number[] = [];
  let done = 0; // messages before this index have a weight
  let sum = base; // tokens of the thread so far
  let isFitted = false;
  let average = 1; // the moving average of scales
  const weigh = (end: number, target: number | undefined) => {
    const plain = sumOf(counted, done, end);
    const wanted = target === undefined || plain === 0 ? average : target / plain;
    const scale = target !== undefined && target <= 0 ? 1 : Math.min(MAX_SCALE, Math.max(1 / MAX_SCALE, wanted));
    if (target !== undefined && target > 0 && plain > 0) average = average * 0.9 + scale * 0.1;
    const whole = scaleAll(done, end, scale);
    sum += whole;
    if (target !== undefined && target !== whole) {
      unexplained[lastCounted(end)]! += target - whole;
      sum += target - whole;
    }
    done = Math.max(done, end);
  };
  /** The last message before an index that is in the prompt: a record is in none. */
  const lastCounted = (end: number): number => {
    let at = end - 1;
    while (at > start && counted[at] === 0) at--;
    return at;
  };
  /** Scales messages so that rounding does not add up. Returns the sum of their weights. */
  const scaleAll = (from: number, end: number, scale: number): number => {
    let exact = 0;
    let whole = 0;
    for (let index = from; index < end; index++) {
      exact += counted[index]! * scale;
      weights[index] = Math.round(exact) - whole;
      whole += weights[index]!;
      scales[index] = scale;
    }
    return whole;
  };
  /**
   * The first prompt with a known length in a thread: tokens that its messages do not explain are unseen. If it is
   * shorter than its messages as counted, they and the overhead are scaled down; but what messages weigh in the thread
   * before stays, and the prompt shrinks by the difference.
   */
  const begin = (end: number, prompt: number) => {
    const shared = sumAt(weights, head) + sumOf(weights, start, done) + sumOf(unexplained, start, done);
    const plain = shared + sumOf(counted, done, end);
    isFitted = true;
    if (prompt >= base + plain) {
      unseen[unseen.length - 1] = prompt - plain;
      sum = prompt - sumOf(counted, done, end);
      return weigh(end, prompt - sum);
    }
    const scale = prompt / (base + plain);
    const left = Math.round(shared * scale);
    unseen[unseen.length - 1] = prompt - left - scaleAll(done, end, scale);
    if (left !== shared) unexplained[lastCounted(end)]! += left - shared;
    sum = prompt;
    done = Math.max(done, end);
  };
  return {
    weights,
    scales,
    unexplained,
    unseen,
    /** `run`, `kept`: where a context begins that got shorter, as its length shows, or as a compaction says. */
    take(end: number, run: number, kept: Kept, prompt: number | undefined) {
      const isCompacted = kept.from > start;
      if (isCompacted || (isFitted && prompt !== undefined && prompt < sum * NEW_CONTEXT)) {
        start = isCompacted ? kept.from : run;
        head = isCompacted ? kept.head : [];
        done = Math.max(done, start);
        unseen.push(prompt === undefined ? unseen.at(-1)! : base);
        sum = unseen.at(-1)! + sumAt(weights, head) + sumOf(weights, start, done);
        isFitted &&= prompt === undefined;
      }
      if (prompt === undefined) weigh(end, undefined);
      else if (!isFitted) begin(end, prompt);
      else weigh(end, prompt - sum);
      return { thread: unseen.length - 1, start, head };
    },
  };
}

function sumAt(tokens: readonly number[], indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + tokens[index]!, 0);
}

function sumOf(tokens: readonly number[], from: number, end: number): number {
  let sum = 0;
  for (let index = from; index < end; index++) sum += tokens[index]!;
  return sum;
}
