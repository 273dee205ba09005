/** Loads prices: built-in prices, overridden by price files. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unreadable } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import { loadPrices, type PriceList } from '../../pricing/cost.js';
import { pricesIn } from '../../pricing/files.js';
import type { PriceSource } from '../../pricing/rates.js';
import { besideConfig, type Config } from './config.js';
import type { PriceOptions } from './options.js';
import { parseJson } from './parse-json.js';

/** The last file with a model wins; files of flags come after those of the config. */
export async function loadPriceList(
  { prices, batch }: PriceOptions,
  config: Config,
  terminal: Terminal,
): Promise<PriceList> {
  const ofConfig = config.prices.map((file) => besideConfig(file, config.file));
  const sources: PriceSource[] = [];
  for (const file of [...ofConfig, ...prices])
    sources.unshift(await pricesIn(parseJson(read(file, terminal), file), file));
  return loadPrices(sources, batch === true);
}

function read(file: string, terminal: Terminal): string {
  try {
    return readFileSync(resolve(terminal.cwd, file), 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw unreadable(file, error);
  }
}
