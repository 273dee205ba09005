/**
 * A recording as the sequence of requests that the agent made: what was sent for each message of the model.
 *
 * A log seldom holds all of a prompt: the system prompt and the tools are missing. Where it says how long prompts were, the first
 * one shows how much is missing, and what prompts grew by shows how many tokens the messages between really have.
 */
import { replyAt } from '../stats/calibrate.js';
import type { Counting } from '../stats/counting.js';
import { countedOf } from '../stats/facts.js';
import { originOf } from '../transcript/compare.js';
import type { Message, Recorded, Transcript, Usage } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';

export interface RequestSite {
  /** The message with which the reply begins; the number of messages where it is not written down. */
  readonly message: number;
  /** The messages of its context: from `start` to `message`, records among them. */
  readonly start: number;
  /** Where its current run begins: at the last user message. */
  readonly run: number;
  /** Contexts of one thread go on from one another; another thread begins anew, as after a summary or in a sub-agent. */
  readonly thread: number;
  readonly model: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly output: number;
  readonly reasoning: number;
  /** What the recording says of it. */
  readonly recorded: Usage | undefined;
}

export interface Requests {
  readonly requests: readonly RequestSite[];
  /** Tokens of each thread that no message holds: definitions, overhead, and what the recording leaves out. */
  readonly unseen: readonly number[];
  /** Tokens of a message, also of one that a step changed. */
  tokensOf(message: Message): number;
  /** `recorded`: fitted to prompts whose length is recorded. Else counted. */
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
      const said = transcript.recorded?.(messages[seen]!);
      time = said?.time ?? time;
      model = said?.model ?? model;
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

/** The messages of the model, with all pieces of each. */
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

/** Where usage is recorded, replies in a row of which only one has any are pieces of one. */
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

/** The first reply that begins behind the message. They are in order: it is looked for by halves. */
function firstBehind(replies: readonly { readonly start: number }[], message: number): number {
  let [low, high] = [0, replies.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (replies[middle]!.start > message) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What is recorded of requests, by the message with which their reply begins: of several records of one, the fullest. */
function recordedRequests(transcript: Transcript): Map<number, Entry> {
  const { messages, reply } = transcript;
  const entries = new Map<number, Entry>();
  const replies = repliesIn(messages);
  const keys = new Map<string, number>();
  const take = (said: Recorded, index: number) => {
    if (said.usage === undefined || promptTokens(said.usage) === 0) return;
    const isBehind = messages[index]!.role !== 'meta' || replyAt(messages, index) < index; // what it counts
    const start = replies[firstBehind(replies, index) - (isBehind ? 1 : 0)]?.start;
    const key = said.responseId ?? said.requestId;
    if (start === undefined || (key !== undefined && keys.has(key) && keys.get(key) !== start)) return;
    if (key !== undefined) keys.set(key, start);
    if ((entries.get(start)?.usage.output ?? -1) < said.usage.output) entries.set(start, said as Entry);
  };
  messages.forEach((message, index) => {
    const said = transcript.recorded?.(message);
    if (said !== undefined) take(said, index);
  });
  if (reply?.usage === undefined) return entries;
  const last = messages.findLastIndex(({ role }) => role !== 'meta');
  if (messages[last]?.role === 'assistant') take(reply, last);
  else entries.set(messages.length, reply as Entry); // it is told of, but not written down
  return entries;
}

/** A prompt shorter than this part of what went before it is a context begun anew. */
const ANEW = 0.9;
/** No tokenizer is further off than this; what is beyond are tokens that the recording does not hold. */
const FURTHEST = 4;

/** Tokens of messages, so that prompts come out as long as they are recorded. */
function createFitting(counted: readonly number[], base: number) {
  const weights = [...counted];
  const scales = counted.map(() => 1);
  const unseen = [base];
  let start = 0;
  let done = 0; // messages up to here have their weight
  let sum = base; // of the thread so far
  let isFitted = false;
  let usual = 1;
  const weigh = (end: number, target: number | undefined) => {
    const plain = counted.slice(done, end).reduce((total, tokens) => total + tokens, 0);
    const wanted = target === undefined || plain === 0 ? usual : target / plain;
    const scale = target !== undefined && target <= 0 ? 1 : Math.min(FURTHEST, Math.max(1 / FURTHEST, wanted));
    if (target !== undefined && target > 0 && plain > 0) usual = usual * 0.9 + scale * 0.1;
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
  /** The first prompt of a thread whose length is known: what its messages do not explain is unseen. */
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
      else if (prompt < sum * ANEW) {
        start = run;
        done = Math.max(done, start);
        unseen.push(base);
        begin(end, prompt);
      } else weigh(end, prompt - sum);
      return { thread: unseen.length - 1, start };
    },
  };
}
