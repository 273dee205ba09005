/** Parses option values from the command line, a step or a config. */
import type { Option } from './option.js';

/** `maxToolCalls` is `--max-tool-calls`. */
export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The value of an option; for an option that names a file, the name. Throws Error with the expected form. */
export function optionValue(option: Option, text: string): unknown {
  switch (option.type) {
    case 'integer':
      if (option.words?.includes(text) === true) return text;
      return wholeNumber(option, text.trim());
    case 'number':
      if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text.trim())) throw new Error(rangeText(option));
      return inRange(option, Number(text));
    case 'size':
      return bytesOf(text);
    case 'flag':
      if (text !== 'true' && text !== 'false') throw new Error('expected true or false');
      return text === 'true';
    case 'choice':
      if (!option.choices.includes(text)) throw new Error(`expected one of ${option.choices.join(', ')}`);
      return text;
    case 'limits': {
      const match = /^(.+)=([+-]?\d+)$/.exec(text);
      if (match === null) throw new Error('expected name=number');
      return [match[1], notBelow(option.least, Number(match[2]))];
    }
    case 'text':
    case 'optional-text':
    case 'module':
    case 'file':
    case 'messages':
    case 'policy':
    case 'guard':
      return text;
    case 'named-file': {
      const match = /^([^=]+)=(.+)$/.exec(text);
      if (match === null) throw new Error('expected name=file');
      return [match[1], match[2]];
    }
    default:
      return option satisfies never;
  }
}

type Whole = Option & { readonly type: 'integer' };

/** `20`, or `20 rounds` as a text. */
function wholeNumber(option: Whole, text: string): number | string {
  const [, digits, unit] = /^([+-]?\d+)(?: *([a-z]+))?$/.exec(text) ?? [];
  if (digits === undefined || !(unit === undefined || option.units?.includes(unit)))
    throw new Error(`expected ${wholeText(option)}`);
  const number = notBelow(option.least, Number(digits));
  return unit === undefined ? number : `${number} ${unit}`;
}

/** `a whole number or auto` */
export function wholeText({ words = [], units = [] }: Pick<Whole, 'words' | 'units'>): string {
  return ['a whole number', ...units.map((unit) => `n ${unit}`), ...words].join(' or ');
}

/** Whether a program may give it as the value of the option: a text with a unit is written as `20 rounds`. */
export function isWhole({ least, words, units }: Pick<Whole, 'least' | 'words' | 'units'>, value: unknown): boolean {
  if (typeof value !== 'string') return Number.isSafeInteger(value);
  const count = Number.parseInt(value, 10);
  return (
    words?.includes(value) === true || (count >= least && units?.some((unit) => value === `${count} ${unit}`) === true)
  );
}

function notBelow(least: number, value: number): number {
  if (value < least) throw new Error(`expected a whole number of at least ${least}`);
  return value;
}

function inRange(option: Range, value: number): number {
  if (value > option.above && value <= option.most) return value;
  throw new Error(rangeText(option));
}
type Range = Option & { readonly type: 'number' };

function rangeText({ above, most }: Range): string {
  return `expected a number above ${above} and at most ${most}`;
}

/** Throws Error if a number, or one of a list of limits, is out of the option's range. */
export function rejectOutOfRange(option: Option, value: unknown): void {
  if (option.type === 'number' && typeof value === 'number') inRange(option, value);
  if (option.type === 'integer' && typeof value === 'number') notBelow(option.least, value);
  if (option.type === 'limits' && Array.isArray(value))
    for (const limit of value) if (Array.isArray(limit)) notBelow(option.least, Number(limit[1]));
}

const UNITS = ['', 'k', 'm', 'g', 't'];

function bytesOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmgt]?)i?b?$/i.exec(text.trim());
  if (match === null) throw new Error('expected a size, such as 300MB or 20GB');
  return Math.floor(Number(match[1]) * 1024 ** UNITS.indexOf(match[2]!.toLowerCase()));
}
