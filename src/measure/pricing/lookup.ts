/** Looks a model up in the price package's list, by the rules of that package (a test compares the two). */
import type { ConditionalPrice, MatchLogic, ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';

export type ListedModel = Pick<ModelInfo, 'id' | 'match' | 'prices'>;
export interface ListedProvider
  extends Pick<Provider, 'id' | 'pricing_urls' | 'provider_match' | 'model_match' | 'fallback_model_providers'> {
  readonly models: readonly ListedModel[];
}

export interface Listed {
  readonly provider: ListedProvider;
  readonly model: ListedModel;
  /** The name as it was found, in lower case. */
  readonly name: string;
}

/** The list of the package; the models of a provider are parsed when they are asked for. */
export function listedProviders(providersJson: string, modelsJson: readonly string[]): readonly ListedProvider[] {
  const providers = JSON.parse(providersJson) as readonly Omit<ListedProvider, 'models'>[];
  return providers.map((provider, index) => {
    let models: readonly ListedModel[] | undefined;
    return {
      ...provider,
      get models() {
        models ??= JSON.parse(modelsJson[index]!) as readonly ListedModel[];
        return models;
      },
    };
  });
}

/** A model at a provider or (without one) at the provider that its name tells. */
export function findModel(
  providers: readonly ListedProvider[],
  wanted: { readonly provider?: string | undefined; readonly model: string },
): Listed | undefined {
  const { provider: providerName, model: modelName } = throughProxy(providers, wanted);
  const provider =
    providerName === undefined
      ? providers.find(({ model_match: match }) => match !== undefined && isMatch(match, modelName))
      : providerNamed(providers, providerName);
  if (provider === undefined) return undefined;
  for (const name of [modelName, withDashedDate(modelName)]) {
    const model = modelAt(providers, provider, name);
    if (model !== undefined) return { provider, model, name };
  }
  return undefined;
}

/** LiteLLM is a proxy: the name of a model behind it may begin with the name of its provider. */
function throughProxy(providers: readonly ListedProvider[], wanted: { provider?: string | undefined; model: string }) {
  const model = wanted.model.toLowerCase().trim();
  const { provider } = wanted;
  if (provider?.toLowerCase() !== 'litellm') return { provider, model };
  const [, head, tail] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  if (head !== undefined && tail !== undefined && providerNamed(providers, head) !== undefined)
    return { provider: head, model: tail };
  return { provider: providerNamed(providers, provider)?.id, model };
}

/** The provider with this id, or whose rule matches the name. */
export function providerNamed(providers: readonly ListedProvider[], name: string): ListedProvider | undefined {
  const id = name.toLowerCase().trim();
  return (
    providers.find((provider) => provider.id === id) ??
    providers.find(({ provider_match: match }) => match !== undefined && isMatch(match, id))
  );
}

function modelAt(
  providers: readonly ListedProvider[],
  { models, fallback_model_providers: others = [] }: ListedProvider,
  name: string,
): ListedModel | undefined {
  const own = models.find(({ match }) => isMatch(match, name));
  if (own !== undefined) return own;
  return providers
    .filter(({ id }) => others.includes(id))
    .sort((a, b) => others.indexOf(a.id) - others.indexOf(b.id))
    .flatMap(({ models: theirs }) => theirs)
    .find(({ match }) => isMatch(match, name));
}

/** `-20250514` as `-2025-05-14`, where it is a day. */
function withDashedDate(name: string): string {
  return name.replace(/-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, (text, year, month, day) => {
    const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
    return date.getUTCDate() === Number(day) ? `-${year}-${month}-${day}` : text;
  });
}

export function isMatch(logic: MatchLogic, name: string): boolean {
  const text = name.toLowerCase();
  if ('or' in logic) return logic.or.some((part) => isMatch(part, name));
  if ('and' in logic) return logic.and.every((part) => isMatch(part, name));
  if ('equals' in logic) return text === logic.equals.toLowerCase();
  if ('starts_with' in logic) return text.startsWith(logic.starts_with.toLowerCase());
  if ('ends_with' in logic) return text.endsWith(logic.ends_with.toLowerCase());
  if ('contains' in logic) return text.includes(logic.contains.toLowerCase());
  return new RegExp(logic.regex).test(name);
}

/** Of several prices the last whose condition holds; the first where none does. */
export function priceAt(prices: ModelInfo['prices'], at: Date): ModelPrice {
  if (!Array.isArray(prices)) return prices;
  return (prices.findLast((price) => holds(price, at)) ?? prices[0]!).prices;
}

function holds({ constraint }: ConditionalPrice, at: Date): boolean {
  if (constraint === undefined) return true;
  if (constraint.type === 'start_date') return at.getTime() >= timeOf(constraint.start_date);
  const time = at.getTime() % DAY;
  const [start, end] = [constraint.start_time, constraint.end_time].map(timeOfDay) as [number, number];
  return end < start ? time >= start || time < end : time >= start && time < end;
}

const DAY = 86_400_000;

/** `08:30:00Z` as milliseconds since midnight. */
function timeOfDay(text: string): number {
  return Date.parse(`1970-01-01T${text}`);
}

const times = new Map<string, number>();

/** The time that a text of price data says, which is parsed once. */
export function timeOf(text: string): number {
  const known = times.get(text) ?? Date.parse(text);
  times.set(text, known);
  return known;
}
