/** How a price list differs from the bundled prices. */
import { greatest } from '../../lists.js';
import { bundledPrices } from './bundled.js';
import type { PriceSource, Rate, Rates } from './rates.js';

/** Prices of usual prompts before and after, in 1e-18 US dollars per million tokens; undefined if unknown. */
export interface PriceChange {
  readonly model: string;
  readonly input: Change;
  readonly cacheRead: Change;
  readonly output: Change;
}

export interface Change {
  readonly before: Rate | undefined;
  readonly after: Rate | undefined;
}

export interface PriceChanges {
  /** How many models the list has. */
  readonly models: number;
  /** Those that the bundled prices lack, or have only from another provider. */
  readonly added: number;
  /** Those with another price, the greatest factor first. */
  readonly changed: readonly PriceChange[];
}

/** Compares a list with the bundled prices of a day. */
export async function priceChanges(list: PriceSource, at: Date): Promise<PriceChanges> {
  const bundled = await bundledPrices();
  const names = [...new Set(await list.names())];
  const changed: PriceChange[] = [];
  let added = 0;
  for (const model of names) {
    const before = bundled.quote(model, at);
    const after = list.quote(model, at);
    if (after === undefined) continue;
    if (before === undefined || isUnpriced(before.rates) || before.provider !== after.provider) added++;
    else changed.push(changeOf(model, before.rates, after.rates));
  }
  const really = changed.filter(({ input, cacheRead, output }) => [input, cacheRead, output].some(isChanged));
  return { models: names.length, added, changed: really.sort((a, b) => factorOf(b) - factorOf(a) || order(a, b)) };
}

function order(a: PriceChange, b: PriceChange): number {
  return a.model < b.model ? -1 : 1;
}

function isUnpriced({ input, output }: Rates): boolean {
  return input === undefined && output === undefined;
}

function changeOf(model: string, before: Rates, after: Rates): PriceChange {
  return {
    model,
    input: { before: before.input?.base, after: after.input?.base },
    cacheRead: { before: before.cacheRead?.base, after: after.cacheRead?.base },
    output: { before: before.output?.base, after: after.output?.base },
  };
}

export function isChanged({ before, after }: Change): boolean {
  return before !== after;
}

/** How many times more or less expensive, for input or output. A price that comes or goes counts least. */
function factorOf({ input, output }: PriceChange): number {
  return greatest([input, output].map(({ before, after }) => (before && after ? ratio(before, after) : 0)));
}

function ratio(before: Rate, after: Rate): number {
  const [low, high] = before < after ? [before, after] : [after, before];
  return Number(high) / Number(low);
}
