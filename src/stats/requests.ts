/**
 * The requests of transcripts, each counted once: with their recorded usage and cost or, if none is recorded, with
 * counted tokens. Logs repeat records: a response is logged in several lines with growing usage, a resumed session
 * begins with the lines of another one, a running total is logged again unchanged.
 */
import { type Picodollars, picodollarsOf } from '../decimals.js';
import type { PriceBook } from '../pricing/cost.js';
import type { Billing, Message, Recorded, Transcript, Usage } from '../transcript/types.js';
import { addUsage, NO_USAGE, promptTokens, subtractUsage } from '../transcript/usage.js';

export interface RequestFacts {
  /** The same for all records of one request, in every file; undefined if the request has no id. */
  readonly key: string | undefined;
  /** The index of the message with the reply, or of the line with the usage. */
  readonly index: number;
  readonly model: string | undefined;
  readonly session: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly usage: Usage;
  /** How many requests this stands for: 0 for the rest of a total that no request explains. */
  readonly requests: number;
  /** What the price depends on besides model, time and usage. */
  readonly billing: Billing | undefined;
  /** `recorded`: from the log. Else counted: `exact` with the model's own encoding, `estimated` with another one. */
  readonly tokensSource: 'recorded' | 'exact' | 'estimated';
  readonly cost: Picodollars | undefined;
  /**
   * `recorded`: the cost in the log. `computed`: the price of recorded usage. `estimated`: the price of counted tokens.
   */
  readonly costSource: 'recorded' | 'computed' | 'estimated' | 'unpriced';
}

/** Counted tokens of a transcript, for requests whose usage is not recorded. */
export interface Counted {
  readonly model: string | undefined;
  readonly source: 'exact' | 'estimated';
  /** The tokens of each message, by index. */
  readonly tokens: readonly number[];
  /** Those that the model wrote: no results, and none in messages of other roles. */
  readonly written: readonly number[];
  /** Tokens that every request adds: tool definitions and overhead. */
  readonly everyRequest: number;
}

export interface Pricing {
  /** Without it there are no costs. */
  readonly prices: PriceBook | undefined;
  /** The date of all prices; by default each request's own time. */
  readonly at: Date | undefined;
  /** The model of all requests, instead of the recorded ones. */
  readonly model: string | undefined;
}

/** The requests of a transcript: recorded ones, else estimated. Requests with the same key are one request. */
export function requestsOf(transcript: Transcript, counted: Counted, pricing: Pricing): RequestFacts[] {
  const recorded = recordedRequests(transcript, pricing);
  return recorded.length > 0 ? recorded : estimated(transcript, counted, pricing);
}

/** The requests whose usage or cost is recorded. */
export function recordedRequests(transcript: Transcript, pricing: Pricing): RequestFacts[] {
  const paid = new Map<unknown, Picodollars>(); // by request: its cost
  const count = (request: RequestFacts) => {
    paid.set(request.key ?? request, request.cost ?? 0n);
    return request;
  };
  return withKeys(entriesOf(transcript)).map((entry) => {
    const request = priced(entry, pricing);
    if (!entry.isRemainder || request.costSource !== 'recorded') return count(request);
    for (const agent of transcript.agents ?? []) for (const other of recordedRequests(agent, pricing)) count(other);
    const counted = [...paid.values()].reduce((sum, cost) => sum + cost, 0n);
    return count({ ...request, cost: request.cost! > counted ? request.cost! - counted : 0n });
  });
}

// --- recorded requests

/** A usage record of a request. Several may belong to one request. */
interface Entry {
  readonly index: number;
  /** The same for all records of one request. */
  readonly key: string | undefined;
  readonly model: string | undefined;
  readonly session: string | undefined;
  readonly time: number | undefined;
  readonly usage: Usage;
  readonly cost: string | undefined;
  readonly running: Usage | undefined;
  readonly billing: Billing | undefined;
  /** The rest of a total, after earlier records or those of sub-agents. */
  readonly isRemainder: boolean;
}

function entriesOf(transcript: Transcript): Entry[] {
  const { messages, reply } = transcript;
  const entries: Entry[] = [];
  let context: Recorded = { model: transcript.model, sessionId: sessionOf(transcript) };
  let running = NO_USAGE;
  const usageOf = new Map<unknown, Usage>(); // by request: its latest usage
  const countUsage = (key: unknown, usage: Usage) => {
    running = addUsage(running, subtractUsage(usage, usageOf.get(key) ?? NO_USAGE));
    usageOf.set(key, usage);
  };
  const take = (record: Recorded, index: number) => {
    if (record.model !== undefined || record.sessionId !== undefined)
      context = { model: record.model ?? context.model, sessionId: record.sessionId ?? context.sessionId };
    const isRemainder = record.usage === undefined && record.running !== undefined && usageOf.size > 0;
    if (isRemainder)
      for (const agent of transcript.agents ?? [])
        for (const { key, usage } of entriesOf(agent)) countUsage(key ?? usage, usage);
    const usage = record.usage ?? (record.running && subtractUsage(record.running, running));
    const cost = record.cost ?? record.runningCost;
    if (usage === undefined && cost === undefined) return;
    if (record.running !== undefined) running = record.running;
    else if (usage !== undefined) countUsage(requestKey(record) ?? record, usage);
    const model = record.model ?? context.model;
    entries.push({
      index,
      key: requestKey(record),
      model,
      session: context.sessionId,
      time: record.time,
      usage: usage ?? NO_USAGE,
      cost,
      running: record.running,
      billing: record.billing,
      isRemainder,
    });
  };
  messages.forEach((message, index) => {
    const record = transcript.recorded?.(message);
    if (record !== undefined) take(record, index);
  });
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (reply !== undefined && entries.every(({ index }) => index !== last)) take(reply, last);
  return entries;
}

