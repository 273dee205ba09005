import { CACHES } from '../../../measure/simulation/caches.js';
import type { Options, Values } from '../../../options/option.js';
import { everyForSteps } from '../../../transforms/every.js';
import type { Parsed } from '../../options/command.js';
import { costRowsOptions, readingOptions } from '../../options/options.js';

export const simulateOptions = {
  scope: {
    type: 'choice',
    choices: ['agent', 'history', 'all'],
    default: 'agent',
    summary:
      'history: the steps do not change the current run (all after the last user message); all: they may change ' +
      'everything; agent: all once a run has two rounds of calls, as adapters do, else history; steps that change ' +
      'messages one by one, such as truncate, change them before they are first sent',
  },
  carry: {
    type: 'flag',
    summary:
      'apply the steps to their own earlier result, as an agent that clears its memory, not to the full history ' +
      'each time',
  },
  cache: {
    type: 'choice',
    choices: ['auto', 'off', ...CACHES.map(({ id }) => id)],
    default: 'auto',
    value: 'cache',
    summary: 'prompt cache to simulate',
  },
  idle: {
    type: 'integer',
    least: 0,
    value: 'seconds',
    excludes: ['cache=off'],
    summary: 'seconds between two requests, whatever the recording says',
  },
  ...everyForSteps,
  sweep: {
    type: 'text',
    reach: 'runs',
    value: 'option=values',
    many: true,
    summary:
      'compare policies: max-tool-calls=0..10, max-length=1000..9000..2000, filter:unit=result,round; every=1,5,20 ' +
      'is for all steps that have it; repeatable, for all combinations',
  },
  budget: {
    type: 'text',
    value: 'usd',
    summary:
      'find the policy (default: max-tool-calls=0..20) that keeps most within this cost; exit 1 if there is none',
  },
  retries: {
    type: 'integer',
    least: 0,
    value: 'n',
    excludes: ['scope', 'carry', 'cache', 'idle', 'sweep', 'budget', 'by'],
    summary: 'instead: cost of sending the context again up to n times, with and without strip',
  },
  users: {
    type: 'integer',
    least: 0,
    value: 'n',
    needs: ['retries'],
    summary: 'with --retries: cost per year for this many users',
  },
  questions: {
    type: 'integer',
    least: 0,
    value: 'n',
    needs: ['retries'],
    summary: 'with --retries: questions per user and day (1)',
  },
  subtasks: {
    type: 'integer',
    least: 0,
    value: 'n',
    needs: ['retries'],
    summary: 'with --retries: subtasks per question (1)',
  },
  by: {
    type: 'choice',
    choices: ['request', 'run', 'transcript'],
    default: 'request',
    excludes: ['sweep', 'budget', 'format=json'],
    summary: 'what a row is: a request, a run (a user message with all that follows it), or a transcript',
  },
  ...costRowsOptions,
  currency: { ...costRowsOptions.currency, excludes: ['format=json'] },
  ...readingOptions,
} as const satisfies Options;
export type SimulateOptions = Parsed<Values<typeof simulateOptions>>;
