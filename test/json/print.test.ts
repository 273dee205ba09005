/** What is printed after an edit: it means the edited value, and is laid out and spelled as its neighborhood. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, patch, patchItems } from '../../src/json/edit.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { print, printed, printReplaced, reparsed } from '../../src/json/print.js';
import { quote } from '../../src/json/print-string.js';
import { isAscii, styleOf } from '../../src/json/style.js';
import { runs } from '../shared/random-runs.js';

/** All texts of at most so many of these pieces. */
function textsOf(pieces: readonly string[], most: number): string[] {
  let last = [''];
  const all = [''];
  for (let length = 1; length <= most; length++) {
    last = last.flatMap((text) => pieces.map((piece) => text + piece));
    all.push(...last);
  }
  return all;
}

const asEscapes = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('a changed string', () => {
  /** Characters of one to four bytes; the last three share a half of their surrogate pair with each other. */
  const TEXTS = textsOf(['a', '\n', 'é', '日', '😀', '😁', '\u{1fa00}'], 3);
  const isLone = (text: string) => /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);

  it.each([
    ['as they are', (text: string) => text],
    ['as escapes', asEscapes],
  ])('is whole characters, whatever it was before: %s', (_, spell) => {
    const broken: string[] = [];
    for (const before of TEXTS) {
      const node = parse(spell(`{"k":${JSON.stringify(`<${before}>`)}}`));
      for (let at = 0; at < TEXTS.length; at += 13) {
        const after = `<${TEXTS[(at + before.length) % TEXTS.length]}>`;
        const text = printed(patch(node, { k: after }));
        const isWhole =
          JSON.parse(text).k === after && !isLone(text) && !/\\u(?!00)/.test(spell === asEscapes ? '' : text);
        if (!isWhole) broken.push(text);
      }
    }
    expect(broken).toEqual([]);
  });

  it.each([
    ['a😀b', 'a😁x'], // the same first half
    ['a😀b', 'x\u{1fa00}b'], // the same second half
    ['😀', '😁'],
    ['😀😀', '😀😁'],
    ['😀', '\u{1fa00}'],
    ['\u{10000}', '\u{103ff}'], // the first and the last halves that there are
    ['\u{10ffff}', '\u{10fc00}'],
    ['\u{10ffff}', '\u{103ff}'],
    ['\u{10000}', '\u{10fc00}'],
    ['\ud7ff\ue000', '\ud7ffx'], // no halves
    ['\ud7ff\ue000', 'x\ue000'],
  ])('%s becomes %s', (before, after) => {
    const text = JSON.stringify({ k: before });
    expect(printed(patch(parse(text), { k: after }))).toBe(JSON.stringify({ k: after }));
    expect(printed(patch(parse(asEscapes(text)), { k: after }))).toBe(asEscapes(JSON.stringify({ k: after })));
  });

  it('keeps the odd spelling of all that it shares with the old one, at both ends', () => {
    const odd = ['\\/', '\\u0061', '\\ud83d\\ude00', 'é', '😀', '\\n', 'b'];
    const spelled = fc.array(fc.constantFrom(...odd), { maxLength: 4 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(spelled, spelled, spelled, fc.constantFrom('', 'x', 'xyz'), (head, middle, tail, fresh) => {
        const node = parse(`["!${head}1${middle}2${tail}!"]`);
        const said = (text: string) => JSON.parse(`"${text}"`) as string;
        const after = `!${said(head)}3${fresh}4${said(tail)}!`;
        const object = parse(`{"k":${printed(node.items()[0]!)}}`);
        expect(printed(patch(object, { k: after }))).toBe(`{"k":"!${head}3${fresh}4${tail}!"}`);
      }),
      runs(1 / 20),
    );
  });

  it('shares thousands of characters', () => {
    for (const length of [1023, 1024, 1025, 3000]) {
      const same = '\\u0061'.repeat(length);
      const node = parse(`{"k":"${same}1${same}"}`);
      expect(printed(patch(node, { k: `${'a'.repeat(length)}2${'a'.repeat(length)}` }))).toBe(
        `{"k":"${same}2${same}"}`,
      );
    }
  });
});

