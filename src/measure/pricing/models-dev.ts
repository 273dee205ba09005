/**
 * models.dev's `api.json`: `{"<provider>": {"doc": "https://…", "models": {"<model>": {"cost": {"input": 3, …}}}}}`,
 * USD per million tokens. https://models.dev/api.json, 2026-11-21
 */
import type { Tier } from '../../transcript/types.js';
import { bareName, providerId } from './names.js';
import { checked, FILE_NOTES, isObject, type PriceRow, ratesFrom, type TokenRates } from './price-row.js';
import { rateOf, withOneHour } from './rates.js';

interface ModelsDevCost {
  readonly input?: number | null;
  readonly output?: number | null;
  readonly cache_read?: number | null;
  readonly cache_write?: number | null;
  readonly reasoning?: number | null;
  readonly input_audio?: number | null;
  readonly output_audio?: number | null;
}
type ModelsDevFile = Readonly<Record<string, ModelsDevProvider>>;
interface ModelsDevProvider {
  readonly doc?: string;
  readonly models: Readonly<Record<string, ModelsDevModel>>;
}
interface ModelsDevModel {
  readonly cost?: ModelsDevPrices | null;
  readonly experimental?: { readonly modes?: Readonly<Record<string, ModelsDevMode>> | null } | boolean | null;
}
type ModelsDevPrices = ModelsDevCost & {
  readonly context_over_200k?: ModelsDevCost | null;
  readonly tiers?:
    | readonly (ModelsDevCost & { readonly tier: { readonly type?: string; readonly size: number } })[]
    | null;
};
/** Other prices for requests with these fields: `{"service_tier": "priority"}`, or `{"speed": "fast"}`. */
interface ModelsDevMode {
  readonly cost?: ModelsDevCost | null;
  readonly provider?: { readonly body?: Readonly<Record<string, unknown>> | null } | null;
}

const MODELS_DEV_KINDS = [
  ['input', 'input'],
  ['cacheRead', 'cache_read'],
  ['cacheWrite5m', 'cache_write'],
  ['output', 'output'],
  ['reasoning', 'reasoning'],
  ['inputAudio', 'input_audio'],
  ['outputAudio', 'output_audio'],
] as const;

/** Makers of models: their price wins for a name without provider that several providers have. */
const MAKERS = ['openai', 'anthropic', 'google', 'deepseek', 'mistral', 'xai', 'moonshotai', 'zai', 'alibaba'];

export function isModelsDev(value: unknown): boolean {
  return isObject(value) && Object.values(value).some((provider) => isObject(provider) && 'models' in provider);
}

async function modelsDevFile(value: unknown, name: string): Promise<ModelsDevFile> {
  const z = await import('../../text/zod.js');
  const price = z.number().nonnegative().nullish();
  const prices = Object.fromEntries(MODELS_DEV_KINDS.map(([, key]) => [key, price]));
  const tier = z.looseObject({
    ...prices,
    tier: z.looseObject({ type: z.string().optional(), size: z.number().nonnegative() }),
  });
  const cost = z.looseObject({
    ...prices,
    context_over_200k: z.looseObject(prices).nullish(),
    tiers: z.array(tier).nullish(),
  });
  const mode = z.looseObject({
    cost: z.looseObject(prices).nullish(),
    provider: z.looseObject({ body: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  });
  const experimental = z.union([z.looseObject({ modes: z.record(z.string(), mode).nullish() }), z.boolean()]);
  const model = z.looseObject({ cost: cost.nullish(), experimental: experimental.nullish() });
  const provider = z.looseObject({ doc: z.string().optional(), models: z.record(z.string(), model) });
  return checked(z.record(z.string(), provider).safeParse(value), name);
}

/** The models that have a price, with only the fields that are read. */
export function modelsDevFields(value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(value as ModelsDevFile).map(([provider, { doc, models }]) => {
      const priced = Object.entries(models).filter(([, { cost }]) => cost !== undefined && cost !== null);
      const read = priced.map(([id, { cost, experimental }]) => [id, { cost, experimental }]);
      return [provider, { doc, models: Object.fromEntries(read) }];
    }),
  );
}

export async function modelsDevRows(value: unknown, name: string, isChecked: boolean): Promise<PriceRow[]> {
  const file = isChecked ? (value as ModelsDevFile) : await modelsDevFile(value, name);
  const rank = (provider: string) => (MAKERS.includes(provider) ? MAKERS.indexOf(provider) : MAKERS.length);
  const providers = Object.entries(file).sort(([a], [b]) => rank(a) - rank(b));
  return providers.flatMap(([provider, { doc, models }]) =>
    Object.entries(models).flatMap(([id, { cost, experimental }]): PriceRow[] => {
      if (cost === undefined || cost === null) return [];
      const matched = `${provider}/${id}`;
      const quote = () => ({
        rates: withOneHour(modelsDevRates(cost), id),
        provider: providerId(provider),
        matched,
        source: name,
        url: doc,
        notes: FILE_NOTES,
        tiers: modeRates(experimental),
      });
      return [{ names: [matched, id, bareName(id)], quote }];
    }),
  );
}

const TIERS: readonly Tier[] = ['batch', 'flex', 'priority'];

function modeRates(experimental: ModelsDevModel['experimental']): Partial<Record<Tier, TokenRates>> {
  const modes = typeof experimental === 'object' ? Object.values(experimental?.modes ?? {}) : [];
  return Object.fromEntries(
    modes.flatMap(({ cost, provider }) => {
      const { service_tier: named, speed } = provider?.body ?? {};
      const tier = speed === 'fast' ? 'fast' : TIERS.find((tier) => tier === named);
      return tier === undefined || !cost ? [] : [[tier, modelsDevRates(cost)]];
    }),
  );
}

function modelsDevRates(cost: ModelsDevPrices): TokenRates {
  const tiers = (cost.tiers ?? [])
    .filter(({ tier }) => tier.type === undefined || tier.type === 'context')
    .map((tier) => ({ above: tier.tier.size, cost: tier }));
  const over200k =
    cost.context_over_200k && tiers.every(({ above }) => above !== 200_000)
      ? [{ above: 200_000, cost: cost.context_over_200k }]
      : [];
  return ratesFrom(
    [{ above: 0, cost }, ...tiers, ...over200k].flatMap(({ above, cost }) =>
      MODELS_DEV_KINDS.flatMap(([kind, key]) => {
        const amount = cost[key];
        return typeof amount === 'number' ? [{ kind, above, rate: rateOf(amount) }] : [];
      }),
    ),
  );
}
