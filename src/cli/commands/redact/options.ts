import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { rewriteOptions, TEXT_OR_JSON } from '../../options/options.js';

export const redactOptions = {
  personal: {
    type: 'flag',
    summary: 'also e-mail addresses, and the names of users and of this computer, in paths and elsewhere',
  },
  allow: {
    type: 'text',
    value: 'glob',
    many: true,
    summary: 'keep what matches this pattern, such as AKIAEXAMPLE*; repeatable',
  },
  map: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    summary: 'write each mark and its secret to this JSON file, or add them to it; only you can read it',
  },
  output: { ...rewriteOptions.output, excludes: ['check'] },
  write: { ...rewriteOptions.write, excludes: ['output', 'check'] },
  backup: rewriteOptions.backup,
  force: rewriteOptions.force,
  check: rewriteOptions.check,
  quiet: { type: 'flag', summary: 'do not list on stderr what was replaced' },
  format: {
    ...TEXT_OR_JSON,
    excludes: ['quiet'],
    summary: 'format of that list; json goes to stdout where no text or names do',
  },
  config: rewriteOptions.config,
  plugin: rewriteOptions.plugin,
} as const satisfies Options;
export type RedactOptions = Parsed<Values<typeof redactOptions>>;
