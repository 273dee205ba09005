/** Findings as workflow commands: GitHub shows each beside its line. */

import type { FindingsReport } from '../findings.js';
import { commandMessage, commandProperty } from '../safe/formats.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { plural } from '../text/words.js';

/** So many of each kind are shown of a step; GitHub drops the others and does not say so. https://github.com/orgs/community/discussions/26680 */
const MOST = 10;

type Kind = 'error' | 'warning' | 'notice';

/** Annotations, at most as many of each kind as are shown. */
export function findingsGithub(report: FindingsReport): SafeText {
  const lines = shownOf(report).map(({ kind, properties, message }) => command(kind, properties, message));
  return joined(lines, '');
}

/** The findings that have no annotation, in a sentence. */
export function githubCut(report: FindingsReport): string | undefined {
  const left = report.findings.length + report.unreadable.length - shownOf(report).length;
  if (left === 0) return undefined;
  return `${plural(left, 'more finding')} without an annotation: GitHub shows ${MOST} of a kind`;
}

function shownOf({ findings, unreadable }: FindingsReport) {
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
  return annotations.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST;
  });
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
