/** Findings as workflow commands: GitHub shows each beside its line. */
import { commandMessage, commandProperty } from '../safe/formats.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import type { FindingsReport } from './findings.js';

export function findingsGithub({ findings, unreadable }: FindingsReport): SafeText {
  const found = findings.map(({ severity, path, line, column, rule, message }) =>
    command(severity === 'info' ? 'notice' : severity, { file: path, line, col: column, title: rule }, message),
  );
  const failed = unreadable.map(({ path, line, column, message }) =>
    command('error', { file: path === '' ? undefined : path, line, col: column, title: 'unreadable' }, message),
  );
  return joined([...found, ...failed], '');
}

function command(
  name: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): SafeText {
  const pairs = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [safe`${shown(key)}=${commandProperty(String(value))}`],
  );
  return safe`::${shown(name)} ${joined(pairs, ',')}::${commandMessage(message)}\n`;
}
