import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { costOptions, readingOptions } from '../../options/options.js';
import { redactOptions } from '../redact/options.js';
import { simulateOptions } from '../simulate/options.js';

export const reportOptions = {
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    summary: 'write to this file instead of stdout; with --split, to this folder',
  },
  policy: {
    type: 'text',
    value: 'steps',
    reach: 'runs',
    many: true,
    summary: "also show what these steps would have changed: 'filter:max-tool-calls=10,every=20'; repeatable",
  },
  scope: simulateOptions.scope,
  cache: simulateOptions.cache,
  split: {
    type: 'flag',
    needs: ['output'],
    excludes: ['format=json'],
    summary: 'write a page for all sessions and one for each, into the folder of --output',
  },
  top: {
    type: 'integer',
    least: 0,
    value: 'n',
    default: 10,
    excludes: ['split', 'format=json'],
    summary: 'of several sessions, show this many in full: the most expensive ones',
  },
  noRedact: { type: 'flag', summary: 'keep secrets; by default they are replaced as redact does it' },
  personal: { ...redactOptions.personal, excludes: ['noRedact'] },
  allow: { ...redactOptions.allow, excludes: ['noRedact'] },
  links: {
    type: 'flag',
    excludes: ['format=json'],
    summary: 'make links of the http and https addresses in texts; without it, they are text',
  },
  printMessages: {
    type: 'choice',
    choices: ['text', 'all', 'none'],
    default: 'text',
    excludes: ['format=json'],
    summary: 'which messages a printed page holds; text: what people and models wrote, without tool calls and results',
  },
  format: {
    type: 'choice',
    choices: ['html', 'json'],
    default: 'html',
    summary: 'output format; json is stable and versioned',
  },
  ...costOptions,
  ...readingOptions,
} as const satisfies Options;
export type ReportOptions = Parsed<Values<typeof reportOptions>>;