describe('a document of one layout', () => {
  type Value = number | string | { readonly [key: string]: Value } | readonly Value[];
  const LAYOUTS: Readonly<Record<string, (value: unknown) => string>> = {
    compact: (value) => JSON.stringify(value),
    'like Python': (value) => onOneLine(value),
    'by one': (value) => JSON.stringify(value, null, 1),
    'by two': (value) => JSON.stringify(value, null, 2),
    'by tabs': (value) => JSON.stringify(value, null, '\t'),
    'lines end as on Windows': (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\r\n'),
  };
  const KEYS = ['a', 'b', 'c', 'd'];
  const leaf = fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constantFrom('', 'x', 'é "y"'));
  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc
        .uniqueArray(fc.constantFrom(...KEYS), { minLength: 2, maxLength: 4 })
        .chain((keys) =>
          fc
            .array(tie('value'), { minLength: keys.length, maxLength: keys.length })
            .map((values) => Object.fromEntries(keys.map((key, index) => [key, values[index]!]))),
        ),
    ),
  }));
  const object = fc.tuple(value, value, value).map(([a, b, c]): Record<string, Value> => ({ a, b, c }));

  it.each(Object.keys(LAYOUTS))('has it still with members changed, added and dropped: %s', (name) => {
    const lay = LAYOUTS[name]!;
    const fields = fc.dictionary(fc.constantFrom(...KEYS, 'e'), fc.option(value, { nil: undefined }), { maxKeys: 3 });
    fc.assert(
      fc.property(object, fields, (before, change) => {
        const after = Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, one]) => one !== undefined),
        );
        expect(printed(patch(parse(lay(before)), change as never))).toBe(lay(after));
      }),
      runs(1 / 60),
    );
  });

  it.each(Object.keys(LAYOUTS))('has it still with elements moved, added and dropped: %s', (name) => {
    const lay = LAYOUTS[name]!;
    const elements = fc.array(object, { minLength: 2, maxLength: 5 });
    const wanted = fc.array(fc.oneof(fc.nat(4), object), { maxLength: 6 });
    fc.assert(
      fc.property(elements, wanted, (before, chosen) => {
        const root = parse(lay({ list: before, last: 0 }));
        const items = root.get('list')!.items();
        const after = chosen.map((one) => (typeof one === 'number' ? before[one % before.length]! : one));
        const edit = chosen.map((one): Json => (typeof one === 'number' ? items[one % items.length]! : one));
        expect(printed(patch(root, { list: patchItems(root.get('list')!, edit) }))).toBe(lay({ list: after, last: 0 }));
      }),
      runs(1 / 60),
    );
  });

  function onOneLine(item: unknown): string {
    if (Array.isArray(item)) return `[${item.map(onOneLine).join(', ')}]`;
    if (item === null || typeof item !== 'object') return JSON.stringify(item);
    const members = Object.entries(item).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member)}`);
    return `{${members.join(', ')}}`;
  }
});

describe('elements of an array', () => {
  const text = '[ 1,  22 ,\t3,\n4 ]';
  const of = (node: JsonNode, ...places: (number | string)[]) =>
    places.map((place): Json => (typeof place === 'number' ? node.items()[place]! : place));
  it.each([
    [[0, 1, 2, 3], text],
    [[0, 2, 3], '[ 1 ,\t3,\n4 ]'],
    [[0, 3], '[ 1,\n4 ]'],
    [[1, 2], '[ 22 ,\t3 ]'],
    [[3, 2, 1], '[ 4 ,\t3,  22 ]'],
    [[0, 'x', 1], '[ 1,  "x",  22 ]'],
    [[0, 1, 'x'], '[ 1,  22,  "x" ]'],
    [['x'], '[ "x" ]'],
    [[0, 0, 1], '[ 1,  1,  22 ]'],
    [[], '[]'],
  ] as [(number | string)[], string][])('%j', (places, expected) => {
    const node = parse(text);
    const whole = printed(patchItems(node, of(node, ...places)));
    expect(JSON.parse(whole)).toEqual(
      places.map((place) => (typeof place === 'number' ? [1, 22, 3, 4][place] : place)),
    );
    expect(whole).toBe(expected);
  });
});

it('what is added to a list of strings is separated as its first two elements are', () => {
  expect(printed(patchItems(parse('[1 ,2,\t3]'), [...parse('[1 ,2,\t3]').items(), 4]))).toBe('[1 ,2 ,3 ,4]');
});

it('lists in lists keep the space around them', () => {
  const node = parse('[ [1, 2],  [3] ,\t{"a" :4},\n[7,8] ]');
  const [one, two, three, four] = node.items() as [JsonNode, JsonNode, JsonNode, JsonNode];
  const edits = [
    patchItems(one, one.items().slice(0, 1)),
    patchItems(two, [...two.items(), 5]),
    patch(three, { a: 6 }),
    patchItems(four, four.items().slice(1)),
  ];
  expect(printed(patchItems(node, edits))).toBe('[ [1],  [3,5] ,\t{"a" :6},\n[8] ]');
});

it('nothing stands inside of an object where nothing is left', () => {
  expect(printed(patch(parse('{ "a": 1 }'), { a: undefined }))).toBe('{}');
  expect(printed(patch(parse('{ }'), { a: 1 }))).toBe('{"a":1}');
  expect(printed(patch(parse('{ "a": 1, "b": 2 }'), { a: undefined, b: undefined }))).toBe('{}');
});

it('replaces descendants wherever they stand, in any order', () => {
  const node = parse('{"a":[1,2,{"b":3}],"c":"d"}');
  const [one, two, three] = node.get('a')!.items();
  const pieces: string[] = [];
  const sink = {
    slice: (bytes: Buffer, start: number, end: number) => pieces.push(bytes.utf8Slice(start, end)),
    text: (text: string) => pieces.push(text),
  };
  printReplaced(sink, node, [
    { node: node.get('c')!, value: null },
    { node: three!.get('b')!, value: { e: [] } },
    { node: one!, value: two! },
  ]);
  expect(pieces.join('')).toBe('{"a":[2,2,{"b":{"e":[]}}],"c":null}');
});

it('gives values to a sink that takes them', () => {
  const node = parse('[1,{"a":2}]');
  const values: unknown[] = [];
  const never = () => expect.unreachable();
  print({ slice: never, text: never, value: (value) => values.push(value) }, node, () => styleOf(undefined));
  expect(values).toEqual([node]);
});

it.each([
  ['{"a":1}', '{"a":1,"z":0}'],
  ['{"a": 1}', '{"a": 1, "z": 0}'],
  ['{"a": 1,"b": 2}', '{"a": 1,"b": 2,"z": 0}'],
  ['{"a" : 1 , "b" : 2}', '{"a" : 1 , "b" : 2 , "z" : 0}'],
  ['{"a":1,\n"b":2}', '{"a":1,\n"b":2,\n"z":0}'],
  ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "z": 0\n}'],
  ['{\r\n\t"a":1\r\n}', '{\r\n\t"a":1,\r\n\t"z":0\r\n}'],
])('to %s a member is added as %s', (before, after) => {
  expect(printed(patch(parse(before), { z: 0 }))).toBe(after);
});

it('what is new in an object whose members are on lines of their own without an indentation is on one line', () => {
  const base = parse('{"a":1,\n"b":2}');
  expect(printed(patch(base, { z: { x: 0, y: 0 } }))).toBe('{"a":1,\n"b":2,\n"z":{"x":0, "y":0}}');
});

it.each([
  ['"\\u00e9"', true],
  ['"\\u00e9é"', false],
  ['"é"', false],
  ['"\\u001b"', false],
  ['"\\u0041\\n"', false],
  ['"a"', false],
  ['["a", "\\ud83d\\ude00"]', true],
])('%s says whether a file escapes what is not ASCII: %j', (text, escapes) => {
  expect(isAscii(parse(text).source)).toBe(escapes);
});

it('quotes above ASCII only where the file does', () => {
  expect(quote('a\u007f\u0080日😀"', true)).toBe('"a\u007f\\u0080\\u65e5\\ud83d\\ude00\\""');
  expect(quote('a日', false)).toBe('"a日"');
});

describe('what was written is parsed as it was printed', () => {
  it('by one scan', () => {
    const base = parse('{"a": [1, {"b": "\\u00e9"}], "c": null}');
    const edits: Json[] = [base, patch(base, { c: 'é', d: [base, { e: base.get('a')! }] }), 'a', [1, { b: [] }]];
    for (const edit of edits) expect(reparsed(edit).json).toBe(parse(printed(edit)).json);
  });

  it('and says what is wrong where it is not JSON', () => {
    const wrong = [undefined] as unknown as Json;
    expect(() => printed(wrong)).toThrow(/a defect of ctx-trim.*at byte \d/);
    expect(() => reparsed(wrong)).toThrow(/a defect of ctx-trim.*at byte \d/);
  });
});
