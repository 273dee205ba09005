import { defineCommand } from '../command.js';
import { rulesOptions } from '../shared/options.js';

export default defineCommand({
  id: 'rules',
  group: 'check',
  summary: 'list the rules of check, or explain one',
  description:
    'Lists the rules. For one rule: the API error, its causes, the fix, an example before and after, and where it ' +
    'was reported.',
  words: '[id]',
  about: 'a rule id, such as anthropic/tool-use-unanswered',
  options: rulesOptions,
  examples: [
    ['ctx-trim rules --provider bedrock', 'what Bedrock rejects'],
    ['ctx-trim rules anthropic/tool-use-unanswered', 'one rule, explained'],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runRules(words, options, terminal),
});
