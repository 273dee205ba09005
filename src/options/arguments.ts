/** Validates what programs hand over: a wrong option throws TranscriptError with its path. */
import { TranscriptError } from '../errors.js';
import type { Option, Options } from './option.js';
import { isWhole, wholeText } from './parse.js';

/** As steps take it. */
const EVERY = { least: 1, words: ['auto'], units: ['calls', 'rounds'] };

const KINDS = {
  text: [(value: unknown) => typeof value === 'string', 'a string'],
  flag: [(value: unknown) => typeof value === 'boolean', 'true or false'],
  number: [(value: unknown) => typeof value === 'number' && !Number.isNaN(value), 'a number'],
  whole: [(value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0, 'a whole number from 0 on'],
  every: [
    (value: unknown) => isWhole(EVERY, value) && !(Number(value) < EVERY.least),
    "a whole number from 1 on, 'n calls', 'n rounds' or auto",
  ],
  dollars: [
    (value: unknown) => (typeof value === 'number' && value >= 0) || typeof value === 'string',
    'US dollars, such as 1.5',
  ],
  date: [(value: unknown) => value instanceof Date && !Number.isNaN(value.getTime()), 'a valid Date'],
  list: [Array.isArray, 'a list'],
  texts: [isTexts, 'a list of strings'],
  objects: [(value: unknown) => Array.isArray(value) && value.every(isObject), 'a list of objects'],
  function: [(value: unknown) => typeof value === 'function', 'a function'],
  object: [isObject, 'an object'],
  prices: [
    (value: unknown) => isObject(value) && typeof value['cost'] === 'function',
    'a price book, as `await loadPrices()` gives it',
  ],
  levels: [
    (value: unknown) => isObject(value) && Object.values(value).every((level) => LEVELS.includes(String(level))),
    'an object of rules, each error, warning or off',
  ],
  rules: [(value: unknown) => isTexts(value) || isObject(value), 'a list of rules, or an object of rules and levels'],
} as const;

const LEVELS: readonly string[] = ['error', 'warning', 'off'];

/** What the options of a function are, by name: a kind, a list of choices, or the shape of an object. */
export interface Shape {
  readonly [option: string]: keyof typeof KINDS | readonly string[] | Shape;
}

/** Options of every function that opens a recording. */
export const OPENING: Shape = { from: 'text', messages: 'text', formats: 'list', plugins: 'objects' };
/** Options of every function that runs steps. */
export const RUNNING: Shape = { ...OPENING, countTokens: 'function', pipelines: 'object', onShortfall: 'function' };

/** Throws TranscriptError where options are no object, or where one does not exist or has the wrong type. */
export function rejectWrongOptions(options: unknown, shape: Shape, path = 'options'): void {
  if (!isObject(options)) throw wrong(path, options, 'an object');
  for (const [key, value] of Object.entries(options)) {
    const own = `${path}.${key}`;
    const expected = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (expected === undefined)
      throw new TranscriptError('usage', `no option \`${key}\`; the options are ${Object.keys(shape).join(', ')}`, {
        path: own,
      });
    if (value !== undefined) rejectWrongOption(value, expected, own);
  }
}

/** Throws TranscriptError where these are no messages of a framework. */
export function rejectOthers(messages: unknown): void {
  if (!Array.isArray(messages)) throw wrong('messages', messages, 'a list of messages');
  const other = messages.findIndex((message) => typeof message !== 'object' || message === null); // also holes
  if (other >= 0) throw wrong(`messages[${other}]`, messages[other], 'a message object');
}

function rejectWrongOption(value: unknown, expected: Shape[string], path: string): void {
  if (typeof expected === 'string') {
    const [fits, what] = KINDS[expected];
    if (!fits(value)) throw wrong(path, value, what);
  } else if (isChoices(expected)) {
    if (!expected.includes(String(value))) throw wrong(path, value, `one of ${expected.join(', ')}`);
  } else rejectWrongOptions(value, expected, path);
}

function isChoices(expected: readonly string[] | Shape): expected is readonly string[] {
  return Array.isArray(expected);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
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
  const unlessKind = (kind: keyof typeof KINDS) => unless(KINDS[kind][0](value), KINDS[kind][1]);
  const isPair = (second: 'string' | 'number') =>
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === second;
  switch (option.type) {
    case 'integer':
      return unless(isWhole(option, value), wholeText(option));
    case 'size':
      return unless(Number.isSafeInteger(value), 'a whole number');
    case 'number':
    case 'flag':
    case 'text':
      return unlessKind(option.type);
    case 'file':
      return unlessKind('text');
    case 'module':
      return unlessKind('function');
    case 'choice':
      return unless(option.choices.includes(value as string), `one of ${option.choices.join(', ')}`);
    case 'limits':
      return unless(isPair('number'), 'a pair of a name and a number');
    case 'named-file':
      return unless(isPair('string'), 'a pair of a name and a text');
    case 'optional-text':
      return unless(value === true || typeof value === 'string', 'a string or true');
    case 'messages':
      return unless(Array.isArray(value) && value.every(isMessage), 'a list of messages, as `open` gives them');
    case 'guard':
      return unless(typeof value === 'function', 'a guard, as `guardOf(policy)` gives it');
    case 'policy':
      return unless(isObject(value), 'the prompts of a policy');
    default:
      return option satisfies never;
  }
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value['role'] === 'string' && Array.isArray(value['parts']);
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

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
