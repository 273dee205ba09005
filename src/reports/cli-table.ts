/**
 * Draws tables with cli-table3, in the commands that list and compare. `stats` and `check` draw theirs by themselves
 * (rows.ts): the library costs 33 KB of code before the first answer.
 */
import CliTable from 'cli-table3';
import { fromLibrary, joined, pieces, type SafeText, safe, spaces, trimmed } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import type { TableCells } from './report.js';

/** No frame: a table stays readable at 80 columns and in a log. */
const CHARACTERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};
const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };

/** A character for private use: it marks the places of the cells in a row. */
const PLACEHOLDER = '\ue000';
const PLACE = /\ue000+/;

/** What is above the rows of a table, what is around their cells, and what is below. */
interface Layout {
  readonly head: readonly SafeText[];
  /** Before each cell, and after the last one. */
  readonly gaps: readonly SafeText[];
  readonly foot: readonly SafeText[];
}

/**
 * The lines of a table, headings first, without trailing spaces. cli-table3 draws the headings and one row of
 * placeholders, and every row is set into that one: the library takes about 10 µs a cell and keeps an object for each,
 * which is too much for tables of 100,000 rows, and it measures newer emoji with an older string-width.
 */
export function drawTable({ columns, rows }: TableCells): SafeText {
  const { head, gaps, foot } = layoutOf(columns);
  const drawRow = (cells: readonly SafeText[]) =>
    joined(
      gaps.flatMap((gap, index) => (index === 0 ? gap : [...padded(cells[index - 1]!, columns[index - 1]!), gap])),
      '',
    );
  const lines = [...head, ...rows.map(drawRow), ...foot];
  return joined(
    lines.map((line) => safe`${trimmed(line)}\n`),
    '',
  );
}

/** A report of many transcripts has many tables of few layouts. */
const LAYOUTS = new Map<string, Layout>();
const MOST_LAYOUTS = 200;

function layoutOf(columns: TableCells['columns']): Layout {
  const key = JSON.stringify(columns);
  let layout = LAYOUTS.get(key);
  if (layout === undefined) {
    layout = drawLayout(columns);
    if (LAYOUTS.size >= MOST_LAYOUTS) LAYOUTS.clear();
    LAYOUTS.set(key, layout);
  }
  return layout;
}

function drawLayout(columns: TableCells['columns']): Layout {
  const table = new CliTable({
    head: columns.map(({ title }) => title),
    chars: CHARACTERS,
    style: STYLE,
    colWidths: columns.map(({ width }) => width),
    rowAligns: ['bottom'],
    colAligns: columns.map(({ align }) => align),
  });
  table.push(columns.map(({ width }) => PLACEHOLDER.repeat(width)));
  const lines = pieces(fromLibrary(table.toString()), '\n');
  const row = lines.findIndex((line) => PLACE.test(line));
  return { head: lines.slice(0, row), gaps: pieces(lines[row]!, PLACE), foot: lines.slice(row + 1) };
}

function padded(cell: SafeText, { width, align }: TableCells['columns'][number]): SafeText[] {
  const space = spaces(width - widthOf(cell));
  return align === 'right' ? [space, cell] : [cell, space];
}
