/**
 * Which options go with which: `needs` and `excludes` of an option are lists of conditions, of which one is enough. A condition is one or
 * more of these, joined by `+`: `diff` (the option is given), `!diff` (it is not), `by=day|model` and `format!=text` (its value, be it given
 * or the default). Loaded only where an option that is given has such a list.
 */
import { TranscriptError } from '../../errors.js';
import type { Options } from '../../options/option.js';
import { kebab } from '../../options/parse.js';

type Given = Readonly<Record<string, unknown>>;

interface Term {
  readonly key: string;
  readonly isNegated: boolean;
  /** Undefined where it is enough that the option is given. */
  readonly values: readonly string[] | undefined;
}

/** The terms of a condition. */
export function termsOf(condition: string): Term[] {
  return condition.split('+').map((text) => {
    const [, bang = '', key = '', operator, values] = /^(!?)(\w+)(?:(!?=)(.+))?$/.exec(text) ?? [];
    return { key, isNegated: bang === '!' || operator === '!=', values: values?.split('|') };
  });
}

/** What was typed, and the defaults of a config beside it. Throws TranscriptError where a typed option has no effect beside the others. */
export function settled(options: Options, typed: Given, defaults: Given): Given {
  const [clash] = clashes(options, typed);
  if (clash !== undefined)
    throw new TranscriptError(
      'usage',
      `${flag(clash.key)} and ${told(clash.terms[0]!, options, typed)} contradict each other: choose one`,
    );
  const all = { ...givingWay(options, typed, defaults), ...typed };
  for (const [key, { needs }] of Object.entries(options))
    if (isOn(typed[key]) && needs !== undefined && !needs.some((condition) => holds(condition, options, all)))
      throw new TranscriptError('usage', `${flag(key)} goes with ${needs.map(spelled).join(' or ')}`);
  return all;
}

/** The defaults of a config without those that a typed option excludes, or that exclude one: what is typed wins. */
function givingWay(options: Options, typed: Given, defaults: Given): Given {
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
    const isMet = values === undefined ? isOn(given[key]) : values.includes(effective(key, options, given));
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

function told({ key, values }: Term, options: Options, given: Given): string {
  return values === undefined ? flag(key) : `${flag(key)} ${effective(key, options, given)}`;
}

/** A condition as a user knows it: `--by model, session or day`. */
function spelled(condition: string): string {
  return termsOf(condition)
    .filter(({ isNegated }) => !isNegated)
    .map(({ key, values }) => flag(key) + (values === undefined || values[0] === 'true' ? '' : ` ${list(values)}`))
    .join(' and ');
}

function list(values: readonly string[]): string {
  return [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ');
}
