/**
 * A recording as the sequence of requests that the agent made: the context of each message of the model.
 *
 * A log rarely has the whole prompt: the system prompt and the tools are missing. If it has the length of prompts, the
 * first one shows how many tokens are missing, and the growth of prompts shows how many tokens the messages between
 * really have.
 */
import { replyAt } from '../stats/calibrate.js';
import type { Counting } from '../stats/counting.js';
import { countedOf } from '../stats/facts.js';
import { originOf } from '../transcript/compare.js';
import type { Message, Recorded, Transcript, Usage } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';

export interface RequestSite {
  /** The index of the first message of the reply; the number of messages if the reply is not recorded. */
  readonly message: number;
  /** Its context: the messages from `start` to `message` (exclusive), records included. */
  readonly start: number;
  /** The start of its current run: the index of the last user message. */
  readonly run: number;
  /** Contexts of one thread continue one another; a new thread starts after a summary or in a sub-agent. */
  readonly thread: number;
  readonly model: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly output: number;
  readonly reasoning: number;
  /** The recorded usage. */
  readonly recorded: Usage | undefined;
}

export interface Requests {
  readonly requests: readonly RequestSite[];
  /** Tokens of each thread that are in no message: definitions, overhead, and what the recording omits. */
  readonly unseen: readonly number[];
  /** The tokens of a message, recorded or changed by a step. */
  tokensOf(message: Message): number;
  /** `recorded`: fitted to recorded prompt lengths. Else counted. */
  readonly tokensSource: 'recorded' | 'exact' | 'estimated';
}

export function requestsOf(transcript: Transcript, counting: Counting, asModel?: string): Requests {
  const { messages } = transcript;
  const counted = countedOf(transcript, counting);
  const entries = recordedRequests(transcript);
  const replies = wholeReplies(messages, entries);
  const fitting = createFitting(counted.tokens, counted.everyRequest);
  let { model } = transcript;
  let time: number | undefined;
  let run: number | undefined;
  let seen = 0;
  const requests = replies.map(({ start: message, end }): RequestSite => {
    for (; seen < message; seen++) {
      const record = transcript.recorded?.(messages[seen]!);
      time = record?.time ?? time;
      model = record?.model ?? model;
      if (messages[seen]!.role === 'user') run = seen;
    }
    const entry = entries.get(message);
    const reply = messages[message];
    const own = entry ?? (reply && transcript.recorded?.(reply));
    model = own?.model ?? reply?.model ?? model;
    const { thread, start } = fitting.take(message, run ?? 0, entry?.usage && promptTokens(entry.usage));
    const written = counted.written.slice(message, end).reduce((sum, tokens) => sum + tokens, 0);
    const { output = written, reasoning = 0 } = entry?.usage ?? {};
    return {
      message,
      start,
      run: Math.max(start, run ?? start),
      thread,
      model: asModel ?? model,
      time: time ?? own?.time,
      output,
      reasoning,
      recorded: entry?.usage,
    };
  });
  const scaleOf = new Map(messages.map((message, index) => [originOf(message) ?? message, index]));
  const fitted = new Map(messages.map((message, index) => [message, fitting.weights[index]!]));
  return {
    requests,
    unseen: fitting.unseen,
    tokensOf(message) {
      let tokens = fitted.get(message);
      if (tokens === undefined) {
        const index = scaleOf.get(originOf(message) ?? message);
        tokens = Math.round(counting.message(message) * (index === undefined ? 1 : fitting.scales[index]!));
        fitted.set(message, tokens);
      }
      return tokens;
    },
    tokensSource: entries.size > 0 ? 'recorded' : counting.source,
  };
}

/** The ranges of the model's messages; pieces of one message are one range. */
function repliesIn(messages: readonly Message[]): { readonly start: number; readonly end: number }[] {
  const replies: { start: number; end: number }[] = [];
  let group: string | undefined;
  messages.forEach(({ role, group: own }, index) => {
    if (role !== 'assistant') return;
    const last = replies.at(-1);
    if (last !== undefined && own !== undefined && own === group) last.end = index + 1;
    else replies.push({ start: index, end: index + 1 });
    group = own;
  });
  return replies;
}

