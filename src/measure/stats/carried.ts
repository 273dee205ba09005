/** What tool results really cost: a result is sent again with every request that comes after it. */

import type { Picodollars } from '../../decimals.js';
import { listIn } from '../../lists.js';
import { pair } from '../../transcript/pairs.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import type { CountedTranscript } from './facts.js';
import { computedCost, type Pricing, type RequestFacts } from './request.js';

export interface Carried {
  readonly file: string;
  readonly line: number;
  /** The message of the result, by index. */
  readonly index: number;
  readonly tool: string;
  readonly tokens: number;
  /** The number of requests that sent it. */
  readonly requests: number;
  /** Its tokens in all of them. */
  readonly carriedTokens: number;
  /** Its share, by tokens, of the cost of their prompts; cached tokens count at the price of cache reads. */
  readonly cost: Picodollars | undefined;
}

/** Every result of a transcript with what later requests paid for it. `requests`: those of the transcript. */
export function carriedResults(
  { transcript, place: { file, line }, counting, counted }: CountedTranscript,
  requests: readonly RequestFacts[],
  pricing: Pick<Pricing, 'prices' | 'at'>,
): Carried[] {
  const { messages } = transcript;
  const before = sumsBefore(counted.tokens);
  const ends = contextEnds(messages);
  const sent = requests.map((request) => {
    const end = ends[Math.min(request.index, messages.length - 1)] ?? 0;
    const known = counted.everyRequest + before[end]!;
    const prompt = request.tokensSource === 'recorded' ? promptTokens(request.usage) : known;
    const context = Math.max(known, prompt); // a log may omit the system prompt and tools, or keep compacted messages
    return { end, context, prompt, cost: promptCost(request, pricing) };
  });
  const later = sumsFrom(sent, messages.length);
  return pair(messages).results.map(({ part, message, call }) => {
    const tokens =
      messages[message]!.parts.length === 1 ? counted.tokens[message]! : counting.text(joinTexts(part.content));
    const { requests, rate, price } = later[message + 1]!;
    return {
      file,
      line,
      index: message,
      tool: part.tool ?? call?.part.tool ?? '',
      tokens,
      requests,
      carriedTokens: Math.round(rate * tokens),
      cost: price === undefined ? undefined : (price * BigInt(Math.round(tokens))) / PARTS,
    };
  });
}

/** What the requests whose context ends at or after a place pay for one carried token. */
interface Later {
  readonly requests: number;
  /** How often it is sent: a request counts less than once if the log has messages that were compacted. */
  readonly rate: number;
  /** In parts of a picodollar. */
  readonly price: Picodollars | undefined;
}

/** Fractions of a picodollar, so that sums of prices per token lose nothing by rounding. */
const PARTS = 1n << 64n;

interface SentRequest {
  readonly end: number;
  readonly context: number;
  readonly prompt: number;
  readonly cost: Picodollars | undefined;
}

/** By place: the sums over the requests that end there or later. */
function sumsFrom(sent: readonly SentRequest[], places: number): Later[] {
  const endingAt = new Map<number, SentRequest[]>();
  for (const request of sent) listIn(endingAt, request.end).push(request);
  const sums = new Array<Later>(places + 2);
  let sum: Later = { requests: 0, rate: 0, price: 0n };
  for (let place = places + 1; place >= 0; place--) {
    for (const { context, prompt, cost } of endingAt.get(place) ?? [])
      sum = {
        requests: sum.requests + 1,
        rate: sum.rate + (context === 0 ? 0 : prompt / context),
        price: sum.price === undefined || cost === undefined ? undefined : sum.price + share(cost * PARTS, 1, context),
      };
    sums[place] = sum;
  }
  return sums;
}

function sumsBefore(tokens: readonly number[]): number[] {
  const sums = [0];
  for (const count of tokens) sums.push(sums[sums.length - 1]! + count);
  return sums;
}

/** By message: where the context of its request ends, before the model's reply or before the line with its usage. */
function contextEnds(messages: readonly Message[]): number[] {
  const ends: number[] = [];
  let isReply = false; // without a result, up to the message before
  for (const [at, { role, parts }] of messages.entries()) {
    if (role !== 'meta' && role !== 'assistant') ends.push(at + 1);
    else ends.push(isReply ? ends[at - 1]! : at);
    isReply = (role === 'meta' || role === 'assistant') && !parts.some(({ type }) => type === 'result');
  }
  return ends;
}

/** The prompt's part of a request's cost. Of a recorded cost it is the share by price or, if unpriced, by tokens. */
function promptCost(request: RequestFacts, pricing: Pick<Pricing, 'prices' | 'at'>): Picodollars | undefined {
  const { usage, billing, cost, costSource } = request;
  const ofPrompt = { usage: { ...usage, output: 0, reasoning: 0 }, billing: { ...billing, toolUses: undefined } };
  const prompt = computedCost({ ...request, ...ofPrompt }, pricing);
  if (costSource !== 'recorded' || cost === undefined) return prompt;
  if (cost === 0n) return 0n; // an interrupted request, or one that a subscription covers
  const whole = computedCost(request, pricing);
  if (prompt !== undefined && whole !== undefined && whole > 0n) return (cost * prompt) / whole;
  const tokens = promptTokens(usage);
  return tokens + usage.output === 0 ? undefined : share(cost, tokens, tokens + usage.output);
}

function share(cost: Picodollars, part: number, whole: number): Picodollars {
  return whole === 0 ? 0n : (cost * BigInt(Math.round(part))) / BigInt(Math.round(whole));
}
