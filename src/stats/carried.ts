/** What tool results really cost: a result is sent again with every request that comes after it. */

import type { Picodollars } from '../decimals.js';
import { listIn } from '../lists.js';
import type { PriceBook } from '../pricing/cost.js';
import { pair } from '../transcript/pairs.js';
import { joinTexts } from '../transcript/text.js';
import type { Message, Transcript } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import type { Counting } from './counting.js';
import type { Counted, RequestFacts } from './requests.js';

export interface Carried {
  readonly file: string;
  readonly line: number;
  /** The message of the result, by index. */
  readonly index: number;
  readonly tool: string;
  readonly tokens: number;
  /** How many requests sent it. */
  readonly requests: number;
  /** Tokens of it in all of them. */
  readonly carriedTokens: number;
  /** Its share, by tokens, of what their prompts cost: at the price of the cache, where they were read from it. */
  readonly cost: Picodollars | undefined;
}

/** Every result of a transcript with what its later requests paid for it. `requests` are the transcript's own. */
export function carriedResults(
  transcript: Transcript,
  { file, line }: { readonly file: string; readonly line: number },
  counting: Counting,
  counted: Counted,
  requests: readonly RequestFacts[],
  prices: PriceBook | undefined,
  at: Date | undefined,
): Carried[] {
  const { messages } = transcript;
  const before = sumsBefore(counted.tokens);
  const sent = requests.map((request) => {
    const end = contextEnd(messages, request.index);
    const known = counted.everyRequest + before[end]!;
    const prompt = request.tokensSource === 'recorded' ? promptTokens(request.usage) : known;
    const context = Math.max(known, prompt); // a log may leave the system prompt and the tools out, or keep what was compacted
    return { end, context, prompt, cost: promptCost(request, prices, at) };
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

/** What the requests whose context ends at a place or behind it pay for one token that they carry. */
interface Later {
  readonly requests: number;
  /** How often it is sent: less than once where a log keeps what was compacted. */
  readonly rate: number;
  /** In parts of a picodollar. */
  readonly price: Picodollars | undefined;
}

/** The finest prices of single tokens are picodollars: so many parts of one are lost in no sum. */
const PARTS = 1n << 64n;

interface SentRequest {
  readonly end: number;
  readonly context: number;
  readonly prompt: number;
  readonly cost: Picodollars | undefined;
}

/** By place: the sums from there on. */
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

/** Where the context of a request ends: before what the model wrote in answer to it, or before the line that counts it. */
function contextEnd(messages: readonly Message[], index: number): number {
  const isReply = (at: number) => messages[at]!.role === 'meta' || messages[at]!.role === 'assistant';
  const hasResult = (at: number) => messages[at]!.parts.some(({ type }) => type === 'result');
  let end = Math.min(index, messages.length - 1);
  if (end < 0 || !isReply(end)) return end + 1;
  while (end > 0 && isReply(end - 1) && !hasResult(end - 1)) end--;
  return end;
}

/** What of a request's cost its prompt is. Where a cost is recorded, its part of that: by price, or (unpriced) by tokens. */
function promptCost(
  { model, usage, time, cost, costSource }: RequestFacts,
  prices: PriceBook | undefined,
  at: Date | undefined,
): Picodollars | undefined {
  const when = at ?? (time === undefined ? undefined : new Date(time));
  const priced = (of: typeof usage) => (model === undefined ? undefined : prices?.cost(model, of, when).usd);
  const prompt = priced({ ...usage, output: 0, reasoning: 0 });
  if (costSource !== 'recorded' || cost === undefined) return prompt;
  if (cost === 0n) return 0n; // it was broken off, or is paid otherwise
  const whole = priced(usage);
  if (prompt !== undefined && whole !== undefined && whole > 0n) return (cost * prompt) / whole;
  const tokens = promptTokens(usage);
  return tokens + usage.output === 0 ? undefined : share(cost, tokens, tokens + usage.output);
}

function share(cost: Picodollars, part: number, whole: number): Picodollars {
  return whole === 0 ? 0n : (cost * BigInt(Math.round(part))) / BigInt(Math.round(whole));
}
