/**
 * How far counted tokens are off what recordings say, and which factor would mend it, for each model.
 *
 * A log seldom holds all of a prompt: system prompt and tool definitions are missing. So not prompts are compared but their
 * growth: what a request's prompt has more than the one before it are the messages between them, which the log does hold.
 */
import type { Message, Transcript } from '../transcript/types.js';
import { promptTokens } from '../transcript/usage.js';
import type { Counting } from './counting.js';

/** From one request of a transcript to the next, in tokens. */
export interface Growth {
  /** Of the prompt, as the provider counted it. */
  readonly recorded: number;
  /** Of the messages between, as counted here, with the factor that the counting had. */
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
  /** Pairs of requests that the fit is made of, and those that say nothing: the prompt shrank, or nothing stands between. */
  readonly pairs: number;
  readonly dropped: number;
  /** Tokens that prompts grew by, in all pairs. */
  readonly recorded: number;
  readonly factor: number;
  readonly fitted: number;
  /** Recorded tokens for one counted: the median, and from where to where 80 % of all tokens lie. */
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number };
  /** Tokens that single pairs are off, over all recorded ones: 0.1 is 10 %. With the factor before, and with the one fitted. */
  readonly error: number;
  readonly errorLeft: number;
}

/** A factor for each model that grew at all, the best proven first. Median and spread are by tokens, so that short pairs count little. */
export function calibrate(growths: readonly ModelGrowth[]): Calibration[] {
  const fits = byModel(growths).flatMap(([model, of]) => fitted(model, of) ?? []);
  return fits.sort((a, b) => b.recorded - a.recorded || (a.model < b.model ? -1 : 1));
}

function fitted(model: string, growths: readonly ModelGrowth[]): Calibration | undefined {
  const { factor } = growths[0]!;
  const pairs = growths.flatMap((growth) => growth.pairs);
  const telling = pairs.filter(({ recorded, counted }) => recorded > 0 && counted > 0);
  if (telling.length === 0) return undefined;
  const recorded = telling.reduce((sum, pair) => sum + pair.recorded, 0);
  const ratios = telling
    .map((pair) => ({ value: pair.recorded / pair.counted, weight: pair.counted }))
    .sort((a, b) => a.value - b.value);
  const median = quantile(ratios, 0.5);
  const errorWith = (ratio: number) =>
    telling.reduce((sum, pair) => sum + Math.abs(pair.recorded - pair.counted * ratio), 0) / recorded;
  return {
    model,
    pairs: telling.length,
    dropped: pairs.length - telling.length,
    recorded,
    factor,
    fitted: factor * median,
    ratio: { median, low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) },
    error: errorWith(1),
    errorLeft: errorWith(median),
  };
}

/** The first value that, with all below it, has that share of the weight. Values in ascending order. */
function quantile(values: readonly { readonly value: number; readonly weight: number }[], share: number): number {
  let left = share * values.reduce((sum, { weight }) => sum + weight, 0);
  for (const { value, weight } of values) {
    left -= weight;
    if (left <= 0) return value;
  }
  return values.at(-1)!.value;
}

function byModel<T extends { readonly model: string }>(items: readonly T[]): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.model);
    if (group === undefined) groups.set(item.model, [item]);
    else group.push(item);
  }
  return [...groups];
}

// --- what a transcript tells

interface Request {
  readonly model: string;
  readonly prompt: number;
  /** The index of the first message that was not in its prompt: its reply. */
  readonly reply: number;
}

/** The growth between requests in a row of the same model, by model. `asModel` takes all of them for that model's. */
export function growthOf(
  transcript: Transcript,
  countingFor: (model: string) => Counting,
  asModel?: string,
): ModelGrowth[] {
  const requests = requestsOf(transcript, asModel);
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
  return byModel(pairs).map(([model, of]) => ({
    model,
    factor: countingFor(model).factor,
    pairs: of.map(({ recorded, counted }) => ({ recorded, counted })),
  }));
}

/** Requests whose prompt is recorded, once each: a response may be written in pieces, and a count again. */
function requestsOf(transcript: Transcript, asModel: string | undefined): Request[] {
  const requests: Request[] = [];
  const keys = new Set<string>();
  let model = asModel ?? transcript.model;
  transcript.messages.forEach((message, index) => {
    const said = transcript.recorded?.(message);
    model = asModel ?? said?.model ?? model;
    if (said?.usage === undefined || model === undefined || promptTokens(said.usage) === 0) return;
    const key = said.responseId ?? said.requestId;
    if (key !== undefined && keys.has(key)) return;
    if (key !== undefined) keys.add(key);
    requests.push({ model, prompt: promptTokens(said.usage), reply: replyAt(transcript.messages, index) });
  });
  return requests;
}

/** Where the reply begins that a count belongs to: the count stands in it, or in a line of its own before it or behind it. */
export function replyAt(messages: readonly Message[], index: number): number {
  if (messages[index]!.role !== 'meta') return index;
  let before = index;
  while (before > 0 && (messages[before - 1]!.role === 'meta' || messages[before - 1]!.role === 'assistant')) before--;
  const isBehind = messages.slice(before, index).some(({ role }) => role === 'assistant');
  return isBehind ? before : index;
}
