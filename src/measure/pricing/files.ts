/** Parses price files of users. Their kind is detected from their content. */
import { configError, pathText } from '../../errors.js';
import { isLiteLlm, liteLlmFields, liteLlmRows } from './litellm.js';
import { isModelsDev, modelsDevFields, modelsDevRows } from './models-dev.js';
import { readings } from './names.js';
import { FILE_NOTES, isObject, type PriceRow } from './price-row.js';
import { type PriceSnapshot, type PriceSource, type Quote, snapshotText } from './rates.js';

/** The lists that can be read, by the name of their project. */
interface Kind {
  readonly source: string;
  is(value: unknown): boolean;
  /** Throws TranscriptError with the path of the invalid value. */
  rows(value: unknown, file: string, isChecked: boolean): Promise<PriceRow[]>;
  /** The list with only what is read of it. */
  fields(value: unknown): unknown;
}

const KINDS: readonly Kind[] = [
  { source: 'models.dev', is: isModelsDev, rows: modelsDevRows, fields: modelsDevFields },
  { source: 'LiteLLM', is: isLiteLlm, rows: liteLlmRows, fields: liteLlmFields },
];

/**
 * The prices in a file. `name`: its name in errors. `isChecked`: it was checked when it was written, which is not done
 * again. Throws TranscriptError with the path of the invalid value.
 */
export async function pricesIn(value: unknown, name: string, isChecked = false): Promise<PriceSource> {
  if (!isChecked) rejectCurrencies(value, name, []);
  if (!isDated(value)) return sourceOf(await rowsIn(value, name, isChecked));
  const { source, date, prices } = value;
  const rows = await rowsIn(prices, name, isChecked);
  const snapshot = { source: `${source}'s list`, date };
  const about = `${snapshotText(snapshot)} (${name})`;
  const held = `its prices of ${date} hold for every day`;
  const dated = rows.map(({ names, quote }) => ({
    names,
    quote: () => {
      const undated = quote();
      const notes = [held, ...undated.notes.filter((note) => !FILE_NOTES.includes(note))];
      return { ...undated, source: about, notes };
    },
  }));
  return { ...sourceOf(dated), snapshot };
}

/** Prices are in US dollars in both kinds of lists: another currency would be taken for dollars. */
function rejectCurrencies(value: unknown, name: string, path: readonly string[]): void {
  if (!isObject(value) || path.length > DEEPEST) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key];
    if (key === 'currency' && typeof inner === 'string' && inner.toUpperCase() !== 'USD') {
      const how = 'convert them, and remove this key (`--currency` shows sums in another currency)';
      throw configError(name, pathText(at), `prices in ${inner} are not read, only those in USD; ${how}`);
    }
    rejectCurrencies(inner, name, at);
  }
}

/** Of a price in a list: `prices.<provider>.models.<model>.experimental.modes.<mode>.cost.<key>`. */
const DEEPEST = 9;

/** A list with its project and its day, as `prices --update` writes it. */
interface DatedList extends PriceSnapshot {
  readonly prices: unknown;
}

function isDated(value: unknown): value is DatedList {
  return isObject(value) && typeof value['source'] === 'string' && typeof value['date'] === 'string';
}

/** The same list with its project and day, and only what is read of it. Throws TranscriptError if it is invalid. */
export async function datedList(value: unknown, date: string, name: string): Promise<DatedList> {
  if (isDated(value)) return value;
  await pricesIn(value, name);
  const { source, fields } = kindOf(value, name);
  return { source, date, prices: fields(value) };
}

async function rowsIn(value: unknown, name: string, isChecked: boolean): Promise<PriceRow[]> {
  const rows = await kindOf(value, name).rows(value, name, isChecked);
  if (isChecked) return rows;
  const priced = rows.filter(({ quote }) => isPriced(quote()));
  if (priced.length === 0) throw configError(name, '', 'no model in this price file has a price for tokens');
  return priced;
}

function isPriced({ rates }: Quote): boolean {
  return rates.input !== undefined || rates.output !== undefined;
}

function kindOf(value: unknown, name: string): Kind {
  const kind = KINDS.find(({ is }) => is(value));
  if (kind === undefined)
    throw configError(
      name,
      '',
      "not a price file: expected LiteLLM's model_prices_and_context_window.json or models.dev's api.json",
    );
  return kind;
}

/** The first row of a name wins. Looks up the recorded name, and then its possible meanings. */
function sourceOf(rows: readonly PriceRow[]): PriceSource {
  const byName = new Map<string, PriceRow>();
  for (const row of rows)
    for (const name of row.names) if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), row);
  const known = new Map<string, Quote | undefined>();
  return {
    quote(model) {
      if (!known.has(model)) known.set(model, find(byName, model)?.quote());
      return known.get(model);
    },
    names: async () => rows.map(({ names }) => names[0]!),
  };
}

function find(byName: ReadonlyMap<string, PriceRow>, recorded: string): PriceRow | undefined {
  for (const name of namesFor(recorded)) {
    const row = byName.get(name.toLowerCase());
    if (row !== undefined) return row;
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
