/** Our look-up of a model's price, held against that of the package whose list it reads. */
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices';
import { expect, it } from 'vitest';
import { findModel, listedProviders, priceAt } from '../../../src/measure/pricing/lookup.js';
import { modelsJson, providersJson } from '../../../src/measure/pricing/price-package.static.js';
import { ALL } from '../../shared/effort.js';

const TIMES = ['2024-07-01T00:00:00Z', '2026-01-09T03:00:00Z', '2026-02-03T16:30:00Z', '2026-09-23T12:00:00Z'];
const priceList = listedProviders(providersJson, modelsJson);
const providers = (await waitForUpdate()) ?? [];

let compared = 0;

/** What both give is compared by name and price. */
function compare(provider: string | undefined, model: string, time: string): void {
  const timestamp = new Date(time);
  const theirs = calcPrice({}, model, { timestamp, ...(provider === undefined ? {} : { providerId: provider }) });
  const ours = findModel(priceList, { provider, model });
  const own = ours && [ours.provider.id, ours.model.id, priceAt(ours.model.prices, timestamp)];
  const expected = theirs === null ? undefined : [theirs.provider.id, theirs.model.id, theirs.model_price];
  // `expect` takes as long as a hundred of these
  if (JSON.stringify(own) !== JSON.stringify(expected))
    expect.soft(own, `${provider} ${model} ${time}`).toEqual(expected);
  compared++;
}

/** Of the spellings each time tries some, all with LAWS=all. */
const isTurn = (number: number) => ALL || number % TIMES.length === 0;

const spellings = (id: string) => [
  id,
  id.toUpperCase(),
  `${id}-20250514`,
  `${id}-20250231`,
  `${id}-2025-05-14`,
  `x-${id}`,
];

it.each([...TIMES.entries()])('finds what the package finds, at time %i, %s', (at, time) => {
  let number = at;
  for (const { id: provider, models } of providers)
    for (const { id } of models)
      for (const spelling of spellings(id)) {
        if (!isTurn(number++)) continue;
        compare(provider, spelling, time);
        compare(undefined, spelling, time);
      }
  expect(compared).toBeGreaterThan(1000);
});

it('and of every provider, whose names and models it mixes', () => {
  const models = ['claude-sonnet-4-20250514', 'gpt-4o', 'openai/gpt-4o', 'nobody/gpt-4o', '/gpt-4o', 'no-such-model'];
  const names = providers.flatMap(({ id }) => [id, id.toUpperCase(), `my-${id}`]);
  for (const name of [...names, 'litellm', 'LiteLLM', 'bedrock', 'nobody'])
    for (const model of models) compare(name, model, TIMES[3]!);
  expect(compared).toBeGreaterThan(100);
});
