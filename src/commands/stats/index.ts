import { defineCommand } from '../command.js';
import { statsOptions } from './options.js';

export default defineCommand({
  id: 'stats',
  group: 'inspect',
  summary: 'tokens and costs of each message, role or tool',
  description:
    "Counts the tokens of every message by the rules of OpenAI's cookbook, and says what the transcript costs as one request and as it was paid for, where every assistant message is a request that sends all before it again. Figures marked ~ are estimated.",
  words: '[files...]',
  options: statsOptions,
  examples: [
    ['ctx-trim stats run.json', 'where the tokens are'],
    ['ctx-trim stats --by tool --model gpt-4o logs/', 'which tools cost most, in a folder of recordings'],
    ['ctx-trim stats --format json run.json | jq .totals', 'totals for a program'],
  ],
  run: async (...given) => (await import('./run.js')).runStats(...given),
});
