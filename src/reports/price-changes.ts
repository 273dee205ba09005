/** `prices --update`: how a price list differs from the bundled prices. */

import { printed } from '../documents/print.js';
import { type Change, isChanged, type PriceChange, type PriceChanges } from '../measure/pricing/changes.js';
import type { PriceSnapshot, Rate } from '../measure/pricing/rates.js';
import { type SafeText, safe, shown } from '../safe/text.js';
import { grouped, plural } from '../text/words.js';
import { rateText } from './prices.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';

export interface ListFacts extends PriceChanges, PriceSnapshot {
  /** Where the list was written to. */
  readonly file: string;
}

const COLUMNS: readonly Column<PriceChange>[] = [
  { title: 'model', width: 60, keeps: 'end', text: ({ model }) => model },
  { title: 'input', align: 'right', text: ({ input }) => changeText(input) },
  { title: 'cache read', align: 'right', text: ({ cacheRead }) => changeText(cacheRead) },
  { title: 'output', align: 'right', text: ({ output }) => changeText(output) },
];

export function changesText(facts: ListFacts, top: number, style: Style): SafeText {
  const { models, added, changed, source, date } = facts;
  const same = models - added - changed.length;
  const counts = safe`${grouped(same)} as bundled, ${grouped(changed.length)} changed, ${grouped(added)} new`;
  const heading = safe`${shown(source)}, ${shown(date)}: ${grouped(models)} models, ${counts}\n`;
  const rows = changed.slice(0, top);
  if (rows.length === 0) return heading;
  const more = changed.length - rows.length;
  const rest = more === 0 ? safe`` : style.dim(safe`${plural(more, 'more change')}: --top ${changed.length}\n`);
  const unit = style.dim(safe`USD per million tokens, bundled → new`);
  return safe`${heading}\n${renderTable(COLUMNS, rows, style)}${unit}\n${rest}`;
}

function changeText(change: Change): string {
  const { before, after } = change;
  if (before === undefined && after === undefined) return '';
  return isChanged(change) ? `${priceText(before)} → ${priceText(after)}` : priceText(after);
}

function priceText(rate: Rate | undefined): string {
  return rate === undefined ? 'none' : rateText(rate);
}

/**
 * `{version, source, date, file, models, added, changed, changes: [{model, input, cache_read, output}]}`, each price as
 * `{before, after}` in USD per million tokens.
 */
export function changesJson({ source, date, file, models, added, changed }: ListFacts, top: number): SafeText {
  const rows = changed.slice(0, top).map(({ model, input, cacheRead, output }) => ({
    model,
    input: changeNumbers(input),
    cache_read: changeNumbers(cacheRead),
    output: changeNumbers(output),
  }));
  const counts = { models, added, changed: changed.length };
  return printed({ version: 1, source, date, file, ...counts, changes: rows });
}

function changeNumbers({ before, after }: Change) {
  const numberOf = (rate: Rate | undefined) => (rate === undefined ? null : Number(rateText(rate)));
  return { before: numberOf(before), after: numberOf(after) };
}
