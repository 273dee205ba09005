/** Findings as workflow commands: GitHub shows each beside its line. */
import type { FindingsReport } from './findings.js';

export function findingsGithub({ findings, unreadable }: FindingsReport): string {
  const found = findings.map(({ severity, path, line, column, rule, message }) =>
    command(severity === 'info' ? 'notice' : severity, { file: path, line, col: column, title: rule }, message),
  );
  const failed = unreadable.map(({ path, line, column, message }) =>
    command('error', { file: path === '' ? undefined : path, line, col: column, title: 'unreadable' }, message),
  );
  return [...found, ...failed].join('');
}

function command(
  name: string,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const pairs = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapedProperty(String(value))}`],
  );
  return `::${name} ${pairs.join(',')}::${escaped(message)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
