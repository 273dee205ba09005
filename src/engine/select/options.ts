/** The options of the conditions of `select`. Data only, so that help loads nothing else. */
import type { Options, Values } from '../../options/option.js';

export const conditionOptions = {
  formatIs: {
    type: 'text',
    value: 'glob',
    many: true,
    summary: 'keep records in this format (ctx-trim formats lists them); repeatable: any of them',
  },
  minMessages: { type: 'integer', least: 0, value: 'n', summary: 'keep records with at least n messages' },
  maxMessages: { type: 'integer', least: 0, value: 'n', summary: 'keep records with at most n messages' },
  minCalls: { type: 'integer', least: 0, value: 'n', summary: 'keep records with at least n tool calls' },
  maxCalls: { type: 'integer', least: 0, value: 'n', summary: 'keep records with at most n tool calls' },
  model: {
    type: 'text',
    value: 'glob',
    many: true,
    isTyped: true,
    summary: 'keep records of this model, as they name it; repeatable: any of them',
  },
  tool: {
    type: 'text',
    value: 'glob',
    many: true,
    isTyped: true,
    summary: 'keep records that call this tool; repeatable: any of them',
  },
  where: {
    type: 'text',
    value: 'path=value',
    many: true,
    summary: 'keep records with this value, also !=, <, <=, > and >=: reward>=0.5; repeatable: all of them',
  },
  hasError: { type: 'flag', summary: 'keep records in which a tool call failed' },
  minTokens: { type: 'integer', least: 0, value: 'n', summary: 'keep records with at least n tokens as one request' },
  maxTokens: { type: 'integer', least: 0, value: 'n', summary: 'keep records with at most n tokens as one request' },
  valid: { type: 'flag', excludes: ['invalid'], summary: 'keep records in which check finds no error' },
  invalid: { type: 'flag', summary: 'keep records in which check finds an error' },
} as const satisfies Options;
export type ConditionValues = Values<typeof conditionOptions>;
