import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { priceOptions, readingOptions } from '../../options/options.js';

export const pricesOptions = {
  date: {
    type: 'text',
    value: 'date',
    summary: 'use the prices of this day (2026-01-31); with --update, the day of the list (default: of its file)',
  },
  tier: {
    type: 'choice',
    choices: ['batch', 'flex', 'priority', 'fast'],
    value: 'tier',
    excludes: ['batch'],
    summary: "prices of this tier; fast is Anthropic's fast mode",
  },
  region: { type: 'text', value: 'name', summary: 'prices in this region, such as us' },
  update: {
    type: 'flag',
    reach: 'writes',
    needs: ['from'],
    excludes: ['prices', 'batch', 'tier', 'region', 'config'],
    summary: 'write the price list of --from to where all commands find it, and show what changed',
  },
  from: {
    type: 'text',
    reach: 'reads',
    value: 'file',
    needs: ['update'],
    summary: "LiteLLM's model_prices_and_context_window.json or models.dev's api.json; - is stdin",
  },
  output: {
    type: 'text',
    reach: 'writes',
    value: 'file',
    needs: ['update'],
    summary: 'with --update, write to this file instead; - is stdout',
  },
  top: {
    type: 'integer',
    least: 0,
    value: 'n',
    default: 10,
    needs: ['update'],
    summary: 'with --update, show the first n changes',
  },
  ...priceOptions,
  format: {
    type: 'choice',
    choices: ['table', 'json'],
    default: 'table',
    summary: 'output format; json is stable and versioned',
  },
  config: readingOptions.config,
} as const satisfies Options;
export type PricesOptions = Parsed<Values<typeof pricesOptions>>;
