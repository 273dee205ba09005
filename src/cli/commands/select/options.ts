import { conditionOptions } from '../../../engine/select/options.js';
import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { rewriteOptions, TEXT_OR_JSON, threadOptions, tokenOptions } from '../../options/options.js';

const { output, write, backup, force, check, from, messages, maxUnpacked, config, plugin, verbose } = rewriteOptions;

export const selectOptions = {
  ...conditionOptions,
  provider: {
    type: 'text',
    value: 'id',
    isTyped: true,
    needs: ['valid', 'invalid'],
    summary: "with --valid or --invalid: by this provider's rules (ctx-trim rules lists them)",
  },
  unique: { type: 'flag', summary: 'of records with the same content, however it is spelled, keep the first' },
  uniqueBy: {
    type: 'text',
    value: 'path',
    summary: 'of records with the same value there (messages, meta.id), keep the first',
  },
  near: {
    type: 'number',
    above: 0.4,
    most: 1,
    value: 'share',
    summary: 'of records that share this much of their texts (0.9), keep the first; estimated by MinHash',
  },
  sample: { type: 'text', value: 'n|p%', summary: 'keep a random sample: this many records, or a share of them' },
  split: {
    type: 'text',
    value: 'shares',
    needs: ['output'],
    excludes: ['check', 'list', 'write'],
    summary: 'train=0.9,test=0.1: put each record into one of these files (train.jsonl) in the folder of --output',
  },
  splitBy: {
    type: 'text',
    value: 'path',
    needs: ['split'],
    summary: 'with --split: records with the same value there (meta.repo) come into the same file',
  },
  seed: {
    type: 'integer',
    least: 0,
    value: 'n',
    default: 0,
    needs: ['sample', 'split'],
    summary: 'with --sample or --split: another seed, another choice',
  },
  output: { ...output, excludes: ['check', 'list'], summary: 'write to this file instead of stdout (-); see --split' },
  write: { ...write, excludes: ['output', 'check', 'list'] },
  backup,
  force,
  check: { ...check, excludes: ['list'], summary: 'list the files that would lose records; exit 1 if there are any' },
  list: { type: 'flag', summary: 'list the files with records that stay, such as sessions, and write nothing' },
  summary: {
    type: 'flag',
    summary: 'print on stderr how many records stay, and what drops the others (default on a terminal)',
  },
  quiet: { type: 'flag', excludes: ['summary'], summary: 'suppress the summary' },
  format: {
    ...TEXT_OR_JSON,
    excludes: ['quiet'],
    summary: 'format of the summary; json goes to stdout where no records or names do',
  },
  ...threadOptions,
  asModel: { ...tokenOptions.asModel, summary: 'count tokens as this model, whatever the recording names' },
  tokenizer: tokenOptions.tokenizer,
  skipBadLines: {
    type: 'optional-text',
    value: 'drop',
    isTyped: true,
    summary: 'copy lines that are not valid JSON, or leave them out (=drop); they are counted',
  },
  from,
  messages,
  maxUnpacked,
  config,
  plugin,
  verbose,
} as const satisfies Options;
export type SelectOptions = Parsed<Values<typeof selectOptions>>;
