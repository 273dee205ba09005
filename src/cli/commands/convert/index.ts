import { defineCommand } from '../../options/command.js';
import { convertOptions } from './options.js';

export default defineCommand({
  id: 'convert',
  group: 'rewrite',
  summary: "write a transcript in another provider's format",
  description:
    'Writes each transcript in another format: system prompt, messages, calls, results, images, tool definitions ' +
    'and parameters, as far as that format has them. It fixes what the provider would reject, as check ' +
    '--fix=synthetic does, and as --fix=lossy does where nothing else helps. One transcript becomes a JSON document, ' +
    'several become JSON Lines. Fixes, losses and what the provider still rejects are listed on stderr; the exit ' +
    'code is 1 if text, calls, results, images or tools are lost, or if the provider rejects something.',
  words: '[files...]',
  options: convertOptions,
  examples: [
    ['ctx-trim convert --to anthropic run.json > request.json', 'an OpenAI run as a request to Claude'],
    [
      'ctx-trim convert --to openai-chat ~/.claude/projects/*/*.jsonl -o dataset.jsonl',
      'session logs as a dataset, one transcript per line',
    ],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runConvert(words, options, terminal),
});
