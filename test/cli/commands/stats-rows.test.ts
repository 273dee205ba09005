/** `stats --format ndjson` and `parquet`: judged by the schema, by hyparquet, and by the sums of `--format json`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { jsonSchemaOf } from '../../../src/documents/schemas/index.js';
import { memoryTerminal } from '../../shared/terminal.js';

const FILES = ['claude-code', 'codex'].map((format) => `fixtures/formats/${format}`);

async function ctxTrim(words: readonly string[], isTerminal = false) {
  const pieces: Uint8Array[] = [];
  const { terminal, err } = memoryTerminal({ cwd: process.cwd() });
  const write = (bytes: string | Uint8Array) => void pieces.push(Buffer.from(bytes));
  const stdout = { ...terminal.stdout, isTerminal, write, data: write };
  const status = await runIn({ ...terminal, stdout }, words);
  return { out: Buffer.concat(pieces), err: err(), status };
}

const statsAs = async (format: string, ...more: string[]) =>
  (await ctxTrim(['stats', '--timezone=UTC', `--format=${format}`, ...more, ...FILES])).out;
/** The digits of costs, which doubles would round. */
const costsIn = (json: string) => [...json.matchAll(/"cost_usd": ?([\d.]+|null)/g)].map(([, cost]) => cost!);
const picodollars = (cost: string) => {
  const [whole = '', fraction = ''] = cost.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
};

it('has a line for each request, whose costs add up to the total', async () => {
  const lines = String(await statsAs('ndjson'))
    .trim()
    .split('\n');
  const text = String(await statsAs('json'));
  const report = JSON.parse(text);
  expect(lines).toHaveLength(report.transcripts.flatMap(({ requests }: { requests: unknown[] }) => requests).length);
  const schema = jsonSchemaOf('stats', true) as { $defs: { StatsRequestRow: object } };
  const isValid = new Ajv2020({ strict: false }).compile(schema.$defs.StatsRequestRow);
  for (const line of lines) expect([line, isValid(JSON.parse(line)), isValid.errors]).toEqual([line, true, null]);
  const costs = lines.flatMap(costsIn).filter((cost) => cost !== 'null');
  const total = costsIn(text.slice(text.lastIndexOf('"totals"')))[0]!;
  expect(costs.map(picodollars).reduce((a, b) => a + b)).toBe(picodollars(total));
});

it('says the same of merged parts, and with --recorded what is recorded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-rows-'));
  try {
    writeFileSync(join(folder, 'part.json'), await statsAs('json'));
    const rows = String(await statsAs('ndjson')).split('\n');
    const merged = await ctxTrim(['stats', '--timezone=UTC', '--format=ndjson', '--merge', join(folder, 'part.json')]);
    expect(String(merged.out).split('\n')).toEqual(rows);
    const recorded = String(await statsAs('ndjson', '--recorded', '--no-cache')).split('\n');
    const known = rows.filter((row) => row.includes('"tokens_source":"recorded"'));
    expect(recorded.flatMap(costsIn).sort()).toEqual(known.flatMap(costsIn).sort()); // indices skip lines
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('writes the same rows as Parquet, with dates, times and decimals', async () => {
  const bytes = await statsAs('parquet');
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const { schema } = parquetMetadata(file);
  const typeOf = (name: string) => schema.find((element) => element.name === name)?.converted_type;
  expect([typeOf('time'), typeOf('day'), typeOf('cost_usd')]).toEqual(['TIMESTAMP_MILLIS', 'DATE', 'DECIMAL']);
  const rows = await parquetReadObjects({ file });
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  const read = JSON.parse(JSON.stringify(rows, plain)) as { day: string | null; cost_usd: number | null }[];
  const lines = String(await statsAs('ndjson'))
    .trim()
    .split('\n');
  const written = lines.map((line) => JSON.parse(line));
  expect(read.map((row) => ({ ...row, day: row.day?.slice(0, 10) ?? null }))).toEqual(written);
});

it('writes Parquet without rows for an input without requests, and none to a terminal', async () => {
  const { out, status } = await ctxTrim(['stats', '--format=parquet', '--recorded', 'fixtures/audit']);
  expect([status, out.subarray(0, 4).toString(), out.subarray(-4).toString()]).toEqual([0, 'PAR1', 'PAR1']);
  const refused = await ctxTrim(['stats', '--format=parquet', ...FILES], true);
  expect([refused.status, refused.out.length]).toEqual([2, 0]);
  expect(refused.err).toContain('> requests.parquet');
});

it('has the columns that the recipe for DuckDB names', async () => {
  const sql = /```sql\n([^`]*)```/.exec(readFileSync('docs/scaling.md', 'utf8'))![1]!;
  const row = JSON.parse(String(await statsAs('ndjson')).split('\n')[0]!);
  for (const name of ['file', 'session', 'requests', 'cost_usd'])
    expect([sql, Object.keys(row)]).toEqual([expect.stringContaining(name), expect.arrayContaining([name])]);
  const csv = String((await ctxTrim(['stats', '--tools', '--format=csv', ...FILES])).out).split('\n');
  expect(csv[0]!.split(',')).toEqual(expect.arrayContaining(['result', 'tool', 'tokens', 'cost_usd']));
  expect(csv[1]).toMatch(/^(.*):[0-9]+/);
  const { findings } = JSON.parse(String((await ctxTrim(['check', '--format=json', ...FILES])).out));
  expect(findings[0]).toHaveProperty('file');
});

it('says in 80 columns what was paid, however much it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-paid-'));
  const usage = { prompt_tokens: 1_137_715_510, completion_tokens: 155_895_300_000, total_tokens: 157_033_015_510 };
  const reply = { role: 'assistant', content: 'Yes.' };
  const value = { model: 'gpt-4o', usage, choices: [{ index: 0, finish_reason: 'stop', message: reply }] };
  const record = { request: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Go.' }] }, response: value };
  writeFileSync(join(folder, 'a.json'), JSON.stringify(record));
  const { out } = await ctxTrim(['stats', '--by', 'model', join(folder, 'a.json')]);
  rmSync(folder, { recursive: true });
  const lines = String(out).split('\n');
  const paid = lines.findIndex((line) => line.startsWith('paid '));
  expect(lines[paid]).toBe('paid         1 request, 1,137,715,510 input tokens, 155,895,300,000 output,');
  expect(lines[paid + 1]).toBe('             $1,561,797.29');
});
