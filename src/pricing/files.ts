/** Parses price files of users. Their kind is detected from their content. */
import { configError } from '../errors.js';
import { isLiteLlm, liteLlmRows } from './litellm.js';
import { isModelsDev, modelsDevRows } from './models-dev.js';
import { readings } from './names.js';
import type { PriceRow } from './price-row.js';
import type { PriceSource, Quote } from './rates.js';

/** The prices in a file. `name`: its name in errors. Throws TranscriptError with the path of the invalid value. */
export async function pricesIn(value: unknown, name: string): Promise<PriceSource> {
  const rows = isModelsDev(value)
    ? await modelsDevRows(value, name)
    : isLiteLlm(value)
      ? await liteLlmRows(value, name)
      : undefined;
  if (rows === undefined)
    throw configError(
      name,
      '',
      "not a price file: expected LiteLLM's model_prices_and_context_window.json or models.dev's api.json",
    );
  const priced = rows.filter(({ quote }) => quote.rates.input !== undefined || quote.rates.output !== undefined);
  if (priced.length === 0) throw configError(name, '', 'no model in this price file has a price for tokens');
  return sourceOf(priced);
}

/** The first row of a name wins. Looks up the recorded name, and then its possible meanings. */
function sourceOf(rows: readonly PriceRow[]): PriceSource {
  const byName = new Map<string, Quote>();
  for (const { names, quote } of rows)
    for (const name of names) if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), quote);
  const known = new Map<string, Quote | undefined>();
  return {
    quote(model) {
      if (!known.has(model)) known.set(model, find(byName, model));
      return known.get(model);
    },
    names: async () => rows.map(({ quote }) => quote.matched),
  };
}

function find(byName: ReadonlyMap<string, Quote>, recorded: string): Quote | undefined {
  for (const name of namesFor(recorded)) {
    const quote = byName.get(name.toLowerCase());
    if (quote !== undefined) return quote;
  }
  return undefined;
}

function* namesFor(recorded: string): Generator<string> {
  yield recorded.trim();
  for (const { provider, model } of readings(recorded)) {
    if (provider !== undefined) yield `${provider}/${model}`;
    yield model;
  }
}
