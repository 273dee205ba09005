import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions, TEXT_OR_JSON, threadOptions } from '../../options/options.js';

export const convertOptions = {
  to: {
    type: 'text',
    value: 'format',
    summary: 'target format or provider (required): openai, anthropic, gemini, bedrock, codex-rollout, atif, …',
  },
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    summary: 'write to this file instead of stdout; - is stdout',
  },
  format: { ...TEXT_OR_JSON, summary: 'format of the list of losses on stderr' },
  ...threadOptions,
  ...readingOptions,
} as const satisfies Options;
export type ConvertOptions = Parsed<Values<typeof convertOptions>>;
