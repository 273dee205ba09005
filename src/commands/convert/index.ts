import { defineCommand } from '../command.js';
import { convertOptions } from '../shared/options.js';

export default defineCommand({
  id: 'convert',
  group: 'rewrite',
  summary: "write a transcript in another provider's format",
  description:
    'Writes each transcript anew in another format: the system prompt, messages, calls, results, pictures and tool definitions where that format has them. What the provider would refuse is mended as by check --fix=synthetic, and said on stderr. One transcript is a JSON document, several are JSON Lines of objects. Whatever the format has no place for is listed on stderr; the exit code is 1 where words, calls, results, pictures or tools are lost.',
  words: '[files...]',
  options: convertOptions,
  examples: [
    ['ctx-trim convert --to anthropic run.json > request.json', 'an OpenAI run as a request to Claude'],
    [
      'ctx-trim convert --to openai-chat ~/.claude/projects/*/*.jsonl -o dataset.jsonl',
      'session logs as a dataset, a transcript a line',
    ],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runConvert(words, options, terminal),
});
