/** What happened to each message: every small case is looked at, against what is plain to see. */
import { expect, it } from 'vitest';
import { alignMessages } from '../../src/measure/stats/align.js';
import { changesBetween, longestRising, weave } from '../../src/transcript/compare.js';
import type { Message } from '../../src/transcript/types.js';

/** All lists of at most so many of `items`, those of a number at most once in each. */
function listsOf(items: readonly (number | undefined)[], most: number): (number | undefined)[][] {
  if (most === 0) return [[]];
  const shorter = listsOf(items, most - 1);
  const longer = shorter
    .filter((list) => list.length === most - 1)
    .flatMap((list) =>
      items.filter((item) => item === undefined || !list.includes(item)).map((item) => [...list, item]),
    );
  return [...shorter, ...longer];
}

const LENGTH = 4;
const ALL = listsOf([0, 1, 2, 3, undefined], 5);

it('the longest rising row rises, and none is longer', () => {
  for (const values of ALL) {
    const found = [...longestRising(values)].sort((a, b) => a - b);
    const numbers = found.map((at) => values[at]!);
    expect(
      numbers.every((number, at) => at === 0 || number > numbers[at - 1]!),
      String(values),
    ).toBe(true);
    expect(found.length, String(values)).toBe(longest(values));
  }
});

it('each message is told once, and in reading order on either side', () => {
  for (const origins of ALL) {
    const changes = weave(LENGTH, origins, (before) => before !== 2);
    const told = String(origins);
    expect(
      changes.flatMap((change) => ('after' in change ? [change.after] : [])),
      told,
    ).toEqual(origins.map((_, at) => at));
    const before = changes.flatMap((change) => ('before' in change ? [change.before] : []));
    expect([...before].sort(), told).toEqual([0, 1, 2, 3]);
    const places = changes.flatMap((change) => ('before' in change && change.kind !== 'moved' ? [change.before] : []));
    expect(places, told).toEqual([...places].sort());
    for (const change of changes) {
      if (change.kind === 'added') expect(origins[change.after], told).toBe(undefined);
      else if (change.kind === 'dropped') expect(origins.includes(change.before), told).toBe(false);
      else expect(origins[change.after], told).toBe(change.before);
      if (change.kind === 'kept') expect(change.before, told).not.toBe(2);
      if (change.kind === 'changed') expect(change.before, told).toBe(2);
    }
    const unmoved = changes.filter(({ kind }) => kind === 'kept' || kind === 'changed').length;
    expect(unmoved, told).toBe(longest(origins));
  }
});

it('a message is the one that it was read from, or itself', () => {
  const [one, two, added]: Message[] = [
    { role: 'user', parts: [], raw: {} },
    { role: 'assistant', parts: [], raw: {} },
    { role: 'tool', parts: [] },
  ];
  const edited = { ...two!, raw: {}, origin: two!.raw };
  expect(changesBetween([one!, two!, added!], [added!, one!, { ...two! }])).toEqual([
    { kind: 'moved', before: 2, after: 0 },
    { kind: 'kept', before: 0, after: 1 },
    { kind: 'changed', before: 1, after: 2 },
  ]);
  expect(changesBetween([one!, two!], [edited, { ...added! }])).toEqual([
    { kind: 'dropped', before: 0 },
    { kind: 'changed', before: 1, after: 0 },
    { kind: 'added', after: 1 },
  ]);
});

function longest(values: readonly (number | undefined)[]): number {
  const best: number[] = [];
  values.forEach((value, at) => {
    const before = best.slice(0, at).filter((_, earlier) => values[earlier] !== undefined && values[earlier]! < value!);
    best.push(value === undefined ? 0 : 1 + Math.max(0, ...before));
  });
  return Math.max(0, ...best);
}

it('in lists that differ in more than a thousand messages, those that are in both are kept', () => {
  const said = (...texts: readonly string[]) =>
    texts.map((text): Message => ({ role: 'user', parts: [{ type: 'text', text }], raw: {} }));
  const many = (name: string) => Array.from({ length: 600 }, (_, at) => `${name} ${at}`);
  const before = said('first', 'gone', 'second', ...many('old'));
  const after = said('first', 'second', ...many('new'));
  expect(alignMessages(before, after).slice(0, 3)).toEqual([
    { kind: 'kept', before: 0, after: 0 },
    { kind: 'dropped', before: 1 },
    { kind: 'kept', before: 2, after: 1 },
  ]);
});
