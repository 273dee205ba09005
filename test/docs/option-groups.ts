/** The options of a command under headings: its own first, then those that many commands take. */
import {
  costOptions,
  periodOptions,
  readingOptions,
  rewriteOptions,
  selectionOptions,
} from '../../src/cli/options/options.js';
import type { Options } from '../../src/options/option.js';

const GROUPS: readonly (readonly [title: string, options: Options])[] = [
  ['Reading', readingOptions],
  ['Tokens and prices', costOptions],
  ['Which files', selectionOptions],
  ['Period', periodOptions],
  ['Writing and reports', rewriteOptions],
];

export interface OptionGroup {
  /** Empty for the options of the command itself. */
  readonly title: string;
  readonly keys: readonly string[];
}

export function groupsOf(options: Options): OptionGroup[] {
  const titleOf = (key: string) => GROUPS.find(([, group]) => group[key] === options[key])?.[0] ?? '';
  return ['', ...GROUPS.map(([title]) => title).reverse()]
    .map((title) => ({ title, keys: Object.keys(options).filter((key) => titleOf(key) === title) }))
    .filter(({ keys }) => keys.length > 0);
}
