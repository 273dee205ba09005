/** Tables of a page. */
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { joined, type SafeText, sliced } from '../../safe/text.js';
import { percent } from '../../text/words.js';
import { concat, NOTHING, short } from './page.js';

export interface HtmlColumn<Row> {
  readonly title: string;
  /** Numbers stand right. */
  readonly isNumber?: boolean;
  /** What narrow pages do without. */
  readonly isMinor?: boolean;
  /** A long text may break anywhere. */
  readonly isTitle?: boolean;
  /** Names stay on one line. */
  readonly isName?: boolean;
  cell(row: Row): HtmlText;
}

export interface TableLook {
  readonly caption: HtmlText;
  readonly kind?: 'data' | 'rows';
}

/** A table that scrolls sideways where it is too wide. */
export function tableOf<Row>(
  columns: readonly HtmlColumn<Row>[],
  rows: readonly Row[],
  { caption, kind = 'rows' }: TableLook,
): HtmlText {
  const heads = columns.map((column) => html`<th scope="col"${classOf(column)}>${htmlText(column.title)}</th>`);
  const body = rows.map((row) => html`<tr>${concat(columns.map((column) => cellOf(column, row)))}</tr>`);
  const head = html`<caption>${caption}</caption><thead><tr>${concat(heads)}</tr></thead>`;
  const table = html`<table class="${KINDS[kind]}">${head}<tbody>${concat(body)}</tbody></table>`;
  return html`<div class="wide" tabindex="0" role="group" aria-label="${caption}">${table}</div>`;
}

const KINDS = { data: html`data`, rows: html`rows` } as const;

function cellOf<Row>(column: HtmlColumn<Row>, row: Row): HtmlText {
  if (column.isName === true) return html`<td class="id"><span>${column.cell(row)}</span></td>`;
  if (column.isTitle === true) return html`<td class="t">${column.cell(row)}</td>`;
  return html`<td${classOf(column)}>${column.cell(row)}</td>`;
}

function classOf({ isNumber, isMinor, isName }: Omit<HtmlColumn<never>, 'cell' | 'title'>): HtmlText {
  const classes = [
    ...(isNumber === true ? [html`n`] : []),
    ...(isMinor === true ? [html`minor`] : []),
    ...(isName === true ? [html`id`] : []),
  ];
  return classes.length === 0 ? NOTHING : html` class="${joined(classes, ' ')}"`;
}

/** The end of a name tells it from others like it. */
const END = 9;
/** Shorter names are never cut. */
const SHORT_NAME = 14;

/** A name that loses its middle where it has no room. */
export function nameText(name: SafeText): HtmlText {
  if (name.length < SHORT_NAME) return htmlText(name);
  const at = name.length - END - (/[\udc00-\udfff]/.test(name.charAt(name.length - END)) ? 1 : 0);
  const [start, end] = [sliced(name, 0, at), sliced(name, at)];
  return html`<span class="start">${htmlText(start)}</span><span class="end">${htmlText(end)}</span>`;
}

/** The table beside a chart, for those who do not see it. */
export function besideChart(table: HtmlText): HtmlText {
  return html`<details class="table"><summary>the same as a table</summary>${table}</details>`;
}

/** A share of 0 to 1 as a bar and a number, in line. */
export function shareCell(share: number): HtmlText {
  const width = short(Math.min(1, Math.max(0, share)) * 100, 1);
  const rect = html`<rect width="${width}" height="1"/>`;
  const bar = html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${rect}</svg>`;
  return html`<span class="share">${bar}<span>${htmlText(percent(share))}</span></span>`;
}
