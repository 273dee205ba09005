/** What counting and pricing need, resolved once for a command or a call: the model, the counter, the prices. */
import type { PriceBook } from '../measure/pricing/cost.js';
import { type Counting, countings, type Tokenizer } from '../measure/stats/counting.js';

/** Which model counts and prices, besides what a recording names. */
export interface Models {
  /** The model where the recording names none. */
  readonly model?: string | undefined;
  /** The model in place of those that the recording names. */
  readonly asModel?: string | undefined;
}

/** The model of a transcript or request whose recorded model is `recorded`. */
export function modelOf({ model, asModel }: Models, recorded: string | undefined): string | undefined {
  return asModel ?? recorded ?? model;
}

export interface Context extends Models {
  readonly tokenizer: Tokenizer;
  /** Counts with the encoding of a model, and remembers messages that it has counted. */
  countingFor(model: string | undefined): Counting;
  /** Undefined where nothing is priced. */
  readonly prices: PriceBook | undefined;
  /** Prices as of then; undefined means the time of each request, else today. */
  readonly at: Date | undefined;
}

/** A context whose counter remembers what it has counted. */
export function contextWith({ model, asModel, tokenizer, prices, at }: Omit<Context, 'countingFor'>): Context {
  return { model, asModel, tokenizer, countingFor: countings(tokenizer), prices, at };
}
