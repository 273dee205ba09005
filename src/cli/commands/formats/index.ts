import { defineCommand } from '../../options/command.js';
import { formatsOptions } from './options.js';

export default defineCommand({
  id: 'formats',
  group: 'inspect',
  summary: 'list the known formats, or detect the format of files',
  description:
    'Without files, lists the formats that can be read. With files, shows the format of each, where its messages ' +
    'are, the confidence, and the reason.',
  words: '[files...]',
  options: formatsOptions,
  examples: [['ctx-trim formats session.jsonl', 'detect the format of a file']],
  run: async (words, options, terminal) => (await import('./run.js')).runFormats(words, options, terminal),
});
