/** Rows as a table, CSV or markdown: every command prints its rows through here. */
import { greatest } from '../lists.js';
import { csvCell, type MarkdownText, markdown, markdownText } from '../safe/formats.js';
import { joined, type SafeText, safe, shown, spaces, trimmed } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import { fitted, fittedEnd } from '../text/words.js';
import type { Style } from './report.js';

export interface Column<Row> {
  /** On one line or two; `cache_` and `read` on two lines are `cache_read`. */
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The key of a CSV column; by default the title. */
  readonly key?: string;
  /** The most columns that it takes in a table; longer texts are cut. */
  readonly width?: number;
  /** Which end of a text that is cut is kept: the end of a path says more. */
  readonly keeps?: 'start' | 'end';
  /** For people. The renderer makes it safe to print. */
  text(row: Row): string;
  /** For programs; by default the same. */
  value?(row: Row): string | number | undefined;
}

/** Rows under a heading. Without a frame, a table stays readable at 80 columns and in a log. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: Style): SafeText {
  const widths = widthsOf(columns, rows);
  const painted = (text: SafeText) => (text === '' ? text : style.bold(text));
  if (style.drawTable !== undefined) {
    const titled = columns.map(({ title, align = 'left' }, at) => {
      const lines = linesOf(title).map((line) => painted(shown(line)));
      return { title: joined(lines, '\n'), width: widths[at]!, align };
    });
    return style.drawTable({ columns: titled, rows: rows.map((row) => cellsOf(columns, row)) });
  }
  const drawn = (texts: readonly SafeText[], paint = (text: SafeText) => text) => {
    const row = texts.map((text, at) => {
      const space = spaces(widths[at]! - widthOf(text));
      return columns[at]!.align === 'right' ? safe`${space}${paint(text)}` : safe`${paint(text)}${space}`;
    });
    return safe`${trimmed(joined(row, '  '))}\n`;
  };
  return joined(
    [...headings(columns).map((texts) => drawn(texts, painted)), ...rows.map((row) => drawn(cellsOf(columns, row)))],
    '',
  );
}

/** The lines of the titles; shorter titles stand on the last ones. */
function headings<Row>(columns: readonly Column<Row>[]): SafeText[][] {
  const titles = columns.map(({ title }) => linesOf(title).toReversed());
  const height = greatest(
    titles.map(({ length }) => length),
    1,
  );
  return Array.from({ length: height }, (_, line) => titles.map((lines) => shown(lines[line] ?? ''))).toReversed();
}

/** How many columns of a terminal the table takes. */
export function tableWidth<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number {
  const widths = widthsOf(columns, rows);
  return widths.reduce((sum, width) => sum + width, GAP * (columns.length - 1));
}

/** Spaces between two columns. */
export const GAP = 2;

/** Made anew for each use: those of all rows of a large table take more memory than the rows. */
function cellsOf<Row>(columns: readonly Column<Row>[], row: Row): SafeText[] {
  return columns.map((column) => cellOf(column, row));
}

function cellOf<Row>({ text, width, keeps }: Column<Row>, row: Row): SafeText {
  if (width === undefined) return shown(text(row));
  return keeps === 'end' ? fittedEnd(text(row), width) : fitted(text(row), width);
}

function widthsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number[] {
  return columns.map((column) =>
    rows.reduce(
      (most, row) => Math.max(most, widthOf(cellOf(column, row))),
      greatest(linesOf(column.title).map(widthOf), 1),
    ),
  );
}

function linesOf(title: string): string[] {
  return title.split('\n');
}

/** RFC 4180. */
export function renderCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): SafeText {
  const line = (cells: readonly SafeText[]) => safe`${joined(cells, ',')}\n`;
  const lines = rows.map((row) => line(columns.map((column) => csvCell(cellValue(column, row)))));
  return joined([line(columns.map(({ title, key = titleKey(title) }) => csvCell(key))), ...lines], '');
}

export function renderMarkdown<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): MarkdownText {
  const line = (cells: readonly MarkdownText[]) => markdown`| ${joined(cells, ' | ')} |\n`;
  const rule = columns.map(({ align }) => (align === 'right' ? markdown`--:` : markdown`---`));
  const lines = [
    line(columns.map(({ title }) => markdownText(title.replace('_\n', '_').replace('\n', ' ')))),
    line(rule),
    ...rows.map((row) => line(columns.map(({ text }) => markdownText(text(row).replace(/\r?\n/g, ' '))))),
  ];
  return joined(lines, '');
}

/** Column titles as keys: `cost $` is `cost`. */
function titleKey(title: string): string {
  return title
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

function cellValue<Row>(column: Column<Row>, row: Row): string | number | undefined {
  return column.value === undefined ? column.text(row) : column.value(row);
}
