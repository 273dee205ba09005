/** Charts as SVG: one unit of width for each column, stretched to the width of the page. */
import { greatest } from '../../lists.js';
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { joined } from '../../safe/text.js';
import { grouped } from '../../text/words.js';
import { concat, NOTHING, short } from './page.js';

/** Units from the bottom to the top. */
const HEIGHT = 200;

export interface Series {
  /** The class that gives it its color. */
  readonly id: HtmlText;
  readonly title: string;
  /** By column. */
  readonly values: readonly number[];
  /** What the legend says of it, beside its title. */
  readonly note?: HtmlText;
}

export interface ChartLook {
  readonly title: string;
  /** What people hear who do not see it. */
  readonly summary: string;
  /** What is at the left and right end below it. */
  readonly ends: readonly [HtmlText, HtmlText];
  /** Formats a value at the left side; `top` is the greatest one. */
  tick(value: number, top: number): HtmlText;
  /** Columns with a mark at the top. */
  readonly marked?: readonly boolean[];
}

/** Areas on top of each other. */
export function stackedChart(series: readonly Series[], look: ChartLook, areaPath = stepPath): HtmlText {
  const count = series[0]?.values.length ?? 0;
  const sums = new Array<number>(count).fill(0);
  const tops = series.map(({ id, values }) => {
    values.forEach((value, column) => {
      sums[column]! += value;
    });
    return { id, values: [...sums] };
  });
  const top = niceTop(greatest(sums, 1));
  const areas = tops.toReversed().map(({ id, values }) => html`<path class="f-${id}" d="${areaPath(values, top)}"/>`);
  return chart(concat([...areas, marks(look.marked)]), count, top, look);
}

/** Lines over each other, the first at the bottom. */
export function lineChart(series: readonly Series[], look: ChartLook): HtmlText {
  const count = greatest(
    series.map(({ values }) => values.length),
    0,
  );
  const top = niceTop(
    greatest(
      series.flatMap(({ values }) => values),
      0,
    ),
  );
  const drawn = series.map(
    ({ id, values }) => html`<path class="l-${id}" vector-effect="non-scaling-stroke" d="${linePath(values, top)}"/>`,
  );
  return chart(concat(drawn), count, top, look);
}

export function legend(series: readonly Series[]): HtmlText {
  const items = series.map(
    ({ id, title, note }) =>
      html`<li><i class="k k-${id}"></i>${htmlText(title)}${note === undefined ? NOTHING : html` <b>${note}</b>`}</li>`,
  );
  return html`<ul class="legend">${concat(items)}</ul>`;
}

function chart(drawn: HtmlText, count: number, top: number, { title, summary, ends, tick }: ChartLook): HtmlText {
  const ticks = [top, top / 2, 0].map((value) => html`<span>${tick(value, top)}</span>`);
  const grid = [0, HEIGHT / 2].map(
    (y) => html`<path class="grid" vector-effect="non-scaling-stroke" d="M0 ${y}H${count}"/>`,
  );
  const label = htmlText(`${title}: ${summary}`);
  const look = html`viewBox="0 0 ${count} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"`;
  const parts = [
    html`<div class="ticks" aria-hidden="true">${concat(ticks)}</div>`,
    html`<div class="plot"><svg ${look}>${concat(grid)}${drawn}</svg></div>`,
    html`<div class="ends" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></div>`,
  ];
  return html`<div class="chart">${concat(parts)}</div>`;
}

/** The least round number that is no less. */
export function niceTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value * (1 - 1e-9))!;
  return step * power;
}

const UNITS = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'k'],
] as const;

/** All ticks of an axis have the unit and the decimals of its greatest one: `120k`, `60k`, `0k`. */
export function countTick(value: number, top: number): HtmlText {
  const [least, unit] = UNITS.find(([from]) => top >= from) ?? [1, ''];
  const size = unit === 'k' ? 1000 : least;
  if (value === 0) return html`0`;
  if (unit === '') return htmlText(grouped(value));
  return html`${htmlText((value / size).toFixed(decimalsOf(top / size)))}${htmlText(unit)}`;
}

/** `$3.00`, `$1.50`, `$0.00`. */
export function dollarTick(value: number, top: number): HtmlText {
  const decimals = decimalsOf(top);
  return html`$${htmlText(value.toFixed(decimals === 1 ? 2 : decimals))}`;
}

/** The decimals that the greatest value of an axis and its half need. */
function decimalsOf(top: number): number {
  return (
    [0, 1, 2, 3, 4, 5, 6].find((digits) => Math.abs(Number((top / 2).toFixed(digits)) - top / 2) < top * 1e-6) ?? 6
  );
}

const heightOf = (value: number, top: number) => short(HEIGHT - (value / top) * HEIGHT, 1);

/** An area with a step for each column. */
function stepPath(values: readonly number[], top: number): HtmlText {
  return concat([html`M0 ${HEIGHT}`, ...values.map((value) => html`V${heightOf(value, top)}h1`), html`V${HEIGHT}Z`]);
}

/** A chart of fewer bars has narrower ones. */
const FULL_BARS = 12;

/** A bar for each column. */
export function barPath(values: readonly number[], top: number): HtmlText {
  const width = short(Math.min(0.8, (0.8 * values.length) / FULL_BARS));
  const bars = values.map((value, column) => {
    const left = short(column + (1 - width) / 2);
    return html`M${left} ${HEIGHT}V${heightOf(value, top)}h${width}V${HEIGHT}Z`;
  });
  return concat(bars);
}

function linePath(values: readonly number[], top: number): HtmlText {
  const points = values.map((value, column) => html`${column + 1} ${heightOf(value, top)}`);
  return html`M0 ${HEIGHT}L${joined(points, ' ')}`;
}

function marks(marked: readonly boolean[] = []): HtmlText {
  const paths = marked.flatMap((isMarked, column) => (isMarked ? html`M${column} 0h1v7h-1z` : []));
  return paths.length === 0 ? NOTHING : html`<path class="mark" d="${concat(paths)}"/>`;
}
