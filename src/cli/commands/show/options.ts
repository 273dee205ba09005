import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { costOptions, readingOptions, TEXT_OR_JSON } from '../../options/options.js';

export const showOptions = {
  full: { type: 'flag', excludes: ['format=json'], summary: 'fold nothing, and print the ids of calls' },
  role: {
    type: 'choice',
    choices: ['system', 'user', 'assistant', 'tool', 'meta'],
    value: 'role',
    many: true,
    summary:
      'only messages of this role; meta: lines that are not messages, with what the agent sends of them; repeatable',
  },
  tool: {
    type: 'text',
    value: 'name',
    many: true,
    summary: 'only calls and results of this tool, which may be a pattern such as mcp_*; repeatable',
  },
  grep: {
    type: 'text',
    value: 'regex',
    summary: 'only messages with a match; a pattern without capitals ignores case',
  },
  branches: {
    type: 'flag',
    summary: 'the abandoned branches instead: what the user left by going back to an earlier message',
  },
  findings: { type: 'flag', summary: 'only messages with a problem that check finds, and the problem' },
  format: { ...TEXT_OR_JSON, summary: 'output format; json is stable and versioned' },
  noPager: {
    type: 'flag',
    excludes: ['format=json'],
    summary: 'write to the terminal without a pager ($PAGER, by default less)',
  },
  ...costOptions,
  ...readingOptions,
} as const satisfies Options;
export type ShowOptions = Parsed<Values<typeof showOptions>>;
