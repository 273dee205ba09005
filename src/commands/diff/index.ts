import { defineCommand } from '../command.js';
import { diffOptions } from '../shared/options.js';

export default defineCommand({
  id: 'diff',
  group: 'inspect',
  summary: 'what changed between two recordings, message by message',
  description:
    'Compares two files transcript by transcript: what was dropped, added, changed (word by word) and moved, kept messages folded, then messages, calls, tokens and cost before and after. To see what a transform would do, give the transform --diff.',
  words: '<before> <after>',
  options: diffOptions,
  examples: [['ctx-trim diff session.jsonl trimmed.jsonl', 'what is gone, and what it saves']],
  run: async (words, options, terminal) => (await import('./run.js')).runDiff(words, options, terminal),
});
