/** An audit as table, markdown and CSV. */

import type { AuditFinding } from '../../engine/audit/audit.js';
import type { AuditReport } from '../../engine/audit/report.js';
import { adviceText, alertText, heldBackText } from '../../policy/alerts.js';
import type { AuditRow } from '../../policy/audit.js';
import { type MarkdownText, markdown, markdownCode, markdownProse, markdownText } from '../../safe/formats.js';
import { joined, type SafeText, safe, shown, spaces } from '../../safe/text.js';
import { wrapped } from '../../text/words.js';
import type { Style } from '../report.js';
import { type Column, GAP, renderCsv, renderMarkdown, renderTable, tableWidth } from '../rows.js';
import { columnsOf, rowsOf } from './columns.js';
import { idleText, wasteSentences } from './sentences.js';

/** `width` is that of the terminal; in a file or a pipe each finding is on one line. */
export function auditText(report: AuditReport, style: Style, width = Infinity): SafeText {
  const { facts, findings } = report;
  const room = report.language === 'en' ? width : Infinity; // lines break between words
  const found = findings.map((finding) => findingText(finding, report, style, room));
  const alerts = facts.alerts
    .flatMap((alert) => linesOf(alertText(alert, report), room))
    .map((line) => safe`${style.removed(line)}\n`);
  const idle = facts.notExercised.length === 0 ? [] : [safe`${shown(idleText(facts))}\n`];
  const held = facts.heldBack
    .flatMap((alert) => linesOf(heldBackText(alert, report), room))
    .map((line) => safe`${line}\n`);
  const wasted = wasteSentences(report).map((text) => linesOf(text, room).map((line) => safe`${line}\n`));
  return sectionsOf([[tableOf(report, style, width)], wasted.flat(), found, idle, held, alerts]);
}

/** Sections with an empty line between them; empty ones are left out. */
function sectionsOf<Text extends SafeText>(sections: readonly (readonly Text[])[]): Text {
  const texts = sections.map((section) => joined(section, ''));
  return joined(
    texts.filter((text) => text !== ''),
    '\n',
  );
}

/** The least that is shown of a name. */
const LEAST_NAME = 12;

/** The range of a cost is left out where it does not fit, and then the end of long names. */
function tableOf(report: AuditReport, style: Style, width: number): SafeText {
  const rows = rowsOf(report);
  if (rows.length === 0) return safe`The policy covers none of the tool calls.\n`;
  const columns = columnsOf(report);
  if (tableWidth(columns, rows) <= width) return renderTable(columns, rows, style);
  const [name, ...others] = columnsOf(report, false) as [Column<AuditRow>, ...Column<AuditRow>[]];
  const room = Math.max(LEAST_NAME, width - GAP - tableWidth(others, rows));
  return renderTable([{ ...name, width: Math.min(name.width ?? room, room) }, ...others], rows, style);
}

function linesOf(text: string, width: number, indent = 0): SafeText[] {
  return width === Infinity ? [shown(text)] : wrapped(text, width, indent);
}

export function auditMarkdown(report: AuditReport): MarkdownText {
  const { facts, findings } = report;
  const found = findings.map(({ file, line, severity, rule, text, instead }) =>
    joined(
      [
        markdown`- ${markdownCode(`${file}:${line}`)} ${markdownText(severity)} ${markdownCode(rule)}: `,
        markdown`${markdownProse(text + adviceText(instead, report))}\n`,
      ],
      '',
    ),
  );
  return sectionsOf([
    [renderMarkdown(columnsOf(report), rowsOf(report))],
    wasteSentences(report).map((text) => markdown`${markdownProse(text)}\n`),
    found,
    facts.notExercised.length === 0 ? [] : [markdown`${markdownText(idleText(facts))}\n`],
    facts.heldBack.map((alert) => markdown`${markdownProse(heldBackText(alert, report))}\n`),
    facts.alerts.map((alert) => markdown`**${markdownProse(alertText(alert, report))}**\n`),
  ]);
}

export function auditCsv(report: AuditReport): SafeText {
  return renderCsv(columnsOf(report), rowsOf(report));
}

function findingText(
  { file, line, column, severity, rule, text, instead }: AuditFinding,
  report: AuditReport,
  style: Style,
  width: number,
): SafeText {
  const level = (severity === 'error' ? style.removed : style.changed)(shown(severity));
  const head = safe`${shown(file)}:${line}:${column}: ${level} ${style.dim(shown(rule))}`;
  const sentence = text + adviceText(instead, report);
  if (width === Infinity) return safe`${head} ${shown(sentence)}\n`;
  const lines = linesOf(sentence, width, INDENT).map((part) => safe`${spaces(INDENT)}${part}\n`);
  return safe`${head}\n${joined(lines, '')}`;
}

const INDENT = 2;
