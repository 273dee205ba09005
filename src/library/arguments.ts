/** What programs hand over, looked at before it is used: whatever is of the wrong type is told with its path. */
import { TranscriptError } from '../errors.js';
import type { Option, Options } from '../options/option.js';

const KINDS = {
  text: [(value: unknown) => typeof value === 'string', 'a string'],
  flag: [(value: unknown) => typeof value === 'boolean', 'true or false'],
  number: [(value: unknown) => typeof value === 'number' && !Number.isNaN(value), 'a number'],
  list: [Array.isArray, 'a list'],
  texts: [
    (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
    'a list of strings',
  ],
  function: [(value: unknown) => typeof value === 'function', 'a function'],
  object: [isObject, 'an object'],
} as const;

/** What the options of a function are, by their names. */
export type Shape = Readonly<Record<string, keyof typeof KINDS>>;

/** What all functions take that open a recording. */
export const OPENING: Shape = { from: 'text', messages: 'text', formats: 'list' };
/** What all functions take that run steps. */
export const RUNNING: Shape = { ...OPENING, countTokens: 'function', pipelines: 'object', onShortfall: 'function' };

/** Throws TranscriptError where options are no object, or one of them does not exist or is of another type. */
export function rejectWrongOptions(options: unknown, shape: Shape): void {
  if (!isObject(options)) throw wrong('options', options, 'an object');
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(shape, key))
      throw new TranscriptError('usage', `there is no option \`${key}\`; there are ${Object.keys(shape).join(', ')}`, {
        path: `options.${key}`,
      });
    const [fits, expected] = KINDS[shape[key]!];
    if (value !== undefined && !fits(value)) throw wrong(`options.${key}`, value, expected);
  }
}

/** The same for the values of a step's options: `path` is where the step stands. */
export function rejectWrongValues(options: Options, given: Readonly<Record<string, unknown>>, path: string): void {
  for (const [key, value] of Object.entries(given)) {
    const option = options[key]!;
    if (value === undefined) continue;
    if (!option.many) rejectWrongValue(option, value, `${path}.${key}`);
    else if (!Array.isArray(value)) throw wrong(`${path}.${key}`, value, 'a list');
    else for (const [index, item] of value.entries()) rejectWrongValue(option, item, `${path}.${key}[${index}]`);
  }
}

function rejectWrongValue(option: Option, value: unknown, path: string): void {
  const expected = expectedOf(option, value);
  if (expected !== undefined) throw wrong(path, value, expected);
}

/** What is expected in the place of a value; undefined where it is that. */
function expectedOf(option: Option, value: unknown): string | undefined {
  const unless = (fits: boolean, expected: string) => (fits ? undefined : expected);
  const isPair = (second: 'string' | 'number') =>
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === second;
  switch (option.type) {
    case 'integer':
    case 'size':
      return unless(Number.isSafeInteger(value), 'a whole number');
    case 'flag':
      return unless(typeof value === 'boolean', 'true or false');
    case 'choice':
      return unless(option.choices.includes(value as string), `one of ${option.choices.join(', ')}`);
    case 'limits':
      return unless(isPair('number'), 'a pair of a name and a number');
    case 'named-file':
      return unless(isPair('string'), 'a pair of a name and a text');
    case 'optional-text':
      return unless(value === true || typeof value === 'string', 'a string or true');
    case 'module':
      return unless(typeof value === 'function', 'a function');
    case 'messages':
      return unless(Array.isArray(value) && value.every(isMessage), 'a list of messages, as `open` gives them');
    case 'guard':
      return unless(typeof value === 'function', 'a guard, as `guardOf(policy)` gives it');
    case 'policy':
      return unless(isObject(value), 'the prompts of a policy');
    case 'text':
    case 'file':
      return unless(typeof value === 'string', 'a string');
    default:
      return option satisfies never;
  }
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value['role'] === 'string' && Array.isArray(value['parts']);
}

/** A list of plain messages as JSON. Throws TranscriptError where it is none. */
export function spelledMessages(messages: unknown): string {
  if (!Array.isArray(messages)) throw wrong('input', messages, 'a text or a list of messages');
  return `[${messages.map(spelledMessage).join(',\n')}]`;
}

function spelledMessage(message: unknown, index: number): string {
  const path = `input[${index}]`;
  if (typeof message !== 'object' || message === null) throw wrong(path, message, 'a message object');
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    throw new TranscriptError('message', `\`${path}\` cannot be written as JSON: ${reasonOf(error)}`, { path });
  }
  if (text === undefined) throw wrong(path, undefined, 'a message object');
  return text;
}

/** The first line of what was thrown. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deep';
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

/** The error of a value that a program gave. */
export function wrong(path: string, value: unknown, expected: string): TranscriptError {
  return new TranscriptError('usage', `\`${path}\` is ${described(value)}; expected ${expected}`, { path });
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length <= 40 ? JSON.stringify(value) : 'a string';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
