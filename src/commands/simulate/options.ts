import type { Options, Values } from '../../options/option.js';
import type { Parsed } from '../command.js';
import { costRowsOptions, readingOptions } from '../shared/options.js';

export const simulateOptions = {
  scope: {
    type: 'choice',
    choices: ['history', 'all'],
    default: 'history',
    summary:
      'history: the steps leave the current run alone, all from the last user message on; all: they see the whole context',
  },
  carry: {
    type: 'flag',
    summary:
      'the agent goes on from what the steps left, as one that clears its memory does, and does not trim the whole history anew before each request',
  },
  cache: {
    type: 'choice',
    choices: ['auto', 'off', 'anthropic', 'anthropic-1h', 'openai', 'gemini', 'deepseek'],
    default: 'auto',
    value: 'cache',
    summary: 'the prompt cache to play',
  },
  idle: {
    type: 'integer',
    least: 0,
    value: 'seconds',
    excludes: ['cache=off'],
    summary: 'the time between two requests, whatever the recording says',
  },
  sweep: {
    type: 'text',
    reach: 'runs',
    value: 'option=values',
    many: true,
    summary:
      'compare policies: max-tool-calls=0..10, max-length=1000..9000..2000, filter:unit=result,round; repeatable, for all combinations',
  },
  budget: {
    type: 'text',
    value: 'usd',
    summary:
      'of the policies compared (by default max-tool-calls=0..20) find the one that keeps most for no more than this; exit with 1 where there is none',
  },
  retries: {
    type: 'integer',
    least: 0,
    value: 'n',
    excludes: ['scope', 'carry', 'cache', 'idle', 'sweep', 'budget', 'by'],
    summary: 'instead: what it costs to send the context again up to n times, with and without strip',
  },
  users: {
    type: 'integer',
    least: 0,
    value: 'n',
    needs: ['retries'],
    summary: 'with --retries: a year of so many users',
  },
  questions: {
    type: 'integer',
    least: 0,
    value: 'n',
    needs: ['retries'],
    summary: 'with --retries: questions of each user a day (1)',
  },
  subtasks: {
    type: 'integer',
    least: 0,
    value: 'n',
    needs: ['retries'],
    summary: 'with --retries: subtasks of each question (1)',
  },
  by: {
    type: 'choice',
    choices: ['request', 'transcript'],
    default: 'request',
    excludes: ['sweep', 'budget', 'format=json'],
    summary: 'what a row is',
  },
  ...costRowsOptions,
  currency: { ...costRowsOptions.currency, excludes: ['format=json'] },
  ...readingOptions,
} as const satisfies Options;
export type SimulateOptions = Parsed<Values<typeof simulateOptions>>;
