/** Findings as workflow commands: GitHub shows each beside its line. */

import type { FindingsReport } from '../../findings.js';
import { commandMessage, commandProperty } from '../../safe/formats.js';
import { joined, type SafeText, safe, shown } from '../../safe/text.js';
import { plural } from '../../text/words.js';
import { defineReporter } from './reporter.js';

export const reporter = defineReporter({ id: 'github', render: findingsGithub, omitted: githubCut });

/**
 * GitHub shows this many annotations of each kind in a step and drops the others silently:
 * https://github.com/orgs/community/discussions/26680
 */
const MOST = 10;

type Kind = 'error' | 'warning' | 'notice';

/** Annotations, of each kind at most as many as GitHub shows. */
export function findingsGithub(report: FindingsReport): SafeText {
  const lines = shownOf(report).map(({ kind, properties, message }) => command(kind, properties, message));
  return joined(lines, '');
}

/** A sentence about the findings without an annotation. */
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
