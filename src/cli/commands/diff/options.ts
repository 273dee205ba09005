import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions, tokenOptions } from '../../options/options.js';

export const diffOptions = {
  format: {
    type: 'choice',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    summary: 'output format; json is stable and versioned',
  },
  sideBySide: { type: 'flag', excludes: ['format!=text'], summary: 'two columns, for wide terminals' },
  ...tokenOptions,
  ...readingOptions,
} as const satisfies Options;
export type DiffOptions = Parsed<Values<typeof diffOptions>>;
