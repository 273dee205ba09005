/** The texts of options, as they are written on a command line, in a step or in a config. */
import type { Option } from './option.js';

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
