import { defineCommand } from '../../options/command.js';
import { pricesOptions } from './options.js';

export default defineCommand({
  id: 'prices',
  group: 'plan',
  summary: 'show model prices and their source',
  description:
    'Shows the prices of models per million tokens of each kind, the prompt lengths above which they rise, and ' +
    'their source. If a model has no known price, it suggests similar names, and the exit code is 1. --update ' +
    'installs a price list of LiteLLM or models.dev that you have: all commands then use it, and files of --prices ' +
    'win over it. Nothing is downloaded.',
  words: '[models...]',
  about: 'model names',
  options: pricesOptions,
  examples: [
    ['ctx-trim prices claude-sonnet-4-20250514 --date 2026-01-09', 'prices of that day'],
    ['ctx-trim prices --batch --prices litellm.json gpt-4o', 'batch prices, with your own price file'],
    ['ctx-trim prices --tier flex gpt-5 o3', 'prices of a tier'],
    ['ctx-trim prices --update --from litellm.json', 'your own price list, for all commands'],
  ],
  run: async (...given) => (await import('./run.js')).runPrices(...given),
});
