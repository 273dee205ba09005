/** What `dataset` does with rows, as data: help loads nothing else. */
import type { Options, Values } from '../../options/option.js';

export const rowOptions = {
  arguments: {
    type: 'choice',
    choices: ['string', 'object'],
    default: 'string',
    summary: 'write the arguments of calls as JSON in a string, or as an object',
  },
  schemas: {
    type: 'choice',
    choices: ['string', 'object'],
    default: 'string',
    summary: 'write tools as JSON in a string, or as a list of objects',
  },
  metadata: {
    type: 'text',
    value: 'path',
    many: true,
    summary: 'put the value there (meta.reward) into the metadata, under that name; repeatable',
  },
  tail: {
    type: 'choice',
    choices: ['trim', 'keep'],
    default: 'trim',
    summary: 'drop what follows the last finished reply or answered call, or keep it',
  },
  calls: {
    type: 'choice',
    choices: ['drop', 'keep'],
    default: 'drop',
    summary: "drop or keep rows with calls of tools that the row does not define, or that a tool's schema refuses",
  },
  media: {
    type: 'choice',
    choices: ['drop', 'note'],
    default: 'drop',
    summary: 'drop rows with images and files, or write [image] in their place',
  },
  secrets: {
    type: 'choice',
    choices: ['redact', 'drop', 'keep'],
    default: 'redact',
    summary: 'replace secrets with marks, as redact does, drop rows with secrets, or keep them',
  },
  maxTokens: { type: 'integer', least: 1, value: 'n', summary: 'drop rows of more tokens, or cut them: see --over' },
  over: {
    type: 'choice',
    choices: ['drop', 'cut'],
    default: 'drop',
    needs: ['maxTokens'],
    summary: 'with --max-tokens: drop a row that is too long, or cut it after the last reply that fits',
  },
  unique: { type: 'flag', summary: 'of rows with the same messages, keep the first' },
  near: {
    type: 'number',
    above: 0.4,
    most: 1,
    value: 'share',
    summary: 'of rows that share so much of their texts (0.9), keep the first; estimated by MinHash',
  },
  against: {
    type: 'text',
    value: 'file',
    many: true,
    reach: 'reads',
    summary: 'drop rows that share a group of words (--ngram) with this file, such as a benchmark; repeatable',
  },
  ngram: {
    type: 'integer',
    least: 1,
    value: 'n',
    default: 13,
    needs: ['against'],
    summary: 'with --against: words in a group',
  },
} as const satisfies Options;
export type RowValues = Values<typeof rowOptions>;