/** The id of the transcript; for a sub-agent that of the main agent, the prefix of its own id. */
function sessionOf({ id, agent }: Transcript): string | undefined {
  return agent === undefined ? id : id?.slice(0, -agent.length - 1) || undefined;
}

function requestKey({ responseId, requestId }: Recorded): string | undefined {
  if (responseId === undefined) return requestId;
  return requestId === undefined ? responseId : `${responseId} ${requestId}`;
}

/** Whether a record is more complete: usage grows from record to record of one request. */
export function isFuller(usage: Usage, than: Usage): boolean {
  return usage.output > than.output || (usage.output === than.output && promptTokens(usage) > promptTokens(than));
}

/**
 * Keys for requests that are known by running totals. A total that is logged again unchanged is the same request, and a
 * forked session repeats the totals of its parent step by step. A first step alone may equal another by chance, so the
 * key of a session includes the first two.
 */
function withKeys(entries: readonly Entry[]): Entry[] {
  const totals = entries.filter(({ running }) => running !== undefined);
  const texts = totals.map(({ running }) => JSON.stringify(running));
  const isStep = (index: number) => index === 0 || texts[index] !== texts[index - 1];
  const steps = totals.filter((_, index) => isStep(index));
  const nameOf = ({ running, usage }: Entry) => JSON.stringify([running, usage]);
  let chain = hash(steps.length > 1 ? steps.slice(0, 2).map(nameOf).join() : `${steps[0]?.session} ${texts[0]}`);
  let step = -1;
  const keys = new Map<Entry, string>();
  totals.forEach((entry, index) => {
    if (isStep(index)) step++;
    if (isStep(index) && step > 1) chain = hash(chain + nameOf(entry));
    keys.set(entry, step > 1 ? chain : `${chain} ${step}`);
  });
  return entries.map((entry) => (keys.has(entry) ? { ...entry, key: keys.get(entry)! } : entry));
}

/** A short key for a text: two FNV-1a hashes. */
function hash(text: string): string {
  const words = [0x811c9dc5, 0x9e3779b9].map((seed) => {
    let value = seed;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return value.toString(36);
  });
  return words.join(' ');
}

function priced(entry: Entry, { prices, at, model: asModel }: Pricing): RequestFacts {
  const { key, index, session, time, usage, billing } = entry;
  const model = asModel ?? entry.model;
  const requests = billing?.requests ?? 1;
  const facts = { key, index, model, session, time, usage, requests, billing, tokensSource: 'recorded' } as const;
  const recorded = entry.cost === undefined ? undefined : picodollarsOf(entry.cost);
  if (recorded !== undefined) return { ...facts, cost: recorded, costSource: 'recorded' };
  const cost = costOf(facts, prices, at);
  return { ...facts, cost, costSource: cost === undefined ? 'unpriced' : 'computed' };
}

function costOf(
  { model, usage, time, billing }: Pick<RequestFacts, 'model' | 'usage' | 'time' | 'billing'>,
  prices: PriceBook | undefined,
  at: Date | undefined,
): Picodollars | undefined {
  return model === undefined
    ? undefined
    : prices?.cost(model, usage, at ?? (time === undefined ? undefined : new Date(time)), billing).usd;
}

// --- estimated requests

/** Each message of the model is a request that sends all messages before it. Pieces of one message are one request. */
function estimated(
  transcript: Transcript,
  { model, source, tokens, written, everyRequest }: Counted,
  { prices, at }: Pricing,
): RequestFacts[] {
  const { messages, recorded } = transcript;
  const session = sessionOf(transcript);
  const requests: RequestFacts[] = [];
  let before = 0;
  let group: string | undefined;
  messages.forEach((message: Message, index) => {
    if (message.role === 'assistant') {
      const isPiece = message.group !== undefined && message.group === group;
      const { time, sessionId } = recorded?.(message) ?? {};
      const usage = isPiece
        ? { ...NO_USAGE, output: written[index]! }
        : { ...NO_USAGE, input: everyRequest + before, output: written[index]! };
      const last = requests[requests.length - 1];
      const whole = isPiece && last !== undefined ? addUsage(last.usage, usage) : usage;
      const billing = undefined;
      const cost = costOf({ model, usage: whole, time, billing }, prices, at);
      const request: RequestFacts = {
        key: undefined,
        index: isPiece && last !== undefined ? last.index : index,
        model,
        session: sessionId ?? session,
        time,
        usage: whole,
        requests: 1,
        billing,
        tokensSource: source,
        cost,
        costSource: cost === undefined ? 'unpriced' : 'estimated',
      };
      if (isPiece && last !== undefined) requests[requests.length - 1] = request;
      else requests.push(request);
      group = message.group;
    }
    before += tokens[index]!;
  });
  return requests;
}
