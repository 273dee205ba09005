import { defineCommand } from '../../options/command.js';
import { statsOptions } from './options.js';

export default defineCommand({
  id: 'stats',
  group: 'inspect',
  summary: 'count tokens and costs by message, role, tool or day',
  description:
    "Counts the tokens of every message by the rules of OpenAI's cookbook. Shows the cost of the transcript as " +
    'one request, and of all its requests: each assistant message is a request that sends all messages before it ' +
    'again. ~ marks estimates. On a terminal without files, it counts all sessions of this machine (@all); without ' +
    'options, it shows what each agent cost.',
  words: '[files...]',
  takesParts: true,
  options: statsOptions,
  examples: [
    ['ctx-trim stats run.json', 'where the tokens are'],
    ['ctx-trim stats --by tool --model gpt-4o logs/', 'tokens by tool, in a folder of recordings'],
    ['ctx-trim stats --format json run.json | jq .totals', 'totals for a program'],
  ],
  run: async (...given) => (await import('./run.js')).runStats(...given),
});
