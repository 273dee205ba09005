/** Facts first, words last: a report is a function from facts to a string. Colour and width are handed in. */

import type { SafeText } from '../safe/text.js';

/** Colours by meaning. Without colour each returns its text. */
export interface Style {
  bold(text: SafeText): SafeText;
  dim(text: SafeText): SafeText;
  /** What went. */
  gone(text: SafeText): SafeText;
  /** What came. */
  come(text: SafeText): SafeText;
  /** What is different. */
  changed(text: SafeText): SafeText;
  /** A heading or name. */
  name(text: SafeText): SafeText;
}

const same = (text: SafeText) => text;
export const PLAIN: Style = { bold: same, dim: same, gone: same, come: same, changed: same, name: same };
