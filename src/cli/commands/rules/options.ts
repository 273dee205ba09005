import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions } from '../../options/options.js';

export const rulesOptions = {
  provider: { type: 'text', value: 'id', summary: 'only the rules of this provider' },
  format: {
    type: 'choice',
    choices: ['table', 'json'],
    default: 'table',
    summary: 'output format; json is stable and versioned',
  },
  plugin: readingOptions.plugin,
} as const satisfies Options;
export type RulesOptions = Parsed<Values<typeof rulesOptions>>;
