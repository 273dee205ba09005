/** The last lines of a table: what its figures are without. */
import { badLinesText, NOTHING_OMITTED, type Omissions, unreadText } from '../omissions.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import type { Style } from './report.js';

export function omissionLines(omissions: Omissions | undefined, style: Pick<Style, 'bold' | 'fold'>): SafeText {
  const { bold, fold = (text) => text } = style;
  const lines = omissionTexts(omissions ?? NOTHING_OMITTED).map((text) => safe`${bold(fold(shown(text)))}\n`);
  return joined(lines, '');
}

/** A line for each file, for the end of a table. */
export function omissionTexts({ unread, badLines, unreadable = [] }: Omissions): string[] {
  return [
    ...unreadable.map(({ file, message }) => `${file === '' ? '' : `${file}: `}${message}: figures are without it`),
    ...badLines.map((lines) => `${lines.file}: ${badLinesText(lines)}`),
    ...unread.map(
      (rows) => `${rows.file}: ${unreadText(rows)}: figures are without ${rows.rows === 1 ? 'it' : 'them'}`,
    ),
  ];
}
