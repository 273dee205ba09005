/** Options that several commands share. Data only: help shows them without loading what reads and writes. */
import { languageOption } from '../../options/language.js';
import type { Options, Values } from '../../options/option.js';
import type { Parsed } from '../command.js';

export const tokenOptions = {
  model: { type: 'text', value: 'model', summary: 'count and price as this model, whatever the recording says' },
  tokenizer: {
    type: 'choice',
    choices: ['exact', 'tiktoken'],
    default: 'exact',
    summary: 'what counts: our exact counter, or tiktoken itself',
  },
} as const satisfies Options;

export const readingOptions = {
  from: {
    type: 'text',
    value: 'format',
    summary: 'read this format (ctx-trim formats lists them) instead of finding out',
  },
  messages: {
    type: 'text',
    value: 'path',
    summary: 'where the messages stand in each value: messages, data.messages, runs[].messages',
  },
  skipBadLines: { type: 'flag', summary: 'pass lines that are no JSON through unchanged, and count them' },
  maxUnpacked: {
    type: 'size',
    reach: 'lifts',
    value: 'size',
    summary: 'how much an .eval archive may unfold to, such as 20GB, where it is more than the usual limits allow',
  },
  config: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    summary: 'take defaults, pipelines and prices from this file instead of the nearest ctx-trim.config.json or .yaml',
  },
  verbose: { type: 'flag', summary: 'say on stderr what was taken for what, and why' },
} as const satisfies Options;
export type ReadingOptions = Values<typeof readingOptions>;

/** Which files are read, for what runs in CI and before a commit. */
export const selectionOptions = {
  exclude: {
    type: 'text',
    value: 'glob',
    many: true,
    summary:
      'leave out what this pattern fits, as in a .gitignore, below folders and among the matches of a glob; repeatable; a file that is named is read even so',
  },
  forceExclude: {
    type: 'flag',
    excludes: ['staged'],
    summary:
      'for hooks: files that are named are found files too: --exclude and check.ignore count for them, and what is no transcript is passed over',
  },
  staged: {
    type: 'flag',
    reach: 'runs',
    excludes: ['fix'],
    summary: 'read what git is about to commit, not the work tree; files, folders or globs narrow it down',
  },
  quiet: { type: 'flag', summary: 'report errors only, and say nothing where there are none' },
} as const satisfies Options;
export type SelectionOptions = Values<typeof selectionOptions>;

export const rewriteOptions = {
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    excludes: ['diff', 'check'],
    summary: 'write to this file instead of stdout; - is stdout',
  },
  write: {
    type: 'flag',
    reach: 'writes',
    excludes: ['output', 'diff', 'check'],
    summary: 'write each file in place, atomically; a file in which nothing changes is not touched',
  },
  backup: {
    type: 'text',
    reach: 'writes',
    needs: ['write'],
    value: 'suffix',
    summary: 'with --write: keep the old file under its name with this suffix, such as .bak',
  },
  diff: { type: 'flag', summary: 'show what changes instead of the result' },
  check: { type: 'flag', summary: 'list the files that would change, write nothing, and exit with 1 if there are any' },
  format: {
    type: 'choice',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    needs: ['diff'],
    summary: 'with --diff: how it is printed',
  },
  sideBySide: {
    type: 'flag',
    needs: ['diff'],
    excludes: ['format!=text'],
    summary: 'with --diff: in two columns, for wide terminals',
  },
  trust: {
    type: 'flag',
    excludes: ['diff', 'summary', 'verbose'],
    summary:
      'pass on lines that hold no tool traffic without checking that they are JSON: many times as fast where most lines are such',
  },
  summary: {
    type: 'flag',
    summary:
      'a line to stderr for each file: messages, calls, tokens and cost, before → after (by default on a terminal)',
  },
  quiet: { type: 'flag', excludes: ['summary'], summary: 'no such line' },
  ...tokenOptions,
  ...readingOptions,
} as const satisfies Options;
export const rewriteShorts = { output: 'o', write: 'w', diff: 'd', check: 'c', quiet: 'q' };
export type RewriteOptions = Parsed<Values<typeof rewriteOptions>>;

