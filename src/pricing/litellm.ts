/**
 * LiteLLM's `model_prices_and_context_window.json`: `{"<model>": {"input_cost_per_token": 3e-6, …}}`, USD per token.
 * https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json, 2026-11-21
 */

import { decimal } from '../decimals.js';
import {
  checked,
  FILE_NOTES,
  isObject,
  type PricePiece,
  type PriceRow,
  ratesFrom,
  type TokenRates,
} from './price-row.js';
import { type Quote, type Rate, rateOfToken, withOneHour } from './rates.js';

const KINDS = new Map<string, keyof TokenRates>([
  ['input_cost_per_token', 'input'],
  ['cache_read_input_token_cost', 'cacheRead'],
  ['cache_creation_input_token_cost', 'cacheWrite5m'],
  ['cache_creation_input_token_cost_above_1hr', 'cacheWrite1h'],
  ['output_cost_per_token', 'output'],
  ['output_cost_per_reasoning_token', 'reasoning'],
]);

/** Such as `cache_creation_input_token_cost_above_1hr_above_200k_tokens`: a kind of tokens, and a prompt length. */
const TOKEN_PRICE = new RegExp(`^(?<kind>${[...KINDS.keys()].join('|')})(?:_above_(?<thousands>\\d+)k_tokens)?$`);

const OTHER_PRICES = ['input_cost_per_token_batches', 'output_cost_per_token_batches', 'input_cost_per_request'];

/** LiteLLM's names of providers with known batch prices. */
const LITELLM_PROVIDERS = new Map<string, string>([
  ['text-completion-openai', 'openai'],
  ['gemini', 'google'],
  ['vertex_ai-language-models', 'google'],
]);

type LiteLlmModel = Readonly<Record<string, unknown>> & {
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
  const z = await import('zod');
  const price = z.number().nonnegative().nullish();
  const pricesOf = <T extends Readonly<Record<string, unknown>>>(
    row: T,
    context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
  ) => {
    for (const [key, amount] of Object.entries(row)) {
      const message =
        TOKEN_PRICE.test(key) || OTHER_PRICES.includes(key)
          ? price.safeParse(amount).error?.issues[0]?.message
          : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
    }
  };
  const tier = z.looseObject({ range: z.array(z.number().nonnegative()).min(1).optional() }).superRefine(pricesOf);
  const model = z.looseObject({ tiered_pricing: z.array(tier).nullish() }).superRefine(pricesOf);
  return checked(z.record(z.string(), model).safeParse(value), name) as Readonly<Record<string, LiteLlmModel>>;
}

export async function liteLlmRows(value: unknown, file: string): Promise<PriceRow[]> {
  return Object.entries(await liteLlmFile(value, file)).flatMap(([id, model]): PriceRow[] => {
    if (id === 'sample_spec') return [];
    const { litellm_provider: provider, source, input_cost_per_request: request } = model;
    const rates = withOneHour(
      { ...liteLlmRates(model), ...(typeof request === 'number' ? { request: decimal(request, 12) } : {}) },
      id,
    );
    const batch = {
      input: tokenRate(model['input_cost_per_token_batches']),
      output: tokenRate(model['output_cost_per_token_batches']),
    };
    const quote: Quote = {
      rates,
      provider: typeof provider === 'string' ? (LITELLM_PROVIDERS.get(provider) ?? provider) : undefined,
      matched: id,
      source: file,
      url: typeof source === 'string' ? source : undefined,
      notes: FILE_NOTES,
      ...(batch.input === undefined && batch.output === undefined ? {} : { batch }),
    };
    return [{ names: [id], quote }];
  });
}

/** The prices of `tiered_pricing` by prompt length, completed by the flat prices. */
function liteLlmRates(model: LiteLlmModel): TokenRates {
  const tiered = (model.tiered_pricing ?? []).flatMap((tier) => pieces(tier, tier.range?.[0] ?? 0));
  const flat = pieces(model, 0).filter(({ kind }) => tiered.every((piece) => piece.kind !== kind));
  return ratesFrom([...tiered, ...flat]);
}

function pieces(row: Readonly<Record<string, unknown>>, from: number): PricePiece[] {
  return Object.entries(row).flatMap(([key, amount]) => {
    const { kind, thousands } = TOKEN_PRICE.exec(key)?.groups ?? {};
    const rate = tokenRate(amount);
    if (kind === undefined || rate === undefined) return [];
    return [{ kind: KINDS.get(kind)!, above: thousands === undefined ? from : Number(thousands) * 1000, rate }];
  });
}

function tokenRate(amount: unknown): Rate | undefined {
  return typeof amount === 'number' ? rateOfToken(amount) : undefined;
}
