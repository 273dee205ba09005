import type { Options, Values } from '../../options/option.js';
import type { Parsed } from '../command.js';
import { costRowsOptions, periodOptions, readingOptions } from '../shared/options.js';

export const statsOptions = {
  by: {
    type: 'choice',
    choices: ['message', 'role', 'tool', 'turn', 'request', 'model', 'session', 'day', 'file'],
    default: 'message',
    value: 'rows',
    excludes: ['tools+format!=json'],
    summary: 'what a row is',
  },
  tools: {
    type: 'flag',
    summary: 'what each tool result cost over all the later requests that carried it, the dearest first',
  },
  recorded: {
    type: 'flag',
    needs: ['by=model|session|day|file'],
    excludes: ['tools', 'calibrate', 'maxTokens', 'maxTotalTokens', 'merge', 'format=json', 'tokenizer'],
    summary:
      'with --by model, session, day or file: only what recordings say was used. Nothing is counted, and lines of logs without usage are not read',
  },
  top: {
    type: 'integer',
    least: 0,
    value: 'n',
    excludes: ['format=json+by=message'],
    summary: 'only the first n rows',
  },
  sort: {
    type: 'text',
    value: 'column',
    excludes: ['tools+format!=json', 'format=json+by=message'],
    summary: 'by this column: figures from the most down, names from A up',
  },
  ...periodOptions,
  timezone: {
    type: 'text',
    default: 'UTC',
    value: 'zone',
    needs: ['by=day', 'since', 'until', 'format=csv|json+by=turn|request|model|session|file'],
    summary: 'what a day is: Europe/Berlin, Asia/Tokyo',
  },
  calibrate: {
    type: 'flag',
    summary:
      'fit the token factor of each estimated model on the usage that the recordings hold, count by it, and say how well it fits',
  },
  maxTokens: {
    type: 'integer',
    least: 0,
    value: 'n',
    summary: 'exit with 1 where a transcript as one request has more tokens',
  },
  maxTotalTokens: { type: 'integer', least: 0, value: 'n', summary: 'the same for all transcripts together' },
  maxCost: { type: 'text', value: 'usd', summary: 'exit with 1 where a transcript cost more' },
  maxTotalCost: { type: 'text', value: 'usd', summary: 'the same for all transcripts together' },
  merge: {
    type: 'flag',
    excludes: [
      ...['calibrate', 'model', 'tokenizer', 'priceDate', 'prices', 'batch'],
      ...['from', 'messages', 'skipBadLines', 'verbose'],
    ],
    summary: 'the files are what stats --format json wrote: add them up',
  },
  ...costRowsOptions,
  currency: { ...costRowsOptions.currency, excludes: ['format=json', 'format=csv+!tools'] },
  ...readingOptions,
} as const satisfies Options;
export type StatsOptions = Parsed<Values<typeof statsOptions>>;
