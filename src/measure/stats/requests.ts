/**
 * The requests that a recording holds: what each used, and its recorded cost. Everything that counts requests reads
 * them here. Logs repeat records: a response is logged in several lines with growing usage, a resumed session begins
 * with the lines of another one, a running total is logged again unchanged.
 */
import { type Picodollars, picodollarsOf } from '../../decimals.js';
import { sumsSent } from '../../transcript/sent.js';
import type { Billing, Message, Recorded, Transcript, Usage } from '../../transcript/types.js';
import { addUsage, NO_USAGE, promptTokens, subtractUsage } from '../../transcript/usage.js';
import { withGaps } from './gaps.js';
import { withoutRepeats } from './nameless.js';
import { type Pricing, priced, type RequestRecord, withCacheSplit } from './request.js';
import { keyOf, withRunningKeys } from './request-keys.js';

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
  /** Tokens of the messages before an abandoned branch, which its requests repeat. */
  readonly context: number;
}

/**
 * The requests of a transcript: recorded ones, else estimated. Requests with the same key are one request. Those of an
 * abandoned branch are recorded if those of the transcript are that it was left for.
 */
export function requestsOf(transcript: Transcript, counted: Counted, pricing: Pricing): readonly RequestRecord[] {
  return isRecorded(transcript, pricing)
    ? recordedRequests(transcript, pricing)
    : estimatedRequests(transcript, counted);
}

/** Whether requests are recorded, of it or of the transcript that an abandoned branch was left for. */
export function isRecorded(transcript: Transcript, pricing: Pricing): boolean {
  const { abandoned } = transcript;
  return (
    recordedRequests(transcript, pricing).length > 0 || (abandoned !== undefined && isRecorded(abandoned.main, pricing))
  );
}

/** The requests whose usage or cost is recorded. `pricing`: for the rest of a stated cost. */
export function recordedRequests(transcript: Transcript, pricing: Pricing): readonly RequestRecord[] {
  const stated = entriesOf(transcript);
  const entries = withGaps(withRunningKeys(stated, transcript.forkOf), (index) => stated[index]!.key !== undefined);
  return entries.some(({ isRemainder, recordedCost }) => isRemainder && recordedCost !== undefined)
    ? withRemainingCosts(entries, transcript.agents ?? [], pricing)
    : entries;
}

// --- recorded requests

/** A usage record of a request. Several may belong to one request. */
interface Entry extends RequestRecord {
  /** The usage of the session so far, if recorded. */
  readonly running: Usage | undefined;
  /** The model whose requests the total includes; undefined if it includes all. */
  readonly totalOf: string | undefined;
}

function entriesOf(transcript: Transcript): Entry[] {
  const { messages, reply, others = [] } = transcript;
  const stated = messages.map((message) => transcript.recorded?.(message));
  const records = withoutRepeats(stated, messages);
  const isSilent = reply === undefined && others.length === 0 && records.every((record) => record === undefined);
  const entries: Entry[] = [];
  if (isSilent) return entries;
  const totals = createTotals(transcript);
  let context: Recorded = { model: transcript.model, sessionId: sessionOf(transcript) };
  const take = (record: Recorded, index: number, isUnanswered = false) => {
    const { model, sessionId, branch, usage, running, billing } = record;
    const saysBilling = billing !== undefined && usage === undefined && running === undefined;
    if (model !== undefined || sessionId !== undefined || branch !== undefined || saysBilling)
      context = {
        model: model ?? context.model,
        sessionId: sessionId ?? context.sessionId,
        branch: branch ?? context.branch,
        billing: saysBilling ? billing : context.billing,
      };
    const byModel = totals.partsOf(record);
    for (const one of byModel ?? [record, ...besideOf(record)]) {
      const totalOf = byModel === undefined ? undefined : one.model;
      const taken = totals.take(one, totalOf);
      if (taken === undefined) continue;
      const cost = one.cost ?? one.runningCost;
      entries.push({
        usage: taken.usage,
        requests: taken.requests,
        running: taken.running,
        isRemainder: taken.isRemainder,
        totalOf,
        index,
        isUnanswered: isUnanswered || one.billing?.requests === 0,
        agent: record.agent ?? transcript.agent,
        key: keyOf(one),
        model: one.model ?? context.model,
        session: context.sessionId,
        branch: context.branch,
        time: one.time ?? record.time,
        billing: billingOf(one.billing ?? context.billing, taken.requests),
        tokensSource: 'recorded',
        recordedCost: cost === undefined ? undefined : picodollarsOf(cost),
      });
    }
  };
  for (const [index, record] of records.entries()) {
    const isOfOther = messages[index]!.role === 'meta' && record?.agent !== undefined; // no reply of this transcript
    if (record !== undefined) take(record, index, isOfOther);
  }
  for (const other of others.filter((record) => !isTotal(record))) take(other, messages.length, true);
  if (reply !== undefined) {
    const last = messages.findLastIndex(({ role }) => role !== 'meta');
    const index = messages[last]?.role === 'assistant' ? last : messages.length;
    if (isTotal(reply) || entries.every((entry) => entry.isUnanswered || entry.index !== index)) take(reply, index);
  }
  for (const total of others.filter(isTotal)) take(total, messages.length, true);
  return entries;
}

