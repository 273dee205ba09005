/**
 * Parquet by the modules alone: files that DuckDB wrote, with what pyarrow 25 reads of them (types.jsonl); and values
 * at the bounds of each type: https://parquet.apache.org/docs/file-format/types/logicaltypes/ (2026-11-26).
 */
import { readFileSync } from 'node:fs';
import type { SchemaElement } from 'hyparquet';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { compressors } from 'hyparquet-compressors';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { describe, expect, it } from 'vitest';
import { parse } from '../../src/json/node.js';
import { columnsOf } from '../../src/source/parquet/columns.js';
import { leafJson, leafTypeOf, storedLeaf } from '../../src/source/parquet/leaves.js';
import { openParquet } from '../../src/source/parquet/read.js';
import { fits, inferredForm, parquetOf } from '../../src/source/parquet/write.js';
import { readerOver } from '../../src/source/read-back.js';

const CODECS = ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'];
const FILES = CODECS.flatMap((codec) => [`types-${codec}-V1`, `types-${codec}-V2`]);
const TYPES = readFileSync('fixtures/parquet/types.jsonl', 'utf8');
const bytesOf = (name: string) => readFileSync(`fixtures/parquet/${name}.parquet`);
const inMemory = (bytes: Uint8Array) => ({
  length: bytes.length,
  at: (position: number, length: number) => bytes.subarray(position, position + length),
});
const opened = (bytes: Uint8Array) => openParquet(inMemory(bytes), compressors);
const linesOf = (bytes: Uint8Array) => [...opened(bytes).lines()].join('');
const writing = (text: string) => ({ lines: () => readerOver(Buffer.from(text)), packers: {} });

describe('files of DuckDB', () => {
  it.each(FILES)('%s reads as it does elsewhere', (name) => {
    const file = opened(bytesOf(name));
    expect(file.rows).toBe(6);
    expect([...file.lines()].join('')).toBe(TYPES);
  });

  it('are written again with the same schema, and read the same', () => {
    const { form } = opened(bytesOf('types-zstd-V2'));
    expect(fits(writing(TYPES), form)).toBe(true);
    const again = Buffer.concat([...parquetOf(writing(TYPES), form)]);
    expect(linesOf(again)).toBe(TYPES);
    expect(opened(again).form.schema).toEqual(form.schema);
  });

  it('of every length are refused, but for the whole', () => {
    const bytes = bytesOf('conversations');
    for (let length = 0; length < bytes.length; length++)
      expect(() => linesOf(bytes.subarray(0, length)), `${length}`).toThrow('the Parquet file cannot be read');
    expect(linesOf(bytes).split('\n')).toHaveLength(7);
  });

  it('with any byte damaged are read or refused, with as many rows as they say', () => {
    const bytes = bytesOf('conversations');
    for (let at = 4; at < bytes.length; at += 3) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x15;
      try {
        const file = opened(damaged);
        const lines = [...file.lines()].join('').split('\n');
        expect(lines.length - 1).toBeLessThanOrEqual(Math.max(6, file.rows));
        for (const line of lines.slice(0, -1)) JSON.parse(line);
      } catch (error) {
        expect((error as Error).message, `${at}`).toMatch(/^the Parquet file cannot be read: ./);
      }
    }
  });
});

it.each(['snappy-V1', 'lz4-V1', 'gzip-V2', 'zstd-V2', 'brotli-V1'])(
  'columns of nulls, whose dictionaries are empty, read as pyarrow reads them: %s',
  (name) => {
    const expected = readFileSync('fixtures/parquet/nulls.jsonl', 'utf8');
    expect(linesOf(bytesOf(`nulls-${name}`))).toBe(expected);
  },
);

/** Where runs stand in the first page of each column: levels behind their length, or words of a dictionary. */
function runsIn(bytes: Buffer) {
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return parquetMetadata(whole).row_groups[0]!.columns.map(({ meta_data: column }) => {
    const reader = { view: new DataView(whole), offset: Number(column!.data_page_offset) };
    const { type } = parquetHeader(reader);
    return reader.offset + (type === 'DATA_PAGE' ? 4 : 0);
  });
}

it.each(['V1', 'V2'])('a run of %s that is longer than its page is refused, not followed', (version) => {
  const bytes = bytesOf(`types-uncompressed-${version}`);
  const starts = runsIn(bytes);
  expect(starts.length).toBeGreaterThan(20);
  for (const start of starts) {
    const damaged = Buffer.from(bytes);
    damaged.set([0xfe, 0xff, 0xff, 0xff, 0x07, 0x01], start); // 2^30 values, less one
    expect(() => linesOf(damaged)).toThrow(/a page has more values than it says/);
  }
});

