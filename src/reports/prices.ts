/** `prices`: the prices of models, as table and JSON. */

import type { Picodollars } from '../decimals.js';
import { printed } from '../documents/print.js';
import type { Price, Quote, Rate, Rates, TextKind } from '../measure/pricing/rates.js';
import { joined, type SafeText, safe, shown, trimmed } from '../safe/text.js';
import { grouped } from '../text/words.js';
import type { MediaKind } from '../transcript/types.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';

export interface PricedModel {
  /** As the user wrote it. */
  readonly model: string;
  readonly quote: Quote | undefined;
}

type Kind = TextKind | MediaKind;

/** Each kind of tokens: its name for people and in JSON, and the kinds whose price it has if it has none of its own. */
const KINDS: readonly {
  readonly kind: Kind;
  readonly title: string;
  readonly key: string;
  readonly as: readonly Kind[];
}[] = [
  { kind: 'input', title: 'input', key: 'input', as: [] },
  { kind: 'cacheRead', title: 'cache read', key: 'cache_read', as: ['input'] },
  { kind: 'cacheWrite5m', title: 'cache write 5 min', key: 'cache_write_5m', as: ['input'] },
  { kind: 'cacheWrite1h', title: 'cache write 1 hour', key: 'cache_write_1h', as: ['cacheWrite5m', 'input'] },
  { kind: 'output', title: 'output', key: 'output', as: [] },
  { kind: 'reasoning', title: 'reasoning', key: 'reasoning', as: ['output'] },
];
/** Those of tokens that are no text: only of models that have such prices. */
const MEDIA_KINDS = (['audio', 'image', 'video'] as const).flatMap((what): (typeof KINDS)[number][] => {
  const name = `${what[0]!.toUpperCase()}${what.slice(1)}` as Capitalize<typeof what>;
  return [
    { kind: `input${name}`, title: `${what} input`, key: `input_${what}`, as: [] },
    { kind: `cacheRead${name}`, title: `${what} cache read`, key: `cache_read_${what}`, as: [] },
    { kind: `output${name}`, title: `${what} output`, key: `output_${what}`, as: [] },
  ];
});
const WIDTH = 80;

function priceIn({ media, ...text }: Rates, kind: Kind): Price | undefined {
  return Object.hasOwn(text, kind) ? text[kind as TextKind] : media?.[kind as MediaKind];
}

function mediaKindsIn(rates: Rates): typeof KINDS {
  return MEDIA_KINDS.filter(({ kind }) => priceIn(rates, kind) !== undefined);
}

export function pricesTable(models: readonly PricedModel[], date: string, style: Style): SafeText {
  const sections = models.flatMap(({ model, quote }) =>
    quote === undefined ? [] : [sectionOf(model, quote, date, style)],
  );
  return joined(sections, '\n');
}

function sectionOf(model: string, { rates, matched, source, url, notes }: Quote, date: string, style: Style): SafeText {
  const lengths = lengthsOf(rates);
  const bounds = [0, ...lengths];
  const columns: readonly Column<(typeof KINDS)[number]>[] = [
    { title: 'USD per million tokens', text: ({ title }) => title },
    ...bounds.map(
      (above, index): Column<(typeof KINDS)[number]> => ({
        title: titleOf(above, bounds[index + 1]),
        align: 'right',
        text: ({ kind }) => textOf(priceIn(rates, kind), above),
      }),
    ),
  ];
  const taken = safe`${matched === model ? safe`` : safe`priced as ${shown(matched)}, `}as of ${shown(date)}`;
  const name = shown(model);
  const lines = [
    safe`${style.name(name)},${name.length + taken.length + 2 > WIDTH ? safe`\n` : safe` `}${taken}`,
    trimmed(
      renderTable(
        columns,
        [
          ...KINDS.filter(({ kind, as }) => priceIn(rates, kind) !== undefined || as.length === 0),
          ...mediaKindsIn(rates),
        ],
        style,
      ),
    ),
    ...(rates.request === undefined ? [] : [safe`and $${decimalText(rates.request, 12)} for each request`]),
    ...standInText(rates).map(style.dim),
    ...(lengths.length === 0
      ? []
      : [style.dim(safe`The length of the whole prompt sets the price of the whole request.`)]),
    style.dim(safe`source: ${shown(source)}${url === undefined ? safe`` : safe`\n   ${shown(url)}`}`),
    ...notes.map((note) => style.dim(safe`   ${shown(note)}`)),
    safe``,
  ];
  return joined(lines, '\n');
}

function textOf(price: Price | undefined, above: number): string {
  return price === undefined ? 'unpriced' : decimalText(rateAbove(price, above), 18);
}

/** `same price as input: cache write 5 min, cache write 1 hour` */
function standInText(rates: Rates): SafeText[] {
  const missing = KINDS.filter(({ kind }) => priceIn(rates, kind) === undefined);
  return KINDS.flatMap(({ kind, title }) => {
    const likewise = missing.filter(({ as }) => as.find((other) => priceIn(rates, other) !== undefined) === kind);
    return likewise.length === 0
      ? []
      : [shown(`same price as ${title}: ${likewise.map((other) => other.title).join(', ')}`)];
  });
}

function titleOf(above: number, upTo: number | undefined): string {
  if (upTo === undefined) return above === 0 ? 'any prompt' : `above ${grouped(above)}`;
  return `to ${grouped(upTo)}`;
}

/**
 * `{version, date, models: [{model, matched, source, source_url, notes, prices, tiers: [{above, prices}]}]}`:
 * USD per million tokens, and for `request` USD per request. `input_audio` and so on only where there is such a price.
 */
export function pricesJson(models: readonly PricedModel[], date: string): SafeText {
  const listed = models.map(({ model, quote }) => ({
    model,
    matched: quote?.matched ?? null,
    source: quote?.source ?? null,
    source_url: quote?.url ?? null,
    notes: quote?.notes ?? [],
    prices: quote === undefined ? null : pricesAbove(quote.rates, 0),
    tiers:
      quote === undefined
        ? []
        : lengthsOf(quote.rates).map((above) => ({ above, prices: pricesAbove(quote.rates, above) })),
  }));
  return printed({ version: 1, date, models: listed });
}

function pricesAbove(rates: Rates, above: number): Readonly<Record<string, number | null>> {
  const numberOf = (price: Price | undefined) =>
    price === undefined ? null : Number(decimalText(rateAbove(price, above), 18));
  return {
    ...Object.fromEntries(
      [...KINDS, ...mediaKindsIn(rates)].map(({ kind, key }) => [key, numberOf(priceIn(rates, kind))]),
    ),
    request: rates.request === undefined ? null : Number(decimalText(rates.request, 12)),
  };
}

/** The prompt lengths above which a price changes, in ascending order. */
function lengthsOf(rates: Rates): number[] {
  const lengths = [...KINDS, ...MEDIA_KINDS].flatMap(
    ({ kind }) => priceIn(rates, kind)?.steps.map(({ above }) => above) ?? [],
  );
  return [...new Set(lengths)].sort((a, b) => a - b);
}

/** The price of a prompt longer than `above` tokens. */
function rateAbove({ base, steps }: Price, above: number): Rate {
  return steps.findLast((step) => step.above <= above)?.rate ?? base;
}

/** US dollars per million tokens. */
export function rateText(rate: Rate): SafeText {
  return decimalText(rate, 18);
}

/** An integer in units of 1e-`digits` as a decimal with at least two places. */
function decimalText(amount: Rate | Picodollars, digits: number): SafeText {
  const text = String(amount).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '').padEnd(2, '0');
  return shown(`${text.slice(0, -digits)}.${fraction}`);
}