/** Other runs of models in a request: no requests of their own. */
function besideOf({ responseId, requestId, time, billing, beside = [] }: Recorded): Recorded[] {
  return beside.map((run, index) => ({
    ...run,
    responseId,
    requestId: keyOf({ responseId, requestId }) === undefined ? undefined : `${requestId ?? ''} run ${index + 1}`,
    time,
    billing: { tier: billing?.tier, region: billing?.region, requests: 0 },
  }));
}

/** The sum of several requests is priced as that many. */
function billingOf(billing: Billing | undefined, requests: number): Billing | undefined {
  return requests > 1 ? { ...billing, requests } : billing;
}

/** Whether a record states only a total of the requests before it. */
function isTotal({ usage, running, runningCost }: Recorded): boolean {
  return usage === undefined && (running !== undefined || runningCost !== undefined);
}

/** Takes the usage of records, and what running totals add to it. `model`: of a total that is stated by model. */
function createTotals({ agents = [] }: Transcript) {
  interface Sum {
    usage: Usage;
    requests: number;
  }
  const sums = new Map<string | undefined, Sum>(); // all requests under undefined
  const sumOf = (model: string | undefined): Sum => {
    const sum = sums.get(model) ?? { usage: NO_USAGE, requests: 0 };
    sums.set(model, sum);
    return sum;
  };
  const usageOf = new Map<unknown, Usage>(); // by request: its latest usage
  let hasAgents = false;
  let hasTotal = false;
  const count = (key: unknown, usage: Usage, requests: number, model: string | undefined) => {
    const known = usageOf.get(key);
    for (const name of model === undefined ? [undefined] : [undefined, model]) {
      const sum = sumOf(name);
      sum.usage = addUsage(sum.usage, known === undefined ? usage : subtractUsage(usage, known));
      if (known === undefined) sum.requests += requests;
    }
    usageOf.set(key, usage);
  };
  const waiting: Parameters<typeof count>[] = []; // few recordings state a total, for which they are counted
  const countWaiting = () => {
    for (const [key, usage, requests, model] of waiting.splice(0)) count(key, usage, requests, model);
  };
  const countAgents = () => {
    hasAgents = true;
    for (const agent of agents)
      for (const record of entriesOf(agent)) count(record.key ?? record, record.usage, record.requests, record.model);
  };
  /** What a total adds to the requests before it. */
  const takeTotal = (record: Recorded, model: string | undefined): Pick<Entry, TakenKey> | undefined => {
    const { runningRequests: stated } = record;
    countWaiting();
    const isRemainder = usageOf.size > 0 || hasTotal;
    hasTotal = true;
    if (isRemainder && !hasAgents) countAgents();
    const sum = sumOf(model);
    const running = record.running && withCacheSplit(record.running, sum.usage);
    const usage = running === undefined ? NO_USAGE : subtractUsage(running, sum.usage);
    const requests = stated === undefined ? Number(!isRemainder) : Math.max(0, stated - sum.requests);
    sum.usage = running ?? sum.usage;
    sum.requests = Math.max(sum.requests, stated ?? 0);
    const hasCost = record.cost !== undefined || record.runningCost !== undefined;
    const isNothing = isRemainder && !hasCost && requests === 0 && promptTokens(usage) + usage.output === 0;
    return isNothing ? undefined : { usage, requests, running, isRemainder };
  };
  return {
    /** The totals by model, if they name the model of every request; else the total of all models is read. */
    partsOf({ byModel, runningRequests }: Recorded): readonly Recorded[] | undefined {
      const models = byModel?.map(({ model }) => model);
      if (models === undefined) return undefined;
      countWaiting();
      if ([...sums.keys()].some((model) => model !== undefined && !models.includes(model))) return undefined;
      return models.length === 1 ? [{ runningRequests, ...byModel![0] }] : byModel;
    },
    take(record: Recorded, model: string | undefined): Pick<Entry, TakenKey> | undefined {
      const { usage, running, cost } = record;
      if (isTotal(record)) return takeTotal(record, model);
      if (usage === undefined && cost === undefined) return undefined;
      const requests = record.billing?.requests ?? 1;
      if (running === undefined) waiting.push([keyOf(record) ?? record, usage ?? NO_USAGE, requests, record.model]);
      else {
        countWaiting();
        sumOf(model).usage = running;
      }
      return { usage: usage ?? NO_USAGE, requests, running, isRemainder: false };
    },
  };
}

