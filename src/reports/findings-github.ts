/** Findings as workflow commands: GitHub shows each beside its line. */
import { commandMessage, commandProperty } from '../safe/formats.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import type { FindingsReport } from './findings.js';
import { plural } from './words.js';

/** So many of each kind are shown of a step; GitHub drops the others and does not say so. https://github.com/orgs/community/discussions/26680 */
const MOST = 10;

type Kind = 'error' | 'warning' | 'notice';

/** `hasSummary`: all findings stand in the summary of the step, too. */
export function findingsGithub({ findings, unreadable }: FindingsReport, hasSummary = false): SafeText {
  const annotations = [
    ...findings.map(({ severity, path, line, column, rule, message }) => ({
      kind: severity === 'info' ? ('notice' as const) : severity,
      properties: { file: path, line, col: column, title: rule },
      message,
    })),
    ...unreadable.map(({ path, line, column, message }) => ({
      kind: 'error' as const,
      properties: { file: path === '' ? undefined : path, line, col: column, title: 'unreadable' },
      message,
    })),
  ];
  const counts = new Map<Kind, number>();
  const kept = annotations.filter(({ kind }) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts.get(kind)! <= MOST;
  });
  const lines = kept.map(({ kind, properties, message }) => command(kind, properties, message));
  const left = annotations.length - kept.length;
  if (left === 0) return joined(lines, '');
  const where = hasSummary ? safe`; the summary of this step lists them` : safe``;
  const more = safe`${plural(left, 'more finding')} without an annotation: GitHub shows ${MOST} of a kind${where}\n`;
  return joined([...lines, more], '');
}

function command(
  name: Kind,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): SafeText {
  const pairs = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [safe`${shown(key)}=${commandProperty(String(value))}`],
  );
  return safe`::${shown(name)} ${joined(pairs, ',')}::${commandMessage(message)}\n`;
}
