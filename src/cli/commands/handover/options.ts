import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { readingOptions } from '../../options/options.js';

export const handoverOptions = {
  to: { type: 'text', value: 'agent', summary: 'claude-code, codex, pi, opencode, gemini-cli or atif (required)' },
  project: {
    type: 'text',
    reach: 'reads',
    value: 'folder',
    summary: 'the folder to work in, if not that of the session',
  },
  output: { type: 'text', reach: 'writes', value: 'file', summary: 'write to this new file' },
  dryRun: { type: 'flag', summary: 'write nothing: say what would be written where' },
  force: { type: 'flag', summary: 'take also a session that changed within the last minute' },
  format: { type: 'choice', choices: ['text', 'json'], default: 'text', summary: 'output format' },
  ...readingOptions,
} as const satisfies Options;
export type HandoverOptions = Parsed<Values<typeof handoverOptions>>;
