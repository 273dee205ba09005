import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions } from '../../options/options.js';

export const forkOptions = {
  until: { type: 'text', value: 'address', summary: 'the last message, such as #22' },
  from: { type: 'text', value: 'address', summary: 'the first message, such as #22; by default the first of all' },
  turn: {
    type: 'integer',
    least: 1,
    value: 'n',
    excludes: ['until'],
    summary: 'the last turn: with all replies to it',
  },
  project: { type: 'text', reach: 'writes', value: 'folder', summary: 'go on in another project' },
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    excludes: ['project'],
    summary: 'write it to this file, not to the folder of the agent',
  },
  steps: {
    type: 'text',
    reach: 'runs',
    value: 'steps',
    summary: "shorten it, such as 'stale, retries, filter:max-tool-calls=40,unit=round'",
  },
  dryRun: { type: 'flag', summary: 'say what would be written where, and write nothing' },
  force: { type: 'flag', summary: 'also a session that changed within the last minute' },
  format: { type: 'choice', choices: ['text', 'json'], default: 'text', summary: 'output format; json is stable' },
  plugin: readingOptions.plugin,
} as const satisfies Options;
export type ForkOptions = Parsed<Values<typeof forkOptions>>;
