/** Rules for people: a list, or one with its explanation and an example before and after the fix. */

import { diffLines } from 'diff';
import { type ListedRule, RESUME } from '../rules/resume-rules.js';
import { errorsOf } from '../rules/rule.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { fitted, plural, wrapped } from '../text/words.js';
import type { Style } from './report.js';
import { type Column, GAP, renderTable, tableWidth } from './rows.js';

/** A history with the fault, and the same history fixed, as JSON values in the provider's format. */
export interface RuleExample {
  readonly bad: unknown;
  readonly repaired: unknown;
}

/** The least width of a summary: a narrower terminal does without fixes, which `rules <id>` shows. */
const SUMMARY_WIDTH = 30;

export function rulesTable(rules: readonly ListedRule[], style: Style, width: number): SafeText {
  const columns: readonly Column<ListedRule>[] = [
    { title: 'rule', text: ({ id }) => id },
    { title: 'severity', text: ({ severity }) => severity },
    { title: 'fix', text: ({ fix }) => fix?.safety ?? '' },
  ];
  const without = columns.filter(({ title }) => title !== 'fix');
  const roomBeside = (some: typeof columns) => width - tableWidth(some, rules) - GAP;
  const [first, room] =
    roomBeside(columns) >= SUMMARY_WIDTH ? [columns, roomBeside(columns)] : [without, roomBeside(without)];
  const summary: Column<ListedRule> = {
    title: 'summary',
    width: Math.max(SUMMARY_WIDTH, room),
    text: ({ summary: text, asRequest }) => (asRequest ? `${text} (as request)` : text),
  };
  const closing = safe`${plural(rules.length, 'rule')}; \`ctx-trim rules <id>\` explains one\n`;
  return safe`${renderTable([...first, summary], rules, style)}${closing}`;
}

/**
 * Escapes unpaired surrogates in an example: some programs, such as jq 1.6, reject JSON with them.
 * https://www.rfc-editor.org/rfc/rfc7493#section-2.1
 */
function escapedSurrogates(example: RuleExample): RuleExample {
  const half = /\p{Cs}/gu;
  const text = JSON.stringify(example, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(half, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`) : value,
  );
  return JSON.parse(text) as RuleExample;
}

/** A rule as JSON, without its functions. */
export function ruleJson(rule: ListedRule, example: RuleExample) {
  const { id, summary, severity, providers, cause, asRequest, fix, reported } = rule;
  return {
    id,
    summary,
    severity,
    providers,
    error: errorsOf(rule),
    cause,
    as_request: asRequest === true,
    fix: fix === undefined ? null : { safety: fix.safety, summary: fix.summary },
    example: escapedSurrogates(example),
    reported,
  };
}

export function ruleText(rule: ListedRule, example: RuleExample, style: Style, width: number): SafeText {
  const { id, summary, severity, providers, error, cause, asRequest, fix, reported } = rule;
  const section = (title: string, ...texts: readonly string[]) => [
    style.bold(shown(title)),
    ...texts.flatMap((text) => wrapped(text, width, 2)).map((line) => safe`  ${line}`),
    safe``,
  ];
  const when = asRequest ? ', in a history that is sent as a request' : '';
  const whose = providers.includes('any') ? 'all providers' : providers.join(', ');
  const lines = [
    style.name(shown(id)),
    ...wrapped(summary, width),
    ...wrapped(`${severity}${when}; ${whose}`, width).map((line) => style.dim(line)),
    safe``,
    ...section(id.startsWith(RESUME) ? 'People see' : 'The API says', ...textsOf(error)),
    ...section('Cause', cause),
    ...(fix === undefined
      ? section('Fix', 'None: this cannot be fixed automatically.')
      : section(`Fix (${fix.safety}: ${fix.safety === 'safe' ? '--fix' : `--fix=${fix.safety}`})`, fix.summary)),
    style.bold(safe`Example`),
    ...diffOf(laidOut(example.bad, width - 2), laidOut(example.repaired, width - 2), style, width - 2),
    safe``,
    ...(reported.length === 0 ? [] : section('Reported in', reported.join(', '))),
  ];
  return joined(lines, '\n');
}

/** A text, or one for each group of providers: `anthropic, vertex-claude: …`. */
function textsOf(error: ListedRule['error']): readonly string[] {
  return typeof error === 'string'
    ? [error]
    : Object.entries(error).map(([ids, text]) => `${ids.replaceAll(' ', ', ')}: ${text}`);
}

/** Unchanged lines shown around a change; the others are folded. */
const CONTEXT = 2;

function diffOf(before: string, after: string, style: Style, width: number): SafeText[] {
  const runs = diffLines(`${before}\n`, `${after}\n`);
  return runs.flatMap(({ added, removed, value }, index) => {
    const lines = value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => fitted(line, width));
    if (added) return lines.map((line) => style.added(safe`+ ${line}`));
    if (removed) return lines.map((line) => style.removed(safe`- ${line}`));
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === runs.length - 1 ? 0 : CONTEXT;
    const folded = lines.length - head - tail;
    const kept =
      folded > 1 && runs.length > 1 ? [...lines.slice(0, head), safe`⋯`, ...lines.slice(lines.length - tail)] : lines;
    return kept.map((line) => style.dim(safe`  ${line}`));
  });
}

/** JSON in which everything that fits on one line is on one line. */
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
