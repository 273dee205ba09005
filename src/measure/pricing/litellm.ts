/**
 * LiteLLM's `model_prices_and_context_window.json`: `{"<model>": {"input_cost_per_token": 3e-6, …}}`, USD per token.
 * https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json, 2026-11-21
 */

import { decimal } from '../../decimals.js';
import { commaList } from '../../lists.js';
import type { Tier } from '../../transcript/types.js';
import { providerId } from './names.js';
import {
  checked,
  FILE_NOTES,
  isObject,
  type PriceKind,
  type PricePiece,
  type PriceRow,
  ratesFrom,
  type TokenRates,
} from './price-row.js';
import { multiplied, type Price, type Quote, type Rate, type Rates, rateOfToken, withOneHour } from './rates.js';

const KINDS = new Map<string, PriceKind>([
  ['input_cost_per_token', 'input'],
  ['cache_read_input_token_cost', 'cacheRead'],
  ['cache_creation_input_token_cost', 'cacheWrite5m'],
  ['cache_creation_input_token_cost_above_1hr', 'cacheWrite1h'],
  ['output_cost_per_token', 'output'],
  ['output_cost_per_reasoning_token', 'reasoning'],
  ['input_cost_per_audio_token', 'inputAudio'],
  ['input_cost_per_image_token', 'inputImage'],
  ['input_cost_per_video_token', 'inputVideo'],
  ['cache_read_input_audio_token_cost', 'cacheReadAudio'],
  ['cache_read_input_image_token_cost', 'cacheReadImage'],
  ['output_cost_per_audio_token', 'outputAudio'],
  ['output_cost_per_image_token', 'outputImage'],
  ['output_cost_per_video_token', 'outputVideo'],
]);

/** LiteLLM's suffixes of tiers. */
const TIERS = new Map<string, Tier>([
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['batches', 'batch'],
]);

/** Such as `input_cost_per_token_above_272k_tokens_flex`: a kind of tokens, a prompt length, a tier. */
const TOKEN_PRICE = new RegExp(
  `^(?<kind>${[...KINDS.keys()].join('|')})(?:_above_(?<thousands>\\d+)k_tokens)?` +
    `(?:_(?<tier>${[...TIERS.keys()].join('|')}))?$`,
);

const MEDIA = /_(?:audio|image|video)_/;

/** All other fields that are read. */
const OTHER_FIELDS = commaList(`
  litellm_provider, source, tiered_pricing, input_cost_per_request, provider_specific_entry,
  search_context_cost_per_query, web_search_billing_unit
`);

type LiteLlmModel = Readonly<Record<string, unknown>> & {
  /** Factors of the prices, for regions and for Anthropic's fast mode: `{"us": 1.1, "fast": 6}`. */
  readonly provider_specific_entry?: Readonly<Record<string, unknown>> | null;
  readonly search_context_cost_per_query?: { readonly search_context_size_medium?: number | null } | null;
  readonly tiered_pricing?:
    | readonly (Readonly<Record<string, unknown>> & { readonly range?: readonly number[] })[]
    | null;
};

export function isLiteLlm(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).some(
      (model) =>
        isObject(model) && ('litellm_provider' in model || Object.keys(model).some((key) => TOKEN_PRICE.test(key))),
    )
  );
}

async function liteLlmFile(value: unknown, name: string): Promise<Readonly<Record<string, LiteLlmModel>>> {
  const z = await import('../../text/zod.js');
  const price = z.number().nonnegative().nullish();
  const pricesOf = <T extends Readonly<Record<string, unknown>>>(
    row: T,
    context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
  ) => {
    for (const [key, amount] of Object.entries(row)) {
      const message =
        TOKEN_PRICE.test(key) || key === 'input_cost_per_request'
          ? price.safeParse(amount).error?.issues[0]?.message
          : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
    }
  };
  const tier = z.looseObject({ range: z.array(z.number().nonnegative()).min(1).optional() }).superRefine(pricesOf);
  const model = z
    .looseObject({
      tiered_pricing: z.array(tier).nullish(),
      provider_specific_entry: z.record(z.string(), z.unknown()).nullish(),
      search_context_cost_per_query: z.looseObject({ search_context_size_medium: price }).nullish(),
    })
    .superRefine(pricesOf);
  return checked(z.record(z.string(), model).safeParse(value), name) as Readonly<Record<string, LiteLlmModel>>;
}

