/** Values as nodes over bytes: they say what JSON.parse says, however the text is spelled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amend, patch, patchEach, patchItems } from '../../src/json/edit.js';
import { layOut, printOnOneLine } from '../../src/json/lay-out.js';
import { nested, renested } from '../../src/json/nested.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { Keys } from '../../src/json/strings.js';
import { unitsIn } from '../../src/json/units.js';
import { anyText } from '../shared/any-text.js';
import { runs } from '../shared/random-runs.js';

const NAMES = ['a', 'b', 'ab', 'ba', 'é', 'role', 'name'];
const text = fc.oneof(anyText(6), fc.string({ minLength: 20, maxLength: 300 }));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.constantFrom(...NAMES)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4 }),
  ),
}));
const wellFormed = (text: string) => Buffer.from(text).toString();
const spelled = (json: string, ascii: boolean) =>
  ascii ? json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : json;

function kindOf(plain: unknown): string {
  if (plain === null) return 'null';
  return Array.isArray(plain) ? 'array' : typeof plain;
}

function check(node: JsonNode, plain: unknown, source: string): void {
  const kind = kindOf(plain);
  const is = [node.isString, node.isArray, node.isObject, node.isNull];
  expect([node.kind, ...is]).toEqual([kind, kind === 'string', kind === 'array', kind === 'object', kind === 'null']);
  expect([node.string, node.number, node.boolean]).toEqual([
    typeof plain === 'string' ? plain : undefined,
    typeof plain === 'number' ? plain : undefined,
    typeof plain === 'boolean' ? plain : undefined,
  ]);
  const bytes = Buffer.from(source).subarray(node.start, node.end);
  if (typeof plain === 'string') {
    expect([node.text, node.text]).toEqual([plain, plain]);
    expect(node.byteLength).toBe(bytes.length - 2);
    expect(node.isVerbatim).toBe(!bytes.includes('\\'));
    expect(node.isPlain).toBe(!bytes.includes('\\') && bytes.length - 2 === plain.length);
  } else expect([node.text, node.byteLength]).toEqual([bytes.toString(), bytes.length]);
  const items = Array.isArray(plain) ? plain : [];
  expect(node.length).toBe(items.length);
  expect([node.items().length, node.items(2).length]).toEqual([items.length, Math.min(2, items.length)]);
  node.items().forEach((item, index) => void check(item, items[index], source));
  const members = kind === 'object' ? Object.entries(plain as object) : [];
  expect(node.members().map(({ key }) => key.text)).toEqual(members.map(([name]) => name));
  const keys = new Keys(NAMES);
  const found = node.find(keys);
  for (const [index, name] of NAMES.entries()) {
    const [, member] = members.find(([key]) => key === name) ?? [];
    expect(node.get(name) === undefined).toBe(member === undefined);
    expect(node.nodeAt(found[index]!)?.is(node.get(name)) ?? 'none').toBe(member === undefined ? 'none' : true);
    expect(node.stringAt(found[index]!)).toBe(typeof member === 'string' ? member : undefined);
    expect(node.isAt(found[index]!)).toBe(member !== undefined && member !== null);
    expect(node.nameAt(found[index]!, new Keys(NAMES))).toBe(NAMES.indexOf(member as string));
  }
  node.members().forEach(({ value: member }, index) => void check(member, members[index]![1], source));
}

it('say what JSON.parse says', () => {
  fc.assert(
    fc.property(value, fc.boolean(), fc.constantFrom(undefined, 1, '\t'), (plain, ascii, indent) => {
      const source = wellFormed(spelled(JSON.stringify(plain, null, indent), ascii));
      check(parse(source), JSON.parse(source), source);
    }),
    runs(1 / 30),
  );
});

it('refuse what stands behind a value', () => {
  expect(() => parse('1 2')).toThrow('expected the end of the JSON');
  expect(() => parse('[1')).toThrow('the JSON ends in the middle of a value');
  expect(parse(' 1 \n').number).toBe(1);
});

it('are laid out as JSON.stringify lays out', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, 2), (plain, indent) => {
      const source = wellFormed(JSON.stringify([0, plain, 1]));
      expect(layOut(parse(source).items()[1]!, indent)).toBe(JSON.stringify(JSON.parse(source)[1], null, indent));
    }),
    runs(1 / 30),
  );
});

it('are printed on one line by slices of their own bytes, one if they have no spaces', () => {
  const slicesOf = (node: JsonNode) => {
    const slices: string[] = [];
    printOnOneLine({ slice: (bytes, start, end) => slices.push(bytes.toString('utf8', start, end)) }, node);
    return slices;
  };
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, 2), (plain, indent) => {
      const source = wellFormed(JSON.stringify([0, plain, 1], null, indent));
      const slices = slicesOf(parse(source).items()[1]!);
      expect(slices.join('')).toBe(JSON.stringify(JSON.parse(source)[1]));
      if (indent === 0) expect(slices).toHaveLength(1);
    }),
    runs(1 / 30),
  );
  expect(slicesOf(parse(' { "a b" : [ 1 ,\t" " ] }\r\n')).join('')).toBe('{"a b":[1," "]}');
});

it('stand on one line from the hundredth level on', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const laidOut = (depth: number) => layOut(parse(deep(depth)), 1);
  expect(laidOut(100)).toBe(JSON.stringify(JSON.parse(deep(100)), null, 1));
  expect(laidOut(101)).not.toBe(JSON.stringify(JSON.parse(deep(101)), null, 1));
  expect(JSON.parse(laidOut(150))).toEqual(JSON.parse(deep(150)));
  expect(laidOut(150).split('\n')).toHaveLength(201);
});

describe('edits', () => {
  const node = parse('{"a":"x","b":[1,2,3],"c":null,"d":true,"e":{"f":1}}');
  const list = node.get('b')!;
  const items = list.items();

  it.each([
    [{ a: 'x' }, true],
    [{ a: 'y' }, false],
    [{ b: list }, true],
    [{ b: node.get('e')! }, false],
    [{ c: null }, true],
    [{ a: null }, false],
    [{ d: true }, true],
    [{ d: false }, false],
    [{ c: false }, false],
    [{ z: undefined }, true],
    [{ a: undefined }, false],
    [{ a: 'x', d: false }, false],
  ])('%j are none where nothing differs', (fields, isSame) => {
    expect(patch(node, fields) === node).toBe(isSame);
  });

  it('of elements are none where they are the same, in the same order', () => {
    expect(patchItems(list, items)).toBe(list);
    for (const other of [items.slice(1), items.slice(0, 2), items.toReversed(), [...items, 4], []])
      expect(patchItems(list, other)).not.toBe(list);
    const others = parse('[1,2,3]').items();
    expect(patchItems(list, others)).not.toBe(list);
  });

  it('take the place of what has no members or elements', () => {
    expect(patch(list, { a: 1 })).toEqual({ a: 1 });
    expect(patchItems(node, [1])).toEqual([1]);
    expect(patchEach(node, () => 1)).toBe(node);
  });

  it('change or drop each element', () => {
    expect(patchEach(list, (item) => item)).toBe(list);
    expect(printed(patchEach(list, (item, index) => (index === 1 ? undefined : item)))).toBe('[1,3]');
    expect(printed(patchEach(list, (item, index) => (index === 1 ? 'x' : item)))).toBe('[1,"x",3]');
  });

  it('go on top of one another', () => {
    const once = patch(node, { a: 'y', c: 'z' });
    expect(printed(amend(node, once, { a: 'w', d: undefined }))).toBe('{"a":"w","b":[1,2,3],"c":"z","e":{"f":1}}');
    expect(amend(node, once, { a: 'x' })).toBe(once);
    expect(printed(amend(node, node, { a: 'w' }))).toBe(printed(patch(node, { a: 'w' })));
  });
});

describe('JSON in strings', () => {
  it('is found at any depth, and put back as it was around', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.constantFrom('', ' ', '\n '), (depth, space) => {
        let inner = `${space}{"a" : 1,"é":[ ]}${space}`;
        for (let level = 0; level < depth; level++) inner = `${space}${JSON.stringify(inner)}${space}`;
        const node = parse(inner);
        const found = nested(node);
        expect(found.strings).toHaveLength(depth);
        expect(found.value.get('a')?.number).toBe(1);
        expect(renested(found, found.value)).toBe(found.strings[0] ?? found.value);
        const changed = renested(found, patch(found.value, { a: 'new' }));
        const text = depth === 0 ? printed(changed) : printed(patch(parse(`{"k":${inner}}`), { k: changed }));
        let back = depth === 0 ? text : JSON.parse(text).k;
        for (let level = 1; level < depth; level++) back = JSON.parse(back);
        expect(back.trim()).toBe('{"a" : "new","é":[ ]}');
      }),
      runs(1 / 100),
    );
  });

  it.each(['"1"', '"x"', '"[1"', '"null"', '"{}x"', '7', '""'])('%s holds none', (source) => {
    const node = parse(source);
    expect(nested(node)).toEqual({ value: node, strings: [] });
  });
});

it('columns are counted as editors count them', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '日', '😀')), (characters) => {
      const text = characters.join('');
      const bytes = Buffer.from(`x${text}y`);
      expect(unitsIn(bytes, 1, bytes.length - 1)).toBe(text.length);
    }),
    runs(1 / 100),
  );
});

it('visits the members of objects alone', () => {
  const visited = (json: string) => {
    const found: [number, string][] = [];
    parse(json).eachMember(new Keys(['a', 'b']), (key, value) => found.push([key, value.json]));
    return found;
  };
  expect(visited('{"b": 1, "c": [2], "a": 3, "b": 4}')).toEqual([
    [1, '1'],
    [-1, '[2]'],
    [0, '3'],
    [1, '4'],
  ]);
  for (const other of ['["a", "b", {"a": 1}]', '"a"', '5', 'null', '{}', '[]']) expect(visited(other)).toEqual([]);
});
