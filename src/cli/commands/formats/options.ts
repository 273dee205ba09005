import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions } from '../../options/options.js';

export const formatsOptions = {
  format: { type: 'choice', choices: ['table', 'json'], default: 'table', summary: 'output format' },
  ...readingOptions,
} as const satisfies Options;
export type FormatsOptions = Parsed<Values<typeof formatsOptions>>;
