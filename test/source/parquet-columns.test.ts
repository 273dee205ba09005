/**
 * Nested columns of Parquet by their annotations, and rows of them as JSON and back:
 * https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types (2026-11-26).
 */
import type { SchemaElement } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parse } from '../../src/json/node.js';
import { type Column, columnsOf, hasPlainOrder } from '../../src/source/parquet/columns.js';
import { Misfit, rowJson, rowValues } from '../../src/source/parquet/json.js';
import { type LeafType, storedLeaf } from '../../src/source/parquet/leaves.js';

type Fields = Partial<SchemaElement>;
const element = (name: string, fields: Fields) => ({ name, ...fields }) as SchemaElement;
const group = (name: string, count: number, more: Fields = {}) =>
  element(name, { repetition_type: 'OPTIONAL', num_children: count, ...more });
const repeated = (name: string, count: number) => group(name, count, { repetition_type: 'REPEATED' });
const leaf = (name: string, more: Fields = {}) =>
  element(name, { type: 'INT64', repetition_type: 'OPTIONAL', ...more });
const text = (name: string) =>
  leaf(name, { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } });
const columns = (...schema: SchemaElement[]) => {
  const isTop = (_: unknown, index: number) => depthAt(schema, index) === 0;
  return columnsOf([element('schema', { num_children: schema.filter(isTop).length }), ...schema]);
};

/** How many groups are open before an element. */
function depthAt(schema: readonly SchemaElement[], index: number): number {
  const left: number[] = [];
  for (const { num_children: count = 0 } of schema.slice(0, index)) {
    if (left.length > 0) left.push(left.pop()! - 1);
    if (count > 0) left.push(count);
    while (left.at(-1) === 0) left.pop();
  }
  return left.length;
}

const logical = (type: string): Fields => ({ logical_type: { type } as NonNullable<SchemaElement['logical_type']> });
const NONE: Fields = {};
const LISTS: readonly Fields[] = [
  { converted_type: 'LIST' },
  logical('LIST'),
  { converted_type: 'LIST', ...logical('LIST') },
];
const MAPS: readonly Fields[] = [
  ...[{ converted_type: 'MAP' } as const, { converted_type: 'MAP_KEY_VALUE' } as const, logical('MAP')],
  { converted_type: 'MAP', ...logical('MAP') },
];

