/** A report is a function from facts to a string. Colors, widths and what draws tables are passed in. */

import type { SafeText } from '../safe/text.js';
import type { Currency } from '../text/money.js';

/** Colors by meaning. Without color each returns its text. */
export interface Style {
  bold(text: SafeText): SafeText;
  dim(text: SafeText): SafeText;
  /** What was removed. */
  removed(text: SafeText): SafeText;
  /** What was added. */
  added(text: SafeText): SafeText;
  /** What was changed. */
  changed(text: SafeText): SafeText;
  /** A heading or a name. */
  name(text: SafeText): SafeText;
  /** Breaks a sentence between words, for a terminal. */
  fold?(text: SafeText): SafeText;
  /** Draws tables with a library; without, rows.ts draws them. */
  drawTable?(cells: TableCells): SafeText;
}

/** What a table holds: every text on one line, no wider than its column. */
export interface TableCells {
  readonly columns: readonly {
    readonly title: SafeText;
    /** In columns of a terminal. */
    readonly width: number;
    readonly align: 'left' | 'right';
  }[];
  readonly rows: readonly (readonly SafeText[])[];
}

const same = (text: SafeText) => text;
export const PLAIN: Style = { bold: same, dim: same, removed: same, added: same, changed: same, name: same };

export interface ReportLook {
  readonly currency: Currency;
}

export interface TableLook extends ReportLook {
  readonly style: Style;
}

/** A report in the formats of `--format`. */
export interface Report<Facts> {
  table(facts: Facts, look: TableLook): SafeText;
  csv(facts: Facts, look: ReportLook): SafeText;
  markdown(facts: Facts, look: ReportLook): SafeText;
  json(facts: Facts): SafeText;
}
