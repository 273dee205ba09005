import { rowOptions } from '../../../engine/dataset/options.js';
import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { rewriteOptions, TEXT_OR_JSON, tokenOptions } from '../../options/options.js';

const { output, from, messages, maxUnpacked, config, plugin, verbose } = rewriteOptions;

export const datasetOptions = {
  ...rowOptions,
  split: {
    type: 'text',
    value: 'shares',
    needs: ['output'],
    summary: 'train=0.9,test=0.1: put each row into one of these files (train.jsonl) in the folder of --output',
  },
  splitBy: {
    type: 'text',
    value: 'path',
    needs: ['split'],
    summary: 'with --split: rows with the same value there (meta.repo) go into the same file',
  },
  seed: {
    type: 'integer',
    least: 0,
    value: 'n',
    default: 0,
    needs: ['split'],
    summary: 'with --split: another seed, another choice',
  },
  files: {
    type: 'choice',
    choices: ['jsonl', 'parquet'],
    default: 'jsonl',
    needs: ['split'],
    summary: 'with --split: what the files are; otherwise the name of --output says it',
  },
  output: {
    ...output,
    excludes: [],
    summary: 'write to this file (.jsonl, .parquet) instead of stdout (-); see --split',
  },
  ledger: {
    type: 'text',
    value: 'file',
    reach: 'writes',
    summary: 'write a line of JSON for each row that was read: kept, changed or dropped, and why',
  },
  format: {
    ...TEXT_OR_JSON,
    excludes: ['quiet'],
    summary: 'format of the summary; json goes to stdout where no rows do',
  },
  quiet: { type: 'flag', summary: 'suppress the summary' },
  asModel: { ...tokenOptions.asModel, summary: 'count tokens as this model, whatever the recording names' },
  tokenizer: tokenOptions.tokenizer,
  from,
  messages,
  maxUnpacked,
  config,
  plugin,
  verbose,
} as const satisfies Options;
export type DatasetOptions = Parsed<Values<typeof datasetOptions>>;
