import { defineCommand } from '../command.js';
import { simulateOptions } from './options.js';

export default defineCommand({
  id: 'simulate',
  group: 'plan',
  summary: 'what a policy would have cost, request by request, prompt cache included',
  description:
    "Plays a recording request by request, applies steps to the history before each as an agent would, and says what every request sends, reads from the provider's prompt cache, stores there and costs: with the policy and without it. Steps are written as for `ctx-trim run`. Where the recording holds usage, the cache is checked against it.",
  words: '[steps-and-files...]',
  about: 'steps or pipelines, then files, folders or globs; - or no file is stdin',
  options: simulateOptions,
  examples: [
    ['ctx-trim simulate filter:max-tool-calls=3 session.jsonl', 'would keeping three calls have been cheaper?'],
    ['ctx-trim simulate --sweep max-tool-calls=0..10 logs/', 'which limit is best, over a folder of recordings'],
    [
      'ctx-trim simulate --retries 3 --model gpt-4o run.json',
      'what sending the context again costs, with and without strip',
    ],
  ],
  run: async (...given) => (await import('./run.js')).runSimulate(...given),
});
