import { defineCommand } from '../../options/command.js';
import { diffOptions } from './options.js';

export default defineCommand({
  id: 'diff',
  group: 'inspect',
  summary: 'compare two recordings message by message',
  description:
    'Compares two files transcript by transcript: dropped, added, changed (word by word) and moved messages, then ' +
    'messages, calls, tokens and cost before and after. To preview a transform, use its --diff option.',
  words: '<before> <after>',
  options: diffOptions,
  examples: [['ctx-trim diff session.jsonl trimmed.jsonl', 'what was removed, and what it saves']],
  run: async (words, options, terminal) => (await import('./run.js')).runDiff(words, options, terminal),
});
