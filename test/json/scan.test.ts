/** The search for two marks at once, against the plain one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCode } from '../../src/json/plain-code.js';
import { rows } from '../../src/json/rows.js';
import { createScan, createSharingScan, INCOMPLETE, scanInPlace, Tape } from '../../src/json/scan.js';
import { runs } from '../shared/random-runs.js';
import { fixtures } from '../shared/recordings.js';

it.each([
  ['by WebAssembly', createScan()],
  ['without it', createScan(plainCode)],
])('%s: finds the first of two texts, within the limit', (_, scan) => {
  const [one, other] = [Buffer.from('"tool'), Buffer.from('"func')];
  const pieces = ['"tool', '"func', '"too', '"tox', 'tool"', 'x', '\n', '"'];
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

it.each([
  ['by WebAssembly', undefined],
  ['without it', plainCode],
])('%s: scans a value where it stands, while the memory grows', (_, create) => {
  const text = Buffer.from(`{"a":[${'1,'.repeat(1e5)}1]}\0`);
  const length = text.length - 1;
  const inPlace = scanInPlace(length + 100, create)!;
  const [tape, expected] = [new Tape(), new Tape()];
  inPlace.bytes.set(text.subarray(0, 1000));
  inPlace.bytes[1000] = 0;
  expect(inPlace.scan(0, 1000, false, tape)).toBe(INCOMPLETE);
  const before = inPlace.bytes;
  inPlace.bytes.set(text);
  expect(inPlace.scan(0, length, true, tape)).toBe(length);
  expect(createScan()(text, 0, length, true, expected)).toBe(length);
  expect(inPlace.bytes === before).toBe(false); // it grew
  expect(inPlace.bytes.subarray(0, text.length).equals(text)).toBe(true);
  const kept = tape.keep();
  const positions = expected.keep();
  const isSame = () => kept.length === positions.length && kept.every((each, at) => each === positions[at]);
  expect(isSame()).toBe(true);
  inPlace.bytes.fill(0x20, length);
  createScan(create)(Buffer.from('[2]\0'), 0, 3, true, tape);
  expect(isSame()).toBe(true); // neither what is read behind it nor the next scan changes them
});

it('no scan in place has room for 2 GB', () => {
  expect(scanInPlace(2 ** 31 - 1)).toBeUndefined();
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

describe('without WebAssembly', () => {
  const scans = [createScan(), createScan(plainCode)];
  const outcome = (scan: (typeof scans)[number], bytes: Buffer, pos: number, limit: number, last: boolean) => {
    const tape = new Tape();
    scan.forget();
    const end = scan(bytes, pos, limit, last, tape);
    return end > 0 ? [end, tape.ints.subarray(0, tape.length)] : [end, tape.error, tape.errorAt];
  };
  const same = (bytes: Buffer, pos = 0, limit = bytes.length, last = true) => {
    const [one, other] = scans.map((scan) => outcome(scan, bytes, pos, limit, last));
    expect(other).toEqual(one);
  };

  it('scans random JSON, whole, cut and damaged', () => {
    const space = fc.constantFrom('', ' ', '\n');
    const text = fc
      .tuple(fc.json({ maxDepth: 4 }), space, fc.json({ stringUnit: 'binary' }))
      .map(([one, between, other]) => `{"a": ${one},${between}"é\\u00e9":[${other}, -1.5e+3, true,null]}${between}`);
    const damage = fc.record({
      at: fc.nat(400),
      byte: fc.nat(255),
      pos: fc.nat(3),
      less: fc.nat(60),
      last: fc.boolean(),
    });
    fc.assert(
      fc.property(text, fc.option(damage), (content, broken) => {
        const bytes = Buffer.from(content);
        if (broken === null) return same(bytes);
        bytes[broken.at % bytes.length] = broken.byte;
        same(bytes, Math.min(broken.pos, bytes.length), Math.max(broken.pos, bytes.length - broken.less), broken.last);
      }),
      runs(1),
    );
  });

  it.each([
    '"\\ud800"',
    '"\\uD83D"',
    '"a\u0001"',
    '"a\nb"',
    '01',
    '-',
    '1.',
    '1e',
    '1e+',
    'tru',
    'nul',
    '{"a" 1}',
    '{,}',
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '{"a":1 "b":2}',
    '"\\x"',
    '"\\u12g4"',
    '"',
    '',
    ' ',
    '{',
    '[[[',
    '12',
    'true',
    '{"a":{}}',
  ])('scans `%s`', (text) => {
    for (const last of [true, false]) same(Buffer.from(text), 0, Buffer.byteLength(text), last);
  });

  it('finds the same broken UTF-8', () => {
    const sequences = [
      [0xc3],
      [0xc0, 0x80],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf8],
      [0x80],
    ];
    for (const wide of sequences)
      for (const last of [true, false])
        for (const end of ['', 'a', 'a"', '"'])
          same(Buffer.concat([Buffer.from('"é'), Buffer.from(wide), Buffer.from(end)]), 0, undefined, last);
  });

  it('scans recordings', () => {
    for (const { bytes } of fixtures()) same(bytes);
  });
});

function textOf({ bytes, start, end }: { bytes: Buffer; start: number; end: number }): string {
  return bytes.utf8Slice(start, end);
}

it.each([
  ['by WebAssembly', createScan()],
  ['without it', createScan(plainCode)],
  ['in a memory that long values share', createSharingScan()],
])('%s: bytes that others took the place of are scanned anew', (_, scan) => {
  const bytes = Buffer.alloc(64);
  for (const text of ['[1,22,33333]', '["a","4444"]', '[[[[0]]],[]]', '[1]']) {
    bytes.fill(0).write(text);
    scan.forget();
    const [tape, expected] = [new Tape(), new Tape()];
    expect(scan(bytes, 0, text.length, true, tape)).toBe(text.length);
    createScan()(Buffer.from(`${text}\0`), 0, text.length, true, expected);
    expect(Array.from(tape.keep())).toEqual(Array.from(expected.keep()));
  }
});
