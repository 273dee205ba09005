import { priceDate } from '../../../engine/period.js';
import { TranscriptError } from '../../../errors.js';
import { type PricedModel, pricesJson, pricesTable } from '../../../reports/prices.js';
import type { Billing } from '../../../transcript/types.js';
import type { Config } from '../../config/config.js';
import { loadPriceList } from '../../context/price-list.js';
import { say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { tableStyleFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { PricesOptions } from './options.js';

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
  const billing = billingOf(options);
  const tier = billing.tier ?? (options.batch === true ? 'batch' : undefined);
  const models = words.map((model): PricedModel => ({ model, quote: list.quote(model, at, billing) }));
  const date = at.toISOString().slice(0, 10);
  if (options.format === 'json') terminal.stdout.write(pricesJson(models, date));
  else terminal.stdout.write(pricesTable(models, date, await tableStyleFor(terminal.stdout, terminal, options.color)));
  const unpriced = models.filter(({ quote }) => quote === undefined);
  for (const { model } of unpriced) {
    const near = await list.near(model);
    const similar = near.length === 0 || near.includes(model) ? '' : `; similar names: ${near.join(', ')}`;
    say(terminal, `ctx-trim: no known ${tier === undefined ? '' : `${tier} `}price for ${model}${similar}`);
  }
  return unpriced.length > 0 ? 1 : 0;
}

/** What the prices depend on besides model and day. */
function billingOf({ tier, region }: PricesOptions): Billing {
  return { ...(tier === undefined ? {} : { tier }), ...(region === undefined ? {} : { region }) };
}
