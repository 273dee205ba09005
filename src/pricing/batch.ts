/**
 * Prices of batch requests as fractions of the usual prices. Data; each row has its source and the day it was read. The
 * batch prices of other providers are unknown.
 */
import { bareName } from './names.js';
import { type Price, type Quote, type Rate, scaled } from './rates.js';

/** Half of the price, the same price, or (for cached tokens if batches have no cache) the batch price of input. */
export type BatchPrice = 'half' | 'same' | 'as-input';

export interface BatchRow {
  readonly provider: string;
  /** Matches names of models without their provider. */
  readonly model: RegExp;
  readonly input: BatchPrice;
  readonly cacheRead: BatchPrice;
  readonly cacheWrite: BatchPrice;
  readonly output: BatchPrice;
  readonly source: string;
  /** The day the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** The first matching row applies. */
export const BATCH_PRICES: readonly BatchRow[] = [
  // "The pricing discounts from prompt caching and Message Batches can stack."
  {
    provider: 'anthropic',
    model: /^claude/,
    input: 'half',
    cacheRead: 'half',
    cacheWrite: 'half',
    output: 'half',
    source: 'https://platform.claude.com/docs/en/build-with-claude/batch-processing',
    date: '2026-11-21',
  },
  // The table of batch prices lists cached input from GPT-5 on, at half price.
  {
    provider: 'openai',
    model: /^(?:ft:)?gpt-(?:[5-9]|\d\d)/,
    input: 'half',
    cacheRead: 'half',
    cacheWrite: 'half',
    output: 'half',
    source: 'https://developers.openai.com/api/docs/pricing',
    date: '2026-11-21',
  },
  // Models before GPT-5 have no prompt cache in batches.
  {
    provider: 'openai',
    model: /./,
    input: 'half',
    cacheRead: 'as-input',
    cacheWrite: 'as-input',
    output: 'half',
    source: 'https://github.com/openai/openai-cookbook/blob/main/examples/Prompt_Caching_201.ipynb',
    date: '2026-11-21',
  },
  // Cached tokens of a batch "are priced the same as for non-batch API traffic".
  {
    provider: 'google',
    model: /^gemini/,
    input: 'half',
    cacheRead: 'same',
    cacheWrite: 'half',
    output: 'half',
    source: 'https://ai.google.dev/gemini-api/docs/batch-api',
    date: '2026-11-21',
  },
];

/** The batch prices of the same model; undefined if unknown. The source's own batch prices win over the table. */
export function batchQuote(quote: Quote): Quote | undefined {
  const { rates, provider, matched, batch: own, notes } = quote;
  const row = BATCH_PRICES.find((row) => row.provider === provider && row.model.test(bareName(matched.toLowerCase())));
  if (row === undefined && own === undefined) return undefined;
  const cached = (how: BatchPrice | undefined, price: Price | undefined) =>
    how === 'as-input' ? undefined : partOf(how, price);
  return {
    ...quote,
    rates: {
      ...rates,
      input: ownOr(own?.input, row?.input, rates.input),
      cacheRead: cached(row?.cacheRead, rates.cacheRead),
      cacheWrite5m: cached(row?.cacheWrite, rates.cacheWrite5m),
      cacheWrite1h: cached(row?.cacheWrite, rates.cacheWrite1h),
      output: ownOr(own?.output, row?.output, rates.output),
      reasoning: rates.reasoning && partOf(row?.output, rates.reasoning),
    },
    notes: row === undefined ? notes : [...notes, `batch: ${row.source}, read ${row.date}`],
  };
}

/** The source's own batch price, with long-context steps in proportion to those of the usual price. */
function ownOr(own: Rate | undefined, how: BatchPrice | undefined, price: Price | undefined): Price | undefined {
  if (own === undefined) return partOf(how, price);
  return price === undefined || price.base === 0n ? { base: own, steps: [] } : scaled(price, own, price.base);
}

function partOf(how: BatchPrice | undefined, price: Price | undefined): Price | undefined {
  return how === 'half' ? price && scaled(price, 1n, 2n) : price;
}