/** Statistics of a page are in its head: https://parquet.apache.org/docs/file-format/data-pages/ (2026-11-27). */
it.each([10, 2000, 100_000])('a page whose statistics hold a value of %i bytes is read', (length) => {
  const line = '{"a":"x"}\n';
  const plain = Buffer.concat([...parquetOf(writing(line), inferredForm(writing(line)))]);
  const metadata = parquetMetadata(plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length));
  const { meta_data: column } = metadata.row_groups[0]!.columns[0]!;
  const reader = { view: new DataView(plain.buffer, plain.byteOffset, plain.length), offset: 4 };
  expect(parquetHeader(reader).type).toBe('DATA_PAGE_V2');
  const end = 4 + Number(column!.total_compressed_size);
  const out = new ByteWriter();
  out.appendBytes(plain.subarray(0, reader.offset - 2)); // the marks that end the head and its part of a data page
  out.appendBytes(Uint8Array.of(0x1c, 0x18)); // in Thrift: the statistics, of which the first field is the greatest
  out.appendVarInt(length);
  out.appendBytes(Buffer.alloc(length, 'x'));
  out.appendUint8(0);
  out.appendBytes(plain.subarray(reader.offset - 2, end));
  column!.total_compressed_size = BigInt(out.offset - 4);
  writeMetadata(out, metadata as Parameters<typeof writeMetadata>[1]); // the writer has older types of its own
  out.appendUint32(0x31524150);
  expect(linesOf(out.getBytes())).toBe(line);
});

describe('rows of JSON', () => {
  const row = (index: number) => ({
    n: index,
    x: index === 0 ? 1 : 0.5 * index,
    ok: index % 2 === 0,
    text: `é😀 ${'long '.repeat(index % 7)}`,
    list: Array.from({ length: index % 4 }, (_, at) => ({ at, inner: [`${at}`, null] })),
  });

  it('are read the same by another reader, over many pages and batches', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => row(index));
    const text = rows.map((one) => `${JSON.stringify(one)}\n`).join('');
    const bytes = Buffer.concat([...parquetOf(writing(text), inferredForm(writing(text)))]);
    const lines = linesOf(bytes)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const others = await parquetReadObjects({ file });
    expect(lines).toHaveLength(2000);
    for (const [index, one] of lines.entries()) {
      expect(one).toEqual(rows[index]);
      const { n, x, ok, text: said, list } = others[index]!;
      expect({ n: Number(n), x, ok, text: said, length: list.length }).toEqual({
        ...{ n: index, x: rows[index]!.x, ok: rows[index]!.ok, text: rows[index]!.text },
        length: index % 4,
      });
    }
  });

  it('keep integers to the last digit, or are refused', () => {
    const written = (text: string) =>
      linesOf(Buffer.concat([...parquetOf(writing(text), inferredForm(writing(text)))]));
    for (const n of ['1234567890123456789', '9223372036854775807', '-9223372036854775808', '1000000000000000000'])
      expect(written(`{"n":${n}}\n`)).toBe(`{"n":${n}}\n`);
    for (const rows of ['{"n":9223372036854775808}\n', '{"n":0.5}\n{"n":1234567890123456789}\n'])
      expect(() => written(rows)).toThrow('`n` is no number that such a column holds to the last digit');
  });

  it('have columns of the widest type, each of which may be null', () => {
    const text = '{"a":1,"b":1,"c":null,"d":true,"e":[],"f":{"g":"x"}}\n{"b":2.5,"e":[[1]],"f":{"h":null}}\n';
    const { schema } = inferredForm(writing(text));
    const told = schema.map(({ name, type, converted_type, repetition_type, num_children }) =>
      [name, type, converted_type, repetition_type, num_children].filter((one) => one !== undefined).join(' '),
    );
    expect(told).toEqual([
      'schema 6',
      'a INT64 OPTIONAL',
      'b DOUBLE OPTIONAL',
      'c BYTE_ARRAY UTF8 OPTIONAL',
      'd BOOLEAN OPTIONAL',
      'e LIST OPTIONAL 1',
      'list REPEATED 1',
      'element LIST OPTIONAL 1',
      'list REPEATED 1',
      'element INT64 OPTIONAL',
      'f OPTIONAL 2',
      'g BYTE_ARRAY UTF8 OPTIONAL',
      'h BYTE_ARRAY UTF8 OPTIONAL',
    ]);
  });

  it.each([
    ['{"a":1}\n{"a":"x"}\n', '`a` is a text here and an integer in a row before'],
    ['{"a":[1]}\n{"a":[true]}\n', '`a[]` is a boolean here and an integer in a row before'],
    ['{"a":{"b":[]}}\n{"a":{"b":{}}}\n', '`a.b` is a struct here and a list in a row before'],
    ['{}\n', 'there is no row with a member'],
    ['{"a":{}}\n', '`a` has no member in any row, and a column needs one'],
  ])('without one type a column are refused: %s', (text, why) => {
    expect(() => inferredForm(writing(text))).toThrow(`it cannot be written as Parquet: ${why}`);
  });

  it.each([
    ['{"n":1}', true],
    ['{"n":null}', true],
    ['{"n":9223372036854775807}', true],
    ['{"n":9223372036854775808}', false],
    ['{"n":1.5}', false],
    ['{"n":"1"}', false],
    ['{"m":1}', false],
    ['{"m":null}', true],
    ['[1]', false],
  ])('fit into a column of integers: %s %s', (text, does) => {
    expect(fits(writing(`${text}\n`), inferredForm(writing('{"n":1}\n')))).toBe(does);
  });
});

