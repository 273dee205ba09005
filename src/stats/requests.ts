/**
 * The requests behind transcripts, every one counted once: what recordings say that each used and cost, or what would have
 * been sent. Logs repeat themselves: a response is written line by line with a growing count, a resumed session begins with
 * the lines of another, a total is written again unchanged.
 */
import { type Picodollars, picodollarsOf } from '../decimals.js';
import type { PriceBook } from '../pricing/cost.js';
import type { Message, Recorded, Transcript, Usage } from '../transcript/types.js';
import { addUsage, NO_USAGE, promptTokens, subtractUsage } from '../transcript/usage.js';

export interface RequestFacts {
  /** The same for all records of one request, in whichever file; undefined where nothing names it. */
  readonly key: string | undefined;
  /** The message that it brought, or the line that counts it: an index in the transcript. */
  readonly index: number;
  readonly model: string | undefined;
  readonly session: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly usage: Usage;
  /** `recorded`: the log says it. Else counted, by the model's own encoding or by another one. */
  readonly tokensSource: 'recorded' | 'exact' | 'estimated';
  readonly cost: Picodollars | undefined;
  /** `recorded`: the log holds a cost. `computed`: recorded usage at its price. `estimated`: counted tokens at their price. */
  readonly costSource: 'recorded' | 'computed' | 'estimated' | 'unpriced';
}

/** Counted tokens of a transcript, for requests whose usage is not recorded. */
export interface Counted {
  readonly model: string | undefined;
  readonly source: 'exact' | 'estimated';
  /** Of each message, by index: of all of it, and of what the model wrote of it. */
  readonly tokens: readonly number[];
  readonly written: readonly number[];
  /** What every request has on top: tool definitions and overhead. */
  readonly everyRequest: number;
}

export interface Pricing {
  /** Without it nothing is priced. */
  readonly prices: PriceBook | undefined;
  /** Prices as of then; by default as of each request's own time. */
  readonly at: Date | undefined;
  /** Takes all requests for this model's, whatever the recording says. */
  readonly model: string | undefined;
}

/** The requests behind a transcript: what it says of them, else what would have been sent. Several may have the same key: they are one. */
export function requestsOf(transcript: Transcript, counted: Counted, pricing: Pricing): RequestFacts[] {
  const recorded = recordedRequests(transcript, pricing);
  return recorded.length > 0 ? recorded : estimated(transcript, counted, pricing);
}

/** Those that the recording tells of. */
export function recordedRequests(transcript: Transcript, pricing: Pricing): RequestFacts[] {
  const paid = new Map<unknown, Picodollars>(); // by request: what was counted so far
  const count = (request: RequestFacts) => {
    paid.set(request.key ?? request, request.cost ?? 0n);
    return request;
  };
  return withKeys(entriesOf(transcript)).map((entry) => {
    const request = priced(entry, pricing);
    if (!entry.isRest || request.costSource !== 'recorded') return count(request);
    for (const agent of transcript.agents ?? []) for (const other of recordedRequests(agent, pricing)) count(other);
    const counted = [...paid.values()].reduce((sum, cost) => sum + cost, 0n);
    return count({ ...request, cost: request.cost! > counted ? request.cost! - counted : 0n });
  });
}

// --- what is recorded

/** What a recording says of one request, or says again. */
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
  /** It is what is left of a total, some of which entries before it said, or sub-agents. */
  readonly isRest: boolean;
}

