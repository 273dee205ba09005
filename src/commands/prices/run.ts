import { priceDate } from '../../app/period.js';
import { TranscriptError } from '../../errors.js';
import type { Terminal } from '../../io/terminal.js';
import { type PricedModel, pricesJson, pricesTable } from '../../reports/prices.js';
import type { ExitCode } from '../command.js';
import { tableStyleFor } from '../shared/colors.js';
import type { Config } from '../shared/config.js';
import type { PricesOptions } from '../shared/options.js';
import { loadPriceList } from '../shared/price-list.js';
import { say } from '../shared/reading.js';

export async function runPrices(
  words: readonly string[],
  options: PricesOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  if (options.update === true) return (await import('./update.js')).updatePrices(words, options, terminal);
  if (words.length === 0)
    throw new TranscriptError('usage', "missing required argument 'models' (see ctx-trim prices --help)");
  const list = await loadPriceList(options, config, terminal);
  const at = priceDate(options.date, '--date') ?? new Date(`${list.snapshot.date}T12:00:00Z`);
  const models = words.map((model): PricedModel => ({ model, quote: list.quote(model, at) }));
  const date = at.toISOString().slice(0, 10);
  if (options.format === 'json') terminal.stdout.write(pricesJson(models, date));
  else terminal.stdout.write(pricesTable(models, date, await tableStyleFor(terminal.stdout, terminal, options.color)));
  const unpriced = models.filter(({ quote }) => quote === undefined);
  for (const { model } of unpriced) {
    const near = await list.near(model);
    const similar = near.length === 0 ? '' : `; similar names: ${near.join(', ')}`;
    say(terminal, `ctx-trim: no known ${options.batch === true ? 'batch ' : ''}price for ${model}${similar}`);
  }
  return unpriced.length > 0 ? 1 : 0;
}
