import { defineCommand } from '../command.js';
import { formatsOptions } from '../shared/options.js';

export default defineCommand({
  id: 'formats',
  group: 'inspect',
  summary: 'the formats there are, or what a file is',
  description:
    'Without files, lists the formats that can be read. With files, says what each is, where its messages stand, how sure that is, and why.',
  words: '[files...]',
  options: formatsOptions,
  examples: [['ctx-trim formats session.jsonl', 'what is this?']],
  run: async (words, options, terminal) => (await import('./run.js')).runFormats(words, options, terminal),
});
