/** Turns options into flags of commander. */
import { Option as Flag, InvalidArgumentError, type Command as Program } from 'commander';
import type { Option, Options } from '../../options/option.js';
import { kebab, optionValue } from '../../options/parse.js';

/** The short names of commands that rewrite. */
export const rewriteShorts = { output: 'o', write: 'w', diff: 'd', check: 'c', quiet: 'q' };

/** Adds a flag for each option. `shorts`: short names by option key. */
export function addFlags(program: Program, options: Options, shorts: Readonly<Record<string, string>> = {}): void {
  for (const [key, option] of Object.entries(options)) {
    const short = shorts[key] === undefined ? '' : `-${shorts[key]}, `;
    const flag = new Flag(`${short}--${kebab(key)}${placeholderOf(option)}`, summaryOf(option));
    if (flag.negate) keepName(flag, key);
    if (option.many)
      flag.argParser((text: string, before: readonly unknown[] = []) => [...before, checked(option, text)]);
    else if (option.type !== 'flag') flag.argParser((text: string, before: unknown) => once(option, text, before));
    program.addOption(flag);
  }
}

/**
 * Commander's API knows `--no-cache` only as the opposite of `--cache`, and stores both under one name. `stats` has
 * both as options of their own, which may be given together.
 */
function keepName(flag: Flag, key: string): void {
  flag.negate = false;
  flag.attributeName = () => key;
}

/**
 * The arguments for commander. The text of an optional-text option follows `=`, because the next argument may be a
 * file. Commander would take that argument as the text, so the flag gets an empty text instead.
 */
export function withEmptyTexts(words: readonly string[], options: Options): string[] {
  const flagsOf = (isIncluded: (option: Option) => boolean) =>
    new Set(Object.entries(options).flatMap(([key, option]) => (isIncluded(option) ? [`--${kebab(key)}`] : [])));
  const optional = flagsOf(({ type }) => type === 'optional-text');
  const valued = flagsOf(({ type }) => type !== 'optional-text' && type !== 'flag');
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, at) =>
    at < end && optional.has(word) && !valued.has(words[at - 1] ?? '') ? `${word}=` : word,
  );
}

function placeholderOf(option: Option): string {
  if (option.type === 'flag') return '';
  if (option.type === 'optional-text') return ` [${option.value ?? 'text'}]`; // help writes [=text]
  return ` <${option.value ?? (option.type === 'choice' ? option.choices.join('|') : option.type)}>`;
}

/** Shows the default. `pickValues` applies it, because commander must return only what was typed. */
function summaryOf(option: Option): string {
  const usual = 'default' in option && option.default !== undefined ? `default: ${option.default}` : '';
  const choices = option.type === 'choice' && option.value !== undefined ? option.choices.join(', ') : '';
  const notes = [choices, usual].filter((note) => note !== '').join('; ');
  return notes === '' ? option.summary : `${option.summary} (${notes})`;
}

/** Rejects a second value, which would silently replace the first one. */
function once(option: Option, text: string, before: unknown): unknown {
  if (before !== undefined) throw new InvalidArgumentError('It is given twice; choose one.');
  return option.type === 'optional-text' && text === '' ? true : checked(option, text);
}

/** Placeholders of texts that match something. One that is empty, as of a variable that is not set, matches nothing. */
const NAMES: ReadonlySet<string | undefined> = new Set(['glob', 'model', 'name']);

function checked(option: Option, text: string): unknown {
  if (text === '' && NAMES.has(option.value)) throw new InvalidArgumentError(`expected a ${option.value}`);
  try {
    return optionValue(option, text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