function entriesOf(transcript: Transcript): Entry[] {
  const { messages, reply } = transcript;
  const entries: Entry[] = [];
  let context: Recorded = { model: transcript.model, sessionId: sessionOf(transcript) };
  let running = NO_USAGE;
  const said = new Map<unknown, Usage>(); // by request: what it was said to use
  const say = (key: unknown, usage: Usage) => {
    running = addUsage(running, subtractUsage(usage, said.get(key) ?? NO_USAGE));
    said.set(key, usage);
  };
  const take = (record: Recorded, index: number) => {
    if (record.model !== undefined || record.sessionId !== undefined)
      context = { model: record.model ?? context.model, sessionId: record.sessionId ?? context.sessionId };
    const isRest = record.usage === undefined && record.running !== undefined && said.size > 0;
    if (isRest)
      for (const agent of transcript.agents ?? [])
        for (const { key, usage } of entriesOf(agent)) say(key ?? usage, usage);
    const usage = record.usage ?? (record.running && subtractUsage(record.running, running));
    const cost = record.cost ?? record.runningCost;
    if (usage === undefined && cost === undefined) return;
    if (record.running !== undefined) running = record.running;
    else if (usage !== undefined) say(keyOf(record) ?? record, usage);
    const model = record.model ?? context.model;
    entries.push({
      index,
      key: keyOf(record),
      model,
      session: context.sessionId,
      time: record.time,
      usage: usage ?? NO_USAGE,
      cost,
      running: record.running,
      isRest,
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

/** The id of the transcript; of a sub-agent that of the main line, which its own begins with. */
function sessionOf({ id, agent }: Transcript): string | undefined {
  return agent === undefined ? id : id?.slice(0, -agent.length - 1) || undefined;
}

function keyOf({ responseId, requestId }: Recorded): string | undefined {
  return responseId === undefined ? requestId : requestId === undefined ? responseId : `${responseId} ${requestId}`;
}

/** The last of a growing series has counted most. */
export function isFuller(usage: Usage, than: Usage): boolean {
  return usage.output > than.output || (usage.output === than.output && promptTokens(usage) > promptTokens(than));
}

/**
 * Running totals name their requests: one that is written again unchanged is the same request, and so are those of a forked
 * session that replays its parent's, step by step. A first step alone may be like another's by chance: it goes by the first two.
 */
function withKeys(entries: readonly Entry[]): Entry[] {
  const totals = entries.filter(({ running }) => running !== undefined);
  const said = totals.map(({ running }) => JSON.stringify(running));
  const isStep = (index: number) => index === 0 || said[index] !== said[index - 1];
  const steps = totals.filter((_, index) => isStep(index));
  const nameOf = ({ running, usage }: Entry) => JSON.stringify([running, usage]);
  let chain = hash(steps.length > 1 ? steps.slice(0, 2).map(nameOf).join() : `${steps[0]?.session} ${said[0]}`);
  let step = -1;
  const keys = new Map<Entry, string>();
  totals.forEach((entry, index) => {
    if (isStep(index)) step++;
    if (isStep(index) && step > 1) chain = hash(chain + nameOf(entry));
    keys.set(entry, step > 1 ? chain : `${chain} ${step}`);
  });
  return entries.map((entry) => (keys.has(entry) ? { ...entry, key: keys.get(entry)! } : entry));
}

/** A short name of a text: two FNV-1a hashes. */
function hash(text: string): string {
  const words = [0x811c9dc5, 0x9e3779b9].map((seed) => {
    let value = seed;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return value.toString(36);
  });
  return words.join(' ');
}

function priced(entry: Entry, { prices, at, model: asModel }: Pricing): RequestFacts {
  const { key, index, session, time, usage } = entry;
  const model = asModel ?? entry.model;
  const facts = { key, index, model, session, time, usage, tokensSource: 'recorded' } as const;
  const recorded = entry.cost === undefined ? undefined : picodollarsOf(entry.cost);
  if (recorded !== undefined) return { ...facts, cost: recorded, costSource: 'recorded' };
  const cost = costOf(model, usage, time, prices, at);
  return { ...facts, cost, costSource: cost === undefined ? 'unpriced' : 'computed' };
}

function costOf(
  model: string | undefined,
  usage: Usage,
  time: number | undefined,
  prices: PriceBook | undefined,
  at: Date | undefined,
): Picodollars | undefined {
  return model === undefined
    ? undefined
    : prices?.cost(model, usage, at ?? (time === undefined ? undefined : new Date(time))).usd;
}

// --- what is not recorded

/** Every message of the model is a request that sends all before it again. Pieces of one message are one request. */
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
      const cost = costOf(model, whole, time, prices, at);
      const request: RequestFacts = {
        key: undefined,
        index: isPiece && last !== undefined ? last.index : index,
        model,
        session: sessionId ?? session,
        time,
        usage: whole,
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
