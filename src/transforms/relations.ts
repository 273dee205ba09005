/**
 * Which options go with which: `needs` and `excludes` of an option are lists of conditions, of which one is enough. A condition is one or
 * more of these, joined by `+`: `diff` (the option is given), `!diff` (it is not), `by=day|model` and `format!=text` (its value, be it given
 * or the default).
 */
import { kebab } from './step-text.js';
import type { Options } from './transform.js';

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

/** What a user is told where two of the given options exclude each other. */
export function clashIn(options: Options, given: Given): string | undefined {
  const clash = clashes(options, given)[0];
  return clash && `${flag(clash.key)} and ${told(clash.terms[0]!, options, given)} contradict each other: choose one`;
}

/** What a user is told where a typed option has no effect without another. */
export function lackIn(options: Options, typed: Given, given: Given): string | undefined {
  const isIdle = ([key, { needs }]: [string, Options[string]]) =>
    isOn(typed[key]) && needs !== undefined && !needs.some((condition) => holds(condition, options, given));
  const [key, option] = Object.entries(options).find(isIdle) ?? [];
  return key && `${flag(key)} goes with ${option!.needs!.map(spelled).join(' or ')}`;
}

/** The defaults of a config without those that a typed option excludes, or that exclude one: what is typed wins. */
export function givingWay(options: Options, typed: Given, defaults: Given): Given {
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
