import type { Options } from '../transforms/transform.js';
import { defineCommand } from './command.js';
import { readingOptions } from './reading.js';
import { tokenOptions } from './tokens.js';

export const diffOptions = {
  format: { type: 'choice', choices: ['text', 'json', 'markdown'], default: 'text', summary: 'how it is printed; json is stable and versioned' },
  sideBySide: { type: 'flag', summary: 'in two columns, for wide terminals' },
  ...tokenOptions,
  ...readingOptions,
} as const satisfies Options;

export default defineCommand({
  id: 'diff',
  summary: 'what changed between two recordings, message by message',
  description:
    'Compares two files transcript by transcript: what was dropped, added, changed (word by word) and moved, kept messages folded, then messages, calls, tokens and cost before and after. To see what a transform would do, give the transform --diff.',
  words: '<before> <after>',
  options: diffOptions,
  examples: [['ctx-trim diff session.jsonl trimmed.jsonl', 'what is gone, and what it saves']],
  run: async (words, options, terminal) => (await import('./late.js')).runDiff(words, options, terminal),
});
