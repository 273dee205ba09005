/** Loads prices: built-in prices, overridden by the user's price list and by price files. */
import { loadPrices, type PriceList } from '../../measure/pricing/cost.js';
import { type PriceSnapshot, type PriceSource, snapshotText } from '../../measure/pricing/rates.js';
import type { Config } from '../config/config.js';
import { parseJson } from '../config/parse-json.js';
import { besideConfig } from '../config/paths.js';
import { warnOfRepeated } from '../config/repeated-keys.js';
import { textFile } from '../files/text-file.js';
import { say } from '../inputs/reading.js';
import type { PriceOptions } from '../options/options.js';
import { type Terminal, timeOf } from '../terminal/terminal.js';
import { fromHome, userPrices } from './user-prices.js';

/** Older prices are warned about. */
const MOST_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * The last file with a model wins; files of flags come after those of the config, and these after the user's list.
 * Warns about old prices, unless there are files.
 */
export async function loadPriceList(
  { prices, batch, verbose }: PriceOptions & { readonly verbose?: boolean | undefined },
  config: Pick<Config, 'file' | 'prices'>,
  terminal: Terminal,
): Promise<PriceList> {
  const files = [...config.prices.map((file) => besideConfig(file, config.file)), ...prices];
  const sources: PriceSource[] = [];
  const own = userPrices(terminal);
  if (own !== undefined) sources.unshift(await ownList(own, terminal));
  for (const file of files) sources.unshift(await pricesIn(file, terminal));
  const list = await loadPrices(sources, batch === true, (name, matched) =>
    say(terminal, `ctx-trim: warning: no price for ${name} is known: that of ${matched} is a guess (set --prices)`),
  );
  if (files.length === 0) warnOfAge(list.snapshot, terminal);
  const snapshot = files.length === 0 ? list.snapshot : { ...list.snapshot, files };
  if (verbose === true) say(terminal, `ctx-trim: prices: ${snapshotText(snapshot)}`);
  return { ...list, snapshot };
}

async function ownList(path: string, terminal: Terminal): Promise<PriceSource> {
  const name = fromHome(path, terminal);
  return pricesIn(path, terminal, { name, isChecked: true });
}

/** Loads the readers of price files only if there is one. */
async function pricesIn(
  path: string,
  terminal: Terminal,
  { name = path, isChecked = false } = {},
): Promise<PriceSource> {
  const files = await import('../../measure/pricing/files.js');
  const text = textFile(path, terminal.cwd);
  const value = parseJson(text, name);
  if (!isChecked) warnOfRepeated(text, name, terminal);
  return files.pricesIn(value, name, isChecked);
}

/** For commands without options for prices. */
export function loadUsualPrices(terminal: Terminal): Promise<PriceList> {
  return loadPriceList({ prices: [], batch: undefined }, { prices: [] }, terminal);
}

function warnOfAge(snapshot: PriceSnapshot, terminal: Terminal): void {
  const days = Math.floor((timeOf(terminal).getTime() - Date.parse(snapshot.date)) / DAY_MS);
  if (days <= MOST_DAYS) return;
  const how = "`ctx-trim prices --update --from <file>` takes newer ones from LiteLLM's or models.dev's file";
  say(terminal, `ctx-trim: warning: prices are ${days} days old (${snapshotText(snapshot)}); ${how}`);
}
