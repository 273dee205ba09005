/** The last lines of a table: what its figures are without. */
import { NOTHING_OMITTED, type Omissions, omissionTexts } from '../omissions.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import type { Style } from './report.js';

export function omissionLines(omissions: Omissions | undefined, style: Pick<Style, 'bold' | 'fold'>): SafeText {
  const { bold, fold = (text) => text } = style;
  const lines = omissionTexts(omissions ?? NOTHING_OMITTED).map((text) => safe`${bold(fold(shown(text)))}\n`);
  return joined(lines, '');
}