type TakenKey = 'usage' | 'requests' | 'running' | 'isRemainder';

/** The id of the transcript; for a sub-agent that of the main agent, the prefix of its own id. */
function sessionOf({ id, agent }: Transcript): string | undefined {
  return agent === undefined ? id : id?.slice(0, -agent.length - 1) || undefined;
}

/** The rest of a stated cost is what earlier requests and those of sub-agents do not cost. */
function withRemainingCosts(
  entries: readonly Entry[],
  agents: readonly Transcript[],
  pricing: Pricing,
): readonly RequestRecord[] {
  const paid = new Map<unknown, Picodollars>(); // by request: its cost
  const sums = new Map<string | undefined, Picodollars>(); // by model; all requests under undefined
  const count = (record: RequestRecord) => {
    const key = record.key ?? record;
    const cost = priced(record, pricing).cost ?? 0n;
    const more = cost - (paid.get(key) ?? 0n);
    paid.set(key, cost);
    for (const model of new Set([undefined, record.model])) sums.set(model, (sums.get(model) ?? 0n) + more);
  };
  let hasAgents = false;
  return entries.flatMap((entry) => {
    if (!entry.isRemainder || entry.recordedCost === undefined) {
      count(entry);
      return [entry];
    }
    if (!hasAgents) for (const agent of agents) recordedRequests(agent, pricing).forEach(count);
    hasAgents = true;
    const counted = sums.get(entry.totalOf) ?? 0n;
    const rest = { ...entry, recordedCost: entry.recordedCost > counted ? entry.recordedCost - counted : 0n };
    count(rest);
    const isNothing =
      rest.recordedCost === 0n && rest.requests === 0 && promptTokens(rest.usage) + rest.usage.output === 0;
    return isNothing ? [] : rest;
  });
}

// --- estimated requests

/** Each message of the model is a request that sends all messages before it. Pieces of one message are one request. */
function estimatedRequests(
  transcript: Transcript,
  { model, source, tokens, written, everyRequest, context }: Counted,
): RequestRecord[] {
  const { messages, recorded } = transcript;
  const session = sessionOf(transcript);
  const requests: RequestRecord[] = [];
  const before = sumsSent(messages, tokens);
  let group: string | undefined;
  let current = model;
  messages.forEach((message: Message, index) => {
    const record = message.role === 'assistant' || message.role === 'meta' ? recorded?.(message) : undefined;
    current = record?.model ?? message.model ?? current;
    if (message.role === 'assistant' && record?.failed !== true) {
      const last = message.group !== undefined && message.group === group ? requests.pop() : undefined;
      const input = last === undefined ? everyRequest + context + before[index]! : 0;
      const usage = { ...NO_USAGE, input, output: written[index]! };
      requests.push({
        key: undefined,
        index: last?.index ?? index,
        isUnanswered: false,
        agent: transcript.agent,
        model: current,
        session: record?.sessionId ?? session,
        branch: record?.branch,
        time: last?.time ?? record?.time,
        usage: last === undefined ? usage : addUsage(last.usage, usage),
        requests: 1,
        isRemainder: false,
        billing: record?.billing,
        tokensSource: current === model ? source : 'estimated',
        recordedCost: undefined,
      });
      group = message.group;
    }
  });
  return requests;
}
