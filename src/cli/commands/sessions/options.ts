import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { periodOptions, readingOptions, TEXT_OR_JSON } from '../../options/options.js';
import { showOptions } from '../show/options.js';

export const sessionsOptions = {
  agent: { type: 'text', value: 'agent', many: true, summary: 'the same as [agents...]; repeatable' },
  project: { type: 'text', value: 'text', summary: 'only sessions whose project folder holds this text' },
  grep: { ...showOptions.grep, summary: 'only sessions with a match, and the messages that match' },
  since: {
    ...periodOptions.since,
    summary: 'only sessions whose last time is on this day (2026-01-31, 7d, yesterday) or later',
  },
  top: { type: 'integer', least: 1, default: 20, value: 'n', summary: 'the newest n sessions' },
  findings: { type: 'flag', summary: 'also count what check finds in each; all files are read again' },
  noCache: {
    type: 'flag',
    summary: 'read all files again; do not use or write what earlier runs kept of them in the cache folder',
  },
  format: { ...TEXT_OR_JSON, summary: 'output format; json is stable and versioned' },
  plugin: readingOptions.plugin,
} as const satisfies Options;
export type SessionsOptions = Parsed<Values<typeof sessionsOptions>>;
