/** Where the user's own price list is, and that it is read as it was written. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { fromHome, userPricesPath } from '../../../src/cli/context/user-prices.js';
import { timeOf } from '../../../src/cli/terminal/terminal.js';
import { priceChanges } from '../../../src/measure/pricing/changes.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { datedList, pricesIn } from '../../../src/measure/pricing/files.js';

const FILES = ['litellm.json', 'models-dev.json'];
const listIn = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/prices/${name}`, import.meta.url), 'utf8'));
const DAY = new Date('2026-11-22T12:00:00Z');

describe('the place of the list', () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{ HOME: '/home/me' }, '/home/me/.config/ctx-trim/prices.json'],
    [{ HOME: '/home/me', XDG_CONFIG_HOME: '/etc/mine' }, '/etc/mine/ctx-trim/prices.json'],
    [{ HOME: '/home/me', XDG_CONFIG_HOME: '' }, '/home/me/.config/ctx-trim/prices.json'],
    [{ APPDATA: '/Users/me/AppData' }, '/Users/me/AppData/ctx-trim/prices.json'],
    [{}, undefined],
  ])('with %j is %s', (env, path) => {
    expect(userPricesPath({ env })?.replaceAll('\\', '/')).toBe(path);
  });

  it('is shown from the home folder', () => {
    expect(fromHome('/home/me/.config/x', { env: { HOME: '/home/me' } })).toBe('~/.config/x');
    expect(fromHome('/home/melanie/x', { env: { HOME: '/home/me' } })).toBe('/home/melanie/x');
  });
});

test.each(FILES)('a list written from %s has the same prices as the file, and its day', async (name) => {
  const file = await pricesIn(listIn(name), name);
  const written = JSON.parse(JSON.stringify(await datedList(listIn(name), '2026-11-20', name)));
  const list = await pricesIn(written, 'mine.json', true);
  const names = await list.names();
  expect(names).toEqual(await file.names());
  for (const model of names) {
    const { source, notes, ...prices } = list.quote(model, DAY)!;
    expect(prices).toEqual(expect.objectContaining({ rates: file.quote(model, DAY)!.rates }));
    expect(source).toMatch(/^(?:LiteLLM|models\.dev)'s list of 2026-11-20 \(mine\.json\)$/);
    expect(notes).toEqual(['its prices of 2026-11-20 hold for every day']);
  }
  expect((await loadPrices([list])).snapshot.date).toBe('2026-11-20');
});

test('a list that was written before is taken as it is', async () => {
  const written = await datedList(listIn('litellm.json'), '2026-11-20', 'a.json');
  expect(await datedList(written, '2026-12-01', 'b.json')).toBe(written);
});

test('files without a date do not say how old the prices are', async () => {
  expect((await loadPrices([await pricesIn(listIn('litellm.json'), 'a.json')])).snapshot).toEqual({
    source: '@pydantic/genai-prices 0.1.8',
    date: '2026-09-23',
  });
});

test('the greatest change comes first, and other providers are no changes', async () => {
  const list = {
    'gpt-5': { litellm_provider: 'openai', input_cost_per_token: 1.25e-6, output_cost_per_token: 1e-5 },
    'gpt-4o': { litellm_provider: 'openai', input_cost_per_token: 5e-6, output_cost_per_token: 1e-5 },
    'gpt-4o-mini': { litellm_provider: 'openai', input_cost_per_token: 15e-6, output_cost_per_token: 6e-7 },
    'nobody/claude-opus-4-6': { litellm_provider: 'nobody', input_cost_per_token: 1e-6 },
  };
  const { models, added, changed } = await priceChanges(await pricesIn(list, 'a.json'), DAY);
  expect([models, added]).toEqual([4, 1]);
  expect(changed.map(({ model }) => model)).toEqual(['gpt-4o-mini', 'gpt-4o', 'gpt-5']); // no cached price any more
});

test('today is the clock, or what is set for reproducible runs', () => {
  const terminal = (env: Record<string, string>) => ({ env }) as Parameters<typeof timeOf>[0];
  expect(timeOf(terminal({ SOURCE_DATE_EPOCH: '1795305600' })).toISOString()).toBe('2026-11-22T00:00:00.000Z');
  expect(timeOf({ ...terminal({ SOURCE_DATE_EPOCH: '1' }), now: DAY.getTime() })).toEqual(DAY);
  expect(Math.abs(timeOf(terminal({})).getTime() - Date.now())).toBeLessThan(10_000);
});
