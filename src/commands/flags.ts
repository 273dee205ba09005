/** Options as data, turned into command-line flags. */
import { Option as Flag, InvalidArgumentError, type Command as Program } from 'commander';
import { kebab, optionValue } from '../transforms/step-text.js';
import type { Option, Options } from '../transforms/transform.js';

/** Adds a flag for each option. Short names stand in `shorts`. */
export function addFlags(program: Program, options: Options, shorts: Readonly<Record<string, string>> = {}): void {
  for (const [key, option] of Object.entries(options)) {
    const short = shorts[key] === undefined ? '' : `-${shorts[key]}, `;
    const flag = new Flag(`${short}--${kebab(key)}${placeholderOf(option)}`, summaryOf(option));
    if (option.type === 'choice') flag.argParser((text: string) => checked(option, text));
    if (option.many)
      flag.argParser((text: string, before: readonly unknown[] = []) => [...before, checked(option, text)]);
    else if (option.type === 'integer' || option.type === 'size' || option.type === 'limits')
      flag.argParser((text: string) => checked(option, text));
    program.addOption(flag);
  }
}

function placeholderOf(option: Option): string {
  if (option.type === 'flag') return '';
  if (option.type === 'optional-text') return ` [${option.value ?? 'text'}]`;
  return ` <${option.value ?? (option.type === 'choice' ? option.choices.join('|') : option.type)}>`;
}

/** The default is told here and filled in by `pickValues`: what commander hands over is what was typed. */
function summaryOf(option: Option): string {
  const standard = 'default' in option && option.default !== undefined ? `default: ${option.default}` : '';
  const choices = option.type === 'choice' && option.value !== undefined ? option.choices.join(', ') : '';
  const notes = [choices, standard].filter((note) => note !== '').join('; ');
  return notes === '' ? option.summary : `${option.summary} (${notes})`;
}

function checked(option: Option, text: string): unknown {
  try {
    return optionValue(option, text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