/** If usage is recorded, consecutive replies of which only one has usage are pieces of one reply. */
function wholeReplies(
  messages: readonly Message[],
  entries: Map<number, Entry>,
): { readonly start: number; readonly end: number }[] {
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

type Entry = Recorded & { readonly usage: Usage };

/** The index of the first reply that begins after a message, by binary search. */
function firstAfter(replies: readonly { readonly start: number }[], message: number): number {
  let [low, high] = [0, replies.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (replies[middle]!.start > message) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The usage records by the first message of the reply; of several records of one request the most complete. */
function recordedRequests(transcript: Transcript): Map<number, Entry> {
  const { messages, reply } = transcript;
  const entries = new Map<number, Entry>();
  const replies = repliesIn(messages);
  const keys = new Map<string, number>();
  const take = (record: Recorded, index: number) => {
    if (record.usage === undefined || promptTokens(record.usage) === 0) return;
    const followsReply = messages[index]!.role !== 'meta' || replyAt(messages, index) < index;
    const start = replies[firstAfter(replies, index) - (followsReply ? 1 : 0)]?.start;
    const key = record.responseId ?? record.requestId;
    if (start === undefined || (key !== undefined && keys.has(key) && keys.get(key) !== start)) return;
    if (key !== undefined) keys.set(key, start);
    if ((entries.get(start)?.usage.output ?? -1) < record.usage.output) entries.set(start, record as Entry);
  };
  messages.forEach((message, index) => {
    const record = transcript.recorded?.(message);
    if (record !== undefined) take(record, index);
  });
  if (reply?.usage === undefined) return entries;
  const last = messages.findLastIndex(({ role }) => role !== 'meta');
  if (messages[last]?.role === 'assistant') take(reply, last);
  else entries.set(messages.length, reply as Entry); // the usage is recorded, the reply is not
  return entries;
}

/** A prompt below this share of the expected length starts a new context. */
const NEW_CONTEXT = 0.9;
/** The largest plausible factor between tokenizers; tokens beyond it are not in the recording. */
const MAX_SCALE = 4;

/** Scales the tokens of messages so that prompts have their recorded length. */
function createFitting(counted: readonly number[], base: number) {
  const weights = [...counted];
  const scales = counted.map(() => 1);
  const unseen = [base];
  let start = 0;
  let done = 0; // messages before this index have a weight
  let sum = base; // tokens of the thread so far
  let isFitted = false;
  let average = 1; // the moving average of scales
  const weigh = (end: number, target: number | undefined) => {
    const plain = counted.slice(done, end).reduce((total, tokens) => total + tokens, 0);
    const wanted = target === undefined || plain === 0 ? average : target / plain;
    const scale = target !== undefined && target <= 0 ? 1 : Math.min(MAX_SCALE, Math.max(1 / MAX_SCALE, wanted));
    if (target !== undefined && target > 0 && plain > 0) average = average * 0.9 + scale * 0.1;
    let exact = 0;
    let whole = 0;
    for (; done < end; done++) {
      exact += counted[done]! * scale;
      weights[done] = Math.round(exact) - whole;
      whole += weights[done]!;
      scales[done] = scale;
    }
    sum += whole;
  };
  /** The first prompt with a known length in a thread: tokens that its messages do not explain are unseen. */
  const begin = (end: number, prompt: number) => {
    const plain =
      weights.slice(start, done).reduce((total, tokens) => total + tokens, 0) +
      counted.slice(done, end).reduce((total, tokens) => total + tokens, 0);
    unseen[unseen.length - 1] = Math.max(base, prompt - plain);
    sum = unseen.at(-1)! + weights.slice(start, done).reduce((total, tokens) => total + tokens, 0);
    weigh(end, prompt - sum);
    isFitted = true;
  };
  return {
    weights,
    scales,
    unseen,
    take(end: number, run: number, prompt: number | undefined): { readonly thread: number; readonly start: number } {
      if (prompt === undefined) weigh(end, undefined);
      else if (!isFitted) begin(end, prompt);
      else if (prompt < sum * NEW_CONTEXT) {
        start = run;
        done = Math.max(done, start);
        unseen.push(base);
        begin(end, prompt);
      } else weigh(end, prompt - sum);
      return { thread: unseen.length - 1, start };
    },
  };
}
