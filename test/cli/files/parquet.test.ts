/**
 * Parquet in and out. The files in fixtures/parquet are DuckDB's; what types.jsonl holds of them was compared with what
 * pyarrow 25 reads. What DuckDB and pyarrow read of files written here: bench/NOTES.md.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetMetadata } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInput } from '../../../src/cli/files/input.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';
import { parse } from '../../../src/json/node.js';
import { columnsOf } from '../../../src/source/parquet/columns.js';
import { rowValues } from '../../../src/source/parquet/json.js';
import { runProgram } from '../../shared/program.js';

const FIXTURES = 'fixtures/parquet';
const TYPES = readFileSync(`${FIXTURES}/types.jsonl`, 'utf8');
const files = readdirSync(FIXTURES).filter((name) => name.startsWith('types-'));

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-parquet-'));
  for (const name of readdirSync(FIXTURES)) copyFileSync(join(FIXTURES, name), join(home, name));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const ctxTrim = (...words: string[]) => runProgram(words, { cwd: home });
const at = (name: string) => join(home, name);
const rowsIn = (name: string) => ctxTrim('select', '--min-messages=0', name).stdout;
const schemaIn = (name: string) => {
  const { schema } = parquetMetadata(new Uint8Array(readFileSync(at(name))));
  return schema;
};

describe('reading', () => {
  it.each(files)('%s: each row is a line of JSON, with every type', (name) => {
    expect(rowsIn(name)).toBe(TYPES);
  });

  it('finds messages as structs, as JSON, as conversations and as a trajectory', () => {
    for (const name of ['types-zstd-V1', 'json', 'trajectory', 'conversations']) {
      const { stdout } = ctxTrim('stats', '--format=json', `${name}.parquet`);
      const { transcripts } = JSON.parse(stdout);
      expect(transcripts.map(({ line }: { line: number }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('knows it by its bytes, also from a pipe, and in a folder by its name', () => {
    writeFileSync(at('odd.bin'), readFileSync(at('json.parquet')));
    expect(rowsIn('odd.bin')).toBe(rowsIn('json.parquet'));
    const input = readFileSync(at('json.parquet'));
    expect(runProgram(['select', '--min-messages=0'], { cwd: home, input }).stdout).toBe(rowsIn('json.parquet'));
    expect(ctxTrim('select', '--list', '--min-calls=1', '.').stdout).toContain('trajectory.parquet\n');
  });

  it.each(['types-zstd-V1.parquet', 'packed.jsonl.gz'])('%s: progress is by the bytes of the file', async (name) => {
    if (name.endsWith('.gz')) writeFileSync(at(name), gzipSync(TYPES.repeat(50)));
    const input = await openInput({ name }, { cwd: home } as Terminal);
    const buffer = Buffer.alloc(1 << 16);
    let unpacked = 0;
    for (let got = -1; got !== 0; unpacked += got) got = input.read(buffer, 0, buffer.length);
    input.close();
    expect(unpacked).toBe(Buffer.byteLength(TYPES) * (name.endsWith('.gz') ? 50 : 1));
    expect(input.taken!() / input.stats!.size).toBeGreaterThan(0.9);
    expect(input.taken!() / input.stats!.size).toBeLessThan(2);
  });

  it('names file and row', () => {
    const bad = [...CHAT, { role: 'assistant', content: 'Oh', tool_calls: [] }];
    writeFileSync(
      at('chats.jsonl'),
      [CHAT, bad, CHAT, bad].map((messages) => `${JSON.stringify({ messages })}\n`).join(''),
    );
    expect(ctxTrim('select', '--min-messages=0', 'chats.jsonl', '-o', 'chats.parquet').status).toBe(0);
    const { findings } = JSON.parse(ctxTrim('check', 'chats.parquet', '--format=json').stdout);
    const places = findings.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`);
    expect([...new Set(places)]).toEqual(['chats.parquet:2', 'chats.parquet:4']);
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -9)],
    ['without an end', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['too short', () => Buffer.from('PAR1')],
    ['encrypted', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -4), Buffer.from('PARE')])],
    ['with a damaged page', (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 8, 60)],
  ])('refuses a file that is %s in one line', (_, damage) => {
    writeFileSync(at('bad.parquet'), damage(readFileSync(at('types-snappy-V1.parquet'))));
    const { status, stdout, stderr } = ctxTrim('stats', 'bad.parquet');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^ctx-trim: bad\.parquet: the Parquet file cannot be read: .+\n$/);
  });
});

describe('writing', () => {
  it.each(files.filter((name) => name.endsWith('V1.parquet')))('%s: other rows and the schema stay', (name) => {
    copyFileSync(at(name), at('run.parquet'));
    expect(ctxTrim('select', '--where=id!=2', '--write', 'run.parquet').status).toBe(0);
    const left = TYPES.split('\n').filter((line) => !line.startsWith('{"id":2,'));
    expect(rowsIn('run.parquet')).toBe(left.join('\n'));
    expect(schemaIn('run.parquet')).toEqual(schemaIn(name));
  });

  it('changes messages, and nothing else', () => {
    copyFileSync(at('types-gzip-V2.parquet'), at('run.parquet'));
    expect(ctxTrim('filter', '--max-tool-calls=0', '--write', 'run.parquet').status).toBe(0);
    const [before, after] = [TYPES, rowsIn('run.parquet')].map((text) => JSON.parse(`${text.split('\n')[4]}`));
    expect(after).toEqual({ ...before, messages: [before.messages[0], before.messages[3]] });
  });

  it('keeps the schema in a new file where the rows fit, and makes one where they do not', () => {
    ctxTrim('select', '--min-messages=0', 'types-zstd-V2.parquet', '-o', 'new.parquet');
    expect(schemaIn('new.parquet')).toEqual(schemaIn('types-zstd-V2.parquet'));
    for (const codec of ['lz4_raw', 'snappy', 'gzip']) {
      const { stderr } = ctxTrim('select', '--min-messages=0', `types-${codec}-V2.parquet`, '-o', 'new.parquet');
      expect([codec, stderr.match(/Snappy/g)?.length]).toEqual([codec, codec === 'lz4_raw' ? 1 : undefined]);
    }
    expect(ctxTrim('convert', '--to=sharegpt', 'types-zstd-V2.parquet', '-o', 'new.parquet').status).toBe(0);
    expect(rowsIn('new.parquet')).toContain('"conversations":[{"from":');
  });

  it('makes columns of JSON Lines', () => {
    const rows = [
      { n: 1, x: 1, list: [{ a: 'x' }], same: true },
      { n: 2, x: 0.5, list: [{ a: null, b: 1 }, {}], same: null },
    ];
    writeFileSync(at('rows.jsonl'), rows.map((row) => `${JSON.stringify({ messages: CHAT, ...row })}\n`).join(''));
    expect(ctxTrim('select', '--min-messages=0', 'rows.jsonl', '-o', 'rows.parquet').status).toBe(0);
    const read = rowsIn('rows.parquet').trim().split('\n');
    expect(read.map((line) => JSON.parse(line))).toEqual([
      { messages: CHAT, ...rows[0] },
      { messages: CHAT, ...rows[1], list: [{ b: 1 }, {}] },
    ]);
  });

  it('takes no text for a map', () => {
    const { columns, row } = { columns: columnsOf(schemaIn('types-snappy-V1.parquet')).all, row: '{"map":"b"}' };
    expect(() => rowValues(columns, parse(row))).toThrow('`map` is no object and no list of entries');
    expect(rowValues(columns, parse('{"map":{"b":1}}'))).toContainEqual([{ key: 'b', value: 1n }]);
  });

  it('says which row does not fit', () => {
    const rows = [{ messages: CHAT }, { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }];
    writeFileSync(at('mixed.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { status, stderr } = ctxTrim('select', '--min-messages=0', 'mixed.jsonl', '-o', 'mixed.parquet');
    expect(status).toBe(2);
    expect(stderr).toContain('mixed.parquet:2: it cannot be written as Parquet: `messages[].content` is a list here');
  });
});

const CHAT = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Yes?' },
];
