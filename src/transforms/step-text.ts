/** Steps as text, on the command line, in a config or in a program: `truncate:max-length=3000,keep=both`. */
import { TranscriptError } from '../errors.js';
import type { Option } from '../options/option.js';
import { kebab, optionValue } from '../options/parse.js';
import type { Declared } from './declared.js';

/**
 * Parses a step: its transform, which `named` finds, and the options that are given.
 * Throws TranscriptError for an unknown option.
 */
export function parseStepText<T extends Declared>(
  step: string,
  named: (id: string) => T,
): {
  readonly transform: T;
  readonly given: Readonly<Record<string, unknown>>;
} {
  const colon = step.indexOf(':');
  const id = colon < 0 ? step : step.slice(0, colon);
  const transform = named(id);
  const given: Record<string, unknown> = {};
  if (colon >= 0) for (const pair of splitPairs(step.slice(colon + 1))) assign(given, transform, pair, step);
  return { transform, given };
}

/** `a=1,b=x\,y`: a comma in a value is escaped with a backslash. */
function splitPairs(text: string): string[] {
  return text === '' ? [] : text.split(/(?<!\\),/).map((pair) => pair.replaceAll('\\,', ','));
}

function assign(given: Record<string, unknown>, transform: Declared, pair: string, step: string): void {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const key = Object.keys(transform.options).find((candidate) => kebab(candidate) === name);
  const names = Object.keys(transform.options).map(kebab);
  if (key === undefined)
    throw new TranscriptError(
      'usage',
      `step \`${step}\`: ${transform.id} has no option \`${name}\`; it has ${names.join(', ')}`,
    );
  const option = transform.options[key]!;
  if (Object.hasOwn(given, key) && !option.many)
    throw new TranscriptError('usage', `step \`${step}\`: ${name} is given twice: choose one`);
  try {
    const value = equals < 0 ? switchedOn(option) : optionValue(option, pair.slice(equals + 1));
    given[key] = option.many ? [...((given[key] as readonly unknown[]) ?? []), value] : value;
  } catch (error) {
    throw new TranscriptError('usage', `step \`${step}\`: ${name}: ${(error as Error).message}`);
  }
}

function switchedOn(option: Option): true {
  if (option.type === 'flag' || option.type === 'optional-text') return true;
  throw new Error('needs a value');
}
