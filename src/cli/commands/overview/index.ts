import { defineCommand } from '../../options/command.js';
import { overviewOptions } from './options.js';

export default defineCommand({
  id: 'overview',
  group: 'inspect',
  summary: 'format, size, cost and problems of a file',
  description:
    'Shows the format of each file, its transcripts, messages, tool calls, tokens and cost, the problems that check ' +
    'finds, and three commands to go on with. `ctx-trim FILE` is short for `ctx-trim overview FILE`, and without ' +
    'arguments it takes what is piped in. The exit code is 0 even if there are problems; use check as a gate.',
  words: '[files...]',
  options: overviewOptions,
  examples: [
    ['ctx-trim session.jsonl', 'an overview of a file'],
    ['ctx-trim overview --model gpt-4o run.json', 'the same, where the recording names no model'],
  ],
  run: async (...given) => (await import('./run.js')).runOverview(...given),
});