export const priceOptions = {
  prices: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    many: true,
    summary: "prices over ours, in LiteLLM's or models.dev's format; repeatable, a later file wins",
  },
  batch: { type: 'flag', summary: 'prices of requests handed in as a batch' },
} as const satisfies Options;
export type PriceOptions = Values<typeof priceOptions>;

/** What counts, and at which prices. */
export const costOptions = {
  ...tokenOptions,
  priceDate: { type: 'text', value: 'date', summary: 'prices as of this day (2026-01-31)' },
  ...priceOptions,
} as const satisfies Options;

export const periodOptions = {
  since: {
    type: 'text',
    value: 'date',
    summary: 'only requests from this day on (2026-01-31), or from this moment (2026-01-31T12:00Z)',
  },
  until: { type: 'text', value: 'date', summary: 'only requests up to the end of this day, or before this moment' },
} as const satisfies Options;

/** Costs in rows. */
export const costRowsOptions = {
  format: {
    type: 'choice',
    choices: ['table', 'json', 'csv', 'markdown'],
    default: 'table',
    summary: 'how it is printed; json is stable and versioned',
  },
  ...costOptions,
  currency: {
    type: 'text',
    value: 'code=rate',
    summary: 'show costs in this currency, at this price of a US dollar: JPY=149.5',
  },
  strict: { type: 'flag', summary: 'exit with 1 where a model has no known price' },
} as const satisfies Options;

export const rulesOptions = {
  provider: { type: 'text', value: 'id', summary: 'only the rules of this provider' },
  format: {
    type: 'choice',
    choices: ['table', 'json'],
    default: 'table',
    summary: 'how it is printed; json is stable and versioned',
  },
} as const satisfies Options;
export type RulesOptions = Parsed<Values<typeof rulesOptions>>;

export const policyCommandOptions = {
  ...languageOption,
  format: {
    type: 'choice',
    choices: ['text', 'json'],
    default: 'text',
    summary: 'how policy test and policy lint print what they found',
  },
  ...readingOptions,
} as const satisfies Options;
export type PolicyOptions = Parsed<Values<typeof policyCommandOptions>>;

export const pricesOptions = {
  date: { type: 'text', value: 'date', summary: 'prices as of this day (2026-01-31)' },
  ...priceOptions,
  format: {
    type: 'choice',
    choices: ['table', 'json'],
    default: 'table',
    summary: 'how it is printed; json is stable and versioned',
  },
  config: readingOptions.config,
} as const satisfies Options;
export type PricesOptions = Parsed<Values<typeof pricesOptions>>;

export const diffOptions = {
  format: {
    type: 'choice',
    choices: ['text', 'json', 'markdown'],
    default: 'text',
    summary: 'how it is printed; json is stable and versioned',
  },
  sideBySide: { type: 'flag', excludes: ['format!=text'], summary: 'in two columns, for wide terminals' },
  ...tokenOptions,
  ...readingOptions,
} as const satisfies Options;
export type DiffOptions = Parsed<Values<typeof diffOptions>>;

export const convertOptions = {
  to: {
    type: 'text',
    value: 'format',
    summary:
      'the format or provider to write for (required): openai, responses, anthropic, gemini, bedrock, mistral, …',
  },
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    summary: 'write to this file instead of stdout; - is stdout',
  },
  format: {
    type: 'choice',
    choices: ['text', 'json'],
    default: 'text',
    summary: 'how what could not be carried over is listed on stderr',
  },
  ...readingOptions,
} as const satisfies Options;
export type ConvertOptions = Parsed<Values<typeof convertOptions>>;

export const formatsOptions = {
  format: { type: 'choice', choices: ['table', 'json'], default: 'table', summary: 'how it is printed' },
  ...readingOptions,
} as const satisfies Options;
export type FormatsOptions = Parsed<Values<typeof formatsOptions>>;