const kindOf = (column: Column): unknown => {
  if (column.kind === 'list') return { [column.within ?? 'list']: kindOf(column.item) };
  if (column.kind === 'map') return { [`map ${column.within}`]: [kindOf(column.key), kindOf(column.value)] };
  return column.kind === 'leaf' ? column.type : column.members.map(kindOf);
};
const shapeOf = (...schema: SchemaElement[]) => {
  const { all, unwritable } = columns(...schema);
  return [kindOf(all[0]!), unwritable?.replace(/^its column `([^`]*)` /, '$1 ')];
};

describe('a group', () => {
  it.each(LISTS)('with %j is a list of what its only child repeats', (annotation) => {
    const list = group('l', 1, annotation);
    expect(shapeOf(list, repeated('list', 1), leaf('element'))).toEqual([{ list: 'int64' }, undefined]);
    expect(shapeOf(list, leaf('array', { repetition_type: 'REPEATED' }))).toEqual([{ list: 'int64' }, undefined]);
    expect(shapeOf(list, repeated('element', 2), leaf('a'), text('b'))).toEqual([
      { element: ['int64', 'text'] },
      'l is a list or map of an old form',
    ]);
    expect(shapeOf(list, repeated('key_value', 2), leaf('key'), leaf('value'))).toEqual([
      { key_value: ['int64', 'int64'] },
      'l is a list or map of an old form',
    ]);
    expect(shapeOf(list, repeated('list', 1), group('element', 1, annotation), repeated('list', 1), text('x'))).toEqual(
      [{ list: { list: 'text' } }, undefined],
    );
  });

  it.each(MAPS)('with %j is a map of keys and values, and of an old form if they have other names', (annotation) => {
    const map = [group('m', 1, annotation), repeated('entries', 2)];
    expect(shapeOf(...map, text('key'), leaf('value'))).toEqual([{ 'map entries': ['text', 'int64'] }, undefined]);
    const old = 'm is a list or map of an old form';
    expect(shapeOf(...map, text('key'), leaf('v'))).toEqual([{ entries: ['text', 'int64'] }, old]);
    expect(shapeOf(...map, text('k'), leaf('value'))).toEqual([{ entries: ['text', 'int64'] }, old]);
    expect(shapeOf(group('m', 1, annotation), repeated('entries', 1), text('key'))).toEqual([
      { entries: ['text'] },
      old,
    ]);
    expect(shapeOf(group('m', 1, annotation), repeated('e', 3), text('key'), leaf('value'), leaf('x'))).toEqual([
      { e: ['text', 'int64', 'int64'] },
      old,
    ]);
  });

  it.each([...LISTS, ...MAPS])('with %j that repeats nothing is a struct', (annotation) => {
    expect(shapeOf(group('s', 1, annotation), leaf('a'))).toEqual([['int64'], undefined]);
    expect(shapeOf(group('s', 2, annotation), leaf('a'), text('b'))).toEqual([['int64', 'text'], undefined]);
  });

  it('without an annotation is a struct, whatever it repeats', () => {
    expect(shapeOf(group('s', 1), repeated('list', 1), leaf('element'))).toEqual([
      [{ list: ['int64'] }],
      's.list is repeated without being a list',
    ]);
    expect(shapeOf(group('s', 1), leaf('a', { repetition_type: 'REPEATED' }))).toEqual([
      [{ list: 'int64' }],
      's.a is repeated without being a list',
    ]);
  });

  it('is no variant that could be written, and a leaf no INT96', () => {
    const variant = group('v', 2, logical('VARIANT'));
    expect(shapeOf(variant, leaf('metadata'), leaf('value'))).toEqual([['int64', 'int64'], 'v is a VARIANT']);
    expect(shapeOf(leaf('t', { type: 'INT96' }))).toEqual(['int96', 't is INT96, an old form of timestamps']);
  });
});

it.each<[Fields, Fields, Fields]>([
  ...[NONE, { converted_type: 'ENUM' } as const].map((one): [Fields, Fields, Fields] => [one, NONE, NONE]),
  ...LISTS.map((one): [Fields, Fields, Fields] => [one, { converted_type: 'LIST' }, { converted_type: 'LIST' }]),
  ...MAPS.map((one): [Fields, Fields, Fields] => [one, NONE, { converted_type: 'MAP' }]),
])('a group with %j is decoded with %j and encoded with %j', (annotation, decoded, encoded) => {
  const { stored, written } = columns(group('x', 1, annotation), leaf('a'));
  expect(stored[1]).toEqual(group('x', 1, decoded));
  expect(written[1]).toEqual(group('x', 1, encoded));
});

it.each<[Fields, Fields]>([
  [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, { converted_type: 'UTF8' }],
  [{ type: 'BYTE_ARRAY', ...logical('ENUM') }, { converted_type: 'UTF8' }],
  [{ type: 'BYTE_ARRAY', converted_type: 'JSON' }, { converted_type: 'UTF8' }],
  [{ type: 'BYTE_ARRAY' }, {}],
  [{ type: 'INT32', converted_type: 'DATE' }, {}],
  [{ type: 'INT64', converted_type: 'LIST' }, {}],
])('a leaf with %j is decoded bare, and encoded with %j', (fields, encoded) => {
  const { stored, written } = columns(leaf('x', fields));
  expect(stored[1]).toEqual(leaf('x', { type: fields.type! }));
  expect(written[1]).toEqual(leaf('x', { type: fields.type!, ...encoded }));
});

it('the least and greatest values are told of texts and plain numbers, however deep', () => {
  const { all } = columns(
    ...[leaf('a'), text('b'), leaf('c', { type: 'INT32', converted_type: 'DATE' }), leaf('d', { type: 'DOUBLE' })],
    ...[group('l', 1, LISTS[0]), repeated('list', 1), leaf('element', { converted_type: 'UINT_64' })],
    ...[group('m', 1, MAPS[0]), repeated('kv', 2), text('key'), leaf('value')],
    ...[group('n', 1, MAPS[0]), repeated('kv', 2), text('key'), leaf('value', { converted_type: 'UINT_64' })],
    ...[group('o', 1, MAPS[0]), repeated('kv', 2), leaf('key', { converted_type: 'UINT_64' }), text('value')],
    ...[group('s', 2), leaf('a'), leaf('b', { converted_type: 'UINT_64' })],
    ...[group('t', 2), leaf('a'), leaf('b')],
  );
  const plain = all.filter(hasPlainOrder).map(({ name }) => name);
  expect(plain).toEqual(['a', 'b', 'd', 'm', 't']);
});

describe('rows', () => {
  const { all } = columns(
    ...[leaf('n'), text('t'), group('s', 3), text('content'), text('role'), leaf('x')],
    ...[group('l', 1, LISTS[0]), repeated('list', 1), group('element', 1), leaf('a')],
    ...[group('m', 1, MAPS[0]), repeated('kv', 2), text('key'), leaf('value')],
    ...[group('i', 1, MAPS[0]), repeated('kv', 2), leaf('key'), text('value')],
  );
  const bytes = (of: string) => Buffer.from(of);
  const entry = (key: unknown, value: unknown) => ({ key, value });
  const { within } = all.find(({ kind }) => kind === 'map') as Extract<Column, { kind: 'map' }>;

  it.each<[string, readonly unknown[], string]>([
    ['nothing', [], '{"n":null,"t":null,"s":null,"l":null,"m":null,"i":null}'],
    [
      'members of structs only where they have a value, but a content',
      [1n, bytes('é"'), { role: bytes('user') }, [{ a: 1n }, {}, null], undefined, null],
      '{"n":1,"t":"é\\"","s":{"content":null,"role":"user"},"l":[{"a":1},{},null],"m":null,"i":null}',
    ],
    [
      'a map of texts as an object, another as a list of entries',
      [
        null,
        null,
        { content: bytes(''), x: 0n },
        [],
        { [within]: [entry(bytes('a'), 1n), entry(bytes('b'), null)] },
        { [within]: [entry(1n, bytes('x'))] },
      ],
      '{"n":null,"t":null,"s":{"content":"","x":0},"l":[],"m":{"a":1,"b":null},"i":[{"key":1,"value":"x"}]}',
    ],
    [
      'a map with a key twice as a list, and an empty one as an object',
      [null, null, null, null, { [within]: [entry(bytes('a'), 1n), entry(bytes('a'), 2n)] }, { [within]: [] }],
      '{"n":null,"t":null,"s":null,"l":null,"m":[{"key":"a","value":1},{"key":"a","value":2}],"i":{}}',
    ],
    [
      'a map without its entries as null',
      [null, null, null, null, { [within]: null }, {}],
      '{"n":null,"t":null,"s":null,"l":null,"m":null,"i":null}',
    ],
  ])('show %s', (_, values, json) => {
    expect(rowJson(all, values)).toBe(json);
  });

  it.each<[string, readonly unknown[]]>([
    ['{}', [undefined, undefined, undefined, undefined, undefined, undefined]],
    [
      '{"n":5,"m":{"a":1,"b":null},"other":null}',
      [5n, undefined, undefined, undefined, [entry('a', 1n), entry('b', null)], undefined],
    ],
    [
      '{"i":[{"key":1,"value":"x"},{"key":2}]}',
      [undefined, undefined, undefined, undefined, undefined, [entry(1n, 'x'), entry(2n, null)]],
    ],
    [
      '{"l":[{"a":1},null,{}],"s":{"role":null}}',
      [undefined, undefined, { role: null }, [{ a: 1n }, null, {}], undefined, undefined],
    ],
  ])('of %s have these values', (json, values) => {
    expect(rowValues(all, parse(json))).toEqual(values);
  });

  it.each([
    ['[]', '`` is not an object'],
    ['{"other":1}', '`other` has no column'],
    ['{"s":{"y":1}}', '`s.y` has no column'],
    ['{"s":[]}', '`s` is not an object'],
    ['{"l":{}}', '`l` is not a list'],
    ['{"l":[{"a":"x"}]}', '`l[].a` is no integer of 64 bits'],
    ['{"t":5}', '`t` is no text'],
    ['{"m":5}', '`m` is neither an object nor a list of entries'],
    ['{"m":{"a":"x"}}', '`m{}` is no integer of 64 bits'],
    ['{"m":[{"key":1,"value":1}]}', '`m` is no text'],
    ['{"s":{"role":"\\ud83d"}}', '`s.role` has half of a surrogate pair, which is no character of UTF-8'],
  ])('of %s do not fit: %s', (json, why) => {
    expect(() => rowValues(all, parse(json))).toThrow(new Misfit(why));
  });
});

/** Of each type a value that it can store, what is stored, and values that are none of it. */
describe('a leaf', () => {
  const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
  it.each<[LeafType, Fields, string, unknown, readonly string[]]>([
    ['text', NONE, '"a"', 'a', ['1', 'true', '[]', 'null']],
    ['bytes', NONE, '"ab"', Buffer.from('ab'), ['1', '{}', '[256]']],
    [
      'uuid',
      { type_length: 16 },
      `"${UUID}"`,
      Buffer.from(UUID.replaceAll('-', ''), 'hex'),
      ['"0f8f"', '1'.repeat(32)],
    ],
    ['boolean', NONE, 'true', true, ['1', '"true"', 'null']],
    ['int32', NONE, '-5', -5, ['2147483648', '1.5', '"5"', 'true']],
    ['uint32', NONE, '7', 7, ['-1', '4294967296', '"7"']],
    ['int64', NONE, '9007199254740993', 9007199254740993n, ['9223372036854775808', '0.5', '"1"']],
    ['uint64', NONE, '1', 1n, ['-1', '18446744073709551616']],
    ['number', { type: 'DOUBLE' }, '1.5', 1.5, ['"1.5"', 'true', 'null', '9007199254740993', '9223372036854775808']],
    ['number', { type: 'DOUBLE' }, '-9007199254740991', -9007199254740991, []],
    ['date', NONE, '"1970-01-02"', 1, ['"soon"', '1.5', 'true']],
  ])('of %s stores what fits, and nothing else', (type, fields, good, stored, wrong) => {
    expect(storedLeaf(type, element('x', fields), parse(good))).toEqual(stored);
    for (const json of wrong)
      expect([json, storedLeaf(type, element('x', fields), parse(json))]).toEqual([json, undefined]);
  });
});
