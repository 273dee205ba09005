import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { costRowsOptions, periodOptions, readingOptions, threadOptions } from '../../options/options.js';
import { perOption } from '../../options/per.js';

export const statsOptions = {
  by: {
    type: 'text',
    value: 'rows',
    excludes: ['tools+format!=json', 'format=ndjson|parquet'],
    summary:
      'what a row is: message, role, tool, turn, request, model, session, title, project, branch (of git), agent ' +
      '(the program), file, day, week, month; two of those from model on can be combined, such as day,model; by ' +
      'default a message, of several transcripts a transcript',
  },
  tools: {
    type: 'flag',
    excludes: ['format=ndjson|parquet'],
    summary: 'cost of each tool result over all later requests that carry it, most expensive first',
  },
  recorded: {
    type: 'flag',
    excludes: [
      ...['by=message|role|tool|turn|request', 'tools', 'calibrate'],
      ...['maxTokens', 'maxTotalTokens', 'merge', 'tokenizer'],
    ],
    summary: 'only recorded usage; counts nothing and skips log lines without usage',
  },
  noCache: {
    type: 'flag',
    needs: ['recorded'],
    summary: 'read all files again; do not use or write what earlier runs kept of them in the cache folder',
  },
  cache: {
    type: 'flag',
    excludes: [
      ...['by', 'tools', 'recorded', 'calibrate', 'merge', 'sort', 'tokenizer=tiktoken'],
      ...['maxTokens', 'maxTotalTokens', 'maxCost', 'maxTotalCost', 'format=ndjson|parquet'],
    ],
    summary: 'tokens that requests could have read from the prompt cache and did not, what they cost, and why',
  },
  maxCacheMissCost: {
    type: 'text',
    value: 'usd',
    needs: ['cache'],
    summary: 'with --cache: exit 1 if all cache misses together cost more',
  },
  top: {
    type: 'integer',
    least: 0,
    value: 'n',
    excludes: ['format=json+by=message', 'format=ndjson|parquet'],
    summary: 'only the first n rows',
  },
  sort: {
    type: 'text',
    value: 'column',
    excludes: ['tools+format!=json', 'format=json+by=message', 'format=ndjson|parquet'],
    summary: 'sort by this column: numbers descending, names ascending',
  },
  ...periodOptions,
  timezone: {
    type: 'text',
    value: 'zone',
    needs: ['by=day|week|month', 'per', 'since', 'until', 'format=csv|json|ndjson|parquet'],
    summary: 'time zone of days instead of the local one: UTC, Europe/Berlin',
  },
  calibrate: {
    type: 'flag',
    summary: 'fit the token factor of each estimated model to recorded usage, count with it, and report the fit',
  },
  maxTokens: {
    type: 'integer',
    least: 0,
    value: 'n',
    summary: 'exit 1 if a transcript has more tokens as one request',
  },
  maxTotalTokens: {
    type: 'integer',
    least: 0,
    value: 'n',
    summary: 'exit 1 if all transcripts together have more tokens',
  },
  maxCost: { type: 'text', value: 'usd', summary: 'exit 1 if a transcript cost more' },
  maxTotalCost: { type: 'text', value: 'usd', summary: 'exit 1 if all transcripts together cost more' },
  per: perOption,
  merge: {
    type: 'flag',
    excludes: [
      ...['calibrate', 'model', 'asModel', 'tokenizer', 'priceDate', 'prices', 'batch'],
      ...['from', 'messages', 'skipBadLines', 'verbose'],
    ],
    summary: 'add up files written by stats --format json',
  },
  ...costRowsOptions,
  format: {
    ...costRowsOptions.format,
    choices: ['table', 'json', 'csv', 'markdown', 'ndjson', 'parquet'],
    value: 'format',
    summary: 'output format; json is stable and versioned; ndjson and parquet have a row for each request',
  },
  strict: {
    ...costRowsOptions.strict,
    summary: 'exit 1 if a price is unknown, a reply states no usage, or something could not be read',
  },
  currency: { ...costRowsOptions.currency, excludes: ['format=json|ndjson|parquet', 'format=csv+!tools'] },
  ...threadOptions,
  ...readingOptions,
} as const satisfies Options;
export type StatsOptions = Parsed<Values<typeof statsOptions>>;
