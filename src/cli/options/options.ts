/** Options that several commands share. Data only, so help loads nothing that reads or writes. */
import type { Options, Values } from '../../options/option.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import type { Parsed } from './command.js';

/** An option for the format of what is printed. */
export const TEXT_OR_JSON = { type: 'choice', choices: ['text', 'json'], default: 'text' } as const;

export const tokenOptions = {
  model: { type: 'text', value: 'model', summary: 'count and price as this model where the recording names none' },
  asModel: { type: 'text', value: 'model', summary: 'count and price as this model, whatever the recording names' },
  tokenizer: {
    type: 'choice',
    choices: ['exact', 'tiktoken'],
    default: 'exact',
    summary: 'token counter: built-in, or the tiktoken library (same counts)',
  },
} as const satisfies Options;

export const readingOptions = {
  from: {
    type: 'text',
    value: 'format',
    summary: 'read as this format instead of detecting it (ctx-trim formats lists them)',
  },
  messages: {
    type: 'text',
    value: 'path',
    summary: 'path of the messages in each value: messages, data.messages, runs[].messages',
  },
  skipBadLines: { type: 'flag', summary: 'copy lines that are not valid JSON unchanged, and count them' },
  maxUnpacked: {
    type: 'size',
    reach: 'lifts',
    value: 'size',
    summary: 'allow an .eval archive to unpack to this size, such as 20GB',
  },
  config: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    summary: 'use this config file instead of the nearest ctx-trim.config.json or .yaml',
  },
  plugin: {
    type: 'text',
    reach: 'runs',
    value: 'module',
    many: true,
    summary: 'a file or an installed package with more formats, rules and secrets; repeatable',
  },
  verbose: { type: 'flag', summary: 'print on stderr what was detected, and why' },
} as const satisfies Options;
export type ReadingOptions = Values<typeof readingOptions> & Pick<DetectOptions, 'receiver'>;

/** For commands that can read each line by itself. */
export const threadOptions = {
  threads: {
    type: 'integer',
    least: 1,
    value: 'n',
    summary:
      'read JSON Lines in this many threads, each with 40 to 60 MB of memory (by itself where a file has more than ' +
      '64 MB and the machine more than two processors)',
  },
} as const satisfies Options;

/** Selects files, for CI and pre-commit hooks. */
export const selectionOptions = {
  exclude: {
    type: 'text',
    value: 'glob',
    many: true,
    summary: 'skip files that match this .gitignore pattern, in folders and globs; repeatable',
  },
  forceExclude: {
    type: 'flag',
    excludes: ['staged'],
    summary: 'apply --exclude and check.ignore to named files too, and skip those that are not transcripts (for hooks)',
  },
  staged: {
    type: 'flag',
    reach: 'runs',
    excludes: ['fix'],
    summary: 'read the files staged in git; files, folders or globs narrow them down',
  },
  quiet: { type: 'flag', summary: 'report errors only; print nothing if there are none' },
} as const satisfies Options;
export type SelectionOptions = Values<typeof selectionOptions>;

export const rewriteOptions = {
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    excludes: ['diff', 'check'],
    summary: 'write to this file instead of stdout (-)',
  },
  write: {
    type: 'flag',
    reach: 'writes',
    excludes: ['output', 'diff', 'check'],
    summary: 'rewrite each file in place, atomically; unchanged files are not touched',
  },
  backup: {
    type: 'text',
    reach: 'writes',
    needs: ['write'],
    value: 'suffix',
    summary: 'with --write: keep the old file with this suffix, such as .bak',
  },
  force: {
    type: 'flag',
    reach: 'lifts',
    needs: ['write'],
    summary: 'with --write: also a session named by @ that changed within the last minute',
  },
  diff: { type: 'flag', summary: 'show the changes instead of the result' },
  check: { type: 'flag', summary: 'list the files that would change, write nothing; exit 1 if there are any' },
  format: {
    type: 'choice',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    needs: ['diff', 'summary'],
    summary: 'with --diff: output format; with --summary: text or json',
  },
  sideBySide: {
    type: 'flag',
    needs: ['diff'],
    excludes: ['format!=text'],
    summary: 'with --diff: two columns, for wide terminals',
  },
  trust: {
    type: 'flag',
    excludes: ['diff', 'summary', 'verbose'],
    summary: 'copy lines without tool calls or results unparsed (much faster); they are not checked to be valid JSON',
  },
  summary: {
    type: 'flag',
    summary:
      'print a line per file on stderr: messages, calls, tokens and cost, before → after (default on a terminal)',
  },
  quiet: { type: 'flag', excludes: ['summary'], summary: 'suppress the summary line' },
  ...threadOptions,
  ...tokenOptions,
  ...readingOptions,
} as const satisfies Options;
export type RewriteOptions = Parsed<Values<typeof rewriteOptions>>;

export const priceOptions = {
  prices: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    many: true,
    summary:
      "price file in LiteLLM's or models.dev's format, on top of the built-in prices; repeatable, the last one " +
      'wins',
  },
  batch: { type: 'flag', summary: 'use batch prices' },
} as const satisfies Options;
export type PriceOptions = Values<typeof priceOptions>;

/** Token counting and prices. */
export const costOptions = {
  ...tokenOptions,
  priceDate: { type: 'text', value: 'date', summary: 'use the prices of this day (2026-01-31)' },
  ...priceOptions,
} as const satisfies Options;

export const periodOptions = {
  since: {
    type: 'text',
    value: 'date',
    summary: 'only requests from this day (2026-01-31, 7d, 2w, yesterday) or moment (2026-01-31T12:00Z) on',
  },
  until: { type: 'text', value: 'date', summary: 'only requests up to the end of this day, or before this moment' },
} as const satisfies Options;

/** Costs in a table. */
export const costRowsOptions = {
  format: {
    type: 'choice',
    choices: ['table', 'json', 'csv', 'markdown'],
    default: 'table',
    summary: 'output format; json is stable and versioned',
  },
  ...costOptions,
  currency: {
    type: 'text',
    value: 'code=rate',
    summary: 'show costs in this currency, at this rate per US dollar: JPY=149.5',
  },
  strict: { type: 'flag', summary: 'exit 1 if a price is unknown, or a line or content could not be read' },
} as const satisfies Options;
