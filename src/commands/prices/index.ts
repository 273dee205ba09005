import { defineCommand } from '../command.js';
import { pricesOptions } from '../shared/options.js';

export default defineCommand({
  id: 'prices',
  group: 'plan',
  summary: 'what a model costs, and who says so',
  description:
    'Shows the prices of models, as they are recorded: for a million tokens of each kind, above which length of the prompt they rise, and where they are from. Exits with 1 where a model has no known price, and names some that are like it.',
  words: '<models...>',
  about: 'names of models',
  options: pricesOptions,
  examples: [
    ['ctx-trim prices claude-sonnet-4-20250514 --date 2026-01-09', 'as of a day'],
    ['ctx-trim prices --batch --prices litellm.json gpt-4o', 'of batches, by a price file of your own'],
  ],
  run: async (...given) => (await import('./run.js')).runPrices(...given),
});
