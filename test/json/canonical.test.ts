/** Arguments that mean the same have one spelling, and no others have it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callKey, canonical } from '../../src/json/canonical.js';
import { CanonicalBytes } from '../../src/json/canonical-bytes.js';
import { parse } from '../../src/json/node.js';
import { runs } from '../shared/random-runs.js';

it.each([
  ['{"a":1,"b":[2,{"c":null}]}', ' { "b" : [ 2 , { "c" : null } ] , "a" : 1 } ', true],
  ['', '{}', true],
  [' \n', '{ }', true],
  ['"\\u0061"', '"a"', true],
  ['1.0', '1', true],
  ['1e2', '100', true],
  ['-0.5', '-5e-1', true],
  ['[1,2]', '[2,1]', false],
  ['1', '"1"', false],
  ['{"a":null}', '{}', false],
  ['123456789012345', '123456789012345.0', false],
  ['12345678901234567890', '12345678901234567891', false],
  ['12345678901234567890', '"12345678901234567890"', false],
  ['1e400', '1e500', false],
  ['"a"b', '"a"c', false],
  ['x', ' x', false],
  ['{"a":1}', '{"a":1,}', false],
  ['"1"', '"\\u0031"', true],
])('%s, %s: %s', (one, other, isSame) => {
  expect(canonical(one) === canonical(other)).toBe(isSame);
});

it('a text that is not JSON is itself', () => {
  for (const text of ['x', '{"a":', '"a', '[1,]', 'undefined']) expect(canonical(text)).toBe(text);
});

it('numbers of up to fifteen digits are one number however they are spelled', () => {
  expect(canonical('123456789012345')).toBe('123456789012345');
  expect(canonical('[1234567890.12345]')).toBe('[1234567890.12345]');
  expect(canonical('1234567890123456')).not.toBe('1234567890123456');
});

it('a value that is nested deeper than 500 levels is itself', () => {
  const deep = (depth: number) => `${'[ '.repeat(depth)}1${']'.repeat(depth)}`;
  expect(canonical(deep(500))).toBe(deep(500).replaceAll(' ', ''));
  expect(canonical(deep(501))).toBe(deep(501));
});

it('the order of members and the space between them do not matter, whatever is in them', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, reversed(item)] as const)
        .reverse(),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const other = JSON.stringify(reversed(value), null, 2);
      expect(canonical(other)).toBe(canonical(JSON.stringify(value)));
      if (!/\d{9}|e[+-]/.test(other)) expect(JSON.parse(canonical(other))).toEqual(JSON.parse(other));
    }),
    runs(1 / 20),
  );
});

it('members are left out by name and level', () => {
  const text = '{"a":1,"b":{"a":2,"c":[{"a":3}]}}';
  expect(canonical(text, (name, level) => name === 'a' && level === 0)).toBe('{"b":{"a":2,"c":[{"a":3}]}}');
  expect(canonical(text, (name, level) => name === 'a' && level === 1)).toBe('{"a":1,"b":{"c":[{"a":3}]}}');
  expect(canonical(text, (name, level) => name === 'a' && level === 3)).toBe('{"a":1,"b":{"a":2,"c":[{}]}}');
});

it('calls are the same with the same tool and arguments', () => {
  const key = (tool: string, input: string) => callKey({ tool, input });
  expect(key('f', '{"a":1}')).toBe(key('f', '{ "a": 1 }'));
  expect(key('f', '{}')).not.toBe(key('g', '{}'));
  expect(callKey({ tool: 'f', input: '{"a":1}' }, () => true)).toBe(key('f', '{}'));
});

it('bytes say the same as the text, one value behind the other, and members of one name once', () => {
  const bytes = new CanonicalBytes();
  const spellingOf = (...texts: string[]) => bytes.of(texts.map((text) => parse(text))).toString();
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (...values) => {
      const ofFewDigits = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value) % 1e9 : value);
      const texts = values.map((value, indent) => JSON.stringify(value, ofFewDigits, indent));
      expect(spellingOf(...texts)).toBe(texts.map((text) => `${canonical(text)}\n`).join(''));
    }),
    runs(1 / 5),
  );
  expect(spellingOf('{ "b": [], "a": {}, "b": "\\u00e9\\/" }', '[1.50, 1e400]')).toBe(
    '{"a":{},"b":"é/"}\n[1.5,1e400]\n',
  );
  expect(spellingOf(JSON.stringify('日'.repeat(50_000)))).toBe(`"${'日'.repeat(50_000)}"\n`);
});