/** The models that have a price for tokens, with only the fields that are read. */
export function liteLlmFields(value: unknown): unknown {
  const models = Object.entries(value as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  return Object.fromEntries(
    models.flatMap(([id, model]) => {
      const read = Object.entries(model).filter(([key]) => TOKEN_PRICE.test(key) || OTHER_FIELDS.includes(key));
      const isPriced = read.some(([key]) => (TOKEN_PRICE.test(key) && !MEDIA.test(key)) || key === 'tiered_pricing');
      return isPriced && id !== 'sample_spec' ? [[id, Object.fromEntries(read)]] : [];
    }),
  );
}

export async function liteLlmRows(value: unknown, file: string, isChecked: boolean): Promise<PriceRow[]> {
  const models = isChecked ? (value as Readonly<Record<string, LiteLlmModel>>) : await liteLlmFile(value, file);
  return Object.entries(models).flatMap(([id, model]) =>
    id === 'sample_spec' ? [] : [{ names: [id], quote: () => quoteOf(id, model, file) }],
  );
}

function quoteOf(id: string, model: LiteLlmModel, file: string): Quote {
  const { litellm_provider: provider, source, input_cost_per_request: request } = model;
  const rates = withOneHour(
    { ...liteLlmRates(model), ...(typeof request === 'number' ? { request: decimal(request, 12) } : {}) },
    id,
  );
  return {
    rates,
    provider: typeof provider === 'string' ? providerId(provider) : undefined,
    matched: id,
    source: file,
    url: typeof source === 'string' ? source : undefined,
    notes: [...FILE_NOTES, ...lengthNotes(pieces(model, 0))],
    tiers: { ...tierRates(model), ...fastRates(model, rates) },
    regions: factorsOf(model),
    tools: searchPrice(model),
  };
}

function tierRates(model: LiteLlmModel): Partial<Record<Tier, TokenRates>> {
  const all = pieces(model, 0);
  return Object.fromEntries(
    [...TIERS.values()].flatMap((tier) => {
      const ofTier = all.filter((piece) => piece.tier === tier);
      // as LiteLLM does: a price that the tier lacks is the usual one
      const usual = all.filter(
        (piece) => piece.tier === undefined && piece.above === 0 && isOnlyLong(piece.kind, ofTier),
      );
      return ofTier.length === 0 ? [] : [[tier, ratesFrom([...usual, ...ofTier])]];
    }),
  );
}

/** Whether a kind of tokens has prices for prompts above a length only. */
function isOnlyLong(kind: PriceKind, of: readonly PricePiece[]): boolean {
  const own = of.filter((piece) => piece.kind === kind);
  return own.length > 0 && own.every(({ above }) => above > 0);
}

/** Of input and output: other kinds have their prices. */
function lengthNotes(of: readonly TierPiece[]): readonly string[] {
  const usual = of.filter(({ tier }) => tier === undefined);
  const kinds = (['input', 'output'] as const).filter((kind) => isOnlyLong(kind, usual));
  return kinds.length === 0 ? [] : [`${kinds.join(', ')}: no price for shorter prompts, so that of longer ones`];
}

function fastRates({ provider_specific_entry: factors }: LiteLlmModel, rates: Rates): { fast?: Rates } {
  const factor = factors?.['fast'];
  if (typeof factor !== 'number') return {};
  const prices = Object.entries(rates).flatMap(([kind, price]) =>
    typeof price === 'object' && kind !== 'media' ? [[kind, multiplied(price as Price, String(factor))]] : [],
  );
  return { fast: Object.fromEntries(prices) };
}

function factorsOf({ provider_specific_entry: factors }: LiteLlmModel): Readonly<Record<string, string>> {
  const numbers = Object.entries(factors ?? {}).filter(([key, factor]) => typeof factor === 'number' && key !== 'fast');
  return Object.fromEntries(numbers.map(([key, factor]) => [key, String(factor)]));
}

/** Google charges for prompts with a search unless the file says otherwise, the others for searches. */
function searchPrice(model: LiteLlmModel): Quote['tools'] {
  const usd = model.search_context_cost_per_query?.search_context_size_medium;
  if (typeof usd !== 'number') return {};
  const perPrompt =
    /gemini/.test(String(model['litellm_provider'])) || /vertex/.test(String(model['litellm_provider']));
  const per = perPrompt && model['web_search_billing_unit'] !== 'per_query' ? 'request' : 'use';
  return { web_search: { usd: decimal(usd, 12), per } };
}

/** The prices of `tiered_pricing` by prompt length, completed by the flat prices. */
function liteLlmRates(model: LiteLlmModel): TokenRates {
  const tiered = (model.tiered_pricing ?? []).flatMap((tier) => pieces(tier, tier.range?.[0] ?? 0));
  const flat = pieces(model, 0).filter(
    ({ kind, tier }) => tier === undefined && tiered.every((piece) => piece.kind !== kind),
  );
  return ratesFrom([...tiered, ...flat]);
}

interface TierPiece extends PricePiece {
  readonly tier: Tier | undefined;
}

function pieces(row: Readonly<Record<string, unknown>>, from: number): TierPiece[] {
  return Object.entries(row).flatMap(([key, amount]) => {
    const { kind, thousands, tier } = TOKEN_PRICE.exec(key)?.groups ?? {};
    const rate = tokenRate(amount);
    if (kind === undefined || rate === undefined) return [];
    const above = thousands === undefined ? from : Number(thousands) * 1000;
    return [{ kind: KINDS.get(kind)!, above, rate, tier: tier === undefined ? undefined : TIERS.get(tier) }];
  });
}

function tokenRate(amount: unknown): Rate | undefined {
  return typeof amount === 'number' ? rateOfToken(amount) : undefined;
}
