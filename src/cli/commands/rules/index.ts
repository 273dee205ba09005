import { defineCommand } from '../../options/command.js';
import { rulesOptions } from './options.js';

export default defineCommand({
  id: 'rules',
  group: 'check',
  summary: 'list the rules of check, or explain an error',
  description:
    'Lists the rules. For one rule: the API error, its causes, the fix, an example before and after, and where it ' +
    'was reported. A rule is found by its id, or by the error that an API returned.',
  words: '[rule...]',
  about: 'a rule id, such as anthropic/tool-use-unanswered, or the text of an error',
  options: rulesOptions,
  examples: [
    ['ctx-trim rules --provider bedrock', 'what Bedrock rejects'],
    ['ctx-trim rules anthropic/tool-use-unanswered', 'one rule, explained'],
    ["ctx-trim rules 'tool_use ids were found'", 'the rule behind an error'],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runRules(words, options, terminal),
});
