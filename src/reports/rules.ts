/** The rules for people: a list, or one explained with its example before and after. */

import { diffLines } from 'diff';
import { greatest } from '../lists.js';
import type { Rule } from '../rules/rule.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { fitted, plural, wrapped } from '../text/words.js';
import type { Style } from './report.js';
import { renderTable } from './rows.js';

/** The least that a summary is shown of, and what stands beside it and the id. */
const SUMMARY_WIDTH = 24;
const OTHER_COLUMNS = 26;

export function rulesTable(rules: readonly Rule[], style: Style, width: number): SafeText {
  const idWidth = greatest(rules.map(({ id }) => id.length));
  const columns = [
    { title: 'rule', text: ({ id }: Rule) => id },
    { title: 'severity', text: ({ severity }: Rule) => severity },
    { title: 'fix', text: ({ fix }: Rule) => fix?.safety ?? '' },
    {
      title: 'what',
      width: Math.max(SUMMARY_WIDTH, width - idWidth - OTHER_COLUMNS),
      text: ({ summary, asRequest }: Rule) => (asRequest ? `${summary} (as request)` : summary),
    },
  ];
  return safe`${renderTable(columns, rules, style)}${plural(rules.length, 'rule')}; \`ctx-trim rules <id>\` explains one\n`;
}

/**
 * Half a character in an example is spelled out: what other programs refuse, such as jq 1.6, must not hinder them from reading the list.
 * https://www.rfc-editor.org/rfc/rfc7493#section-2.1
 */
function spelledOut(example: Rule['example']): Rule['example'] {
  const half = /\p{Cs}/gu;
  const text = JSON.stringify(example, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(half, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`) : value,
  );
  return JSON.parse(text) as Rule['example'];
}

/** A rule as JSON: all of it but what it does. */
export function ruleJson({ id, summary, severity, providers, error, cause, asRequest, fix, example, reported }: Rule) {
  return {
    id,
    summary,
    severity,
    providers,
    error,
    cause,
    as_request: asRequest === true,
    fix: fix === undefined ? null : { safety: fix.safety, summary: fix.summary },
    example: spelledOut(example),
    reported,
  };
}

export function ruleText(rule: Rule, style: Style, width: number): SafeText {
  const { id, summary, severity, providers, error, cause, asRequest, fix, example, reported } = rule;
  const section = (title: string, text: string) => [
    style.bold(shown(title)),
    ...wrapped(text, width, 2).map((line) => safe`  ${line}`),
    safe``,
  ];
  const when = asRequest ? ', in a history that is about to be sent' : '';
  const lines = [
    style.name(shown(id)),
    ...wrapped(summary, width),
    style.dim(shown(`${severity}${when}; ${providers.includes('any') ? 'all providers' : providers.join(', ')}`)),
    safe``,
    ...section('The API says', error),
    ...section('How it comes about', cause),
    ...(fix === undefined
      ? section('Repair', 'Nothing can mend it here.')
      : section(`Repair (${fix.safety}: ${fix.safety === 'safe' ? '--fix' : `--fix=${fix.safety}`})`, fix.summary)),
    style.bold(safe`Example`),
    ...diffOf(laidOut(example.bad, width - 2), laidOut(example.repaired, width - 2), style, width - 2),
    safe``,
    ...(reported.length === 0 ? [] : section('Reported in', reported.join(', '))),
  ];
  return joined(lines, '\n');
}

/** Unchanged lines around a change; what is between is folded. */
const CONTEXT = 2;

function diffOf(before: string, after: string, style: Style, width: number): SafeText[] {
  const runs = diffLines(`${before}\n`, `${after}\n`);
  return runs.flatMap(({ added, removed, value }, index) => {
    const lines = value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => fitted(line, width));
    if (added) return lines.map((line) => style.come(safe`+ ${line}`));
    if (removed) return lines.map((line) => style.gone(safe`- ${line}`));
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === runs.length - 1 ? 0 : CONTEXT;
    const folded = lines.length - head - tail;
    const kept =
      folded > 1 && runs.length > 1 ? [...lines.slice(0, head), safe`⋯`, ...lines.slice(lines.length - tail)] : lines;
    return kept.map((line) => style.dim(safe`  ${line}`));
  });
}

/** JSON with everything on one line that fits on one. */
function laidOut(value: unknown, width: number, indent = '', ahead = 0): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + ahead + flat.length <= width) return flat;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => inner + laidOut(item, width, inner, 1))
    : Object.entries(value).map(
        ([key, item]) =>
          `${inner}${JSON.stringify(key)}: ${laidOut(item, width, inner, JSON.stringify(key).length + 3)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}
