/** Facts first, words last: a report is a function from facts to a string. Colour and width are handed in. */

/** Colours by meaning. Without colour each returns its text. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  /** What went. */
  gone(text: string): string;
  /** What came. */
  come(text: string): string;
  /** What is different. */
  changed(text: string): string;
  /** A heading or name. */
  name(text: string): string;
}

const same = (text: string) => text;
export const PLAIN: Style = { bold: same, dim: same, gone: same, come: same, changed: same, name: same };
