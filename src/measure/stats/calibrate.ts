/**
 * How far counted tokens differ from recorded ones, and the factor that corrects them, for each model.
 *
 * A log rarely has the whole prompt: the system prompt and the tool definitions are missing. So this compares growth
 * instead of prompts: a prompt is longer than the one before by the messages between them, which the log does have.
 */
import type { Message, Transcript } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import type { Counting } from './counting.js';
import { groupBy } from './groups.js';
import { mergedRequests, type Pricing } from './request.js';
import { recordedRequests } from './requests.js';
import { requestsByReply } from './requests-by-reply.js';

/** From one request of a transcript to the next, in tokens. */
export interface Growth {
  /** Growth of the prompt, as the provider counted it. */
  readonly recorded: number;
  /** The messages between, as counted here, with the factor in use. */
  readonly counted: number;
}

export interface ModelGrowth {
  readonly model: string;
  /** The factor that the growth was counted with. */
  readonly factor: number;
  readonly pairs: readonly Growth[];
}

export interface Calibration {
  readonly model: string;
  /** Pairs of requests in the fit, and dropped pairs: the prompt shrank, or there is no message between them. */
  readonly pairs: number;
  readonly dropped: number;
  /** Tokens that prompts grew by, in all pairs. */
  readonly recorded: number;
  readonly factor: number;
  readonly fitted: number;
  /** Recorded tokens per counted token: the median and the range of the middle 80 % of all tokens. */
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number };
  /** The sum of the pairs' errors over all recorded tokens (0.1 is 10 %), with the factor before and the fitted one. */
  readonly error: number;
  readonly errorLeft: number;
}

/**
 * A factor for each model with growth, most pairs first. Median and spread are weighted by tokens: short pairs count
 * little.
 */
export function calibrate(growths: readonly ModelGrowth[]): Calibration[] {
  const fits = [...groupBy(growths, ({ model }) => model)].flatMap(([model, list]) => fitted(model, list) ?? []);
  return fits.sort((a, b) => b.recorded - a.recorded || (a.model < b.model ? -1 : 1));
}

function fitted(model: string, growths: readonly ModelGrowth[]): Calibration | undefined {
  const { factor } = growths[0]!;
  const pairs = growths.flatMap((growth) => growth.pairs);
  const usable = pairs.filter(({ recorded, counted }) => recorded > 0 && counted > 0);
  if (usable.length === 0) return undefined;
  const recorded = usable.reduce((sum, pair) => sum + pair.recorded, 0);
  const ratios = usable
    .map((pair) => ({ value: pair.recorded / pair.counted, weight: pair.counted }))
    .sort((a, b) => a.value - b.value);
  const median = quantile(ratios, 0.5);
  const errorWith = (ratio: number) =>
    usable.reduce((sum, pair) => sum + Math.abs(pair.recorded - pair.counted * ratio), 0) / recorded;
  return {
    model,
    pairs: usable.length,
    dropped: pairs.length - usable.length,
    recorded,
    factor,
    fitted: factor * median,
    ratio: { median, low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) },
    error: errorWith(1),
    errorLeft: errorWith(median),
  };
}

/** The first value at which the cumulative weight reaches `share`. Values are in ascending order. */
function quantile(values: readonly { readonly value: number; readonly weight: number }[], share: number): number {
  let left = share * values.reduce((sum, { weight }) => sum + weight, 0);
  for (const { value, weight } of values) {
    left -= weight;
    if (left <= 0) return value;
  }
  return values.at(-1)!.value;
}

// --- the growth in a transcript

interface Request {
  readonly model: string;
  readonly prompt: number;
  /** The index of the first message that was not in its prompt: its reply. */
  readonly reply: number;
}

/** The growth between consecutive requests of the same model, by model. */
export function growthOf(
  transcript: Transcript,
  countingFor: (model: string) => Counting,
  models: Pick<Pricing, 'model' | 'asModel'> = {},
): ModelGrowth[] {
  const requests = requestsWithPrompt(transcript, models);
  const pairs = requests.slice(1).flatMap((request, index) => {
    const before = requests[index]!;
    if (before.model !== request.model) return [];
    const counting = countingFor(request.model);
    const between = transcript.messages.slice(before.reply, request.reply);
    return [
      {
        model: request.model,
        recorded: request.prompt - before.prompt,
        counted: between.reduce((sum, message) => sum + counting.message(message), 0),
      },
    ];
  });
  return [...groupBy(pairs, ({ model }) => model)].map(([model, list]) => ({
    model,
    factor: countingFor(model).factor,
    pairs: list.map(({ recorded, counted }) => ({ recorded, counted })),
  }));
}

/** Requests whose prompt is recorded, in the order of their replies. */
function requestsWithPrompt(
  transcript: Transcript,
  { model: unnamed, asModel }: Pick<Pricing, 'model' | 'asModel'>,
): Request[] {
  const records = mergedRequests(recordedRequests(transcript, { prices: undefined, at: undefined }));
  const byReply = requestsByReply(transcript.messages, records);
  return [...byReply]
    .sort(([a], [b]) => a - b)
    .flatMap(([at, { model: recorded, usage }]): Request[] => {
      const model = asModel ?? recorded ?? unnamed;
      const reply = firstPiece(transcript.messages, at, byReply);
      return model === undefined ? [] : [{ model, prompt: promptTokens(usage), reply }];
    });
}

/** Messages of the model in a row are pieces of one reply, unless each has its own usage. */
function firstPiece(messages: readonly Message[], reply: number, byReply: ReadonlyMap<number, unknown>): number {
  let first = reply;
  for (let at = reply - 1; at >= 0 && !byReply.has(at); at--) {
    const { role } = messages[at]!;
    if (role === 'assistant') first = at;
    else if (role !== 'meta') break;
  }
  return first;
}
