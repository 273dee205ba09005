/**
 * Checks `needs` and `excludes` of options: lists of conditions, of which one is enough. A condition is one or more
 * terms
 * joined by `+`: `diff` (the option is given), `!diff` (it is not), `by=day|model` and `format!=text` (its value,
 * given or
 * default). Loaded only if a given option has such a list.
 */
import { TranscriptError } from '../../errors.js';
import type { Options } from '../../options/option.js';
import { kebab } from '../../options/parse.js';

type Given = Readonly<Record<string, unknown>>;

interface Term {
  readonly key: string;
  readonly isNegated: boolean;
  /** Undefined if it only matters whether the option is given. */
  readonly values: readonly string[] | undefined;
}

/** The terms of a condition. */
export function termsOf(condition: string): Term[] {
  return condition.split('+').map((text) => {
    const [, bang = '', key = '', operator, values] = /^(!?)(\w+)(?:(!?=)(.+))?$/.exec(text) ?? [];
    return { key, isNegated: bang === '!' || operator === '!=', values: values?.split('|') };
  });
}

/** Typed values and config defaults. Throws TranscriptError if a typed option has no effect with the others. */
export function settled(options: Options, typed: Given, defaults: Given): Given {
  const [clash] = clashes(options, typed);
  if (clash !== undefined)
    throw new TranscriptError(
      'usage',
      `${flag(clash.key)} and ${flagText(clash.terms[0]!, options, typed)} cannot be combined`,
    );
  const all = { ...compatibleDefaults(options, typed, defaults), ...typed };
  for (const [key, { needs, summary }] of Object.entries(options))
    if (isOn(typed[key]) && needs !== undefined && !needs.some((condition) => holds(condition, options, all)))
      throw new TranscriptError(
        'usage',
        `${flag(key)} needs ${needs.map(spelled).join(' or ')}${summary.startsWith('with --') ? `; ${summary}` : ''}`,
      );
  return all;
}

/** Config defaults without those that conflict with a typed option. */
function compatibleDefaults(options: Options, typed: Given, defaults: Given): Given {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(defaults)) {
    const isMet = clashes(options, { ...typed, ...kept, [key]: value }).some((clash) =>
      [clash.key, ...clash.terms.map((term) => term.key)].some((name) => isOn(typed[name])),
    );
    if (!isMet) kept[key] = value;
  }
  return kept;
}

function clashes(options: Options, given: Given): { readonly key: string; readonly terms: readonly Term[] }[] {
  return Object.entries(options).flatMap(([key, { excludes = [] }]) =>
    isOn(given[key])
      ? excludes
          .filter((condition) => holds(condition, options, given))
          .map((condition) => ({ key, terms: termsOf(condition) }))
      : [],
  );
}

function holds(condition: string, options: Options, given: Given): boolean {
  return termsOf(condition).every(({ key, isNegated, values }) => {
    const named = effective(key, options, given).split(',');
    const isMet = values === undefined ? isOn(given[key]) : named.some((value) => values.includes(value));
    return isMet !== isNegated;
  });
}

function effective(key: string, options: Options, given: Given): string {
  const option = options[key];
  return String(given[key] ?? (option !== undefined && 'default' in option ? option.default : undefined));
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

const flag = (key: string) => `--${kebab(key)}`;

function flagText({ key, values }: Term, options: Options, given: Given): string {
  return values === undefined ? flag(key) : `${flag(key)} ${effective(key, options, given)}`;
}

/** A condition for messages: `--by model, session or day`. */
function spelled(condition: string): string {
  return termsOf(condition)
    .filter(({ isNegated }) => !isNegated)
    .map(({ key, values }) => flag(key) + (values === undefined || values[0] === 'true' ? '' : ` ${list(values)}`))
    .join(' and ');
}

function list(values: readonly string[]): string {
  return [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ');
}