const element = (fields: Partial<SchemaElement>): SchemaElement => ({ name: 'x', ...fields }) as SchemaElement;
const bytes = (...values: number[]) => Uint8Array.from(values);
const logical = (type: string, more: object = {}) => ({ logical_type: { type, ...more } }) as Partial<SchemaElement>;
const INT32 = { type: 'INT32' } as const;
const INT64 = { type: 'INT64' } as const;
const BYTES = { type: 'BYTE_ARRAY' } as const;
const timestamp = (unit: string, isAdjustedToUTC: boolean) => ({
  ...INT64,
  ...logical('TIMESTAMP', { unit, isAdjustedToUTC }),
});
const decimal = (scale: number, type: string, more: object = {}) =>
  ({ type, converted_type: 'DECIMAL', scale, precision: 9, ...more }) as Partial<SchemaElement>;
const fixed = (length: number, more: object = {}) =>
  ({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: length, ...more }) as Partial<SchemaElement>;

/** Bytes as numbers; a text is stored as its bytes. */
const bare = (value: unknown) =>
  value instanceof Uint8Array || typeof value === 'string' ? [...Buffer.from(value as string)] : value;

describe('values', () => {
  it.each<[string, Partial<SchemaElement>, unknown, string]>([
    ['int32', INT32, -(2 ** 31), '-2147483648'],
    ['uint32', { ...INT32, converted_type: 'UINT_32' }, -1, '4294967295'],
    ['uint32', { ...INT32, ...logical('INTEGER', { isSigned: false, bitWidth: 32 }) }, 2 ** 31 - 1, '2147483647'],
    ['int32', { ...INT32, ...logical('INTEGER', { isSigned: true, bitWidth: 32 }) }, -1, '-1'],
    ['int64', INT64, -(2n ** 63n), '-9223372036854775808'],
    ['uint64', { ...INT64, converted_type: 'UINT_64' }, -1n, '18446744073709551615'],
    ['boolean', { type: 'BOOLEAN' }, true, 'true'],
    ['number', { type: 'DOUBLE' }, 0.1, '0.1'],
    ['number', { type: 'DOUBLE' }, -0, '-0.0'],
    ['number', { type: 'DOUBLE' }, Number.NaN, '"NaN"'],
    ['number', { type: 'FLOAT' }, Number.NEGATIVE_INFINITY, '"-Infinity"'],
    ['text', { ...BYTES, converted_type: 'UTF8' }, bytes(0xc3, 0xa9), '"é"'],
    ['text', { ...BYTES, ...logical('ENUM') }, bytes(0x78), '"x"'],
    ['text', { ...BYTES, ...logical('JSON') }, bytes(0x7b, 0x7d), '"{}"'],
    ['text', { ...BYTES, converted_type: 'JSON' }, bytes(), '""'],
    ['bytes', BYTES, bytes(0x61), '"a"'],
    ['bytes', BYTES, bytes(0xff), '{"base64":"/w=="}'],
    ['fixed', fixed(2), bytes(0x61, 0x62), '{"base64":"YWI="}'],
    [
      'uuid',
      fixed(16, logical('UUID')),
      bytes(...Array.from({ length: 16 }, (_, at) => at * 17)),
      '"00112233-4455-6677-8899-aabbccddeeff"',
    ],
    ['date', { ...INT32, converted_type: 'DATE' }, 0, '"1970-01-01"'],
    ['date', { ...INT32, ...logical('DATE') }, -1, '"1969-12-31"'],
    ['date', { ...INT32, ...logical('DATE') }, 2932896, '"9999-12-31"'],
    ['date', { ...INT32, ...logical('DATE') }, 2932897, '2932897'],
    ['date', { ...INT32, ...logical('DATE') }, -719162, '"0001-01-01"'],
    ['date', { ...INT32, ...logical('DATE') }, -719163, '-719163'],
    ['timestamp', timestamp('MILLIS', true), 1n, '"1970-01-01T00:00:00.001Z"'],
    ['timestamp', timestamp('MICROS', false), -1n, '"1969-12-31T23:59:59.999999"'],
    ['timestamp', timestamp('NANOS', true), 1_000_000_001n, '"1970-01-01T00:00:01.000000001Z"'],
    ['timestamp', { ...INT64, converted_type: 'TIMESTAMP_MILLIS' }, 1000n, '"1970-01-01T00:00:01.000Z"'],
    ['timestamp', { ...INT64, converted_type: 'TIMESTAMP_MICROS' }, 1000n, '"1970-01-01T00:00:00.001000Z"'],
    ['timestamp', timestamp('MILLIS', true), 253402300799999n, '"9999-12-31T23:59:59.999Z"'],
    ['timestamp', timestamp('MILLIS', true), 253402300800000n, '253402300800000'],
    ['decimal', decimal(2, 'INT32'), -5, '-0.05'],
    ['decimal', decimal(0, 'INT32'), 7, '7'],
    ['decimal', decimal(2, 'INT64'), 12345n, '123.45'],
    ['decimal', decimal(1, 'FIXED_LEN_BYTE_ARRAY', { type_length: 2 }), bytes(0xff, 0xfe), '-0.2'],
    ['decimal', decimal(1, 'BYTE_ARRAY'), bytes(), '0.0'],
    ['decimal', decimal(3, 'BYTE_ARRAY'), bytes(0x7f), '0.127'],
  ])('%s %#: %o is stored as it is read', (type, fields, stored, json) => {
    const schema = element(fields);
    expect(leafTypeOf(schema)).toBe(type);
    expect(leafJson(leafTypeOf(schema), schema, stored)).toBe(json);
    const back = storedLeaf(leafTypeOf(schema), schema, parse(json));
    const isShorter = type === 'decimal' && schema.type === 'BYTE_ARRAY'; // leading zeros
    if (isShorter) expect(leafJson('decimal', schema, back)).toBe(json);
    else expect(bare(back)).toEqual(bare(stored));
  });

  it.each<[Partial<SchemaElement>, string]>([
    [decimal(-2, 'INT32'), '700'],
    [{ type: 'INT96' }, '"1970-01-02T00:00:00.000000001"'],
  ])('%o is read, and not written', (fields, json) => {
    const schema = element(fields);
    const stored = schema.type === 'INT96' ? (2440589n << 64n) + 1n : 7;
    expect(leafJson(leafTypeOf(schema), schema, stored)).toBe(json);
    expect(storedLeaf(leafTypeOf(schema), schema, parse(json))).toBeUndefined();
  });

  it.each<[Partial<SchemaElement>, readonly string[]]>([
    [INT32, ['2147483648', '-2147483649', '1.0', '"1"', 'true']],
    [{ ...INT32, converted_type: 'UINT_32' }, ['-1', '4294967296']],
    [INT64, ['9223372036854775808', '-9223372036854775809']],
    [{ ...INT64, converted_type: 'UINT_64' }, ['-1', '18446744073709551616']],
    [{ type: 'BOOLEAN' }, ['1', '"true"']],
    [{ type: 'DOUBLE' }, ['"1"', 'true']],
    [{ type: 'FLOAT' }, ['0.1', '"nan"']],
    [{ ...BYTES, converted_type: 'UTF8' }, ['1', '{"base64":"/w=="}']],
    [BYTES, ['1', '{}', '{"base64":1}']],
    [fixed(2), ['{"base64":"YQ=="}', '"YWI="']],
    [fixed(16, logical('UUID')), ['"00"', '1']],
    [{ ...INT32, converted_type: 'DATE' }, ['"1970-1-1"', '"1970-13-01"', '"1970-01-01T00:00:00Z"']],
    [timestamp('MILLIS', true), ['"1970-01-01T00:00:00.001"', '"1970-01-01T00:00:00.0001Z"', '"x"', '1.5']],
    [timestamp('MICROS', false), ['"1970-01-01T00:00:00Z"', '"1970-01-01T25:00:00"']],
    [decimal(2, 'INT32'), ['0.001', '21474836.48', '"1"', '1e2']],
    [decimal(2, 'INT64'), ['92233720368547758.08']],
    [decimal(0, 'FIXED_LEN_BYTE_ARRAY', { type_length: 1 }), ['128', '-129']],
  ])('%o takes none of %o', (fields, texts) => {
    const schema = element(fields);
    for (const text of texts) expect(storedLeaf(leafTypeOf(schema), schema, parse(text)), text).toBeUndefined();
  });

  it('a text that is not UTF-8 is refused', () => {
    const schema = element({ ...BYTES, converted_type: 'UTF8' });
    expect(() => leafJson('text', schema, bytes(0xff))).toThrow('a text is not UTF-8');
    expect(leafJson('text', schema, Buffer.from('\ufffd'))).toBe('"\ufffd"');
  });
});

