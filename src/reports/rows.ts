/** Rows as a table, CSV or markdown: wherever a command prints rows, it prints them through here. */
import { csvCell, type MarkdownText, markdown, markdownText } from '../safe/formats.js';
import { joined, type SafeText, safe, shown, spaces, trimmed } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import { fitted, fittedEnd } from '../text/words.js';
import type { Style } from './report.js';

export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The widest it may get in a table; the text is cut behind that. */
  readonly width?: number;
  /** Which end stays where it is cut: of a path the end says more. */
  readonly keeps?: 'start' | 'end';
  /** What a person reads; what of others is in it, the renderer makes safe. */
  text(row: Row): string;
  /** What a program reads; by default the same. */
  value?(row: Row): string | number | undefined;
}

/** Lines of rows under a heading, without a frame: they stay readable at 80 columns and in a log. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: Style): SafeText {
  const lines = rows.map((row) =>
    columns.map(({ text, width, keeps }) =>
      width === undefined ? shown(text(row)) : keeps === 'end' ? fittedEnd(text(row), width) : fitted(text(row), width),
    ),
  );
  const widths = columns.map(({ title }, at) =>
    lines.reduce((most, cells) => Math.max(most, widthOf(cells[at]!)), widthOf(title)),
  );
  const padded = (cell: SafeText, at: number, paint = (plain: SafeText) => plain) => {
    const space = spaces(widths[at]! - widthOf(cell));
    return columns[at]!.align === 'right' ? safe`${space}${paint(cell)}` : safe`${paint(cell)}${space}`;
  };
  const line = (cells: readonly SafeText[]) => safe`${trimmed(joined(cells, '  '))}\n`;
  return joined(
    [
      line(columns.map(({ title }, at) => padded(shown(title), at, style.bold))),
      ...lines.map((cells) => line(cells.map((cell, at) => padded(cell, at)))),
    ],
    '',
  );
}

/** RFC 4180. */
export function renderCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): SafeText {
  const line = (cells: readonly SafeText[]) => safe`${joined(cells, ',')}\n`;
  const lines = rows.map((row) => line(columns.map((column) => csvCell(cellValue(column, row)))));
  return joined([line(columns.map(({ title }) => csvCell(keyOf(title)))), ...lines], '');
}

export function renderMarkdown<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): MarkdownText {
  const line = (cells: readonly MarkdownText[]) => markdown`| ${joined(cells, ' | ')} |\n`;
  const rule = columns.map(({ align }) => (align === 'right' ? markdown`--:` : markdown`---`));
  const lines = [
    line(columns.map(({ title }) => markdownText(title))),
    line(rule),
    ...rows.map((row) => line(columns.map(({ text }) => markdownText(text(row).replace(/\r?\n/g, ' '))))),
  ];
  return joined(lines, '');
}

/** Column titles as keys: `cost $` is `cost`. */
function keyOf(title: string): string {
  return title
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

function cellValue<Row>(column: Column<Row>, row: Row): string | number | undefined {
  return column.value === undefined ? column.text(row) : column.value(row);
}
