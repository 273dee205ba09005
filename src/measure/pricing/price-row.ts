/** The rows of both kinds of price files. */
import { configError, pathText } from '../../errors.js';
import type { MediaKind } from '../../transcript/types.js';
import type { Price, Quote, Rate, Rates, TextKind } from './rates.js';

export type TokenRates = Omit<Rates, 'request'>;
export type PriceKind = TextKind | MediaKind;

/** A model of a file, and its names. */
export interface PriceRow {
  readonly names: readonly string[];
  /** Computed when asked for: files have thousands of models. */
  quote(): Quote;
}

/** The price of one kind of tokens for prompts above a length; `above: 0` is the base price. */
export interface PricePiece {
  readonly kind: PriceKind;
  readonly above: number;
  readonly rate: Rate;
}

/** The kind whose price applies to tokens without their own. */
const STAND_INS: { readonly [K in PriceKind]?: TextKind } = {
  cacheRead: 'input',
  cacheWrite5m: 'input',
  cacheWrite1h: 'cacheWrite5m',
  reasoning: 'output',
};

export function ratesFrom(pieces: readonly PricePiece[]): TokenRates {
  const sorted = [...pieces].sort((a, b) => a.above - b.above);
  const baseOf = (kind: PriceKind | undefined): Rate | undefined =>
    kind && (sorted.find((piece) => piece.kind === kind && piece.above === 0)?.rate ?? baseOf(STAND_INS[kind]));
  const rates: { -readonly [K in TextKind]?: Price } = {};
  const media: { -readonly [K in MediaKind]?: Price } = {};
  for (const { kind, above, rate } of sorted) {
    const prices: { [K in PriceKind]?: Price } = isMedia(kind) ? media : rates;
    const { base, steps } = prices[kind] ?? { base: baseOf(kind) ?? rate, steps: [] };
    prices[kind] = { base, steps: above === 0 ? steps : [...steps, { above, rate }] };
  }
  return Object.keys(media).length === 0 ? rates : { ...rates, media };
}

function isMedia(kind: PriceKind): boolean {
  return /(?:Audio|Image|Video)$/.test(kind);
}

/** Unlike bundled prices, these do not depend on the date. */
export const FILE_NOTES: readonly string[] = ['a file without dates: its prices hold for every day'];

/** The validated data. Throws TranscriptError for the first invalid value. */
export function checked<T>(
  result:
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      },
  file: string,
): T {
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw configError(file, pathText(issue!.path), `${issue!.message}; prices are numbers in USD`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
