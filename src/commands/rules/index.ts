import { defineCommand } from '../command.js';
import { rulesOptions } from '../shared/options.js';

export default defineCommand({
  id: 'rules',
  group: 'check',
  summary: 'the rules that check goes by, or one of them explained',
  description:
    'Lists the rules. Of one that is named: what the API says, how histories come to have the fault, how it is mended, an example before and after, and where it was reported.',
  words: '[id]',
  about: 'a rule, such as anthropic/tool-use-unanswered',
  options: rulesOptions,
  examples: [
    ['ctx-trim rules --provider bedrock', 'what Bedrock refuses'],
    ['ctx-trim rules anthropic/tool-use-unanswered', 'one rule, explained'],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runRules(words, options, terminal),
});
