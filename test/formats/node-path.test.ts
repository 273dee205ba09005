/** Where a value stands in its record, as errors name it. */
import { expect, it } from 'vitest';
import { pathTo } from '../../src/formats/shared/node-path.js';
import { parse } from '../../src/json/node.js';

it('names each value of a record by the keys and indices that lead to it', () => {
  const root = parse('{"spans":[{"a":1},{"attributes":{"x y":[true,[null]]},"a":2}],"a":[]}');
  const [, second] = root.get('spans')!.items();
  const list = second!.get('attributes')!.get('x y')!;
  expect(
    [root.get('a')!, second!, second!.get('a')!, list, list.items()[0]!, list.items()[1]!.items()[0]!].map(pathTo),
  ).toEqual([
    'a',
    'spans[1]',
    'spans[1].a',
    'spans[1].attributes["x y"]',
    'spans[1].attributes["x y"][0]',
    'spans[1].attributes["x y"][1][0]',
  ]);
});
