/**
 * Tables, drawn by cli-table3 and without: the same, aligned whatever texts they hold, safe to print, and with memory
 * that does not grow with the rows.
 */
import { describe, expect, it } from 'vitest';
import { drawTable } from '../../src/reports/cli-table.js';
import { PLAIN } from '../../src/reports/report.js';
import { type Column, renderTable, tableWidth } from '../../src/reports/rows.js';
import { painted, safe } from '../../src/safe/text.js';
import { widthOf } from '../../src/text/width.js';

type Row = readonly [name: string, count: number, note: string];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'name', width: 12, text: ([name]) => name },
  { title: 'count', align: 'right', text: ([, count]) => String(count) },
  { title: 'note', text: ([, , note]) => note },
];
const STYLE = { ...PLAIN, drawTable };
const linesOf = (rows: readonly Row[], columns = COLUMNS) => {
  const drawn = renderTable(columns, rows, STYLE);
  expect(renderTable(columns, rows, PLAIN)).toBe(drawn);
  return drawn.split('\n');
};

/**
 * Texts that terminals and libraries measure differently: newer emoji, families, flags, keycaps, wide and combining
 * characters.
 */
const TEXTS = [
  'plain',
  '',
  '🫠🫡',
  '👩‍👩‍👧‍👦 family',
  '🇺🇸🇩🇪',
  '1️⃣ keycap',
  '☺️ ☹',
  '日本語',
  '한국어',
  'ｆｕｌｌ',
  'e\u0301a\u0308',
  '\u0301',
  'ไทย',
  'नमस्ते',
  'שלום',
  '\ue000\ue000',
  '½ … “”',
  '𝒳𝒴',
];

it('aligns left and right, with two spaces between columns and none behind them', () => {
  expect(
    linesOf([
      ['a', 1, 'x'],
      ['longer than twelve', 12_345, ''],
    ]),
  ).toEqual(['name          count  note', 'a                 1  x', 'longer than…  12345', '']);
});

describe.each(TEXTS)('%j', (text) => {
  it('moves no column behind it', () => {
    const [, first, second] = linesOf([
      [text, 1, '|'],
      ['x', 1, '|'],
    ]);
    const start = (line: string) => widthOf(line.slice(0, line.lastIndexOf('|')));
    expect(start(first!)).toBe(start(second!));
    expect(first).toContain(text);
  });
});

it('keeps every text as it is, in its row and column', () => {
  const lines = linesOf(TEXTS.map((text, index): Row => [text, index, text]));
  for (const [index, text] of TEXTS.entries()) {
    expect(lines[index + 1]!.startsWith(text) || lines[index + 1]!.startsWith(` ${text}`)).toBe(true);
    expect(lines[index + 1]!.endsWith(text === '' ? String(index) : text)).toBe(true);
  }
});

it('cuts wide texts to their column', () => {
  const [head, row] = linesOf([['日本語日本語日本語', 1, '|']]);
  expect(row).toBe('日本語日本…      1  |');
  expect(widthOf(row!.slice(0, -1))).toBe(head!.indexOf('note'));
});

it('has bold headings that do not count as wide', () => {
  const bold = painted((text) => `\x1b[1m${text}\x1b[22m`);
  const style = { ...STYLE, bold };
  expect(renderTable(COLUMNS, [['a', 1, 'x']], style)).toBe(
    `${bold(safe`name`)}  ${bold(safe`count`)}  ${bold(safe`note`)}\na         1  x\n`,
  );
});

it('prints hostile texts as visible characters, and no workflow command', () => {
  const lines = linesOf([
    ['::error::x', 1, '\x1b[31mred\x1b[0m'],
    ['##[group]', 2, 'a\nb\u202e'],
  ]);
  expect(lines.slice(1)).toEqual([
    '\\x3a:error::x        1  \\x1b[31mred\\x1b[0m',
    '#\\x23[group]      2  a⏎b\\u202e',
    '',
  ]);
});

it('draws headings where there are no rows', () => {
  expect(linesOf([])).toEqual(['name  count  note', '']);
});

it('draws many rows as one table, with the widths of all of them', () => {
  const rows = Array.from(
    { length: 2345 },
    (_, index): Row => [`row ${index}`, index ** 3, index === 2000 ? '🫠' : 'x'],
  );
  const lines = linesOf(rows);
  expect(lines.length).toBe(rows.length + 2);
  expect(lines.filter((line) => line.includes('name'))).toEqual([lines[0]]);
  expect(new Set(lines.slice(1, -1).map((line) => line.lastIndexOf('  '))).size).toBe(1);
  expect(lines[2001]!.endsWith('🫠')).toBe(true);
});

it('knows how wide a table is', () => {
  const rows: Row[] = [['日本語', 1, 'x'.repeat(30)]];
  expect(tableWidth(COLUMNS, rows)).toBe(Math.max(...linesOf(rows).map(widthOf)));
});
