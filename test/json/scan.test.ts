/** The search for two marks at once, against the plain one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rows } from '../../src/json/rows.js';
import { createScan } from '../../src/json/scan.js';
import { runs } from '../shared/random-runs.js';

it('finds the first of two texts, within the limit', () => {
  const scan = createScan();
  const [one, other] = [Buffer.from('"tool'), Buffer.from('"func')];
  const pieces = ['"tool', '"func', '"too', 'tool"', 'x', '\n', '"'];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((list) => list.join(''));
  fc.assert(
    fc.property(text, fc.nat(20), fc.nat(20), (content, pos, less) => {
      const bytes = Buffer.from(content);
      fc.pre(pos <= bytes.length);
      const limit = Math.max(pos, bytes.length - less);
      const places = [bytes.indexOf(one, pos), bytes.indexOf(other, pos)].filter(
        (at) => at >= 0 && at + one.length <= limit,
      ); // a text that the limit cuts is not found
      scan.forget();
      expect(scan.find(bytes, pos, limit, one, other)).toBe(Math.min(limit, ...places));
    }),
    runs(1 / 10),
  );
});

it('passes the lines without a mark, and reads the others', () => {
  const lines = ['{"a":1}', '{"b":2}', '{"tool":3}', '{"c":4}', '{"func":5}', '{"d":6}'];
  const text = Buffer.from(`${lines.join('\n')}\n`);
  let read = 0;
  const events = [
    ...rows(
      (buffer, at, length) => {
        const got = text.copy(buffer, at, read, read + length);
        read += got;
        return got;
      },
      { passing: { marks: [Buffer.from('"tool'), Buffer.from('"func')] } },
    ),
  ];
  const told = events.flatMap((event) => {
    if (event.type === 'record') return [`read ${event.root.text}`];
    return event.type === 'passed' ? [`passed ${textOf(event.gap)}${textOf(event.span)}`] : [];
  });
  expect(told.join('').replaceAll('passed ', '').replaceAll('read ', '').replaceAll('\n', '')).toBe(lines.join(''));
  expect(told.filter((one) => one.startsWith('read')).map((one) => one.slice(5))).toEqual(
    expect.arrayContaining([lines[2], lines[4]]),
  );
  for (const one of told) if (one.startsWith('passed')) expect(one).not.toMatch(/tool|func/);
  expect(told.some((one) => one.startsWith('passed'))).toBe(true);
});

function textOf({ bytes, start, end }: { bytes: Buffer; start: number; end: number }): string {
  return bytes.utf8Slice(start, end);
}
