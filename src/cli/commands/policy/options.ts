import { languageOption } from '../../../options/language.js';
import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions, TEXT_OR_JSON } from '../../options/options.js';

export const policyCommandOptions = {
  ...languageOption,
  format: { ...TEXT_OR_JSON, summary: 'output format; json: policy init prints the policy without comments' },
  ...readingOptions,
} as const satisfies Options;
export type PolicyOptions = Parsed<Values<typeof policyCommandOptions>>;