/** https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types (2026-11-26) */
describe('nested columns', () => {
  const group = (name: string, repetition: string, count: number, more: object = {}) =>
    element({
      name,
      repetition_type: repetition as 'OPTIONAL',
      num_children: count,
      ...more,
    } as Partial<SchemaElement>);
  const leaf = (name: string, repetition = 'OPTIONAL') =>
    element({ name, repetition_type: repetition as 'OPTIONAL', ...INT32 });
  const LIST = { converted_type: 'LIST' };
  const shapes = (...schema: SchemaElement[]) => {
    const { all, unwritable } = columnsOf([element({ name: 'schema', num_children: 1 }), ...schema]);
    const told = (column: (typeof all)[number]): unknown => {
      if (column.kind === 'leaf') return column.type;
      if (column.kind === 'list') return [told(column.item), ...(column.within ? [column.within] : [])];
      if (column.kind === 'map') return { map: [told(column.key), told(column.value)], within: column.within };
      return Object.fromEntries(column.members.map((member) => [member.name, told(member)]));
    };
    return [told(all[0]!), unwritable];
  };

  it('are lists, maps and structs, also of older forms', () => {
    const map = [group('m', 'REQUIRED', 1, { converted_type: 'MAP' }), group('key_value', 'REPEATED', 2)];
    expect(shapes(group('l', 'OPTIONAL', 1, LIST), group('list', 'REPEATED', 1), leaf('element'))).toEqual([
      ['int32'],
      undefined,
    ]);
    expect(shapes(group('l', 'OPTIONAL', 1, logical('LIST')), leaf('element', 'REPEATED'))).toEqual([
      ['int32'],
      undefined,
    ]);
    expect(shapes(...map, leaf('key', 'REQUIRED'), leaf('value'))).toEqual([
      { map: ['int32', 'int32'], within: 'key_value' },
      undefined,
    ]);
    expect(shapes(...map, leaf('k', 'REQUIRED'), leaf('value'))).toEqual([
      [{ k: 'int32', value: 'int32' }, 'key_value'],
      'its column `m` is a list or map of an old form',
    ]);
    const pairs = [group('l', 'OPTIONAL', 1, LIST), group('element', 'REPEATED', 2), leaf('a'), leaf('b')];
    expect(shapes(...pairs)[1]).toBe('its column `l` is a list or map of an old form');
    expect(shapes(leaf('r', 'REPEATED'))).toEqual([['int32'], 'its column `r` is repeated without being a list']);
    expect(shapes(element({ name: 'old', type: 'INT96' }))[1]).toContain('INT96');
  });

  it.each([
    ['its schema ends too early', [group('s', 'OPTIONAL', 1)]],
    ['its columns are nested too deeply', [group('s', 'OPTIONAL', 9)]],
    ['its column `s.a` cannot be told apart', [group('s', 'OPTIONAL', 2), leaf('a'), leaf('a')]],
    ['its column `__proto__` cannot be told apart', [leaf('__proto__')]],
    ['its column `s` has no values', [group('s', 'OPTIONAL', 0)]],
  ])('are refused: %s', (why, schema) => {
    expect(() => shapes(...schema)).toThrow(`the Parquet file cannot be read: ${why}`);
  });
});

it('knows the schema of a file as hyparquet does', () => {
  const bytesOfFile = bytesOf('types-snappy-V1');
  const { buffer, byteOffset, length } = bytesOfFile;
  const { schema, key_value_metadata: pairs } = parquetMetadata(
    buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer,
  );
  const { form } = opened(bytesOfFile);
  expect(form.schema).toEqual(schema);
  expect(form.pairs).toEqual(pairs ?? []);
  expect(form.codecs.get('id')).toBe('SNAPPY');
});
