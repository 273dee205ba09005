/** Findings as Markdown, for the summary of a step of GitHub Actions. */

import { bySeverity, type FindingsReport } from '../../findings.js';
import { type MarkdownText, markdown, markdownProse, markdownText } from '../../safe/formats.js';
import { joined, type SafeText, safe } from '../../safe/text.js';
import { plural } from '../../text/words.js';
import { summaryLine } from './pretty.js';

/** What is said of the rows that have no room. */
const TAIL = 100;

/** In at most so many bytes, errors first; nothing where there is no room for anything. */
export function findingsMarkdown(report: FindingsReport, room: number): SafeText {
  const head = safe`### ctx-trim: ${summaryLine(report)}\n\n`;
  const rows = [
    ...report.unreadable.map(({ path, line, message }) => row('error', `${path}:${line ?? 1}`, 'unreadable', message)),
    ...[...report.findings]
      .sort(bySeverity)
      .map(({ severity, path, line, column, rule, message }) =>
        row(severity, `${path}:${line}:${column}`, rule, message),
      ),
  ];
  const table = safe`| severity | place | rule | message |\n| --- | --- | --- | --- |\n`;
  let left = room - sizeOf(head) - sizeOf(table) - TAIL;
  if (left < 0) return safe``;
  if (rows.length === 0) return head;
  const end = rows.findIndex((text) => {
    left -= sizeOf(text);
    return left < 0;
  });
  const more = end < 0 ? safe`` : safe`\nand ${plural(rows.length - end, 'more finding')}\n`;
  return joined([head, table, ...(end < 0 ? rows : rows.slice(0, end)), more, safe`\n`], '');
}

function row(severity: string, place: string, rule: string, message: string): MarkdownText {
  const [first, where, which] = [severity, place, rule].map(markdownText) as [MarkdownText, MarkdownText, MarkdownText];
  return markdown`| ${first} | ${where} | ${which} | ${markdownProse(message)} |\n`;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
