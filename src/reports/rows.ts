/** Rows as a table, CSV or markdown: wherever a command prints rows, it prints them through here. */
import type { Style } from './report.js';
import { widthOf } from './width.js';
import { fitted, fittedEnd } from './words.js';

export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The widest it may get in a table; the text is cut behind that. */
  readonly width?: number;
  /** Which end stays where it is cut: of a path the end says more. */
  readonly keeps?: 'start' | 'end';
  /** What a person reads. */
  text(row: Row): string;
  /** What a program reads; by default the same. */
  value?(row: Row): string | number | undefined;
}

/** Lines of rows under a heading, without a frame: they stay readable at 80 columns and in a log. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: Style): string {
  const lines = rows.map((row) =>
    columns.map(({ text, width, keeps }) =>
      width === undefined ? text(row) : keeps === 'end' ? fittedEnd(text(row), width) : fitted(text(row), width),
    ),
  );
  const widths = columns.map(({ title }, at) =>
    lines.reduce((most, cells) => Math.max(most, widthOf(cells[at]!)), widthOf(title)),
  );
  const padded = (cell: string, at: number, shown = cell) => {
    const space = ' '.repeat(widths[at]! - widthOf(cell));
    return columns[at]!.align === 'right' ? space + shown : shown + space;
  };
  const line = (cells: readonly string[]) => `${cells.join('  ').trimEnd()}\n`;
  return (
    line(columns.map(({ title }, at) => padded(title, at, style.bold(title)))) +
    lines.map((cells) => line(cells.map((cell, at) => padded(cell, at)))).join('')
  );
}

/** RFC 4180. */
export function renderCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cell = (value: string | number | undefined) => {
    const text = value === undefined ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    columns.map(({ title }) => cell(keyOf(title))),
    ...rows.map((row) => columns.map((column) => cell(cellValue(column, row)))),
  ];
  return lines.map((line) => `${line.join(',')}\n`).join('');
}

export function renderMarkdown<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\r?\n/g, ' ');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const rule = columns.map(({ align }) => (align === 'right' ? '--:' : '---'));
  return (
    line(columns.map(({ title }) => title)) +
    line(rule) +
    rows.map((row) => line(columns.map(({ text }) => cell(text(row))))).join('')
  );
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
