/** What is said of inputs that are no JSON, and which of their lines are passed: written by hand. */
import { describe, expect, it } from 'vitest';
import type { TranscriptError } from '../../src/errors.js';
import { rows } from '../../src/json/rows.js';
import type { JsonSource } from '../../src/json/strings.js';
import { readerOver } from '../../src/source/read-back.js';

const read = (text: string | Buffer, options: object = {}) => [
  ...rows(readerOver(Buffer.from(text as string)), options),
];
const failure = (text: string | Buffer, options: object = {}) => {
  try {
    read(text, options);
  } catch (error) {
    const { message, place } = error as TranscriptError;
    return [message, place?.line, place?.column];
  }
  return undefined;
};

it.each<[string, readonly number[], string]>([
  ['gzip', [0x1f, 0x8b, 8, 0], 'the input is gzip, not JSON; unpack it first'],
  ['ZIP', [0x50, 0x4b, 3, 4, 0], 'the input is a ZIP archive, not JSON; unpack it first'],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 'the input is zstd, not JSON; unpack it first'],
  ['UTF-16, little end first', [0xff, 0xfe, 0x7b, 0], 'the input is UTF-16; convert it to UTF-8 first'],
  ['UTF-16, big end first', [0xfe, 0xff, 0, 0x7b], 'the input is UTF-16; convert it to UTF-8 first'],
  ['UTF-16 without a mark', [0x7b, 0, 0x22, 0], 'the input is UTF-16LE; convert it to UTF-8 first'],
  ['UTF-16 without a mark, big end first', [0, 0x5b, 0, 0x7b], 'the input is UTF-16BE; convert it to UTF-8 first'],
  ['UTF-32', [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], 'the input is UTF-32; convert it to UTF-8 first (iconv -f UTF-32 '],
  ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31], 'the input is bzip2, not JSON; unpack it first'],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'the input is xz, not JSON; unpack it first'],
  ['a pointer', [...Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a')], '(git lfs pull)'],
  ['a page', [...Buffer.from('<!DOCTYPE html><html>')], 'the input is HTML, not JSON; get the file again'],
  ['a page of old', [...Buffer.from('<HTML>\n')], 'the input is HTML, not JSON; get the file again'],
])('%s is named', (_, bytes, why) => {
  const [message, line, column] = failure(Buffer.from(bytes))!;
  expect(message).toContain(why);
  expect([line, column]).toEqual([1, 1]);
});

it.each<[string, number, number]>([
  ['{"a":1', 1, 7],
  ['{"a":[1,{"b":', 1, 14],
  ['[{"a":1},\n{"b"', 2, 5],
])('%j ends in the middle of a value', (text, line, column) => {
  expect(failure(text)).toEqual(['not JSON: the input ends in the middle of a value', line, column]);
});

it.each<[string, string, number, number]>([
  ['[{"a":1} {"b":2}]', 'expected a comma or a closing bracket', 1, 10],
  ['[{"a":1}', 'expected a comma or a closing bracket', 1, 9],
])('%j: %s', (text, why, line, column) => {
  const [message, ...place] = failure(text)!;
  expect(message).toContain(why);
  expect(place).toEqual([line, column]);
});

it('passes a page in the first line where bad lines are passed', () => {
  const events = read('<html>502</html>\n{"a":1}\n', { skipBadLines: true });
  expect(events.flatMap((event) => (event.type === 'bad' ? [event.line] : []))).toEqual([1]);
});

describe('bad lines', () => {
  const told = (text: string) =>
    read(text, { skipBadLines: true }).flatMap((event) =>
      event.type === 'record' || event.type === 'bad' ? [`${event.type} ${event.line}`] : [],
    );

  it.each<[string, readonly string[]]>([
    ['{"a":1}\nno\n{"b":2}\n', ['record 1', 'bad 2', 'record 3']],
    ['{"a":1}\n{"b":\n{"c":3}\n', ['record 1', 'bad 2', 'record 3']],
    ['{"a":1}\n{"b":2\n{"c":3}\n', ['record 1', 'bad 2', 'record 3']],
    ['no\n{"a":1}\n', ['bad 1', 'record 2']],
    ['{"a":1}\n{"b":2}\n{"c"', ['record 1', 'record 2']],
  ])('of %j are passed', (text, events) => {
    expect(told(text)).toEqual(events);
  });

  it('end before their line break, which is CR LF or LF', () => {
    const spans = (text: string) =>
      read(text, { skipBadLines: true }).flatMap((event) => {
        if (event.type !== 'bad') return [];
        const { bytes, start, end } = event.span;
        return [bytes.utf8Slice(start, end)];
      });
    expect(spans('{"a":1}\r\nno\r\n{"b":2}\r\n')).toEqual(['no']);
    expect(spans('{"a":1}\nno\n{"b":2}\n')).toEqual(['no']);
  });
});

it.each([
  [true, [undefined, 1]],
  [false, [1, 1]],
])('a consumer that is done with each value (%j) leaves so many long texts of two: %j', (isOn, left) => {
  const line = JSON.stringify({ text: 'x'.repeat(1000) });
  const sources: JsonSource[] = [];
  for (const event of rows(readerOver(Buffer.from(`${line}\n${line}\n`)), { reuse: { isOn: () => isOn, settle() {} } }))
    if (event.type === 'record') {
      expect(event.root.get('text')!.text).toHaveLength(1000);
      sources.push(event.root.source);
    }
  expect(sources.map(({ texts }) => texts?.size)).toEqual(left);
});
