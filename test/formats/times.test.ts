/** Times and costs as recordings spell them. */
import { expect, it } from 'vitest';
import { costText, timeOf } from '../../src/formats/shared/recorded.js';
import { stats } from '../../src/index.js';
import { parse } from '../../src/json/node.js';

const AT = Date.UTC(2026, 2, 1, 10, 0, 1, 250);

it.each([
  ['seconds', `${AT / 1000}`, AT],
  ['milliseconds', `${AT}`, AT],
  ['microseconds', `${AT}000`, AT],
  ['nanoseconds', `${AT}000000`, AT],
  ['ISO 8601', '"2026-03-01T10:00:01.250Z"', AT],
  ['with a zone', '"2026-03-01T11:00:01.250+01:00"', AT],
  ['the zero of Go', '"0001-01-01T00:00:00Z"', undefined],
  ['a year that no Date has', '"+300000-01-01T00:00:00Z"', undefined],
  ['a year of five digits', '"+010000-01-01T00:00:00Z"', undefined],
  ['a year that nobody recorded in', '"9999-12-31T23:59:59Z"', undefined],
  ['zero', '0', undefined],
  ['zero as text', '"1970-01-01T00:00:00Z"', undefined],
  ['a negative number', '-5', undefined],
  ['no time', '"soon"', undefined],
  ['more than any number', '1e400', undefined],
  ['more than nanoseconds', '1e300', undefined],
  ['null', 'null', undefined],
])('%s: %s', (_, json, time) => expect(timeOf(parse(json))).toBe(time));

it.each(['day', 'week', 'month'] as const)('a time in microseconds is of its own %s', async (by) => {
  const reply = {
    type: 'message',
    message: {
      ...{ role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], api: 'anthropic-messages' },
      ...{ provider: 'anthropic', model: 'claude-sonnet-4-5', usage: { input: 5, output: 1 }, timestamp: AT * 1000 },
    },
  };
  const lines = [{ type: 'session', version: 3, id: 's', timestamp: '2026-03-01T10:00:00.000Z', cwd: '/' }, reply];
  const { rows } = (await stats(lines.map((line) => JSON.stringify(line)).join('\n'), { by })) as {
    readonly rows: readonly object[];
  };
  expect(JSON.stringify(rows)).toMatch(/2026-0[23]/);
});

it.each([
  ['0.01', '0.01'],
  ['1e-7', '1e-7'],
  ['0', '0'],
  ['-1', undefined],
  ['1e400', undefined],
  ['9'.repeat(400), undefined],
  ['"1"', undefined],
])('a cost %s', (json, cost) => expect(costText(parse(json))).toBe(cost));
