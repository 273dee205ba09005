/** One request of a recording: what was recorded of it, and its cost. */
import type { Picodollars } from '../../decimals.js';
import type { Billing, Usage } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import type { PriceBook } from '../pricing/cost.js';

export interface RequestRecord {
  /** The same for all records of one request, in every file; undefined if the request has no id. */
  readonly key: string | undefined;
  /**
   * The index of the message with the reply, or of the line with the usage; the number of messages if the reply is not
   * among them.
   */
  readonly index: number;
  readonly model: string | undefined;
  readonly session: string | undefined;
  /** The branch of git on which the agent worked, if it is recorded. */
  readonly branch?: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly usage: Usage;
  /** How many requests this stands for. */
  readonly requests: number;
  /** The agent whose request it is; undefined for the main agent. */
  readonly agent: string | undefined;
  /** No message of the transcript answers it: a simulated user's request, or one whose messages are not recorded. */
  readonly isUnanswered: boolean;
  /** The rest of a total that the recording states: what its requests do not explain. */
  readonly isRemainder: boolean;
  /** What the price depends on besides model, time and usage. */
  readonly billing: Billing | undefined;
  /** `recorded`: from the log. Else counted: `exact` with the model's own encoding, `estimated` with another one. */
  readonly tokensSource: 'recorded' | 'exact' | 'estimated';
  readonly recordedCost: Picodollars | undefined;
}

/** An array, or a list that makes a request when it is needed, so that few of them are in memory at once. */
export interface RequestList<R extends RequestRecord = RequestRecord> extends Iterable<R> {
  readonly length: number;
  at(index: number): R | undefined;
  /** The key of a request, if that takes less than the request. */
  keyAt?(index: number): RequestRecord['key'];
}

export interface RequestFacts extends RequestRecord {
  readonly cost: Picodollars | undefined;
  /**
   * `recorded`: the cost in the log. `computed`: the price of recorded usage. `estimated`: the price of counted tokens.
   */
  readonly costSource: 'recorded' | 'computed' | 'estimated' | 'unpriced';
}

export interface Pricing {
  /** Without it there are no costs. */
  readonly prices: PriceBook | undefined;
  /** The date of all prices; by default each request's own time. */
  readonly at: Date | undefined;
  /** The model of requests whose model is not recorded. */
  readonly model?: string | undefined;
  /** The model of all requests, instead of the recorded ones. */
  readonly asModel?: string | undefined;
}

/** A request with its cost. */
export function priced(record: RequestRecord, pricing: Pricing): RequestFacts {
  const { usage, time, billing, tokensSource, recordedCost } = record;
  const model = pricing.asModel ?? record.model ?? pricing.model;
  if (recordedCost !== undefined) return withCost(record, model, recordedCost, 'recorded');
  const cost = computedCost({ model, usage, time, billing }, pricing);
  if (cost === undefined) return withCost(record, model, cost, 'unpriced');
  return withCost(record, model, cost, tokensSource === 'recorded' ? 'computed' : 'estimated');
}

/** What has no price of a request whose text has one: `audio`, `image`, `video`. */
export function unpricedMediaOf(request: RequestRecord, pricing: Pricing): readonly string[] {
  const { media, ...text } = request.usage;
  if (media === undefined || priced({ ...request, usage: text }, pricing).cost === undefined) return [];
  const kinds = Object.keys(media).map((kind) => kind.replace(/^(?:input|cacheRead|output)/, '').toLowerCase());
  return [...new Set(kinds)];
}

/** Member by member: a spread of so many takes several times as long. */
function withCost(
  record: RequestRecord,
  model: string | undefined,
  cost: Picodollars | undefined,
  costSource: RequestFacts['costSource'],
): RequestFacts {
  const { key, index, session, branch, time, usage, requests, agent, isUnanswered, isRemainder } = record;
  const { billing, tokensSource, recordedCost } = record;
  return {
    key,
    index,
    model,
    session,
    branch,
    time,
    usage,
    requests,
    agent,
    isUnanswered,
    isRemainder,
    billing,
    tokensSource,
    recordedCost,
    cost,
    costSource,
  };
}

/** The price of the request's tokens, whatever cost is recorded; undefined if it is unknown. */
export function computedCost(
  { model, usage, time, billing }: Pick<RequestRecord, 'model' | 'usage' | 'time' | 'billing'>,
  { prices, at }: Pick<Pricing, 'prices' | 'at'>,
): Picodollars | undefined {
  if (model === undefined) return undefined;
  return prices?.cost(model, usage, at ?? (time === undefined ? undefined : new Date(time)), billing).usd;
}

/** The requests of a transcript, each once. */
export function mergedRequests<R extends RequestRecord>(records: readonly R[]): readonly R[] {
  const byKey = new Map<unknown, R>();
  for (const record of records) {
    const known = record.key === undefined ? undefined : byKey.get(record.key);
    byKey.set(record.key ?? record, known === undefined ? record : merged(known, record));
  }
  return byKey.size === records.length ? records : [...byKey.values()];
}

/** Two records of one request: the fuller one, at the place of the first. */
export function merged<R extends RequestRecord>(first: R, second: R): R {
  const fuller = isFuller(second.usage, first.usage)
    ? { ...second, index: first.index, session: first.session }
    : first;
  const usage = withCacheSplit(fuller.usage, fuller === first ? second.usage : first.usage);
  return usage === fuller.usage ? fuller : { ...fuller, usage };
}

/** Whether a record is more complete: usage grows from record to record of one request. */
function isFuller(usage: Usage, than: Usage): boolean {
  return usage.output > than.output || (usage.output === than.output && promptTokens(usage) > promptTokens(than));
}

/** Cache writes split by lifetime as in another record of the same requests, if only that one has the split. */
export function withCacheSplit(usage: Usage, { cacheWrite1h: hour }: Usage): Usage {
  if (usage.cacheWrite1h > 0 || hour === 0) return usage;
  const cacheWrite1h = Math.min(hour, usage.cacheWrite5m);
  return { ...usage, cacheWrite5m: usage.cacheWrite5m - cacheWrite1h, cacheWrite1h };
}
