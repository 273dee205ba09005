/** Steps as they are written down, on the command line, in a config or in a program: `filter:max-tool-calls=3,keep=both`. */
import { TranscriptError } from '../errors.js';
import { transformNamed } from './index.js';
import type { Option, Transform } from './transform.js';

/** `maxToolCalls` is `--max-tool-calls`. */
export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The value that a text stands for; of an option that names a file, the name. Throws Error saying what was expected. */
export function optionValue(option: Option, text: string): unknown {
  switch (option.type) {
    case 'integer':
      if (!/^[+-]?\d+$/.test(text.trim())) throw new Error('expected a whole number');
      return notBelow(option.least, Number(text));
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

function notBelow(least: number, value: number): number {
  if (value < least) throw new Error(`expected a whole number from ${least} on`);
  return value;
}

/** Throws Error where a number, or a list of named ones, is below the least value of its option. */
export function rejectBelow(option: Option, value: unknown): void {
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

/** A transform, and what is written of its options. Throws TranscriptError for a step or an option that does not exist. */
export function parseStepText(step: string): {
  readonly transform: Transform;
  readonly given: Readonly<Record<string, unknown>>;
} {
  const colon = step.indexOf(':');
  const transform = transformNamed(colon < 0 ? step : step.slice(0, colon));
  const given: Record<string, unknown> = {};
  if (colon >= 0) for (const pair of splitPairs(step.slice(colon + 1))) assign(given, transform, pair, step);
  return { transform, given };
}

/** `a=1,b=x\,y`: a comma inside a value is written with a backslash. */
function splitPairs(text: string): string[] {
  return text === '' ? [] : text.split(/(?<!\\),/).map((pair) => pair.replaceAll('\\,', ','));
}

function assign(given: Record<string, unknown>, transform: Transform, pair: string, word: string): void {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const key = Object.keys(transform.options).find((candidate) => kebab(candidate) === name);
  const names = Object.keys(transform.options).map(kebab);
  if (key === undefined)
    throw new TranscriptError(
      'usage',
      `step \`${word}\`: ${transform.id} has no option \`${name}\`; it has ${names.join(', ')}`,
    );
  const option = transform.options[key]!;
  if (Object.hasOwn(given, key) && !option.many)
    throw new TranscriptError('usage', `step \`${word}\`: ${name} is given twice: choose one`);
  try {
    const value = equals < 0 ? switchedOn(option) : optionValue(option, pair.slice(equals + 1));
    given[key] = option.many ? [...((given[key] as readonly unknown[]) ?? []), value] : value;
  } catch (error) {
    throw new TranscriptError('usage', `step \`${word}\`: ${name}: ${(error as Error).message}`);
  }
}

function switchedOn(option: Option): true {
  if (option.type === 'flag' || option.type === 'optional-text') return true;
  throw new Error('needs a value');
}
